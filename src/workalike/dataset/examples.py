"""Training examples: a conversation that ends in what is to be learned, and the recipe by which they are made."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from workalike.core.errors import BadInput
from workalike.core.observation import Element, ImageRef
from workalike.core.spaces import Fractions, Grid, ResizedPixels, ScreenPixels, Space

Level = Literal["l1", "l2", "l3"]
Family = Literal["opencua", "fara", "fara-1.5", "uitars", "qwen", "qwen-2.5", "som", "grounding"]
Order = Literal["before", "after"]
Role = Literal["system", "user", "assistant"]
LEVELS: tuple[Level, ...] = ("l1", "l2", "l3")
COORDINATES: dict[str, Space] = {
    "fractions": Fractions(),
    "pixels": ScreenPixels(),
    "qwen2.5": ResizedPixels(),
    "qwen3": Grid(1000),
}


class Words(msgspec.Struct, frozen=True):
    """A text within a message."""

    text: str


class Seen(msgspec.Struct, frozen=True):
    """A picture within a message; `marked` are the elements whose numbers are to be drawn on it."""

    picture: ImageRef
    marked: tuple[Element, ...] = ()


class Message(msgspec.Struct, frozen=True):
    """One turn. Only a turn that is `trained` is learned from; the others are what was before."""

    role: Role
    parts: tuple[Words | Seen, ...]
    trained: bool = False

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Words))


class Example(msgspec.Struct, frozen=True):
    """One conversation to learn from, and where it came from."""

    trajectory: str
    step: int
    messages: tuple[Message, ...]
    level: str = ""

    @property
    def pictures(self) -> tuple[Seen, ...]:
        return tuple([part for message in self.messages for part in message.parts if isinstance(part, Seen)])


class Recipe(msgspec.Struct, frozen=True):
    """How trajectories become examples. The defaults are those of the published models: level 2, three screenshots, ten
    earlier steps told by their actions, each picture before its turn, steps judged wrong or redundant only as
    history."""

    family: Family = "opencua"
    levels: dict[str, float] = msgspec.field(default_factory=lambda: {"l2": 1.0})
    seed: int = 0
    pictures: int = 3
    history: int = 10
    history_level: Level = "l1"
    order: Order = "before"
    wrong: bool = False
    redundant: bool = False
    coordinates: str = "fractions"
    instruction: str = "instruction"
    grounding: Literal["point", "box"] = "point"
    grounded: Literal["hits", "elements"] = "hits"

    def __post_init__(self) -> None:
        odd = [name for name in self.levels if name not in LEVELS]
        if odd or not self.levels or any(not weight > 0 for weight in self.levels.values()):
            raise BadInput("levels are l1, l2 and l3, each with a weight above 0, such as l1=1 l2=2")
        if self.pictures < 1:
            raise BadInput(f"every example needs the screenshot it is about: at least 1 picture, not {self.pictures}")
        if self.history < 0:
            raise BadInput(f"the history cannot be {self.history} steps long; 0 leaves it out")
        if self.coordinates not in COORDINATES:
            raise BadInput(f"there are no coordinates {self.coordinates!r}; there are {', '.join(COORDINATES)}")

    @property
    def space(self) -> Space:
        return COORDINATES[self.coordinates]

    def level_of(self, trajectory: str, step: int) -> Level:
        """The level at which a step is told: drawn by its name and the seed, so that it is the same every time."""
        if len(self.levels) == 1:
            return next(level for level in LEVELS if level in self.levels)
        digest = hashlib.blake2b(f"{self.seed}\0{trajectory}\0{step}".encode("utf-8", "surrogatepass"), digest_size=8)
        place = int.from_bytes(digest.digest(), "big") / 2**64 * sum(self.levels.values())
        known = [level for level in LEVELS if level in self.levels]
        for level in known:
            place -= self.levels[level]
            if place < 0:
                return level
        return known[-1]
