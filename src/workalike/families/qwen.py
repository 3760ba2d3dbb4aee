"""Qwen2.5-VL and Qwen3-VL with their `computer_use` tool: the last steps as turns, older ones as a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from msgspec.structs import replace

from workalike.core.actions import Action, Scroll
from workalike.core.screen import Size
from workalike.core.spaces import Grid, smart_resize
from workalike.core.task import Task
from workalike.dialects import qwen
from workalike.dialects.computer_use import Variant
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.reply import ParsedReply
from workalike.families.base import Family, answer_as_thought, answered, recent, worded
from workalike.families.places import on_picture, on_screen
from workalike.families.turns import FamilySettings, Turn
from workalike.models.messages import Message, Reply, Sampling

PATCHES = {"2.5": 28, "3": 32}
FEWEST_PIXELS = 30
_ACTION = re.compile(r"\AAction:\s*", re.IGNORECASE)


class QwenSettings(FamilySettings, frozen=True, kw_only=True):
    """`version` tells Qwen2.5-VL (pixels) from Qwen3-VL (a grid of 1000)."""

    version: Literal["2.5", "3"] = "3"
    screenshots: int = 5


class Qwen(Family[QwenSettings]):
    """Either of the two."""

    name = "qwen"
    sampling = Sampling(temperature=0.0, max_tokens=8192)

    @cached_property
    def says(self) -> tuple[str, ...]:
        return ("action_text", "thought")

    def lacks(self, told: ParsedReply) -> tuple[str, ...]:
        return () if told.action_text or told.thought else ("action_text",)

    def picture_size(self, screen: Size) -> Size:
        return smart_resize(screen, PATCHES[self.settings.version])

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        screen = turns[-1].screen
        made = [self.system(screen, lambda: self._system(screen))]
        first = recent(turns, self.settings.screenshots)
        earlier = [f"Step {turn.number + 1}: {self._sentence(turn)}" for turn in turns[:first]]
        for turn in turns[first:]:
            if turn.number == first:
                told = "\n".join(earlier) or self.words("qwen/none")
                parts = self.shown("qwen/first", turn, turns, task=self.task(task), earlier=told)
                made.append(Message("user", parts))
            else:
                made.append(self.seen("qwen/turn", turn, turns))
            if turn.reply is not None:
                made.append(self.replied(turn))
        return tuple(made)

    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        read = qwen.read_reply(reply.text, turn.screen, self._variant)
        sentence = _ACTION.sub("", read.thought or "") or None
        actions = tuple(map(_turned, on_screen(read.actions, turn.screen, self._variant.space)))
        return answered(replace(read, actions=actions, thought=sentence, action_text=sentence))

    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        """The sentence is what is done next, where that was told, else the thought."""
        actions = on_picture(scrolls_in("pixels", told.actions), turn.screen, self._variant.space)
        told = replace(told, actions=actions)
        told = answer_as_thought(told) if self.settings.version == "2.5" else told
        sentence = told.action_text or told.thought
        thought = sentence and f"Action: {sentence}"
        return worded(qwen.write_reply(replace(told, thought=thought), turn.screen, self._variant))

    @property
    def _variant(self) -> Variant:
        return qwen.QWEN_25 if self.settings.version == "2.5" else qwen.QWEN_3

    def _system(self, screen: Size) -> str:
        space = self._variant.space
        size = Size(space.side, space.side) if isinstance(space, Grid) else self.picture_size(screen)
        edition = {"2.5": "25", "3": "3"}[self.settings.version]
        tool = self.words(f"qwen/tool_{edition}", width=str(size.width), height=str(size.height))
        return self.words("qwen/system", tool=tool, ending=self.words(f"qwen/ending_{edition}"), **self.rules())

    def _sentence(self, turn: Turn) -> str:
        return (turn.said.action_text if turn.said else None) or "an unreadable reply"


def _turned(action: Action) -> Action:
    """A scroll by hardly any pixels as one by so many notches. The tool says pixels, but the published desktop agents
    hand the number to PyAutoGUI, which turns the wheel by notches: a model that writes -5 there saw the page move by
    five of them. Five pixels it would not even notice."""
    if not isinstance(action, Scroll) or action.unit != "pixels":
        return action
    return replace(action, unit="notches") if 0 < max(abs(action.dx), abs(action.dy)) < FEWEST_PIXELS else action
