"""Times to book: who comes, which times a venue has on a day, and how much room is left. Pure functions of the world,
the venue and the date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random

import msgspec

from workalike.town.bookkit.venue import TicketFare, Venue
from workalike.town.visit import count_in
from workalike.town.world import World

HORIZON = 120
"""How many days ahead can be booked."""
MOST = 20
"""How many people one may ask for at once."""


class Party(msgspec.Struct, frozen=True):
    """How many come, by kind of ticket: `adults=2,children=1`."""

    text: str

    @property
    def counts(self) -> dict[str, int]:
        pairs = (part.partition("=") for part in self.text.split(",") if part)
        return {name: int(count) for name, _, count in pairs}

    @property
    def size(self) -> int:
        return sum(self.counts.values())

    def cost(self, fares: tuple[TicketFare, ...]) -> int:
        """What all pay together."""
        prices = {fare.code: fare.cents for fare in fares}
        return sum(count * prices.get(name, 0) for name, count in self.counts.items())


class Slot(msgspec.Struct, frozen=True):
    """A time of a day, and for how many there is room."""

    time: str
    left: int


def party_of(counts: Mapping[str, int]) -> Party:
    """
    >>> party_of({"adults": 2, "children": 0}).text
    'adults=2'
    """
    return Party(",".join(f"{name}={count}" for name, count in counts.items() if count))


def read_party(given: Mapping[str, str], kinds: Mapping[str, str]) -> Party | None:
    """Who comes, as a form or an address says it; None where it says nothing that makes sense."""
    counts = {name: count_in(given.get(name, "") or "0", MOST + 1) for name in kinds}
    if None in counts.values():
        return None
    party = party_of({name: count or 0 for name, count in counts.items()})
    return party if 0 < party.size <= MOST else None


def read_day(text: str, today: date) -> date | None:
    """A day that can be booked, or None."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if today <= day <= today + timedelta(HORIZON) else None


def slots(world: World, venue: Venue, day: date) -> tuple[Slot, ...]:
    """The times of a day with the room that is left; some days are full, and good hours fill first."""
    if venue.books != "online":
        return ()
    rng = world.rng("slots", venue.slug, day.isoformat())
    full = rng.random() < 0.08
    return tuple(Slot(time, 0 if full else _left(rng, venue, day, time)) for time in venue.times[day.weekday()])


def fits(venue: Venue, slot: Slot, party: Party) -> bool:
    """Whether a party can have a time."""
    return party.size <= min(slot.left, venue.largest)


def full_days(world: World, venue: Venue, first: date, count: int) -> list[str]:
    """The days from one on without any room; those on which there is nothing at all are not among them."""
    days = [first + timedelta(ahead) for ahead in range(count)]
    found = {day: slots(world, venue, day) for day in days}
    return [day.isoformat() for day, times in found.items() if times and not any(slot.left for slot in times)]


def _left(rng: Random, venue: Venue, day: date, time: str) -> int:
    busy = 0.24 + 0.18 * (day.weekday() >= 4) + 0.16 * ("18:45" < time < "20:45")
    return 0 if rng.random() < busy else rng.randint(max(1, venue.room // 4), venue.room)
