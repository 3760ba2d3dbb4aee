"""A trip as far as it is chosen, and what it costs. It lies in a draft row; a booking is the same made real."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.fares import BY_NAME, INSURANCE, LOUNGE, PRIORITY, Fare, party, seat_price
from workalike.town.flightkit.journeys import Journey, journey
from workalike.town.flightkit.places import CARRIERS
from workalike.town.flightkit.planes import PlaneSeat, seats
from workalike.town.flightkit.schedule import Flight
from workalike.town.world import World


class Trip(msgspec.Struct, frozen=True):
    """What was chosen so far. `seats` lists seats by flight: `LN 412: 12A 12B; LN 88: 3C`."""

    origin: str
    destination: str
    depart: str
    outbound: str
    back: str = ""
    inbound: str = ""
    adults: int = 1
    children: int = 0
    fare: str = ""
    seats: str = ""
    bags: int = 0
    meal: str = ""
    priority: int = 0
    lounge: int = 0
    insurance: int = 0

    @property
    def people(self) -> int:
        return self.adults + self.children


class BillLine(msgspec.Struct, frozen=True):
    """One line of the bill."""

    text: str
    cents: int


COLUMNS = Trip.__struct_fields__


def trip_of(row: sqlite3.Row | Mapping[str, Any]) -> Trip:
    return Trip(**{name: row[name] for name in COLUMNS})


def ways_of(world: World, trip: Trip) -> tuple[Journey, ...]:
    """The journeys out and back; empty when they do not fly."""
    out = journey(world, trip.origin, trip.destination, date.fromisoformat(trip.depart), trip.outbound)
    if out is None or not trip.back:
        return (out,) if out else ()
    home = journey(world, trip.destination, trip.origin, date.fromisoformat(trip.back), trip.inbound)
    return (out, home) if home else ()


def flights_of(world: World, trip: Trip) -> tuple[Flight, ...]:
    return tuple(each for way in ways_of(world, trip) for each in way.flights)


def fares_of(ways: tuple[Journey, ...], people: int) -> tuple[Fare, ...]:
    """Fares that can be had on every way."""
    return tuple(fare for fare in BY_NAME.values() if all(fare in way.fares(people) for way in ways))


def map_of(world: World, flight: Flight, fare: Fare) -> tuple[PlaneSeat, ...]:
    leg = flight.leg
    return seats(world, leg.number, flight.day, leg.plane, fare.cabin, flight.left[fare.cabin])


def write_seats(chosen: dict[str, list[str]]) -> str:
    """
    >>> write_seats({"LN 412": ["12B", "12A"], "LN 88": []})
    'LN 412: 12A 12B'
    """
    return "; ".join(f"{number}: {' '.join(sorted(names))}" for number, names in chosen.items() if names)


def read_seats(text: str) -> dict[str, list[str]]:
    """
    >>> read_seats("LN 412: 12A 12B; LN 88: 3C")
    {'LN 412': ['12A', '12B'], 'LN 88': ['3C']}
    """
    parts = [part.split(": ") for part in text.split("; ") if part]
    return {number: names.split() for number, names in parts}


def bill(agency: FlightAgency, world: World, trip: Trip) -> tuple[BillLine, ...]:
    """Everything that is to be paid."""
    fare, ways = BY_NAME.get(trip.fare), ways_of(world, trip)
    if fare is None:
        return ()
    fees = len(ways) * agency.fee
    flying = sum(party(way.cents(fare), trip.adults, trip.children) for way in ways) + fees * trip.people
    lines = [BillLine(f"Flights, {fare.name}", flying), *_seat_lines(world, trip, fare)]
    if trip.bags:
        each = sum(CARRIERS[way.carrier].bag for way in ways)
        lines.append(BillLine(f"Checked bags × {trip.bags}", each * trip.bags))
    if trip.meal:
        each = 0 if fare.cabin != "Economy" else sum(CARRIERS[way.carrier].meal for way in ways)
        lines.append(BillLine(f"{trip.meal} meal", each * trip.people))
    for name, cents in (("priority", PRIORITY), ("lounge", LOUNGE), ("insurance", INSURANCE)):
        if getattr(trip, name):
            lines.append(BillLine(EXTRAS[name], cents * trip.people))
    return tuple(lines)


def total(agency: FlightAgency, world: World, trip: Trip) -> int:
    return sum(line.cents for line in bill(agency, world, trip))


def _seat_lines(world: World, trip: Trip, fare: Fare) -> list[BillLine]:
    chosen = read_seats(trip.seats)
    lines = []
    for flight in flights_of(world, trip):
        names = chosen.get(flight.leg.number, [])
        if names:
            cents = sum(seat_price(fare, seat.roomy) for seat in map_of(world, flight, fare) if seat.name in names)
            lines.append(BillLine(f"Seat {', '.join(names)} on {flight.leg.number}", cents))
    return lines


EXTRAS = {"priority": "Priority boarding", "lounge": "Lounge access", "insurance": "Travel insurance"}
