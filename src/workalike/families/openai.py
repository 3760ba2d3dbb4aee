"""OpenAI's computer use through the Responses API: several actions a call, safety checks acknowledged.

A computer call there must be answered with a screenshot, so a turn whose screenshot is no longer kept goes as a whole
and is told in words instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action, Scroll
from workalike.core.screen import Point
from workalike.core.spaces import ScreenPixels
from workalike.core.task import Task
from workalike.dialects import openai
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.reply import ParsedReply
from workalike.families.computer import COMPUTER, ComputerFamily, ComputerSettings, step_line
from workalike.families.places import on_picture, on_screen
from workalike.families.turns import Turn
from workalike.models.messages import Message, Part, Reply, Sampling, Text, Thinking, ToolCall

_CENTRE = Point(0.5, 0.5)


class OpenAiSettings(ComputerSettings, frozen=True, kw_only=True):
    """`tool` is `computer`, or `computer_use_preview` for the model of that name."""

    screenshots: int = 10
    tool: str = "computer"


class OpenAi(ComputerFamily[OpenAiSettings]):
    """Models with OpenAI's computer tool."""

    name = "openai"
    api = "responses"
    sampling = Sampling()
    pictured = True

    def old_turns(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        gone = turns[: self.first_shown(turns)]
        return (self.first(task, turns, [step_line(turn) for turn in gone]),)

    def read_calls(self, calls: Sequence[ToolCall], turn: Turn) -> tuple[Action, ...]:
        items = [{"type": "computer_call", **call.arguments} for call in calls]
        return on_screen(openai.read_reply(items, turn.screen).actions, turn.screen, ScreenPixels())

    def write_calls(self, actions: Sequence[Action], turn: Turn) -> list[ToolCall] | str:
        placed = [
            replace(action, at=action.at or _CENTRE) if isinstance(action, Scroll) else action
            for action in scrolls_in("pixels", actions)
        ]
        items = openai.format(on_picture(placed, turn.screen, ScreenPixels()), turn.screen)
        if items[0]["type"] == "message":
            return "".join(piece["text"] for piece in items[0]["content"])
        done = [action for item in items for action in item["actions"]]
        return [ToolCall("call_1", COMPUTER, {"actions": done})]

    def read_ending(self, reply: Reply, turn: Turn) -> ParsedReply:
        return openai.read_reply([item for part in reply.parts for item in _items(part, reply)], turn.screen)


def _items(part: Part, reply: Reply) -> list[dict[str, Any]]:
    """A part in the words of the API, which is what the dialect reads."""
    if isinstance(part, Thinking):
        return [{"type": "reasoning", "summary": [{"type": "summary_text", "text": part.text}]}]
    if isinstance(part, Text):
        kind = "refusal" if reply.ending == "refused" else "output_text"
        field = "refusal" if kind == "refusal" else "text"
        return [{"type": "message", "content": [{"type": kind, field: part.text}]}]
    return [msgspec.to_builtins(part)]
