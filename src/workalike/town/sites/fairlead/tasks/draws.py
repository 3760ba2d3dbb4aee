"""What tasks about jobs are drawn from, and how postings are described without naming them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import msgspec

from workalike.core.key import FactPattern
from workalike.town.kit.make import templates_from
from workalike.town.sites.fairlead.goals import SITE, Posting, posting_of
from workalike.town.sites.fairlead.listing import JobHit, JobQuery, every_hit
from workalike.town.sites.fairlead.world import WEEKS
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "jobs")
LEVEL_WORDS = {"Junior": "junior ", "Mid": "", "Senior": "senior ", "Lead": "lead "}
BOARD = "Fairlead Jobs"
WORK = "I may work in the US."


class Sought(msgspec.Struct, frozen=True):
    """A posting that is told by what holds for it alone."""

    row: sqlite3.Row
    words: str
    ask: JobQuery

    @property
    def job(self) -> Posting:
        return posting_of(self.row)


def rows(town: Town, where: str = "closed = 0", *values: object) -> list[sqlite3.Row]:
    return town.facts[SITE].execute(f"SELECT * FROM job WHERE {where} ORDER BY id", values).fetchall()


def some_row(town: Town, rng: Random, where: str = "closed = 0") -> sqlite3.Row:
    """One of them; only that one is read."""
    facts = town.facts[SITE]
    chosen = rng.choice(facts.execute(f"SELECT id FROM job WHERE {where} ORDER BY id").fetchall())
    return facts.execute("SELECT * FROM job WHERE id = ?", (chosen["id"],)).fetchone()  # type: ignore[no-any-return]


def hits(town: Town, ask: JobQuery) -> list[JobHit]:
    return every_hit(town.world, town.facts[SITE], ask)


def draw_sought(town: Town, rng: Random, where: str = "closed = 0") -> Sought | None:
    """Some posting, told by its role, city, workplace, type and seniority: the only open one of which all holds."""
    row = some_row(town, rng, where)
    ask = JobQuery(
        row["role"].lower(),
        chosen={name: (row[name],) for name in ("metro", "mode", "type", "level")},
    )
    same = [each for each in rows(town, "role = ? AND metro = ?", row["role"], row["metro"]) if _alike(each, row)]
    if len(same) != 1:
        return None
    return Sought(row, describe(row), ask)


def describe(row: sqlite3.Row) -> str:
    """`senior data analyst job in Boston (hybrid, full-time)`."""
    role = f"{LEVEL_WORDS[row['level']]}{row['role'].lower()}"
    seniority = "" if LEVEL_WORDS[row["level"]] else ", neither junior nor senior nor lead"
    return f"{role} job in the {row['metro']} area ({row['mode'].lower()}, {row['type'].lower()}{seniority})"


def yearly_low(row: sqlite3.Row) -> int:
    """The lowest pay in a year of 52 weeks."""
    return int(row["yearly"])


def yearly_high(row: sqlite3.Row) -> int:
    return int(row["high"]) if row["unit"] == "year" else round(row["high"] * row["hours"] * WEEKS)


def told(thing: str, field: str) -> tuple[FactPattern, ...]:
    """A fact of the board about a posting (by its number), an employer or an application."""
    return (FactPattern(SITE, thing, field),)


def employer(town: Town, slug: str) -> sqlite3.Row:
    return town.facts[SITE].execute("SELECT * FROM employer WHERE slug = ?", (slug,)).fetchone()  # type: ignore[no-any-return]


def _alike(one: sqlite3.Row, other: sqlite3.Row) -> bool:
    return all(one[name] == other[name] for name in ("mode", "type", "level"))
