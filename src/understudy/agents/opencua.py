"""OpenCUA: sections of thought and action, then PyAutoGUI code; three screenshots, older steps as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from understudy.agents.family import Family, answered, recent
from understudy.agents.speech import Speech
from understudy.agents.turns import Manner, Turn
from understudy.core.screen import Size
from understudy.core.spaces import Fractions, ResizedPixels, Space
from understudy.core.task import Task
from understudy.dialects import pyautogui
from understudy.dialects.reply import Reply as Said
from understudy.models.messages import Message, Reply, said

SECTIONS = {"l1": ("action",), "l2": ("thought", "action"), "l3": ("observation", "thought", "action")}
SPACES: dict[str, Space] = {"relative": Fractions(), "qwen25": ResizedPixels()}


class OpenCuaManner(Manner, frozen=True, kw_only=True):
    """`level` is how much is thought aloud, `coordinates` what the code's numbers are, `history` what of an earlier
    step is shown again, `steps` how many earlier steps at most (None: all)."""

    level: Literal["l1", "l2", "l3"] = "l2"
    coordinates: Literal["relative", "qwen25"] = "relative"
    history: Literal["action", "thought"] = "action"
    steps: int | None = None


class OpenCua(Family[OpenCuaManner]):
    """OpenCUA-7B and 32B (relative coordinates or those of Qwen2.5), and 72B."""

    name = "opencua"

    @property
    def speech(self) -> Speech:
        return "opencua" if self.manner.coordinates == "relative" else "opencua-qwen25"

    def picture_size(self, screen: Size) -> Size:
        space = SPACES[self.manner.coordinates]
        return space.picture(screen) if isinstance(space, ResizedPixels) else screen

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        *past, now = turns
        kept = past if self.manner.steps is None else past[-self.manner.steps :] if self.manner.steps else []
        first = recent(turns, self.manner.screenshots)
        old = [self._step(turn) for turn in kept if turn.number < first]
        made = [said("system", self._system(now.screen))]
        made += [said("assistant", "\n\n".join(old))] if old else []
        for turn in kept:
            if turn.number >= first:
                made.append(Message("user", self.parts("opencua/past", **self.scene(turn, turns))))
                made.append(said("assistant", self._step(turn)))
        return (*made, Message("user", self.parts("opencua/turn", **self.scene(now, turns), task=self.task(task))))

    def read(self, reply: Reply, turn: Turn) -> Said:
        return answered(pyautogui.read_reply(reply.text, turn.screen, SPACES[self.manner.coordinates]))

    def _system(self, screen: Size) -> str:
        sections = "".join(f"{self.words(f'opencua/section_{name}')}\n\n" for name in SECTIONS[self.manner.level])
        explained = f"{self.words('opencua/explained')}\n\n" if self.manner.level != "l1" else ""
        size = self.picture_size(screen)
        where = {"width": str(size.width), "height": str(size.height)} if self.manner.coordinates == "qwen25" else {}
        coordinates = self.words(f"opencua/{self.manner.coordinates}", **where)
        return self.words(
            "opencua/system", sections=sections, explained=explained, coordinates=coordinates, **self.rules()
        )

    def _step(self, turn: Turn) -> str:
        """An earlier step in words: what the model called it, or else what it said."""
        told = turn.said
        action = (told.action_text if told else None) or (self.spoken(turn.reply) if turn.reply else "")
        number = str(turn.number + 1)
        if self.manner.history == "thought" and told and told.thought:
            return self.words("opencua/step_thought", number=number, thought=told.thought, action=action)
        return self.words("opencua/step", number=number, action=action)
