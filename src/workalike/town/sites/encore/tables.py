"""The mutable tables of the ticket office, and the bookings it starts with."""

from __future__ import annotations

import sqlite3
from datetime import date

from workalike.core.key import RowPattern
from workalike.town.kit.records import scattered_number
from workalike.town.persona import draw_persona
from workalike.town.sites.encore.seats import PLANS, bill, blocks, price
from workalike.town.state import Table, insert
from workalike.town.world import World

GUESTS = 26
_ORDER = "show TEXT NOT NULL, seats TEXT NOT NULL, ages TEXT, delivery TEXT"
_PERSON = "name TEXT, email TEXT, phone TEXT, card TEXT"
TABLES = (
    Table("encore_draft", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, {_ORDER}, {_PERSON}", "draft"),
    Table("encore_booking", f"number TEXT NOT NULL, {_ORDER}, {_PERSON}, total INTEGER NOT NULL, status TEXT NOT NULL"),
    Table("encore_following", "event TEXT NOT NULL"),
    Table("encore_waiting", "show TEXT NOT NULL, tickets INTEGER NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL"),
    Table(
        "encore_claim",
        "booking TEXT NOT NULL, event TEXT NOT NULL, day TEXT NOT NULL, seats TEXT NOT NULL, paid INTEGER NOT NULL,"
        " reason TEXT NOT NULL, email TEXT NOT NULL",
    ),
    Table("encore_seen", "number TEXT NOT NULL", "trace"),
)
CROSSED = (
    RowPattern("encore_draft", after={"touched": 1}),
    RowPattern("encore_booking", after={"status": "Confirmed"}),
    RowPattern("encore_waiting"),
    RowPattern("encore_claim"),
)
SHOWS = "SELECT show.*, event.slug AS event_slug FROM show JOIN event ON event.id = show.event"


def begin(world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Bookings made earlier; every fourth is for a show that was postponed since."""
    shows = facts.execute(f"{SHOWS} WHERE status = 'sale' ORDER BY show.id").fetchall()
    late = facts.execute(f"{SHOWS} WHERE status = 'postponed' ORDER BY show.id").fetchall()
    for number in range(GUESTS):
        rng = world.rng("encore", "guest", number)
        show = rng.choice(late) if late and number % 4 == 0 else rng.choice(shows)
        event = facts.execute("SELECT * FROM event WHERE id = ?", (show["event"],)).fetchone()
        venue = facts.execute("SELECT * FROM venue WHERE id = ?", (show["venue"],)).fetchone()
        section, count, who = rng.choice(PLANS[venue["kind"]]), rng.randint(1, 4), draw_persona(rng)
        row, first = chr(65 + rng.randrange(section.rows)), rng.randint(1, section.wide - count + 1)
        taken = next(blocks(world, show, section, count), "")
        seats = taken or f"{section.code} " + ",".join(f"{row}{first + at}" for at in range(count))
        ages = ["adult"] * count
        values = {
            "number": scattered_number("EN", number + 1), "show": show["code"], "seats": seats, "ages": ",".join(ages),
            "delivery": "mobile", "name": who["name"], "email": who["email"], "phone": who["phone"],
            "card": who["card_number"][-4:], "status": "Confirmed",
            "total": bill(event, venue, price(show, section), ages, "mobile").total,
        }  # fmt: skip
        insert(state, "encore_booking", values)


def days_ahead(show: sqlite3.Row, today: date) -> int:
    return (date.fromisoformat(show["day"]) - today).days
