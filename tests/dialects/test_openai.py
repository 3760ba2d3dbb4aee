"""OpenAI's computer calls, checked against the types of its own library."""

from __future__ import annotations

from typing import Any

import pytest

from workalike.core.actions import (
    Action,
    Back,
    Click,
    Drag,
    Forward,
    Hotkey,
    KeyDown,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.dialects import openai
from workalike.dialects.reply import ParsedReply

SCREEN = Size(1000, 800)
P, Q = Point(0.25, 0.5), Point(0.75, 0.125)
AT_P, AT_Q = {"x": 250, "y": 400}, {"x": 750, "y": 100}
PAIRS: list[tuple[Action, dict[str, Any]]] = [
    (Click(P), {"type": "click", "button": "left", **AT_P}),
    (Click(P, "middle"), {"type": "click", "button": "wheel", **AT_P}),
    (Click(P, "right", 1, ("ctrl", "command")), {"type": "click", "button": "right", **AT_P, "keys": ["CTRL", "CMD"]}),
    (Click(P, count=2), {"type": "double_click", **AT_P}),
    (Back(), {"type": "click", "button": "back", "x": 0, "y": 0}),
    (Forward(), {"type": "click", "button": "forward", "x": 0, "y": 0}),
    (Move(P), {"type": "move", **AT_P}),
    (Drag((Q,), P), {"type": "drag", "path": [AT_P, AT_Q]}),
    (Drag((Q, P), P), {"type": "drag", "path": [AT_P, AT_Q, AT_P]}),
    (Scroll(10, -20, "pixels", P), {"type": "scroll", **AT_P, "scroll_x": 10, "scroll_y": -20}),
    (Write("hi"), {"type": "type", "text": "hi"}),
    (Press(("enter",)), {"type": "keypress", "keys": ["ENTER"]}),
    (Hotkey(("ctrl", "shift", "t")), {"type": "keypress", "keys": ["CTRL", "SHIFT", "T"]}),
    (Hotkey(("alt", "left")), {"type": "keypress", "keys": ["ALT", "ARROWLEFT"]}),
    (Wait(), {"type": "wait"}),
    (Wait(0), {"type": "screenshot"}),
]


@pytest.mark.parametrize(("action", "item"), PAIRS)
def test_writes_and_reads(action: Action, item: dict[str, Any]) -> None:
    assert openai.format([action], SCREEN) == [{"type": "computer_call", "actions": [item]}]
    assert openai.format([action], SCREEN, batched=False) == [{"type": "computer_call", "action": item}]
    assert openai.parse(item, SCREEN) == (action,)


def test_its_own_library_takes_what_is_written() -> None:
    from openai.types.responses import ComputerAction, ResponseComputerToolCall
    from pydantic import TypeAdapter

    (call,) = openai.format([action for action, _ in PAIRS], SCREEN)
    known = {"id": "a", "call_id": "b", "pending_safety_checks": [], "status": "completed"}
    read = TypeAdapter(ResponseComputerToolCall).validate_python(call | known, strict=True)
    assert read.actions is not None
    assert len(read.actions) == len(PAIRS)
    for item in call["actions"]:
        TypeAdapter(ComputerAction).validate_python(item, strict=True)
    assert openai.parse(read.model_dump(), SCREEN) == tuple(action for action, _ in PAIRS)


def test_a_whole_output() -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I see a form."}]},
        {"type": "message", "content": [{"type": "output_text", "text": "Filling it in."}]},
        {"type": "computer_call", "action": {"type": "click", "button": "left", **AT_P}, "actions": None},
        {"type": "computer_call", "actions": [{"type": "type", "text": "a"}, {"type": "keypress", "keys": ["TAB"]}]},
    ]
    assert openai.read_reply(output, SCREEN) == ParsedReply(
        (Click(P), Write("a"), Press(("tab",))), "I see a form.\n\nFilling it in."
    )


def test_a_message_alone_is_the_end() -> None:
    said = [{"type": "message", "content": [{"type": "output_text", "text": "It costs 12 €."}]}]
    assert openai.parse(said) == (Terminate("success", "It costs 12 €."),)
    assert openai.parse(openai.format([Terminate("success")])) == (Terminate("success"),)
    refused = [{"type": "message", "content": [{"type": "refusal", "refusal": "I won't."}]}]
    assert openai.parse(refused) == (Terminate("failure", "I won't."),)


def test_presses_of_several_keys_are_several_calls() -> None:
    (call,) = openai.format([Press(("down", "down", "enter"))])
    assert [item["keys"] for item in call["actions"]] == [["ARROWDOWN"], ["ARROWDOWN"], ["ENTER"]]
    assert openai.parse([call]) == (Press(("down", "down", "enter")),)


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ([], "neither a call nor a message"),
        ("click", "object with a type"),
        ({"type": "fly"}, "'fly'"),
        ({"type": "computer_call"}, "needs an action"),
        ({"type": "click", "x": 1}, "y must be a number"),
        ({"type": "click", **AT_P, "button": "side"}, "'side'"),
        ({"type": "click", **AT_P, "keys": ["A"]}, "not a modifier"),
        ({"type": "drag", "path": []}, "path"),
        ({"type": "drag", "path": [{"x": 1}]}, "y must be a number"),
        ({"type": "scroll", **AT_P, "scroll_x": 1}, "scroll_y"),
        ({"type": "type", "text": None}, "text of type"),
        ({"type": "keypress", "keys": []}, "at least one key"),
        ({"type": "function_call", "name": "x"}, "'function_call'"),
    ],
)
def test_refuses_and_says_why(output: Any, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        openai.parse(output)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "action",
    [
        Click(),
        Click(P, count=3),
        Click(P, "right", 2),
        Drag((P,)),
        Drag((P,), Q, "right"),
        Scroll(dy=3, at=P),
        Scroll(dy=3, unit="pixels"),
        Press(("A",)),
        KeyDown("shift"),
        Wait(3),
        Terminate("failure"),
    ],
)
def test_what_it_cannot_say(action: Action) -> None:
    with pytest.raises(Inexpressible):
        openai.format([action])
