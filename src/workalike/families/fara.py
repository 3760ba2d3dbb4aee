"""Fara-7B and Fara1.5: a thought and one `computer_use` call a turn.

As in the published harness the first message shows the screenshot and the task, later ones the screenshot and the
address; the assistant's turns all stay, a user's turn goes together with its screenshot, except for the task itself and
the user's own answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from workalike.core.screen import Size
from workalike.core.spaces import Grid, smart_resize
from workalike.core.task import Task
from workalike.dialects import fara
from workalike.dialects.computer_use import Variant
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.reply import ParsedReply
from workalike.families.base import Family, answer_as_thought, answered, recent, worded
from workalike.families.places import on_picture, on_screen
from workalike.families.turns import FamilySettings, Turn
from workalike.models.messages import Message, Reply, said

PATCHES = {"7b": 28, "1.5": 32}
LONGEST_ADDRESS = 100


class FaraSettings(FamilySettings, frozen=True, kw_only=True):
    """`version` tells Fara-7B from Fara1.5. Both were trained without a list of memorised facts in the prompt: what
    they memorise stands in their own turns, which stay."""

    version: Literal["7b", "1.5"] = "7b"
    facts: bool = False


class Fara(Family[FaraSettings]):
    """Either of the two."""

    name = "fara"

    @property
    def asks(self) -> bool:
        return self.settings.version == "1.5"

    def picture_size(self, screen: Size) -> Size:
        return smart_resize(screen, PATCHES[self.settings.version])

    def located(self, url: str) -> str:
        """Without its query and cut short, as in training."""
        bare = "%20".join(url.split("#", 1)[0].split("?", 1)[0].split())
        return bare if len(bare) <= LONGEST_ADDRESS else f"{bare[: LONGEST_ADDRESS - 1]}…"

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        screen = turns[-1].screen
        made: list[Message] = [self.system(screen, lambda: self._system(screen))]
        first = recent(turns, self.settings.screenshots)
        made += self.so_far(turns[:first], task.instruction, lambda turn: self._gone(task, turn))
        for turn in turns[first:]:
            made.append(self._first(task, turn) if turn.number == 0 else self._later(turn, turns))
            if turn.reply is not None:
                made.append(self.replied(turn))
        return tuple(made)

    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        read = fara.read_reply(reply.text, turn.screen, self._variant)
        return answered(replace(read, actions=on_screen(read.actions, turn.screen, self._variant.space)))

    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        actions = on_picture(scrolls_in("pixels", told.actions), turn.screen, self._variant.space)
        told = replace(told, actions=actions)
        told = answer_as_thought(told) if self.settings.version == "7b" else told
        return worded(fara.write_reply(told, turn.screen, self._variant))

    @property
    def _variant(self) -> Variant:
        return fara.FARA_7B if self.settings.version == "7b" else fara.FARA_15

    def _system(self, screen: Size) -> str:
        space = self._variant.space
        size = Size(space.side, space.side) if isinstance(space, Grid) else self.picture_size(screen)
        edition = {"7b": "7b", "1.5": "15"}[self.settings.version]
        tool = self.words(f"fara/tool_{edition}", width=str(size.width), height=str(size.height))
        return self.words("fara/system", tool=tool, ending=self.words(f"fara/ending_{edition}"), **self.rules())

    def _first(self, task: Task, turn: Turn, shown: bool = True) -> Message:
        shot = (turn.shot,) if turn.shot and shown else ()
        form = (shown, task.instruction)
        return self.once(turn, form, lambda: Message("user", self.parts("fara/first", shot=shot, task=self.task(task))))

    def _later(self, turn: Turn, turns: Sequence[Turn]) -> Message:
        def tell() -> Message:
            following = "" if self.answers(turn) else self.words("fara/next")
            return Message("user", self.shown("fara/turn", turn, turns, next=following))

        return self.once(turn, "fara/turn", tell)

    def _gone(self, task: Task, turn: Turn) -> tuple[Message, ...]:
        """A turn whose screenshot has gone: the task, or the user's answers, and what was replied."""
        answer = self.answers(turn).rstrip("\n")
        asked = (self._first(task, turn, shown=False),) if turn.number == 0 else (said("user", answer),) * bool(answer)
        return (*asked, self.replied(turn))
