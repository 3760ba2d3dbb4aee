"""UI-TARS 1.5: everything about the task in the first message, then screenshots and replies in turn, five pictures."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from workalike.agents.family import Family, recent
from workalike.agents.places import on_screen
from workalike.agents.speech import Speech
from workalike.agents.turns import Manner, Turn
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.dialects import uitars
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import Message, Reply, said


class UiTarsManner(Manner, frozen=True, kw_only=True):
    """`language` is the one that thoughts are written in."""

    screenshots: int = 5
    language: str = "English"


class UiTars(Family[UiTarsManner]):
    """UI-TARS 1.5, 7B or hosted."""

    name = "uitars"

    @property
    def speech(self) -> Speech:
        return "uitars"

    def picture_size(self, screen: Size) -> Size:
        return uitars.RESIZED.picture(screen)

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        asked = self.words("uitars/task", task=self.task(task), language=self.manner.language, **self.rules())
        made = [said("system", self.words("uitars/system")), said("user", asked)]
        first = recent(turns, self.manner.screenshots)
        for turn in turns:
            if turn.number >= first:
                made.append(Message("user", self.parts("uitars/turn", **self.scene(turn, turns))))
            if turn.reply is not None:
                made.append(said("assistant", uitars.with_box_tokens(self.spoken(turn.reply))))
        return tuple(made)

    def read(self, reply: Reply, turn: Turn) -> Said:
        read = uitars.read_reply(reply.text, turn.screen)
        return replace(read, actions=on_screen(read.actions, turn.screen, uitars.RESIZED))
