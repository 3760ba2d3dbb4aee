"""Qwen2.5-VL and Qwen3-VL with their `computer_use` tool: the last steps as turns, older ones as a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from workalike.agents.family import Family, answered, recent
from workalike.agents.places import on_screen
from workalike.agents.speech import Speech
from workalike.agents.turns import Manner, Turn
from workalike.core.actions import Action, Scroll
from workalike.core.screen import Size
from workalike.core.spaces import Grid, smart_resize
from workalike.core.task import Task
from workalike.dialects import qwen
from workalike.dialects.computer_use import Variant
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import Message, Reply, Sampling, said

PATCHES = {"2.5": 28, "3": 32}
FEWEST_PIXELS = 30
_ACTION = re.compile(r"\AAction:\s*", re.IGNORECASE)


class QwenManner(Manner, frozen=True, kw_only=True):
    """`version` tells Qwen2.5-VL (pixels) from Qwen3-VL (a grid of 1000)."""

    version: Literal["2.5", "3"] = "3"
    screenshots: int = 5


class Qwen(Family[QwenManner]):
    """Either of the two."""

    name = "qwen"
    sampling = Sampling(temperature=0.0, max_tokens=8192)

    @property
    def speech(self) -> Speech:
        return "qwen" if self.manner.version == "3" else "qwen-2.5"

    def picture_size(self, screen: Size) -> Size:
        return smart_resize(screen, PATCHES[self.manner.version])

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        made = [said("system", self._system(turns[-1].screen))]
        first = recent(turns, self.manner.screenshots)
        earlier = [f"Step {turn.number + 1}: {self._sentence(turn)}" for turn in turns[:first]]
        for turn in turns[first:]:
            scene = self.scene(turn, turns)
            if turn.number == first:
                told = "\n".join(earlier) or self.words("qwen/none")
                parts = self.parts("qwen/first", **scene, task=self.task(task), earlier=told)
            else:
                parts = self.parts("qwen/turn", **scene)
            made.append(Message("user", parts))
            if turn.reply is not None:
                made.append(said("assistant", self.spoken(turn.reply)))
        return tuple(made)

    def read(self, reply: Reply, turn: Turn) -> Said:
        read = qwen.read_reply(reply.text, turn.screen, self._variant)
        sentence = _ACTION.sub("", read.thought or "") or None
        actions = tuple(map(_turned, on_screen(read.actions, turn.screen, self._variant.space)))
        told = replace(read, actions=actions, thought=sentence, action_text=sentence)
        return answered(told) if self.manner.version == "2.5" else told

    @property
    def _variant(self) -> Variant:
        return qwen.QWEN_25 if self.manner.version == "2.5" else qwen.QWEN_3

    def _system(self, screen: Size) -> str:
        space = self._variant.space
        size = Size(space.side, space.side) if isinstance(space, Grid) else self.picture_size(screen)
        edition = {"2.5": "25", "3": "3"}[self.manner.version]
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
