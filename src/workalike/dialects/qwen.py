"""Qwen-VL's `computer_use` tool: a thought, then calls of a desktop in `<tool_call>` tags.

    >>> parse('<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": 2}}</tool_call>')
    (Wait(seconds=2),)

Qwen2.5-VL writes pixels of the smart-resized picture, Qwen3-VL a grid of 1000 cells and, besides, triple clicks,
horizontal scrolls and answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.actions import Action
from workalike.core.screen import Size
from workalike.core.spaces import Grid, ResizedPixels
from workalike.dialects import computer_use
from workalike.dialects.computer_use import Variant
from workalike.dialects.reply import ParsedReply
from workalike.dialects.values import DEFAULT_SCREEN

_BOTH = ("key", "type", "mouse_move", "left_click", "left_click_drag", "right_click", "middle_click", "double_click")
_TALK = ("scroll", "wait", "terminate")

QWEN_25 = Variant(dialect="qwen-2.5", space=ResizedPixels(), calls=frozenset(_BOTH + _TALK), answer="nowhere")
QWEN_3 = Variant(
    dialect="qwen-3",
    space=Grid(1000),
    calls=frozenset(_BOTH + _TALK + ("triple_click", "hscroll", "answer")),
    answer="call",
)


def parse(text: str, screen: Size = DEFAULT_SCREEN, variant: Variant = QWEN_3) -> tuple[Action, ...]:
    """The actions of a reply."""
    return read_reply(text, screen, variant).actions


def format(actions: Sequence[Action], screen: Size = DEFAULT_SCREEN, variant: Variant = QWEN_3) -> str:
    """The calls of some actions."""
    return write_reply(ParsedReply(tuple(actions)), screen, variant)


def read_reply(text: str, screen: Size = DEFAULT_SCREEN, variant: Variant = QWEN_3) -> ParsedReply:
    """The thought and the actions of a reply."""
    return computer_use.read_reply(text, screen, variant)


def write_reply(reply: ParsedReply, screen: Size = DEFAULT_SCREEN, variant: Variant = QWEN_3) -> str:
    """A reply with its thought."""
    return computer_use.write_reply(reply, screen, variant)
