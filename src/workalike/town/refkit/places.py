"""Stores, libraries, museums and the like in twelve cities: where they are, when they are open, what one must know."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from random import Random

import msgspec

from workalike.town.refkit.geography import District, metros
from workalike.town.site import IndexEntry
from workalike.town.world import World

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
KINDS = {
    "Pharmacy": ("Corner", "Lamplight", "Greenleaf"),
    "Hardware store": ("Hammer & Hinge", "Boltworks"),
    "Post office": ("Post Office",),
    "Library": ("Public Library",),
    "Bookshop": ("Margin", "Dog-Ear"),
    "Bicycle shop": ("Spokesong", "Freewheel"),
    "Grocery": ("Peck & Bushel", "Daybreak"),
    "Museum": ("Museum of Maps", "House of Clocks", "Textile Museum"),
}
_STREETS = (
    "Canal Street",
    "Mercer Road",
    "Orchard Lane",
    "Tinsmith Row",
    "Bayview Avenue",
    "Station Street",
    "Elm Walk",
)
NOTES = {
    "parking": ("Parking behind the house is free for [[free parking|{0}]] minutes.", (30, 45, 60, 90)),
    "ramp": ("There is [[step-free|a ramp at the side door]].", (0,)),
    "steps": ("[[step-free|Three steps lead to the door]]; ring and somebody helps.", (0,)),
    "returns": ("Parcels to be sent back are taken until [[parcels until|{0}]] PM.", (3, 4, 5, 6)),
    "loans": ("Up to [[loans|{0}]] books at a time can be borrowed.", (8, 12, 15, 20)),
    "tour": ("The guided tour costs [[tour|${0}.00]] and starts at [[tour at|11:00 AM]].", (4, 6, 8, 9)),
}
SCHEMA = """
CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, chain TEXT, metro TEXT, district TEXT, address TEXT,
  zip TEXT, x INTEGER, y INTEGER, phone TEXT, hours TEXT, note TEXT, rating REAL);
"""


class Place(msgspec.Struct, frozen=True):
    """One of them; `hours` has a pair of minutes for each day from Monday on, or nothing where it is closed."""

    id: int
    name: str
    kind: str
    chain: str
    metro: str
    district: str
    address: str
    zip: str
    x: int
    y: int
    phone: str
    hours: tuple[tuple[int, int] | None, ...]
    note: str
    rating: float


@lru_cache(maxsize=4)
def places(world: World) -> tuple[Place, ...]:
    rng, made = world.rng("waymark"), list[Place]()
    for metro in metros(world):
        for kind, chains in KINDS.items():
            spots = rng.sample(metro.districts, 4 if kind != "Museum" else 2)
            for district in spots:
                made.append(_place(1001 + len(made), kind, rng.choice(chains), district, rng))
    return tuple(made)


def _place(number: int, kind: str, chain: str, district: District, rng: Random) -> Place:
    opens, closes = rng.choice((480, 510, 540, 570, 600)), rng.choice((1020, 1050, 1080, 1110, 1140, 1200))
    late = rng.randint(1, 4)
    week = [(opens, closes + (60 if day == late else 0)) for day in range(5)]
    saturday = (opens + 60, closes - 120) if rng.random() < 0.9 else None
    sunday = (660, rng.choice((900, 960, 1020))) if rng.random() < 0.45 else None
    shut = rng.randint(0, 4) if kind in ("Museum", "Library") else None
    hours = tuple(None if day == shut else span for day, span in enumerate((*week, saturday, sunday)))
    chosen = {"Post office": "returns", "Library": "loans", "Museum": "tour"}.get(kind, "parking")
    text, values = NOTES[chosen]
    step = NOTES[rng.choice(("ramp", "steps"))][0]
    note = f"{text.format(rng.choice(values))} {step}"
    x, y = district.x + rng.randint(-14, 14), district.y + rng.randint(-14, 14)
    address = f"{rng.randint(2, 480)} {rng.choice(_STREETS)}, {district.label} {district.zip}"
    phone = f"555-{rng.randint(2000, 8999)}"
    name = f"{chain} {district.name}"
    return Place(
        number, name, kind, chain, district.metro, district.name, address, district.zip, x, y, phone, hours, note,
        round(rng.uniform(3.1, 4.9), 1),
    )  # fmt: skip


def build(world: World, facts: sqlite3.Connection) -> None:
    facts.executescript(SCHEMA)
    for each in places(world):
        values = msgspec.structs.asdict(each) | {"hours": msgspec.json.encode(each.hours).decode()}
        facts.execute(f"INSERT INTO place VALUES ({','.join('?' * len(values))})", tuple(values.values()))


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    for kind in KINDS:
        yield IndexEntry(f"/find?kind={kind.replace(' ', '+')}", f"{kind}: branches and hours", "Find one by ZIP code.")


def clock(minute: int) -> str:
    """
    >>> clock(570), clock(1080)
    ('9:30 AM', '6:00 PM')
    """
    return f"{(minute // 60 - 1) % 12 + 1}:{minute % 60:02d} {'AM' if minute < 720 else 'PM'}"


def hours_text(span: tuple[int, int] | None) -> str:
    return f"{clock(span[0])} – {clock(span[1])}" if span else "Closed"
