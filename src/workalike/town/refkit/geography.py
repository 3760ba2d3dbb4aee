"""Metropolitan areas with their districts, ZIP codes and where they lie, in miles on a plain of our own."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

import msgspec

from workalike.town.world import World

METROS = {
    "New York": ("NY", "10"),
    "Boston": ("MA", "02"),
    "Chicago": ("IL", "60"),
    "Seattle": ("WA", "98"),
    "San Francisco": ("CA", "94"),
    "New Orleans": ("LA", "70"),
    "Portland": ("OR", "97"),
    "Denver": ("CO", "80"),
    "Austin": ("TX", "78"),
    "Atlanta": ("GA", "30"),
    "Nashville": ("TN", "37"),
    "Minneapolis": ("MN", "55"),
}
"""Each with its state and the first two digits of its ZIP codes."""
_FIRST = (
    "Fern", "Oak", "Cedar", "Mill", "Stone", "Glen", "Ash", "Clear", "Fox", "Elk", "Rose", "Amber", "Birch", "Grey",
    "Hart", "Kings", "Lake", "Maple", "North", "Pine", "Raven", "South", "Thorn", "Wind", "Bell", "Copper", "Dun",
)  # fmt: skip
_LAST = ("field", "hollow", "ridge", "brook", "ford", "haven", "mere", "wick", "dale", "port", "crest", "gate")
PER_METRO = 7


class Metro(msgspec.Struct, frozen=True):
    """A city with its suburbs."""

    name: str
    state: str
    districts: tuple[District, ...]

    @property
    def label(self) -> str:
        return f"{self.name}, {self.state}"


class District(msgspec.Struct, frozen=True):
    """A part of a metropolitan area; `x` and `y` are tenths of miles from its centre, to the east and the north."""

    name: str
    metro: str
    state: str
    zip: str
    x: int
    y: int

    @property
    def label(self) -> str:
        return f"{self.name}, {self.state}"


def miles(one: tuple[int, int], other: tuple[int, int]) -> float:
    """How far two places are from each other, in tenths of miles rounded to a tenth of a mile.

    >>> miles((0, 0), (30, 40))
    5.0
    """
    return round(hypot(one[0] - other[0], one[1] - other[1]) / 10, 1)


@lru_cache(maxsize=4)
def metros(world: World) -> tuple[Metro, ...]:
    """The areas of a world: the centre first, then suburbs whose names occur once."""
    rng = world.rng("geography")
    names = list(rng.share(first + last for first in _FIRST for last in _LAST))
    rng.shuffle(names)
    found = []
    for name, (state, prefix) in METROS.items():
        codes = sorted(rng.sample(range(100, 999), PER_METRO))
        places = [(0, 0), *_scattered(rng.sample(range(12), PER_METRO - 1), [rng.randint(45, 210) for _ in range(6)])]
        called = [name, *(names.pop() for _ in range(PER_METRO - 1))]
        districts = tuple(
            District(each, name, state, f"{prefix}{code}", *place)
            for each, code, place in zip(called, codes, places, strict=True)
        )
        found.append(Metro(name, state, districts))
    return tuple(found)


def find_zip(world: World, text: str) -> District | None:
    """The district of a ZIP code."""
    every = (district for metro in metros(world) for district in metro.districts)
    return next((each for each in every if each.zip == text.strip()), None)


def metro_of(world: World, name: str) -> Metro:
    return next(each for each in metros(world) if each.name == name)


_ROUND = (
    (100, 0), (87, 50), (50, 87), (0, 100), (-50, 87), (-87, 50), (-100, 0), (-87, -50), (-50, -87), (0, -100),
    (50, -87), (87, -50),
)  # fmt: skip


def _scattered(hours: list[int], ranges: list[int]) -> list[tuple[int, int]]:
    """Places around a centre: like hours on a clock's face, so that no two lie together."""
    return [
        (_ROUND[hour][0] * far // 100, _ROUND[hour][1] * far // 100) for hour, far in zip(hours, ranges, strict=True)
    ]
