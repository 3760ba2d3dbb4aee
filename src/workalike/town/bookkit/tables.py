"""The mutable tables of a site on which times are booked, and the bookings its state starts with."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from workalike.core.key import RowPattern
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.bookkit.slots import fits, party_of, slots
from workalike.town.bookkit.venue import venues_in
from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.persona import draw_persona
from workalike.town.state import Table, insert
from workalike.town.world import World

GUESTS = 24
_CHOSEN = (
    "slot TEXT NOT NULL, venue TEXT NOT NULL, day TEXT NOT NULL, time TEXT NOT NULL, party TEXT NOT NULL,"
    " seat TEXT NOT NULL, options TEXT NOT NULL"
)
_PERSON = "name TEXT, email TEXT, phone TEXT, card TEXT"


def tables(site: str) -> tuple[Table, ...]:
    """A booking, a place on a waiting list and a favourite are records. A booking on its way is a draft: its stage is
    the step in front. `slot` is venue, day and time in one, so that one predicate can tell all that are right."""
    return (
        Table(f"{site}_draft", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, {_CHOSEN}, {_PERSON}", "draft"),
        Table(
            f"{site}_booking",
            f"number TEXT NOT NULL, {_CHOSEN}, {_PERSON}, total INTEGER NOT NULL, status TEXT NOT NULL",
        ),
        Table(
            f"{site}_waiting",
            "venue TEXT NOT NULL, day TEXT NOT NULL, party TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL,"
            " phone TEXT NOT NULL",
        ),
        Table(f"{site}_saved", "venue TEXT NOT NULL"),
        Table(f"{site}_typed", "what TEXT NOT NULL", "draft"),
        Table(f"{site}_seen", "number TEXT NOT NULL", "trace"),
    )


def crossed(site: str) -> tuple[RowPattern, ...]:
    """What tells that personal data was entered: typed into a draft or a waiting list's form, or booked with."""
    return (
        RowPattern(f"{site}_draft", after={"touched": 1}),
        RowPattern(f"{site}_booking", after={"status": "Confirmed"}),
        RowPattern(f"{site}_typed", after={"what": "waiting list"}),
        RowPattern(f"{site}_waiting"),
    )


def slot_key(venue: str, day: str, time: str) -> str:
    """
    >>> slot_key("casa-lume", "2026-05-09", "19:30")
    'casa-lume 2026-05-09 19:30'
    """
    return f"{venue} {day} {time}"


def begin(desk: BookingDesk, world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Bookings that guests made earlier, all for days to come."""
    venues = [venue for venue in venues_in(facts) if venue.books == "online"]
    for number in range(GUESTS):
        rng = world.rng("guest", desk.name, number)
        venue, day = rng.choice(venues), world.today + timedelta(rng.randint(3, 60))
        first = next(iter(desk.kinds))
        party = party_of({first: rng.randint(1, min(4, venue.largest))})
        free = [slot for slot in slots(world, venue, day) if fits(venue, slot, party)]
        if not free:
            continue
        slot, who = rng.choice(free), draw_persona(rng)
        taken = [each.code for each in venue.options if rng.random() < 0.4][:2]
        extra = sum(each.cents for each in venue.options if each.code in taken) * party.size
        values = {
            "number": scattered_number(desk.prefix, count_rows(state, desk.table("booking")) + 1),
            "slot": slot_key(venue.slug, day.isoformat(), slot.time), "venue": venue.slug, "day": day.isoformat(),
            "time": slot.time, "party": party.text, "seat": rng.choice(venue.seats) if venue.seats else "",
            "options": ",".join(taken), "name": who["name"], "email": who["email"], "phone": who["phone"],
            "card": who["card_number"][-4:] if venue.paid else "", "total": party.cost(venue.fares) + extra,
            "status": "Confirmed",
        }  # fmt: skip
        insert(state, desk.table("booking"), values)
