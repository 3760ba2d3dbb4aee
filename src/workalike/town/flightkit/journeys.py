"""Ways from one city to another on a date: nonstop flights, and those of one airline that meet at one of its hubs."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

import msgspec

from workalike.town.flightkit.fares import FARES, Fare
from workalike.town.flightkit.places import CARRIERS, CITIES
from workalike.town.flightkit.planes import CABINS
from workalike.town.flightkit.schedule import Flight, Leg, flight, schedule
from workalike.town.world import World

SHORTEST, LONGEST = 50, 330
"""How many minutes there are to change planes."""
MOST_CHANGES = 10


class Journey(msgspec.Struct, frozen=True):
    """One or two flights from the first city to the last."""

    flights: tuple[Flight, ...]

    @property
    def key(self) -> str:
        """Its flight numbers: `LN 412`, `LN 412/LN 88`."""
        return "/".join(each.leg.number for each in self.flights)

    @property
    def name(self) -> str:
        return self.key.replace("/", " + ")

    @property
    def thing(self) -> str:
        """What facts about it are filed under: its flight numbers and its day."""
        return f"{self.key} {self.day}"

    @property
    def carrier(self) -> str:
        return self.flights[0].leg.carrier

    @property
    def airline(self) -> str:
        return CARRIERS[self.carrier].name

    @property
    def stops(self) -> int:
        return len(self.flights) - 1

    @property
    def departs(self) -> int:
        return self.flights[0].leg.departs

    @property
    def day(self) -> date:
        return self.flights[0].day

    @property
    def arrives(self) -> int:
        return self.flights[-1].arrives % 1440

    @property
    def lands(self) -> date:
        return self.flights[-1].lands

    @property
    def minutes(self) -> int:
        """How long it takes in all, waiting included."""
        return sum(each.leg.minutes for each in self.flights) + sum(self.waits)

    @property
    def waits(self) -> tuple[int, ...]:
        return tuple(_wait(one, two) for one, two in zip(self.flights, self.flights[1:], strict=False))

    def left(self, cabin: str) -> int:
        return min(each.left[cabin] for each in self.flights)

    @property
    def full(self) -> bool:
        return not any(self.left(cabin) for cabin in CABINS)

    def cents(self, fare: Fare, fee: int = 0) -> int:
        """What one adult pays; changing planes makes it a little cheaper."""
        base = sum(each.cents for each in self.flights) * (0.78 if self.stops else 1.0)
        return round((base * fare.times + fare.plus) / 100) * 100 + fee

    def fares(self, seats: int = 1) -> tuple[Fare, ...]:
        """What can be bought for so many."""
        return tuple(fare for fare in FARES if self.left(fare.cabin) >= seats)

    def from_fare(self, cabin: str, seats: int = 1) -> Fare | None:
        """The cheapest fare of a cabin that can be bought."""
        return next((fare for fare in self.fares(seats) if fare.cabin == cabin), None)


@lru_cache(maxsize=4096)
def journeys(
    world: World, origin: str, destination: str, day: date, carriers: tuple[str, ...] = tuple(CARRIERS)
) -> tuple[Journey, ...]:
    """Everything that leaves on a day, by time of departure; of the many changes the shortest."""
    nonstop = [Journey((each,)) for each in _flights(world, origin, destination, day) if each.leg.carrier in carriers]
    changes = [
        way
        for code in carriers
        for hub in CARRIERS[code].hubs
        for way in _via(world, origin, destination, day, hub, code)
    ]
    best = sorted(changes, key=lambda way: (way.minutes, way.key))[:MOST_CHANGES]
    return tuple(sorted((*nonstop, *best), key=lambda way: (way.departs, way.key)))


def journey(world: World, origin: str, destination: str, day: date, key: str) -> Journey | None:
    """One way by its flight numbers."""
    return next((way for way in journeys(world, origin, destination, day) if way.key == key), None) or next(
        (way for code in CARRIERS for way in journeys(world, origin, destination, day, (code,)) if way.key == key), None
    )


def _flights(world: World, origin: str, destination: str, day: date) -> list[Flight]:
    found = (flight(world, leg, day) for leg in schedule(world).get((origin, destination), ()))
    return [each for each in found if each is not None]


def _via(world: World, origin: str, destination: str, day: date, hub: str, code: str) -> list[Journey]:
    """By one hub of one airline, each first flight with the first that can be caught after it."""
    if hub in (origin, destination):
        return []
    firsts = (flight(world, leg, day) for leg in _legs(world, origin, hub, code))
    changes = ((first, _onward(world, first, destination, code)) for first in firsts if first is not None)
    return [Journey((first, second)) for first, second in changes if second is not None]


def _onward(world: World, first: Flight, destination: str, code: str) -> Flight | None:
    """The first flight that can be caught after another; drawn are only those that leave in time."""
    for later in (first.lands, first.lands + timedelta(1)):
        for leg in _legs(world, first.leg.destination, destination, code):
            if SHORTEST <= _minutes_between(first, later, leg.departs) <= LONGEST:
                found = flight(world, leg, later)
                if found is not None:
                    return found
    return None


def _legs(world: World, origin: str, destination: str, code: str) -> list[Leg]:
    return [leg for leg in schedule(world).get((origin, destination), ()) if leg.carrier == code]


def _minutes_between(one: Flight, day: date, departs: int) -> int:
    return (day - one.day).days * 1440 + departs - one.arrives


def _wait(one: Flight, two: Flight) -> int:
    return _minutes_between(one, two.day, two.leg.departs)


def clock(minute: int) -> str:
    """
    >>> clock(875), clock(5)
    ('2:35 PM', '12:05 AM')
    """
    hours, minutes = divmod(minute % 1440, 60)
    return f"{(hours - 1) % 12 + 1}:{minutes:02d} {'AM' if hours < 12 else 'PM'}"


def span(minutes: int) -> str:
    """
    >>> span(320)
    '5 h 20 min'
    """
    return f"{minutes // 60} h {minutes % 60:02d} min"


def route(origin: str, destination: str) -> str:
    return f"{CITIES[origin].name} to {CITIES[destination].name}"
