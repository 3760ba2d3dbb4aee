"""The timetable: flight numbers with their days of the week. What flies on a date follows from it by pure functions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, lru_cache

import msgspec

from workalike.town.flightkit.places import CARRIERS, CITIES, Carrier, distance
from workalike.town.flightkit.planes import CABINS, PLANES, capacity
from workalike.town.world import World

HORIZON = 165
"""How many days ahead flights are sold."""


class Leg(msgspec.Struct, frozen=True):
    """A flight number: from where to where, at what minute of the local day, on which days of the week."""

    number: str
    carrier: str
    origin: str
    destination: str
    departs: int
    minutes: int
    days: str
    plane: str
    base: int


class Flight(msgspec.Struct, frozen=True):
    """A flight number on a date: its price from, and the seats left by cabin."""

    leg: Leg
    day: date
    cents: int
    left: dict[str, int]

    @property
    def arrives(self) -> int:
        """Minutes after midnight of the day of departure, by the clock of the destination."""
        shift = CITIES[self.leg.destination].utc - CITIES[self.leg.origin].utc
        return self.leg.departs + self.leg.minutes + 60 * shift

    @property
    def lands(self) -> date:
        return self.day + timedelta(self.arrives // 1440)


Schedule = dict[tuple[str, str], tuple[Leg, ...]]


@lru_cache(maxsize=4)
def schedule(world: World) -> Schedule:
    """All flight numbers by pair of cities."""
    found: dict[tuple[str, str], list[Leg]] = {}
    for carrier in CARRIERS.values():
        for leg in _legs(world, carrier):
            found.setdefault((leg.origin, leg.destination), []).append(leg)
    return {pair: tuple(sorted(legs, key=lambda leg: leg.departs)) for pair, legs in found.items()}


@lru_cache(maxsize=20_000)
def flight(world: World, leg: Leg, day: date) -> Flight | None:
    """A flight number on a date, or None when it does not fly then."""
    if str(day.isoweekday()) not in leg.days or not 0 < (day - world.today).days <= HORIZON:
        return None
    rng = world.rng("flight", leg.number, day)
    near = max(0.0, 1.35 - (day - world.today).days / 40)
    weekend = 0.14 if day.isoweekday() in (5, 7) else 0.0
    cents = round(leg.base * (0.82 + 0.4 * rng.random() + 0.25 * near + weekend) / 100) * 100
    full = is_full(world, leg.origin, leg.destination, day)
    left = {cabin: 0 if full else _left(rng.random(), capacity(leg.plane, cabin)) for cabin in CABINS}
    return Flight(leg, day, cents, left)


@lru_cache(maxsize=20_000)
def is_full(world: World, origin: str, destination: str, day: date) -> bool:
    """Days on which everything nonstop between two cities is sold out: a fair, a final, a holiday."""
    return world.rng("full", origin, destination, day).random() < 0.035


def _left(chance: float, seats: int) -> int:
    """One flight in sixteen has nothing left in a cabin; most have between a few and half of its seats. A cabin that
    the plane lacks has none."""
    return 0 if chance < 0.06 or not seats else max(1, round(seats * (chance - 0.04) * 0.55))


def _legs(world: World, carrier: Carrier) -> Iterator[Leg]:
    rng = world.rng("schedule", carrier.code)
    served = [code for code in CITIES if code in carrier.hubs or rng.random() < carrier.share]
    number = 100
    for hub in carrier.hubs:
        for other in served:
            if other == hub or (other in carrier.hubs and other < hub) or _far(hub, other) > carrier.reach:
                continue
            for pair in ((hub, other), (other, hub)):
                for departs in _times(rng.randint(1, 4 if _far(hub, other) < 3000 else 2), rng.random()):
                    number += rng.randint(1, 4)
                    yield _leg(world, carrier, number, pair, departs)


def _leg(world: World, carrier: Carrier, number: int, pair: tuple[str, str], departs: int) -> Leg:
    rng = world.rng("leg", carrier.code, number)
    far = _far(*pair)
    minutes = round((38 + far / 13.6 * (1.04 if _westward(*pair) else 0.97)) / 5) * 5 + rng.choice((0, 0, 5, 10))
    days = "1234567" if rng.random() < 0.72 else "".join(sorted(rng.sample("1234567", rng.randint(3, 5))))
    base = round((5200 + far * 6.4) * carrier.level * rng.uniform(0.85, 1.2))
    return Leg(f"{carrier.code} {number}", carrier.code, *pair, departs, minutes, days, _plane(carrier, far), base)


def _plane(carrier: Carrier, far: int) -> str:
    if carrier.economy_only:
        return PLANES[3]
    return PLANES[0] if far < 900 else PLANES[1] if far < 5200 else PLANES[2]


def _times(count: int, chance: float) -> list[int]:
    """Departures spread over the day, on five minutes."""
    step = 960 / count
    return [(round((345 + (place + chance * 0.9) * step) / 5) * 5) % 1440 for place in range(count)]


@cache
def _far(one: str, other: str) -> int:
    return distance(CITIES[one], CITIES[other])


def _westward(origin: str, destination: str) -> bool:
    return CITIES[destination].longitude < CITIES[origin].longitude
