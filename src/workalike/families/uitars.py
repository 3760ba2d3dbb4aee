"""UI-TARS 1.5: everything about the task in the first message, then screenshots and replies in turn, five pictures."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.dialects import uitars
from workalike.dialects.gestures import scrolls_by
from workalike.dialects.reply import ParsedReply
from workalike.families.base import Family, answered, recent, worded
from workalike.families.places import on_picture, on_screen
from workalike.families.turns import FamilySettings, Turn
from workalike.models.messages import Message, Reply, said


class UiTarsSettings(FamilySettings, frozen=True, kw_only=True):
    """`language` is the one that thoughts are written in."""

    screenshots: int = 5
    language: str = "English"


class UiTars(Family[UiTarsSettings]):
    """UI-TARS 1.5, 7B or hosted."""

    name = "uitars"

    @property
    def asks(self) -> bool:
        return True

    def picture_size(self, screen: Size) -> Size:
        return uitars.RESIZED.picture(screen)

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        made = [
            self.system((), lambda: self.words("uitars/system")),
            self.once(turns[0], task.instruction, lambda: said("user", self._asked(task))),
        ]
        first = recent(turns, self.settings.screenshots)
        made += self.so_far(turns[:first], "gone", lambda turn: (self.replied(turn),))
        for turn in turns[first:]:
            made.append(self.seen("uitars/turn", turn, turns))
            if turn.reply is not None:
                made.append(self.replied(turn))
        return tuple(made)

    def replied(self, turn: Turn) -> Message:
        words = uitars.with_box_tokens
        return self.once(turn, "reply", lambda: said("assistant", words(self.spoken(turn.reply or Reply(())))))

    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        read = uitars.read_reply(reply.text, turn.screen)
        return answered(replace(read, actions=on_screen(read.actions, turn.screen, uitars.RESIZED)))

    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        actions = on_picture(scrolls_by(uitars.NOTCHES, told.actions), turn.screen, uitars.RESIZED)
        return worded(uitars.write_reply(replace(told, actions=actions), turn.screen))

    def _asked(self, task: Task) -> str:
        return self.words("uitars/task", task=self.task(task), language=self.settings.language, **self.rules())
