"""OpenCUA: sections of thought and action, then PyAutoGUI code; three screenshots, older steps as text.

    system · older steps in one turn · (screenshot · # Step i: what was done) … · screenshot and # Task Instruction:

The published models stand on Qwen2.5-VL (7B, 32B, 72B) and write pixels of the smart-resized picture; those on Qwen2-VL
and Kimi-VL (Qwen2-7B, A3B) write fractions, as the AgentNet data does. `level` is how much of a step is thought aloud:
the L1, L2 and L3 of the published training messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from msgspec.structs import replace

from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Fractions, Grid, ResizedPixels, ScreenPixels, Space
from workalike.core.task import Task
from workalike.dialects import pyautogui
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.reply import ParsedReply
from workalike.families.base import Family, answered, recent, worded
from workalike.families.places import on_picture, on_screen
from workalike.families.turns import FamilySettings, Turn
from workalike.models.messages import Message, Reply, said

Level = Literal["l1", "l2", "l3"]
SECTIONS: dict[str, tuple[str, ...]] = {
    "l1": ("action",),
    "l2": ("thought", "action"),
    "l3": ("observation", "thought", "action"),
}
_TEXTS = {"observation": "observation_text", "thought": "thought", "action": "action_text"}
_STEPS = {"observation": ("observation", "thought"), "thought": ("thought",), "action": ()}
_UNTOLD = "the next move"


class Qwen25Pixels(ResizedPixels, frozen=True):
    """Pixels of the smart-resized picture. Both numbers within 0 to 1 are fractions even so, as in the published agent:
    the models saw both kinds. Whole numbers stay pixels."""

    def read(self, x: float, y: float, screen: Size) -> Point:
        fractions = 0 <= x <= 1 and 0 <= y <= 1 and not (x.is_integer() and y.is_integer())
        return Point(x, y) if fractions else super().read(x, y, screen)


SPACES: dict[str, Space] = {
    "qwen25": Qwen25Pixels(),
    "relative": Fractions(),
    "pixels": ScreenPixels(),
    "qwen3": Grid(1000),
}


class OpenCuaSettings(FamilySettings, frozen=True, kw_only=True):
    """`level` is how much is thought aloud, `coordinates` what the code's numbers are (pixels of the smart-resized
    picture or of the screen, fractions, or cells of a grid of 1000), `history` what of an earlier step is shown again,
    `steps` how many earlier steps at most (None: all)."""

    level: Level = "l2"
    coordinates: Literal["qwen25", "relative", "pixels", "qwen3"] = "qwen25"
    history: Literal["action", "thought", "observation"] = "action"
    steps: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps is not None and self.steps < 0:
            raise ValueError("steps must be at least 0")


class OpenCua(Family[OpenCuaSettings]):
    """OpenCUA-7B, 32B and 72B, or with `relative` coordinates OpenCUA-Qwen2-7B and A3B."""

    name = "opencua"

    @cached_property
    def says(self) -> tuple[str, ...]:
        return tuple(_TEXTS[section] for section in SECTIONS[self.settings.level])

    @cached_property
    def sized(self) -> bool:
        return isinstance(self._space, ScreenPixels | ResizedPixels)

    def lacks(self, told: ParsedReply) -> tuple[str, ...]:
        return tuple(text for text in self.says if not getattr(told, text))

    def picture_size(self, screen: Size) -> Size:
        return self._space.picture(screen) if isinstance(self._space, ResizedPixels) else screen

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        *past, now = turns
        kept = past if self.settings.steps is None else past[-self.settings.steps :] if self.settings.steps else []
        first = recent(turns, self.settings.screenshots)
        old = kept[: max(0, first - len(past) + len(kept))]
        made = [self.system(now.screen if self.sized else (), lambda: self._system(now.screen))]
        made += [said("assistant", "\n\n".join(self._steps(old)))] if old else []
        for turn in kept:
            if turn.number >= first:
                made += (self.seen("opencua/past", turn, turns), self._told(turn))
        asked = self.shown("opencua/turn", now, turns, task=self.task(task))
        return (*(message for message in made if message.parts), Message("user", asked))

    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        if reply.ending == "length":  # code that is cut off may still read as code
            raise Unreadable("the code is not known to be whole", reply.text)
        read = pyautogui.read_reply(reply.text, turn.screen, self._space)
        return answered(replace(read, actions=on_screen(read.actions, turn.screen, self._space)))

    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        actions = on_picture(scrolls_in("notches", told.actions), turn.screen, self._space)
        texts = {_TEXTS[section]: getattr(told, _TEXTS[section]) for section in SECTIONS[self.settings.level]}
        texts["action_text"] = told.action_text or told.thought or _UNTOLD
        words = pyautogui.write_reply(ParsedReply(actions, **texts), turn.screen, self._space)
        return worded(f"# Step {turn.number + 1}:\n{words}\n")

    @cached_property
    def _space(self) -> Space:
        return SPACES[self.settings.coordinates]

    def _system(self, screen: Size) -> str:
        sections = "".join(f"{self.words(f'opencua/section_{name}')}\n\n" for name in SECTIONS[self.settings.level])
        explained = f"{self.words('opencua/explained')}\n\n" if self.settings.level != "l1" else ""
        size = self.picture_size(screen)
        where = {"width": str(size.width), "height": str(size.height)} if self.sized else {}
        kind = "qwen25" if self.sized else self.settings.coordinates
        coordinates = self.words(f"opencua/{kind}", **where)
        return self.words(
            "opencua/system", sections=sections, explained=explained, coordinates=coordinates, **self.rules()
        )

    def _told(self, turn: Turn) -> Message:
        return self.once(turn, "step", lambda: said("assistant", self._words(turn)))

    def _steps(self, turns: Sequence[Turn]) -> Iterable[str]:
        """Older steps in words; all of them, or the last few."""
        whole = turns[0].number == 0
        return self.so_far(turns, "old", lambda turn: (self._words(turn),)) if whole else map(self._words, turns)

    def _words(self, turn: Turn) -> str:
        return self.once(turn, "words", lambda: self._step(turn))

    def _step(self, turn: Turn) -> str:
        """An earlier step in words: what the model called it, or else what it said."""
        told, number = turn.said, str(turn.number + 1)
        action = (told.action_text if told else None) or (self.spoken(turn.reply) if turn.reply else "")
        wanted = {name: getattr(told, _TEXTS[name], None) for name in _STEPS[self.settings.history]}
        known = {name: text for name, text in wanted.items() if text}
        if "thought" not in known:
            return self.words("opencua/step", number=number, action=action)
        prompt = "opencua/step_observation" if "observation" in known else "opencua/step_thought"
        return self.words(prompt, number=number, action=action, **known)
