"""What a task about flights comes down to, as plain data that requests, the oracle and near misses all go by."""

from __future__ import annotations

from typing import Literal

import msgspec

from workalike.town.flightkit.trip import Trip
from workalike.town.template import Plan

Until = Literal["results", "fare", "seats", "details", "booked"]


class Ride(msgspec.Struct, frozen=True, omit_defaults=True):
    """One search and what is made of it: as far as the results, the fares, the seat map, the question for personal
    data (the critical point), or the booking. `sort` and `nonstop` are how results are put in order and narrowed."""

    site: str
    trip: Trip
    until: Until = "results"
    cabin: str = "Economy"
    sort: str = ""
    nonstop: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """All flight numbers in order."""
        ways = (self.trip.outbound, self.trip.inbound)
        return tuple(number for way in ways if way for number in way.split("/"))


class Reference(msgspec.Struct, frozen=True):
    """A booking made earlier, with what it is found by."""

    site: str
    number: str
    name: str


class FlightPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything to be done, in this order: the rides, a booking looked up, and cancelled; then say the answer. `wrong`
    are answers near the right one; `touch` (personal data typed) happens only in near misses; `walled` says that a wall
    ends it."""

    said: tuple[str, ...]
    rides: tuple[Ride, ...] = ()
    find: Reference | None = None
    cancel: bool = False
    persona: dict[str, str] = {}
    wrong: dict[str, str] = {}
    touch: bool = False
    walled: bool = False


def read_plan(plan: Plan) -> FlightPlan:
    return msgspec.convert(plan, FlightPlan)
