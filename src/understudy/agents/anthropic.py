"""Anthropic's computer use through the Messages API, in the toolset of 2026 or the tools before it.

The conversation stays whole; of screenshots only the last few are kept, as in the published example.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from understudy.agents.computer import COMPUTER, ComputerFamily, ComputerManner
from understudy.agents.family import recent
from understudy.agents.speech import Speech
from understudy.agents.turns import Turn
from understudy.core.actions import Action, Terminate
from understudy.core.errors import Unreadable
from understudy.core.screen import Size
from understudy.core.spaces import FittedPixels
from understudy.core.task import Task
from understudy.dialects import anthropic
from understudy.dialects.reply import Reply as Said
from understudy.models.messages import Message, Picture, Reply, Sampling, Text, Thinking, ToolCall, ToolResult
from understudy.models.wire.anthropic import TOOLSET


class AnthropicManner(ComputerManner, frozen=True, kw_only=True):
    """`tool` is the toolset, or `computer_20251124`, `computer_20250124` for models that know only those; `most` bounds
    the picture's size."""

    tool: str = TOOLSET
    most: Size = Size(1280, 800)


class Anthropic(ComputerFamily[AnthropicManner]):
    """Models with Anthropic's computer tool."""

    name = "anthropic"
    api = "messages"
    sampling = Sampling(max_tokens=4096)

    @property
    def speech(self) -> Speech:
        return "anthropic"

    def picture_size(self, screen: Size) -> Size:
        return self._space.picture(screen)

    @property
    def _space(self) -> FittedPixels:
        return FittedPixels(self.manner.most)

    def old_turns(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        first = recent(turns, self.manner.screenshots)
        if first == 0:
            return (self.first(task, turns),)
        made = [Message("user", self.parts("computer/first", shot=(), task=self.task(task), earlier=""))]
        for turn in turns[:first]:
            made.append(Message("assistant", self.kept(turn.reply) if turn.reply else (Text("…"),)))
            following = turns[turn.number + 1]
            shown = self.results(turn, following, turns)
            made.append(shown if following.number == first else self._without_shot(shown))
        return tuple(made)

    def read_calls(self, calls: Sequence[ToolCall], turn: Turn) -> tuple[Action, ...]:
        blocks = [{"type": "tool_use", "name": COMPUTER, "input": call.arguments} for call in calls]
        return anthropic.read_reply(blocks, turn.screen, self._space).actions

    def read_ending(self, reply: Reply, turn: Turn) -> Said:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
        if not blocks:
            raise Unreadable("the reply has neither a call nor a word")
        blocks += [{"type": "thinking", "thinking": part.text} for part in reply.parts if isinstance(part, Thinking)]
        read = anthropic.read_reply(blocks, turn.screen, self._space)
        refused = reply.ending == "refused"
        return Said((Terminate("failure", reply.text),), read.thought) if refused else read

    def _without_shot(self, message: Message) -> Message:
        gone = (Text(self.words("computer/left_out")),)
        parts = [
            ToolResult(part.id, part.name, gone) if isinstance(part, ToolResult) and part.name == COMPUTER else part
            for part in message.parts
        ]
        return Message("user", tuple(part for part in parts if not isinstance(part, Picture)))
