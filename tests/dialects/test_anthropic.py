"""Anthropic's computer tool, checked against the types of its own library."""

from __future__ import annotations

from typing import Any

import pytest

from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.dialects import anthropic
from workalike.dialects.reply import ParsedReply

SCREEN = Size(1000, 800)
P, Q = Point(0.25, 0.5), Point(0.75, 0.125)
PAIRS: list[tuple[Action, list[dict[str, Any]]]] = [
    (Click(P), [{"action": "left_click", "coordinate": [250, 400]}]),
    (Click(), [{"action": "left_click"}]),
    (
        Click(P, "right", 1, ("ctrl", "shift")),
        [{"action": "right_click", "coordinate": [250, 400], "text": "ctrl+shift"}],
    ),
    (Click(P, "middle"), [{"action": "middle_click", "coordinate": [250, 400]}]),
    (Click(P, count=2), [{"action": "double_click", "coordinate": [250, 400]}]),
    (Click(P, count=3), [{"action": "triple_click", "coordinate": [250, 400]}]),
    (Move(P), [{"action": "mouse_move", "coordinate": [250, 400]}]),
    (Drag((Q,), P), [{"action": "left_click_drag", "coordinate": [750, 100], "start_coordinate": [250, 400]}]),
    (
        Drag((Q,)),
        [
            {"action": "left_mouse_down"},
            {"action": "mouse_move", "coordinate": [750, 100]},
            {"action": "left_mouse_up"},
        ],
    ),
    (MouseDown(P), [{"action": "mouse_move", "coordinate": [250, 400]}, {"action": "left_mouse_down"}]),
    (MouseUp(), [{"action": "left_mouse_up"}]),
    (
        Scroll(dy=3, at=P),
        [{"action": "scroll", "coordinate": [250, 400], "scroll_direction": "down", "scroll_amount": 3}],
    ),
    (
        Scroll(dx=-2, dy=-1, modifiers=("ctrl",)),
        [
            {"action": "scroll", "scroll_direction": "up", "scroll_amount": 1, "text": "ctrl"},
            {"action": "scroll", "scroll_direction": "left", "scroll_amount": 2, "text": "ctrl"},
        ],
    ),
    (Write("hi"), [{"action": "type", "text": "hi"}]),
    (Press(("enter",)), [{"action": "key", "text": "Return"}]),
    (Press(("down", "down", "+")), [{"action": "key", "text": "Down Down plus"}]),
    (Hotkey(("ctrl", "shift", "t")), [{"action": "key", "text": "ctrl+shift+t"}]),
    (Hotkey(("alt", "f4")), [{"action": "key", "text": "alt+F4"}]),
    (Wait(2), [{"action": "wait", "duration": 2}]),
    (Wait(0), [{"action": "screenshot"}]),
]


@pytest.mark.parametrize(("action", "calls"), PAIRS)
def test_writes_and_reads(action: Action, calls: list[dict[str, Any]]) -> None:
    blocks = anthropic.format([action], SCREEN)
    assert blocks == [{"type": "tool_use", "name": "computer", "input": call} for call in calls]
    assert anthropic.parse(blocks, SCREEN) == (action,)
    toolset = anthropic.format([action], SCREEN, form="toolset")
    assert [block["name"] for block in toolset] == [call["action"] for call in calls]
    assert all(block["toolset_name"] == "computer" and "action" not in block["input"] for block in toolset)
    assert anthropic.parse(toolset, SCREEN) == (action,)


def test_its_own_library_takes_what_is_written() -> None:
    beta = pytest.importorskip("anthropic.types.beta")
    if not hasattr(beta, "BetaComputerToolUseBlock"):
        pytest.skip("this version of the library has no computer toolset")
    from pydantic import TypeAdapter

    block = TypeAdapter(beta.BetaComputerToolUseBlock)
    for action, calls in PAIRS:
        written = anthropic.format([action], SCREEN, form="toolset")
        read = [block.validate_python(call | {"id": "a"}, strict=True) for call in written]
        assert [call.name for call in read] == [call["action"] for call in calls]
        assert anthropic.parse([call.model_dump() for call in read], SCREEN) == (action,)


