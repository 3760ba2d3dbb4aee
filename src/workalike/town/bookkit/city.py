"""Where things stand: the cities, their districts, and landmarks to measure from. The same for every site."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from random import Random

import msgspec

from workalike.town.world import World

CITIES = ("Lisbon", "Vienna", "Edinburgh", "Montreal", "Copenhagen", "Bologna")
WIDTH, HEIGHT = 2400, 1600
"""How much of a city the map shows, in metres."""
AREAS = {
    "Central": (1180, 760), "Old Town": (820, 620), "Market Square": (1260, 520), "Opera": (1560, 700),
    "Riverside": (960, 1180), "Station": (1800, 1060), "Park": (420, 340), "University": (1900, 360),
    "Harbour": (420, 1220),
}  # fmt: skip
"""The districts and where their middle lies; hotels stand in districts of the same names."""
STREETS = (
    "Weaver Street", "Lantern Row", "Cooper Lane", "Orchard Street", "Saddler Street", "Chapel Hill", "Rope Walk",
    "Glover Street", "Tanner Row", "Almond Lane", "Salt Street", "Bell Yard", "Juniper Street", "Mill Steps",
)  # fmt: skip
_LANDMARKS = (
    ("Opera House", "Opera"), ("Central Station", "Station"), ("Cathedral", "Old Town"), ("Botanical Garden", "Park"),
    ("Old Harbour Crane", "Harbour"), ("University Library", "University"), ("Town Hall", "Central"),
)  # fmt: skip


class Landmark(msgspec.Struct, frozen=True):
    """Something that everybody knows, by its place on the map."""

    name: str
    x: int
    y: int


@lru_cache(maxsize=64)
def landmarks(world: World, city: str) -> tuple[Landmark, ...]:
    """Four of a city."""
    rng = world.rng("landmarks", city)
    return tuple(Landmark(name, *near(rng, area, 90)) for name, area in sorted(rng.sample(_LANDMARKS, 4)))


def near(rng: Random, area: str, spread: int = 230) -> tuple[int, int]:
    """Somewhere in a district."""
    x, y = AREAS[area]
    return (
        min(WIDTH - 60, max(60, x + rng.randint(-spread, spread))),
        min(HEIGHT - 60, max(60, y + rng.randint(-spread, spread))),
    )


def metres(one: Landmark | tuple[int, int], other: Landmark | tuple[int, int]) -> int:
    """How far two places lie apart, to ten metres.

    >>> metres((0, 0), (300, 400))
    500
    """
    (x, y), (u, v) = ((at.x, at.y) if isinstance(at, Landmark) else at for at in (one, other))
    return max(10, round(hypot(x - u, y - v) / 10) * 10)


def distance(count: int) -> str:
    """
    >>> distance(350), distance(1240)
    ('350 m', '1.24 km')
    """
    return f"{count} m" if count < 1000 else f"{count / 1000:.2f} km"
