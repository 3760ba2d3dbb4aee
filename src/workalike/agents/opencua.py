"""OpenCUA: sections of thought and action, then PyAutoGUI code; three screenshots, older steps as text.

The published models stand on Qwen2.5-VL (7B, 32B, 72B) and write pixels of the smart-resized picture; those on Qwen2-VL
and Kimi-VL (Qwen2-7B, A3B) write fractions, as the AgentNet data does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from workalike.agents.family import Family, answered, recent
from workalike.agents.places import on_screen
from workalike.agents.speech import Speech
from workalike.agents.turns import Manner, Turn
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Fractions, ResizedPixels, Space
from workalike.core.task import Task
from workalike.dialects import pyautogui
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import Message, Reply, said

SECTIONS = {"l1": ("action",), "l2": ("thought", "action"), "l3": ("observation", "thought", "action")}


class Qwen25Pixels(ResizedPixels, frozen=True):
    """Pixels of the smart-resized picture. Both numbers within 0 to 1 are fractions even so, as in the published agent:
    the models saw both kinds. Whole numbers stay pixels."""

    def read(self, x: float, y: float, screen: Size) -> Point:
        fractions = 0 <= x <= 1 and 0 <= y <= 1 and not (x.is_integer() and y.is_integer())
        return Point(x, y) if fractions else super().read(x, y, screen)


SPACES: dict[str, Space] = {"qwen25": Qwen25Pixels(), "relative": Fractions()}


class OpenCuaManner(Manner, frozen=True, kw_only=True):
    """`level` is how much is thought aloud, `coordinates` what the code's numbers are, `history` what of an earlier
    step is shown again, `steps` how many earlier steps at most (None: all)."""

    level: Literal["l1", "l2", "l3"] = "l2"
    coordinates: Literal["qwen25", "relative"] = "qwen25"
    history: Literal["action", "thought"] = "action"
    steps: int | None = None


class OpenCua(Family[OpenCuaManner]):
    """OpenCUA-7B, 32B and 72B, or with `relative` coordinates OpenCUA-Qwen2-7B and A3B."""

    name = "opencua"

    @property
    def speech(self) -> Speech:
        return "opencua" if self.manner.coordinates == "qwen25" else "opencua-relative"

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
        if reply.ending == "length":  # code that is cut off may still read as code
            raise Unreadable("the code is not known to be whole", reply.text)
        space = SPACES[self.manner.coordinates]
        read = pyautogui.read_reply(reply.text, turn.screen, space)
        return answered(replace(read, actions=on_screen(read.actions, turn.screen, space)))

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
