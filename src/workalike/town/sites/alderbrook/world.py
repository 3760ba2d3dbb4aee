"""The city's world: what wrong parking costs, garages around its stages, and citations written lately."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta

from workalike.core.key import RowPattern
from workalike.town.kit.places import slug_of
from workalike.town.site import IndexEntry
from workalike.town.state import Table, insert
from workalike.town.world import World

VIOLATIONS = (
    ("21-A", "Parking at an expired meter", 3500, 2000),
    ("22-C", "Blocking a fire hydrant", 11000, 5500),
    ("23-B", "Overtime in a two-hour zone", 4200, 2100),
    ("24-D", "Parking without a resident permit", 5800, 2900),
    ("25-A", "Double parking", 6400, 3200),
    ("26-F", "Standing in a loading zone", 5100, 2600),
    ("27-B", "Parking during street sweeping", 4600, 2300),
    ("28-E", "Standing in a bus stop", 9300, 4600),
)
"""Code, name, fine and late penalty."""
STREETS = (
    "Canal Street", "Foundry Lane", "Market Square", "Dock Road", "Station Parade", "Mercer Street", "Chapel Hill",
    "Exchange Row", "Linden Avenue", "Quarry Road",
)  # fmt: skip
GARAGES = (
    "Exchange", "Mill Race", "Old Customs", "Lantern Court", "Cooper Yard", "Northgate", "Saint Anne", "Tannery",
    "Weir Street", "Old Mint", "Beacon Court", "Sawyer Yard", "Southgate", "Saint Jude",
)  # fmt: skip
CARS = ("silver Corolla", "red Civic", "blue pickup", "white van", "green hatchback", "black sedan", "grey wagon")
EARLY, LATE = 10, 30
"""Up to how many days a fine is reduced, and after how many it grows."""
REDUCED = 60
"""What percent of a fine is asked for early."""
PLATES = 24
TAX = 1250
"""What a thousand dollars of assessed value are taxed with a year, in cents."""
ZONES = ("R-1, single homes", "R-2, two homes a lot", "R-4, apartment houses", "M-1, mixed use")
SCHEMA = """
CREATE TABLE violation (id INTEGER PRIMARY KEY, code TEXT, name TEXT, fine INTEGER, late INTEGER);
CREATE TABLE garage (id INTEGER PRIMARY KEY, slug TEXT, name TEXT, address TEXT, x INTEGER, y INTEGER, half INTEGER,
  most INTEGER, evening INTEGER, closes TEXT, height INTEGER, spaces INTEGER);
