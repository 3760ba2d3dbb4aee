"""The mutable tables of the jobs board, and what the member's account begins with."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from workalike.core.key import RowPattern
from workalike.town.kit.records import scattered_number
from workalike.town.persona import draw_persona
from workalike.town.state import Table, insert
from workalike.town.world import World

EARLIER = 9
STATUSES = ("Received", "In review", "Interview", "Offer made", "Declined")
PREFIX = "FL"
_ANSWERS = "eligible TEXT, starts TEXT, years TEXT, licence TEXT, latest TEXT"
_PERSON = "name TEXT, email TEXT, phone TEXT, resume TEXT, digest TEXT"

TABLES = (
    Table(
        "fairlead_draft", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, job INTEGER, {_ANSWERS}, {_PERSON}", "draft"
    ),
    Table(
        "fairlead_application",
        f"number TEXT NOT NULL, job INTEGER, {_ANSWERS}, {_PERSON}, status TEXT NOT NULL, sent TEXT, note TEXT",
    ),
    Table("fairlead_saved", "job INTEGER NOT NULL"),
    Table("fairlead_followed", "employer TEXT NOT NULL"),
    Table("fairlead_alert", "q TEXT NOT NULL, metro TEXT NOT NULL, often TEXT NOT NULL"),
)
CROSSED = (
    RowPattern("fairlead_draft", after={"touched": 1}),
    RowPattern("fairlead_application", after={"status": "Received"}),
)
"""Personal data typed or handed over, or an application sent."""


def member(world: World) -> dict[str, str]:
    """The person whose account it is, with what stands on the sheet of the profile."""
    rng = world.rng("fairlead", "member")
    who = draw_persona(rng)
    start = world.today + timedelta(rng.choice((21, 28, 35, 42)))
    return who | {
        "starts": start.isoformat(),
        "years": str(rng.randint(4, 14)),
        "licence": f"{rng.choice('KLMNPR')}{rng.randint(100_000, 999_999)}",
        "latest": rng.choice(("Brindle & Sons", "Otterburn County", "Maple Row Co-op", "Pinnock Group")),
    }


def begin(world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Applications that the member sent earlier."""
    rng, who = world.rng("fairlead", "earlier"), member(world)
    jobs = facts.execute("SELECT * FROM job ORDER BY id").fetchall()
    for place, job in enumerate(rng.sample(jobs, EARLIER), 1):
        sent, status = world.today - timedelta(rng.randint(5, 40)), STATUSES[place % len(STATUSES)]
        day = world.today + timedelta(rng.randint(3, 20))
        values = {
            "number": scattered_number(PREFIX, place), "job": job["id"], "eligible": "Yes", "starts": who["starts"],
            "years": who["years"], "licence": who["licence"], "latest": who["latest"], "name": who["name"],
            "email": who["email"], "phone": who["phone"], "resume": "resume.pdf", "digest": "", "status": status,
            "sent": sent.isoformat(), "note": day.isoformat(),
        }  # fmt: skip
        insert(state, "fairlead_application", values)
