"""What tasks about going out are drawn from, and how dates, people and seats are put into words."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path
from random import Random

from workalike.core.key import FactPattern
from workalike.town.kit.make import templates_from
from workalike.town.sites.encore.goals import SITE, Showing
from workalike.town.sites.encore.listing import SHOWS
from workalike.town.sites.encore.seats import PLANS, Section, ages_of, blocks
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "stage")
C = "ticketing"


def events(town: Town, where: str = "1") -> list[sqlite3.Row]:
    return town.facts[SITE].execute(f"SELECT * FROM event WHERE {where} ORDER BY id").fetchall()


def shows(town: Town, event: sqlite3.Row, where: str = "1") -> list[sqlite3.Row]:
    query = f"SELECT * FROM ({SHOWS}) WHERE event = ? AND {where} ORDER BY day, time, id"
    return town.facts[SITE].execute(query, (event["id"],)).fetchall()


def venue(town: Town, show: sqlite3.Row) -> sqlite3.Row:
    return town.facts[SITE].execute("SELECT * FROM venue WHERE id = ?", (show["venue"],)).fetchone()  # type: ignore[no-any-return]


def showing(event: sqlite3.Row, show: sqlite3.Row) -> Showing:
    names = ("code", "day", "time", "kind", "city")
    told = {name: show[name] for name in names}
    return Showing(event=event["name"], slug=event["slug"], venue=show["venue_name"], **told)


def choices(town: Town, show: sqlite3.Row, section: Section, count: int) -> tuple[str, ...]:
    """Every way to sit side by side there."""
    return tuple(blocks(town.world, show, section, count))


def section_with(town: Town, rng: Random, show: sqlite3.Row, count: int) -> Section | None:
    """A section with that many seats side by side."""
    fitting = [part for part in PLANS[show["kind"]] if any(blocks(town.world, show, part, count))]
    return rng.choice(fitting) if fitting else None


def slots(town: Town, event: sqlite3.Row, show: sqlite3.Row) -> dict[str, str]:
    """How a date is told: the production by what it is, not by its name."""
    day, today = date.fromisoformat(show["day"]), town.world.today
    hour = int(show["time"][:2])
    clock = f"{(hour - 1) % 12 + 1}{show['time'][2:].replace(':00', '')} {'a.m.' if hour < 12 else 'p.m.'}"
    return {
        "hint": event["hint"],
        "genre": event["genre"].lower(),
        "city": show["city"],
        "day": f"{day:%A}, {day:%B} {day.day}",
        "date": f"{day:%B} {day.day}, {day.year}",
        "iso": show["day"],
        "time": clock,
        "today": f"{today:%B} {today.day}, {today.year}",
        "month": f"{day:%B}",
    }


def draw_ages(rng: Random, event: sqlite3.Row, count: int) -> tuple[str, ...]:
    """Tickets for so many people, sorted as orders keep them; at least one of them an adult."""
    offered = list(ages_of(event))
    return tuple(sorted(["adult", *(rng.choice(offered) for _ in range(count - 1))]))


AGE_WORDS = {
    "adult": ("one adult", "{} adults"),
    "child": ("one child of {age}", "{} children of {age}"),
    "senior": ("one person of 71", "{} people of 71"),
    "student": ("one student with a card", "{} students with cards"),
}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")


def people(ages: tuple[str, ...], event: sqlite3.Row) -> str:
    """Who is coming, told by age instead of by kind of ticket."""
    said = []
    for age, (one, many) in AGE_WORDS.items():
        count = ages.count(age)
        if count:
            text = one if count == 1 else many.format(NUMBERS[count], age="{age}")
            said.append(text.format(age=event["child_to"]))
    return " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else said[0]


def about(thing: str, field: str, value: str | None = None, **context: str) -> FactPattern:
    return FactPattern(SITE, thing, field, context, value)