CREATE TABLE parcel (id INTEGER PRIMARY KEY, number TEXT, address TEXT, slug TEXT, assessed INTEGER, zone TEXT);
CREATE TABLE hall (id INTEGER PRIMARY KEY, slug TEXT, name TEXT, x INTEGER, y INTEGER);
"""
_PERSON = "name TEXT, email TEXT, card TEXT"
TABLES = (
    Table(
        "alderbrook_citation",
        "number TEXT NOT NULL, plate TEXT NOT NULL, state TEXT NOT NULL, issued TEXT NOT NULL, time TEXT NOT NULL,"
        " place TEXT NOT NULL, code TEXT NOT NULL, car TEXT NOT NULL, status TEXT NOT NULL",
    ),
    Table(
        "alderbrook_draft",
        f"stage TEXT NOT NULL, touched INTEGER NOT NULL, citation TEXT NOT NULL, method TEXT, {_PERSON}",
        "draft",
    ),
    Table(
        "alderbrook_payment",
        f"number TEXT NOT NULL, citation TEXT NOT NULL, method TEXT NOT NULL, total INTEGER NOT NULL, {_PERSON}",
    ),
    Table(
        "alderbrook_appeal",
        "citation TEXT NOT NULL, ground TEXT NOT NULL, document TEXT NOT NULL, day TEXT NOT NULL, name TEXT NOT NULL,"
        " email TEXT NOT NULL",
    ),
)
CROSSED = (
    RowPattern("alderbrook_draft", after={"touched": 1}),
    RowPattern("alderbrook_payment"),
    RowPattern("alderbrook_appeal"),
)


def build(world: World, facts: sqlite3.Connection) -> None:
    from workalike.town.sites.encore.world import draw_venues  # both sites' tasks come here, too
    from workalike.town.sites.hearthline.world import draw_homes

    facts.executescript(SCHEMA)
    facts.executemany("INSERT INTO violation (code, name, fine, late) VALUES (?, ?, ?, ?)", VIOLATIONS)
    rng = world.rng("alderbrook", "garages")
    rows = rng.sample(range(-14, 15, 2), len(GARAGES) // 2)
    for number, (name, y) in enumerate(zip(rng.share(GARAGES), rows, strict=True), 1):
        spot = (rng.randrange(-20, 13, 2), y)
        half, full = 25 * rng.randint(5, 12), f"{name} Garage"
        evening = 100 * rng.randint(6, 14) if rng.random() < 0.7 else 0
        row = (
            slug_of(full),
            full,
            f"{rng.randint(2, 90)} {rng.choice(STREETS)}",
            *spot,
            half,
            half * rng.randint(9, 14),
        )
        rest = (evening, rng.choice(("22:00", "23:30", "01:00", "24 hours")), rng.randint(62, 84), rng.randint(90, 640))
        facts.execute(f"INSERT INTO garage VALUES ({','.join('?' * 12)})", (number, *row, *rest))
    for number, home in enumerate(home for home in draw_homes(world) if home["town"] == "Alderbrook"):
        zone = world.rng("alderbrook", "zone", home["slug"]).choice(ZONES)
        known = (f"P-{4100 + 13 * number}", home["address"], home["slug"], home["assessed"], zone)
        facts.execute("INSERT INTO parcel (number, address, slug, assessed, zone) VALUES (?, ?, ?, ?, ?)", known)
    for venue in draw_venues(world):
        if venue[3] == "Alderbrook":
            facts.execute("INSERT INTO hall VALUES (?,?,?,?,?)", (venue[0], venue[1], venue[2], venue[6], venue[7]))


def begin(world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """One to four citations for each of some cars, some of them paid."""
    rng, number = world.rng("alderbrook", "citations"), 0
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    for _ in range(PLATES):
        plate = "".join(rng.choice(letters) for _ in range(3)) + f"{rng.randint(100, 9999)}"
        home, car = rng.choice(("OR", "WA", "ID")), rng.choice(CARS)
        places = rng.sample(STREETS, 4)
        for place in range(rng.randint(1, 4)):
            number += 1
            issued = world.today - timedelta(rng.choice((rng.randint(1, 9), rng.randint(12, 28), rng.randint(33, 80))))
            values: dict[str, object] = {
                "number": f"AB{31_000_000 + number * 7_919}", "plate": plate, "state": home,
                "issued": issued.isoformat(), "time": f"{rng.randint(8, 19):02d}:{rng.randrange(0, 60):02d}",
                "place": f"{rng.randint(2, 190)} {places[place]}", "code": rng.choice(VIOLATIONS)[0], "car": car,
                "status": "Paid" if rng.random() < 0.15 else "Open",
            }  # fmt: skip
            insert(state, "alderbrook_citation", values)


def due(fine: int, late: int, issued: str, today: date) -> int:
    """What is asked for a citation today, before the fee of a card."""
    age = (today - date.fromisoformat(issued)).days
    if age <= EARLY:
        return fine * REDUCED // 100
    return fine + (late if age > LATE else 0)


METHODS = {"credit": "Credit card", "debit": "Debit card"}


def fee(method: str, cents: int) -> int:
    """What the kind of card costs on top."""
    return round(cents * 0.024) if method == "credit" else 125


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    yield IndexEntry("/parking", "Parking in Alderbrook", "Citations, garages, permits and rules.")
    yield IndexEntry("/property", "Property records", "Assessed values and property tax in Alderbrook.")
    yield IndexEntry("/parking/garages", "City garages", "Where to park, and what it costs.")