def test_a_large_screen_is_scaled_down() -> None:
    block = {"type": "tool_use", "name": "computer", "input": {"action": "left_click", "coordinate": [320, 360]}}
    assert anthropic.parse(block, Size(1920, 1080)) == (Click(P),)


def test_held_keys() -> None:
    held = (KeyDown("ctrl"), KeyDown("a"), Wait(2), KeyUp("a"), KeyUp("ctrl"))
    blocks = anthropic.format((Wait(1), *held, Wait(1)))
    assert blocks[1]["input"] == {"action": "hold_key", "text": "ctrl+a", "duration": 2}
    assert anthropic.parse(blocks) == (Wait(1), *held, Wait(1))


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ({"action": "key", "text": "KP_0"}, [Press(("num0",))]),
        ({"action": "key", "text": "Page_Down", "repeat": 3}, [Press(("pagedown",) * 3)]),
        ({"action": "key", "text": "super+shift+S"}, [Hotkey(("win", "shift", "s"))]),
        ({"action": "key", "text": "ctrl++"}, [Hotkey(("ctrl", "+"))]),
        ({"action": "left_click_drag", "coordinate": [750, 100]}, [Drag((Q,))]),
        ({"action": "zoom", "region": [0, 0, 100, 100]}, [Wait(0)]),
        ({"action": "cursor_position"}, [Wait(0)]),
        ({"action": "left_click", "coordinate": None, "text": ""}, [Click()]),
    ],
)
def test_reads_bare_inputs(call: dict[str, Any], actions: list[Action]) -> None:
    assert anthropic.parse(call, SCREEN) == tuple(actions)


def test_a_whole_message() -> None:
    content = [
        {"type": "thinking", "thinking": "A form.", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "I fill it in."},
        {"type": "tool_use", "id": "a", "name": "computer", "input": {"action": "type", "text": "hi"}},
    ]
    assert anthropic.read_reply(content) == ParsedReply((Write("hi"),), "A form.\n\nI fill it in.")


def test_words_without_a_call_are_the_end() -> None:
    assert anthropic.parse([{"type": "text", "text": "12 €"}]) == (Terminate("success", "12 €"),)
    assert anthropic.parse([]) == (Terminate("success"),)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (3, "must be an object"),
        ({"type": "tool_use", "name": "bash", "input": {"command": "ls"}}, "'bash'"),
        ({"action": "fly"}, "'fly'"),
        ({"action": "key", "text": ""}, "no key ''"),
        ({"action": "key", "text": "a", "repeat": 0}, "repeat of key"),
        ({"action": "mouse_move"}, "mouse_move needs coordinate"),
        ({"action": "left_click", "coordinate": [1, 2, 3]}, "two numbers"),
        ({"action": "left_click", "text": "enter"}, "not a modifier"),
        ({"action": "scroll", "scroll_direction": "in", "scroll_amount": 1}, "no such scroll"),
        ({"action": "scroll", "scroll_direction": "up", "scroll_amount": -1}, "no such scroll"),
        ({"action": "wait", "duration": "long"}, "duration of wait"),
    ],
)
def test_refuses_and_says_why(content: Any, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        anthropic.parse(content)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "action",
    [
        Click(P, "right", 2),
        Drag((P,), Q, "right"),
        Drag((P, Q), Q, modifiers=("shift",)),
        Scroll(dy=300, unit="pixels"),
        Scroll(dy=0.5),
        Hotkey(("ctrl", "A")),
        MouseDown(button="right"),
        KeyDown("shift"),
        Wait(),
        Terminate("failure"),
    ],
)
def test_what_it_cannot_say(action: Action) -> None:
    with pytest.raises(Inexpressible):
        anthropic.format([action])
