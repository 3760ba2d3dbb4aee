"""UI-TARS 1.5: everything about the task in the first message, then screenshots and replies in turn, five pictures."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from understudy.agents.family import Family, recent
from understudy.agents.places import on_screen
from understudy.agents.speech import Speech
from understudy.agents.turns import Manner, Turn
from understudy.core.screen import Size
from understudy.core.task import Task
from understudy.dialects import uitars
from understudy.dialects.reply import Reply as Said
from understudy.models.messages import Message, Reply, said


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
