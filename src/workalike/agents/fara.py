"""Fara-7B and Fara1.5: a thought and one `computer_use` call a turn.

As in the published harness the first message shows the screenshot and the task, later ones the screenshot and the
address; the assistant's turns all stay, a user's turn goes together with its screenshot, except for the task itself and
the user's own answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from workalike.agents.family import Family, recent
from workalike.agents.places import on_screen
from workalike.agents.speech import Speech
from workalike.agents.turns import Manner, Turn
from workalike.core.screen import Size
from workalike.core.spaces import Grid, smart_resize
from workalike.core.task import Task
from workalike.dialects import fara
from workalike.dialects.computer_use import Variant
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import Message, Reply, Text, said

PATCHES = {"7b": 28, "1.5": 32}


class FaraManner(Manner, frozen=True, kw_only=True):
    """`version` tells Fara-7B from Fara1.5. Both were trained without a list of memorised facts in the prompt: what
    they memorise stands in their own turns, which stay."""

    version: Literal["7b", "1.5"] = "7b"
    facts: bool = False


class Fara(Family[FaraManner]):
    """Either of the two."""

    name = "fara"

    @property
    def speech(self) -> Speech:
        return "fara" if self.manner.version == "7b" else "fara-1.5"

    def picture_size(self, screen: Size) -> Size:
        return smart_resize(screen, PATCHES[self.manner.version])

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        made = [said("system", self._system(turns[-1].screen))]
        first = recent(turns, self.manner.screenshots)
        for turn in turns:
            made += self._user(task, turn, turns, shown=turn.number >= first)
            if turn.reply is not None:
                made.append(said("assistant", self.spoken(turn.reply)))
        return tuple(made)

    def read(self, reply: Reply, turn: Turn) -> Said:
        read = fara.read_reply(reply.text, turn.screen, self._variant)
        return replace(read, actions=on_screen(read.actions, turn.screen, self._variant.space))

    @property
    def _variant(self) -> Variant:
        return fara.FARA_7B if self.manner.version == "7b" else fara.FARA_15

    def _system(self, screen: Size) -> str:
        space = self._variant.space
        size = Size(space.side, space.side) if isinstance(space, Grid) else self.picture_size(screen)
        edition = {"7b": "7b", "1.5": "15"}[self.manner.version]
        tool = self.words(f"fara/tool_{edition}", width=str(size.width), height=str(size.height))
        return self.words("fara/system", tool=tool, ending=self.words(f"fara/ending_{edition}"), **self.rules())

    def _user(self, task: Task, turn: Turn, turns: Sequence[Turn], shown: bool) -> list[Message]:
        scene = self.scene(turn, turns)
        if turn.number == 0:
            shot = scene["shot"] if shown else ()
            return [Message("user", self.parts("fara/first", shot=shot, task=self.task(task)))]
        if not shown:
            answer = self.answers(turn)
            return [Message("user", (Text(answer.rstrip("\n")),))] if answer else []
        following = "" if scene["user"] else self.words("fara/next")
        return [Message("user", self.parts("fara/turn", **scene, next=following))]
