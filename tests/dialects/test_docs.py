"""The table in docs/dialects.md says what the code does."""

from __future__ import annotations

import doctest
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from tests.dialects.families import FAMILIES
from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hotkey,
    KeyDown,
    Memorize,
    MouseDown,
    Move,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible
from workalike.core.observation import Element
from workalike.core.screen import Box, Point, Size
from workalike.dialects import anthropic, fara, openai, pyautogui, qwen, som, uitars

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dialects.md"
SCREEN = Size(1440, 900)
P, Q = Point(0.25, 0.5), Point(0.75, 0.125)
MARKED = (Element("a", box=Box(0.2, 0.4, 0.1, 0.2), mark=1), Element("b", box=Box(0.7, 0.1, 0.1, 0.05), mark=2))
ROWS: dict[str, tuple[Action, ...]] = {
    "left click": (Click(P),),
    "right click": (Click(P, "right"),),
    "middle click": (Click(P, "middle"),),
    "double click": (Click(P, count=2),),
    "triple click": (Click(P, count=3),),
    "click where the pointer is": (Click(),),
    "keys held during a click": (Click(P, modifiers=("ctrl",)),),
    "move": (Move(P),),
    "drag": (Drag((Q,), P),),
    "drag from where the pointer is": (Drag((Q,)),),
    "drag around corners": (Drag((Q, P), P),),
    "drag with another button": (Drag((Q,), P, "right"),),
    "scroll by notches": (Scroll(dy=3, at=P),),
    "scroll by pixels": (Scroll(dy=300, unit="pixels", at=P),),
    "scroll by steps of 5 notches": (Scroll(dy=5, at=P),),
    "scroll sideways": (Scroll(dx=5, at=P), Scroll(dx=90, unit="pixels", at=P)),
    "scroll where the pointer is": (Scroll(dy=5), Scroll(dy=90, unit="pixels")),
    "write": (Write("it's"),),
    "press": (Press(("down", "enter")),),
    "hotkey": (Hotkey(("ctrl", "c")),),
    "key down, key up": (KeyDown("shift"),),
    "button down, button up": (MouseDown(P),),
    "wait, the length left open": (Wait(),),
    "wait, so many seconds": (Wait(2),),
    "look again": (Wait(0),),
    "visit": (Visit("https://a.test"),),
    "search": (Search("a"),),
    "back": (Back(),),
    "forward": (Forward(),),
    "switch tab, close tab": (SwitchTab(1), CloseTab()),
    "memorize": (Memorize("a"),),
    "ask": (Ask("a?"),),
    "read page": (ReadPage("a?"),),
    "end, with success": (Terminate("success"),),
    "end, with failure": (Terminate("failure"),),
    "end, with an answer": (Terminate("success", "a"),),
}


def _writers() -> dict[str, Callable[[Sequence[Action]], object]]:
    writers: dict[str, Callable[[Sequence[Action]], object]] = {}
    for family in FAMILIES:
        if family.name != "pyautogui-pixels":
            name = family.name.removesuffix("-fractions")
            writers[name] = lambda actions, family=family: family.format(actions, SCREEN)  # type: ignore[misc]
    return writers | {"som": lambda actions: som.format(actions, MARKED)}


def _says(write: Callable[[Sequence[Action]], object], action: Action) -> bool:
    try:
        write([action])
    except Inexpressible:
        return False
    return True


def table() -> str:
    """The table as it should stand."""
    writers = _writers()
    lines = [f"| | {' | '.join(writers)} |", "|---|" + ":-:|" * len(writers)]
    for label, actions in ROWS.items():
        cells = ["✓" if any(_says(write, action) for action in actions) else "" for write in writers.values()]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines)


def test_the_table_is_true() -> None:
    assert table() in PAGE.read_text(), f"docs/dialects.md should hold this table:\n{table()}"


@pytest.mark.parametrize("module", [anthropic, fara, openai, pyautogui, qwen, som, uitars], ids=lambda m: m.__name__)
def test_examples_in_docstrings(module: ModuleType) -> None:
    done = doctest.testmod(module)
    assert done.attempted > 0
    assert done.failed == 0
