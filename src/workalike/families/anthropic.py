"""Anthropic's computer use through the Messages API, in the toolset of 2026 or the tools before it.

The conversation stays whole but for old screenshots. Those go several at once: each time something of the past is
changed, the service's cache of it is lost, and so is what the model thought in it, which holds for an unchanged past
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from workalike.core.actions import Action, Terminate
from workalike.core.errors import Unreadable
from workalike.core.screen import Size
from workalike.core.spaces import FittedPixels
from workalike.core.task import Task
from workalike.dialects import anthropic
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.reply import ParsedReply
from workalike.families.computer import COMPUTER, ComputerFamily, ComputerSettings
from workalike.families.places import on_picture, on_screen
from workalike.families.turns import Turn
from workalike.models.messages import Message, Part, Reply, Sampling, Text, Thinking, ToolCall
from workalike.models.wire.anthropic import TOOLSET


class AnthropicSettings(ComputerSettings, frozen=True, kw_only=True):
    """`tool` is the toolset, or `computer_20251124`, `computer_20250124` for models that know only those; `most` bounds
    the picture's size; `chunk` is how many old screenshots go at once, so that up to that many more are kept."""

    tool: str = TOOLSET
    most: Size = Size(1280, 800)
    chunk: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.chunk < 1:
            raise ValueError("chunk must be at least 1")


class Anthropic(ComputerFamily[AnthropicSettings]):
    """Models with Anthropic's computer tool."""

    name = "anthropic"
    api = "messages"
    sampling = Sampling(max_tokens=16_000)  # thoughts count, too
    pictured = False

    def picture_size(self, screen: Size) -> Size:
        return self._space.picture(screen)

    @property
    def _space(self) -> FittedPixels:
        return FittedPixels(self.settings.most)

    def first_shown(self, turns: Sequence[Turn]) -> int:
        gone = super().first_shown(turns)
        return gone - gone % self.settings.chunk

    def old_turns(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        first = self.first_shown(turns)
        if first == 0:
            return (self.first(task, turns),)
        made = [self.opening(task, turns[0], ())]
        gone = (Text(self.words("computer/left_out")),)
        for turn in turns[:first]:
            made += self.replies(turn) or (Message("assistant", (Text("…"),)),)
            following = turns[turn.number + 1]
            made.append(self.results(turn, following, turns, None if following.number == first else gone))
        return tuple(made)

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """Thoughts of before the last screenshots went are left out with them."""
        first = self.first_shown(turns)
        since = next(turn.number for turn in turns if self.first_shown(turns[: turn.number + 1]) == first)
        past = [_thoughtless(turn) if turn.number < since else turn for turn in turns]
        return super().messages(task, past)

    def read_calls(self, calls: Sequence[ToolCall], turn: Turn) -> tuple[Action, ...]:
        blocks = [{"type": "tool_use", "name": COMPUTER, "input": call.arguments} for call in calls]
        actions = anthropic.read_reply(blocks, turn.screen, self._space).actions
        return on_screen(actions, turn.screen, self._space)

    def write_calls(self, actions: Sequence[Action], turn: Turn) -> list[ToolCall] | str:
        placed = on_picture(scrolls_in("notches", actions), turn.screen, self._space)
        blocks = anthropic.format(placed, turn.screen, self._space)
        calls = [block["input"] for block in blocks if block["type"] == "tool_use"]
        ending = "".join(block.get("text", "") for block in blocks)
        return [ToolCall(f"toolu_{number}", COMPUTER, call) for number, call in enumerate(calls, 1)] or ending

    def read_ending(self, reply: Reply, turn: Turn) -> ParsedReply:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
        if not blocks:
            raise Unreadable("the reply has neither a call nor a word")
        blocks += [{"type": "thinking", "thinking": part.text} for part in reply.parts if isinstance(part, Thinking)]
        read = anthropic.read_reply(blocks, turn.screen, self._space)
        refused = reply.ending == "refused"
        return ParsedReply((Terminate("failure", reply.text),), read.thought) if refused else read


def _thoughtless(turn: Turn) -> Turn:
    """A turn as it reads without what the model thought to itself."""
    said = tuple(replace(message, parts=_spoken(message.parts)) for message in turn.corrected)
    return replace(turn, corrected=said, reply=turn.reply and replace(turn.reply, parts=_spoken(turn.reply.parts)))


def _spoken(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part for part in parts if not isinstance(part, Thinking))
