"""The mutable tables of a hotel site, and the bookings its state starts with."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from random import Random

from workalike.core.key import RowPattern
from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.prices import HotelStay, offers, rows_of
from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.persona import draw_persona
from workalike.town.state import Table, insert
from workalike.town.world import World

GUESTS = 14
_STAY = (
    "hotel TEXT NOT NULL, room TEXT NOT NULL, rate TEXT NOT NULL, arrive TEXT NOT NULL, depart TEXT NOT NULL,"
    " adults INTEGER NOT NULL, children INTEGER NOT NULL, rooms INTEGER NOT NULL, extras TEXT NOT NULL"
)
_PERSON = "name TEXT, email TEXT, phone TEXT, arrival TEXT, card TEXT"


def tables(agency: str) -> tuple[Table, ...]:
    """A booking and a favourite are records. A booking on its way is a draft: its stage is the step in front."""
    return (
        Table(f"{agency}_draft", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, {_STAY}, {_PERSON}", "draft"),
        Table(
            f"{agency}_booking",
            f"number TEXT NOT NULL, {_STAY}, {_PERSON}, total INTEGER NOT NULL, status TEXT NOT NULL",
        ),
        Table(f"{agency}_saved", "hotel TEXT NOT NULL"),
        Table(f"{agency}_seen", "number TEXT NOT NULL", "trace"),
    )


def crossed(agency: str) -> tuple[RowPattern, ...]:
    """What tells that personal data was entered: typed into a draft that may have been left, or booked with."""
    typed = RowPattern(f"{agency}_draft", after={"touched": 1})
    return (typed, RowPattern(f"{agency}_booking", after={"status": "Confirmed"}))


def begin(agency: HotelAgency, world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Bookings that guests made earlier, all for stays to come."""
    hotels = facts.execute("SELECT * FROM hotel ORDER BY id").fetchall()
    for number in range(GUESTS):
        rng = world.rng("guest", agency.name, number)
        _book(agency, world, facts, state, rng.choice(hotels), rng)


def _book(
    agency: HotelAgency,
    world: World,
    facts: sqlite3.Connection,
    state: sqlite3.Connection,
    hotel: sqlite3.Row,
    rng: Random,
) -> None:
    arrive = world.today + timedelta(rng.randint(9, 80))
    stay = HotelStay(arrive, arrive + timedelta(rng.randint(1, 5)), rng.randint(1, 2))
    room = rows_of(facts, hotel["id"])[0]
    found = offers(agency, world, hotel, room, stay)
    if not found:
        return
    offer, who = rng.choice(found), draw_persona(rng)
    number = scattered_number(agency.prefix, count_rows(state, agency.table("booking")) + 1)
    values = {
        "number": number, "hotel": hotel["slug"], "room": offer.room,
        "rate": offer.rate.code, "arrive": stay.arrive.isoformat(), "depart": stay.depart.isoformat(),
        "adults": stay.adults, "children": 0, "rooms": 1, "extras": "", "name": who["name"], "email": who["email"],
        "phone": who["phone"], "arrival": "In the afternoon", "card": who["card_number"][-4:], "total": offer.total,
        "status": "Confirmed",
    }  # fmt: skip
    insert(state, agency.table("booking"), values)
