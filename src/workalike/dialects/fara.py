"""Fara: a thought, then one `computer_use` call of a browser in `<tool_call>` tags.

    >>> parse('<tool_call>{"name": "computer_use", "arguments": {"action": "history_back"}}</tool_call>')
    (Back(),)

Fara-7B writes pixels of the smart-resized picture. Its `type` clicks, clears and presses enter besides typing, so one
call is several actions here, and those actions are one call there. Its answer is the thought at the end. Fara1.5
writes a square of 1000 cells for places and scroll amounts alike, and ends with an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.actions import Action
from workalike.core.screen import Size
from workalike.core.spaces import Grid, ResizedPixels
from workalike.dialects import computer_use
from workalike.dialects.computer_use import Variant
from workalike.dialects.keynames import BROWSER
from workalike.dialects.reply import ParsedReply

VIEWPORT = Size(1440, 900)
_BOTH = ("key", "type", "mouse_move", "left_click", "scroll", "visit_url", "web_search", "history_back")
_TALK = ("pause_and_memorize_fact", "wait", "terminate")

FARA_7B = Variant(
    dialect="fara-7b",
    space=ResizedPixels(),
    calls=frozenset(_BOTH + _TALK),
    keys=BROWSER,
    typing=True,
    needs_place=True,
    scroll_at=True,
    answer="thought",
)
FARA_15 = Variant(
    dialect="fara-1.5",
    space=Grid(1000),
    calls=frozenset(
        _BOTH
        + _TALK
        + ("double_click", "right_click", "triple_click", "left_click_drag", "hscroll")
        + ("read_page_answer_question", "ask_user_question")
    ),
    keys=BROWSER,
    needs_place=True,
    scroll_cells=True,
    answer="argument",
)


def parse(text: str, screen: Size = VIEWPORT, variant: Variant = FARA_7B) -> tuple[Action, ...]:
    """The actions of a reply."""
    return read_reply(text, screen, variant).actions


def format(actions: Sequence[Action], screen: Size = VIEWPORT, variant: Variant = FARA_7B) -> str:
    """The calls of some actions."""
    return write_reply(ParsedReply(tuple(actions)), screen, variant)


def read_reply(text: str, screen: Size = VIEWPORT, variant: Variant = FARA_7B) -> ParsedReply:
    """The thought and the actions of a reply."""
    return computer_use.read_reply(text, screen, variant)


def write_reply(reply: ParsedReply, screen: Size = VIEWPORT, variant: Variant = FARA_7B) -> str:
    """A reply with its thought."""
    return computer_use.write_reply(reply, screen, variant)
