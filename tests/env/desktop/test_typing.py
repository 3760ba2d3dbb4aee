"""Text is typed in stretches where the keyboard may move, and asked about no more often than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.core.actions import Action, Hotkey, Press, Write
from workalike.core.recording import TreeNode
from workalike.env.desktop.typing import Target, Typing, split, type_on

EDITOR = TreeNode("text", "", (0, 0, 500, 500))
USER, SECRET, NOTE = (TreeNode(role, "", (0, y, 90, 20)) for y, role in enumerate(("text", "password text", "text")))


@pytest.mark.parametrize(
    ("action", "stretches"),
    [
        (Write(""), [Write("")]),
        (Write("abc"), [Write("abc")]),
        (Write("a\tb\r\n"), [Write("a\t"), Write("b\n")]),
        (Write("\n\nc"), [Write("\n"), Write("\n"), Write("c")]),
        (Press(("a", "Return", "b", "tab")), [Press(("a", "Return")), Press(("b", "tab"))]),
        (Hotkey(("ctrl", "tab")), [Hotkey(("ctrl", "tab"))]),
    ],
)
def test_stretches(action: Typing, stretches: list[Typing]) -> None:
    assert split(action) == stretches


@given(st.text())
def test_nothing_is_lost_between_stretches(text: str) -> None:
    parts = split(Write(text))
    assert "".join(part.text for part in parts if isinstance(part, Write)) == text.replace("\r\n", "\n")


class Program:
    """Fields that a tab leads through; in an editor it leads nowhere."""

    def __init__(self, *fields: TreeNode) -> None:
        self.fields, self.at, self.asked = fields, 0, 0
        self.done: list[Action] = []

    async def do(self, action: Action) -> None:
        self.done.append(action)
        self.at = min(self.at + str(action).count("\\t"), len(self.fields) - 1)

    async def ask(self) -> Target:
        self.asked += 1
        return Target(self.fields[self.at])


async def test_an_ordinary_text_is_typed_at_once() -> None:
    program = Program(USER, SECRET)
    await type_on(Write("alice\n"), program.do, program.ask)
    assert (program.done, program.asked) == ([Write("alice\n")], 1)


async def test_every_field_is_asked_about() -> None:
    program = Program(USER, SECRET, NOTE)
    await type_on(Write("alice\ts3cret\tnote\n"), program.do, program.ask)
    assert program.done == [Write("alice\t"), Write("s3cret\t"), Write("note\n")]
    assert program.asked == 3


async def test_an_editor_is_not_asked_line_by_line() -> None:
    program = Program(EDITOR)
    text = "\tone\n\ttwo\n" * 100
    await type_on(Write(text), program.do, program.ask)
    assert "".join(done.text for done in program.done if isinstance(done, Write)) == text
    assert program.asked == 4
