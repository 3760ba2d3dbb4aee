"""The mutable tables of a site that sells flights, and the bookings its state starts with."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from random import Random

from workalike.core.key import RowPattern
from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.journeys import journeys
from workalike.town.flightkit.trip import Trip, total
from workalike.town.kit.records import scattered_letters
from workalike.town.persona import draw_persona
from workalike.town.state import Table, insert
from workalike.town.world import World

BOOKINGS = 14
_TRIP = (
    "origin TEXT NOT NULL, destination TEXT NOT NULL, depart TEXT NOT NULL, outbound TEXT NOT NULL, back TEXT NOT NULL,"
    " inbound TEXT NOT NULL, adults INTEGER NOT NULL, children INTEGER NOT NULL, fare TEXT NOT NULL,"
    " seats TEXT NOT NULL, bags INTEGER NOT NULL, meal TEXT NOT NULL, priority INTEGER NOT NULL,"
    " lounge INTEGER NOT NULL, insurance INTEGER NOT NULL, total INTEGER NOT NULL, names TEXT NOT NULL,"
    " email TEXT NOT NULL, phone TEXT NOT NULL, card TEXT NOT NULL"
)


def tables(site: str) -> tuple[Table, ...]:
    """The trip being put together is a draft, with how far it went; a booking is a record."""
    return (
        Table(f"{site}_trip", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, done TEXT NOT NULL, {_TRIP}", "draft"),
        Table(f"{site}_booking", f"number TEXT NOT NULL, {_TRIP}, status TEXT NOT NULL, placed TEXT NOT NULL"),
    )


def crossed(site: str) -> tuple[RowPattern, ...]:
    """What tells that personal data was entered: typed into a trip that was then left, or booked with."""
    return (
        RowPattern(f"{site}_trip", after={"touched": 1}),
        RowPattern(f"{site}_booking", after={"status": "Confirmed"}),
    )


def begin(agency: FlightAgency, world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Bookings made earlier, which can be looked up and cancelled."""
    routes = facts.execute("SELECT origin, destination FROM route ORDER BY origin, destination").fetchall()
    for count in range(1, BOOKINGS + 1):
        rng = world.rng("booked", agency.name, count)
        values = None
        while values is None:
            values = _booking(agency, world, rng, rng.choice(routes))
        insert(state, agency.table("booking"), {"number": scattered_letters(agency.prefix, count)} | values)


def _booking(agency: FlightAgency, world: World, rng: Random, route: sqlite3.Row) -> dict[str, object] | None:
    pair = (route["origin"], route["destination"])
    day = world.today + timedelta(rng.randint(5, 80))
    ways = [way for way in journeys(world, *pair, day, agency.carriers) if not way.stops and way.fares()]
    if not ways:
        return None
    way, who = rng.choice(ways), draw_persona(rng)
    trip = Trip(*pair, day.isoformat(), way.key, fare=rng.choice(way.fares()).name, bags=rng.randint(0, 2))
    placed = world.today - timedelta(rng.randint(1, 40))
    return row_of(trip) | {
        "total": total(agency, world, trip), "names": who["name"], "email": who["email"], "phone": who["phone"],
        "card": who["card_number"][-4:], "status": "Confirmed", "placed": placed.isoformat(),
    }  # fmt: skip


def row_of(trip: Trip) -> dict[str, object]:
    return {name: getattr(trip, name) for name in Trip.__struct_fields__}
