"""Planes and their seats. Which seats are free on a flight follows from how many are left in the cabin."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

import msgspec

from workalike.town.world import World

CABINS = ("Economy", "Premium", "Business")
PLANES = ("Regional jet E-190", "Airliner A-320", "Long-range A-350", "Airliner A-321")


class Cabin(msgspec.Struct, frozen=True):
    """Rows from first to last; `letters` with bars where the aisles are; rows with more room for the legs."""

    first: int
    last: int
    letters: str
    roomy: tuple[int, ...] = ()


class PlaneSeat(msgspec.Struct, frozen=True):
    """One seat of a flight."""

    name: str
    row: int
    letter: str
    place: str
    roomy: bool
    free: bool


LAYOUTS: dict[str, dict[str, Cabin]] = {
    PLANES[0]: {"Business": Cabin(1, 3, "A|DF"), "Economy": Cabin(5, 22, "AC|DF", (5, 12))},
    PLANES[1]: {
        "Business": Cabin(1, 3, "AC|DF"),
        "Premium": Cabin(5, 7, "AC|DF"),
        "Economy": Cabin(9, 28, "ABC|DEF", (9, 15, 16)),
    },
    PLANES[2]: {
        "Business": Cabin(1, 6, "A|DG|K"),
        "Premium": Cabin(10, 13, "AC|DEG|HK"),
        "Economy": Cabin(20, 40, "ABC|DEG|HJK", (20, 31)),
    },
    PLANES[3]: {"Economy": Cabin(1, 31, "ABC|DEF", (1, 13, 14))},
}


def capacity(plane: str, cabin: str) -> int:
    layout = LAYOUTS[plane].get(cabin)
    return (layout.last - layout.first + 1) * len(layout.letters.replace("|", "")) if layout else 0


@lru_cache(maxsize=512)
def seats(world: World, number: str, day: date, plane: str, cabin: str, left: int) -> tuple[PlaneSeat, ...]:
    """All seats of a cabin, row by row; exactly `left` of them are free."""
    layout = LAYOUTS[plane][cabin]
    names = [
        (row, letter) for row in range(layout.first, layout.last + 1) for letter in layout.letters if letter != "|"
    ]
    free = set(world.rng("seats", number, day, cabin).sample(names, min(left, len(names))))
    return tuple(
        PlaneSeat(f"{row}{letter}", row, letter, place_of(layout, letter), row in layout.roomy, (row, letter) in free)
        for row, letter in names
    )


def place_of(layout: Cabin, letter: str) -> str:
    """
    >>> place_of(Cabin(1, 2, "ABC|DEF"), "C")
    'aisle'
    """
    at = layout.letters.index(letter)
    if at in (0, len(layout.letters) - 1):
        return "window"
    beside = layout.letters[at - 1] + layout.letters[at + 1]
    return "aisle" if "|" in beside else "middle"
