"""Training examples: what a model is asked and should reply, and the recipe by which they are made."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from workalike.core.errors import BadInput
from workalike.core.spaces import Fractions, Grid, ResizedPixels, ScreenPixels, Space
from workalike.core.trajectory import Step
from workalike.models.messages import Message, Reply, Request, Shot, shots

GROUNDING = "grounding"
LEVELS = ("l1", "l2", "l3")
COORDINATES: dict[str, Space] = {
    "fractions": Fractions(),
    "pixels": ScreenPixels(),
    "qwen2.5": ResizedPixels(),
    "qwen3": Grid(1000),
}
_CALLED = {"fractions": "relative", "qwen2.5": "qwen25"}
"""What the coordinates are called as an option of the family that has the choice, where that is something else."""


class Example(msgspec.Struct, frozen=True):
    """One request and the reply to learn, and where they came from. `by_rule` says that the reply describes its action
    in words that nobody wrote; `canary` is the string by which others find out that a benchmark was trained on."""

    trajectory: str
    step: int
    request: Request
    reply: Reply
    level: str = ""
    by_rule: bool = False
    canary: str = ""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation; only its last turn, the reply, is learned."""
        return (*self.request.messages, Message("assistant", self.reply.parts))

    @property
    def pictures(self) -> tuple[Shot, ...]:
        return shots(self.request.messages)


class Recipe(msgspec.Struct, frozen=True):
    """How trajectories become examples. `family` and `options` are those of the agent that is to be trained: it is
    asked with the same. By default they are in the words of the published OpenCUA data: level 2, fractions, three
    screenshots, older steps told by their actions, steps judged wrong or redundant only as history. Several `levels`
    are mixed by weight."""

    family: str = "opencua-relative"
    options: dict[str, Any] = {}
    levels: dict[str, float] = {}
    seed: int = 0
    wrong: bool = False
    redundant: bool = False
    min_value: float | None = None
    coordinates: str | None = None
    instruction: str = "instruction"
    grounding: Literal["point", "box"] = "point"
    grounded: Literal["hits", "elements"] = "hits"

    def __post_init__(self) -> None:
        odd = [name for name in self.levels if name not in LEVELS]
        if odd or any(not weight > 0 for weight in self.levels.values()):
            raise BadInput("levels are l1, l2 and l3, each with a weight above 0, such as l1=1 l2=2")
        if self.coordinates is not None and self.coordinates not in COORDINATES:
            raise BadInput(f"there are no coordinates {self.coordinates!r}; there are {', '.join(COORDINATES)}")

    def worthless(self, step: Step) -> str | None:
        """Why a step's value speaks against learning from it, where a least one is asked for."""
        if self.min_value is None or (step.value is not None and step.value >= self.min_value):
            return None
        return "no value" if step.value is None else f"a value below {self.min_value:g}"

    @property
    def space(self) -> Space:
        return COORDINATES[self.coordinates or "fractions"]

    def settings(self, level: str) -> dict[str, Any]:
        """The family's options for examples of a level, or of no level in particular."""
        where = self.coordinates and {"coordinates": _CALLED.get(self.coordinates, self.coordinates)}
        return {**self.options, **(where or {}), **({"level": level} if level else {})}

    def level_of(self, trajectory: str, step: int) -> str:
        """The level at which a step is told: drawn by its name and the seed, so that it is the same every time."""
        known = [level for level in LEVELS if level in self.levels]
        if len(known) < 2:
            return known[0] if known else ""
        digest = hashlib.blake2b(f"{self.seed}\0{trajectory}\0{step}".encode("utf-8", "surrogatepass"), digest_size=8)
        place = int.from_bytes(digest.digest(), "big") / 2**64 * sum(self.levels.values())
        for level in known:
            place -= self.levels[level]
            if place < 0:
                return level
        return known[-1]
