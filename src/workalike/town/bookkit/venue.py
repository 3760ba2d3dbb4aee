"""A venue: a place or an event where times can be booked, with all that its pages say. Sites fill these from the
world and keep them in their facts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import quote

import msgspec

from workalike.town.site import IndexEntry
from workalike.town.world import World

SCHEMA = """
CREATE TABLE venue (id INTEGER PRIMARY KEY, slug TEXT UNIQUE, name TEXT UNIQUE, city TEXT, kind TEXT, body BLOB);
CREATE INDEX by_city ON venue (city);
"""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class PricedLine(msgspec.Struct, frozen=True):
    """A line of a menu: a dish with its description, or a drink with its measure."""

    section: str
    name: str
    text: str
    cents: int
    marks: tuple[str, ...] = ()


class GuestRemark(msgspec.Struct, frozen=True):
    """What a guest wrote."""

    who: str
    when: str
    points: int
    text: str


class TicketFare(msgspec.Struct, frozen=True):
    """What somebody of an age pays when booking; at restaurants, the deposit for a guest."""

    code: str
    label: str
    cents: int


class SlotOption(msgspec.Struct, frozen=True):
    """Something that can be had or asked for with a booking, at a price a person, or free."""

    code: str
    label: str
    cents: int = 0


class Venue(msgspec.Struct, frozen=True):
    """`books` says how one gets in: `online` by a time, `walk-in` without any, `phone` by calling. `times` are those
    of the week's days, Monday first; `room` is how many a time holds, `largest` the largest party that can book."""

    slug: str
    name: str
    kind: str
    city: str
    area: str
    address: str
    x: int
    y: int
    rating: float
    reviews: int
    level: int
    phone: str
    about: str
    books: str
    times: tuple[tuple[str, ...], ...]
    room: int
    largest: int
    rank: int
    fares: tuple[TicketFare, ...]
    traits: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    hours: tuple[str, ...] = ()
    lines: tuple[PricedLine, ...] = ()
    remarks: tuple[GuestRemark, ...] = ()
    seats: tuple[str, ...] = ()
    options: tuple[SlotOption, ...] = ()
    minutes: int = 90
    quirk: int = -1
    """Which oddity guests tell of, for tasks that describe it."""
    numbers: dict[str, int] = {}
    """What the rules say in prose, for drawing tasks; no page shows these."""

    def note(self, topic: str) -> str:
        return dict(self.notes).get(topic, "")

    def detail(self, name: str) -> str:
        return dict(self.details).get(name, "")

    @property
    def paid(self) -> bool:
        """Whether anything is due when booking."""
        return any(fare.cents for fare in self.fares)


def store(facts: sqlite3.Connection, venues: Iterable[Venue]) -> None:
    """Fill a site's facts."""
    facts.executescript(SCHEMA)
    rows = [(each.slug, each.name, each.city, each.kind, msgspec.json.encode(each)) for each in venues]
    facts.executemany("INSERT INTO venue (slug, name, city, kind, body) VALUES (?,?,?,?,?)", rows)


def venue_by(facts: sqlite3.Connection, slug: str) -> Venue | None:
    row = facts.execute("SELECT body FROM venue WHERE slug = ?", (slug,)).fetchone()
    return _read(row["body"]) if row else None


def venues_in(facts: sqlite3.Connection, city: str = "") -> list[Venue]:
    """Those of a city, or all."""
    rows = facts.execute("SELECT body FROM venue WHERE city = ? OR ? = '' ORDER BY id", (city, city))
    return [_read(row["body"]) for row in rows]


@lru_cache(maxsize=2048)
def _read(body: bytes) -> Venue:
    return msgspec.json.decode(body, type=Venue)


def entries(things: str, world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """What the search engine knows of a site: its cities, the kinds of things they have, and its venues by name."""
    for row in facts.execute("SELECT city, count(*) AS count FROM venue GROUP BY city ORDER BY city"):
        title = f"{things.capitalize()} in {row['city']}"
        yield IndexEntry(f"/city/{quote(row['city'])}", title, f"{row['count']} {things} in {row['city']}.")
    for row in facts.execute("SELECT city, kind, count(*) AS count FROM venue GROUP BY city, kind ORDER BY city, kind"):
        path, title = f"/city/{quote(row['city'])}?kind={quote(row['kind'])}", f"{row['kind']} in {row['city']}"
        yield IndexEntry(
            path, title, f"The best {row['kind']} in {row['city']}, rated by guests: {row['count']} {things}."
        )
    for row in facts.execute("SELECT slug, name, kind, city FROM venue ORDER BY id"):
        yield IndexEntry(f"/at/{row['slug']}", row["name"], f"{row['kind']}, {row['city']}.")
