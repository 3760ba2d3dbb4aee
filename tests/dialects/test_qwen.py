"""Qwen's calls, as the two generations write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workalike.core.actions import Action, Click, Drag, Hotkey, Press, Scroll, Terminate, Wait, Write
from workalike.core.errors import Inexpressible
from workalike.core.screen import Point, Size
from workalike.dialects import qwen
from workalike.dialects.computer_use import Variant
from workalike.dialects.qwen import QWEN_3, QWEN_25
from workalike.dialects.reply import ParsedReply

MIDDLE = Point(0.5, 0.5)


def call(action: str, **arguments: Any) -> str:
    made = {"name": "computer_use", "arguments": {"action": action, **arguments}}
    return f"<tool_call>\n{json.dumps(made)}\n</tool_call>"


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (call("left_click", coordinate=[500, 500]), [Click(MIDDLE)]),
        (call("left_click"), [Click()]),
        (call("triple_click", coordinate=[500, 500]), [Click(MIDDLE, count=3)]),
        (call("middle_click", coordinate=[500, 500]), [Click(MIDDLE, "middle")]),
        (
            call("left_click_drag", start_coordinate=[0, 0], coordinate=[500, 500]),
            [Drag((MIDDLE,), Point(0, 0))],
        ),
        (call("key", keys=["ctrl", "c"]), [Hotkey(("ctrl", "c"))]),
        (call("key", keys=["down"]) + call("key", keys=["enter"]), [Press(("down", "enter"))]),
        (call("type", text="hi\n"), [Write("hi\n")]),
        (call("scroll", pixels=-300), [Scroll(dy=300, unit="pixels")]),
        (call("hscroll", pixels=300), [Scroll(dx=300, unit="pixels")]),
        (
            call("mouse_move", coordinate=[500, 500]) + call("scroll", pixels=5),
            [Scroll(dy=-5, unit="pixels", at=MIDDLE)],
        ),
        (call("wait", time=0.5), [Wait(0.5)]),
        (call("answer", text="12 €"), [Terminate("success", "12 €")]),
        (call("answer", text="none") + call("terminate", status="failure"), [Terminate("failure", "none")]),
        (call("answer", text="a") + call("wait", time=1), [Terminate("success", "a"), Wait(1)]),
        (call("terminate", status="success"), [Terminate("success")]),
    ],
)
def test_qwen_3_reads(text: str, actions: list[Action]) -> None:
    assert qwen.parse(text) == tuple(actions)


def test_qwen_25_writes_pixels_of_the_resized_picture() -> None:
    screen = Size(1920, 1080)
    text = call("left_click", coordinate=[966, 546])
    assert qwen.parse(text, screen, QWEN_25) == (Click(MIDDLE),)
    assert qwen.format([Click(MIDDLE)], screen, QWEN_25) == text


def test_the_thought_is_what_stands_before_the_call() -> None:
    text = "<think>\nHm.\n</think>\n\nAction: wait a little.\n" + call("wait", time=1)
    assert qwen.read_reply(text) == ParsedReply((Wait(1),), "Hm.\n\nAction: wait a little.")
    assert qwen.read_reply(call("wait", time=1)).thought is None


@pytest.mark.parametrize(
    ("action", "variant"),
    [
        (Terminate("success", "12 €"), QWEN_25),
        (Click(MIDDLE, count=3), QWEN_25),
        (Scroll(dx=5, unit="pixels"), QWEN_25),
        (Click(MIDDLE, "right", 2), QWEN_3),
        (Scroll(dy=5), QWEN_3),
        (Drag((MIDDLE,), button="right"), QWEN_3),
    ],
)
def test_what_it_cannot_say(action: Action, variant: Variant) -> None:
    with pytest.raises(Inexpressible, match=variant.dialect):
        qwen.format([action], variant=variant)
