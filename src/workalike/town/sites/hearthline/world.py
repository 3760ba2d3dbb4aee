"""Homes for sale and to rent in six towns, with their schools, agents and what became of their prices; all drawn from
the world's seed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta
from math import hypot

from workalike.town.kit.places import slug_of
from workalike.town.site import IndexEntry
from workalike.town.world import Chance, World

TOWNS = {
    "Alderbrook": ("97801", 1.15),
    "Fenwick": ("97812", 0.92),
    "Marrow Bay": ("97823", 1.45),
    "Pine Hollow": ("97834", 0.8),
    "Quarry Hill": ("97845", 0.7),
    "Westmere": ("97856", 1.05),
}
"""ZIP code, and how dear."""
KINDS = ("House", "Townhouse", "Condo", "Land")
FEATURES = ("Central air", "Fireplace", "Swimming pool", "In-unit laundry", "Basement", "Solar panels", "Fenced yard")
_STREETS = (
    "Juniper", "Maple", "Cedar", "Heron", "Orchard", "Mill", "Lantern", "Harvest", "Birch", "Canyon", "Willow",
    "Sparrow", "Foxglove", "Granite", "Larkspur", "Meadow", "Nettle", "Otter", "Poplar", "Rosewood", "Saffron",
    "Thistle", "Umber", "Violet", "Wren", "Yarrow", "Bramble", "Clover", "Dogwood", "Elder", "Fern", "Gorse",
)  # fmt: skip
_WAYS = ("Lane", "Avenue", "Court", "Drive", "Loop", "Road")
_FIRST = (
    "Dana", "Miguel", "Ruthie", "Caleb", "Noelle", "Ivan", "Sunita", "Grant", "Helga", "Tobias", "Wanda", "Jerome",
    "Fatima", "Louis", "Agnes", "Perry", "Corinne", "Blake", "Odette", "Vikram", "Marla", "Quentin", "Estelle", "Hank",
)  # fmt: skip
_LAST = (
    "Prescott", "Villanueva", "Oyelaran", "Brandt", "Kowalski", "Menon", "Fairchild", "Lund", "Archer", "Bellweather",
    "Crane", "Duval", "Eastman", "Frost", "Galloway", "Holt", "Ibarra", "Jessup", "Keane", "Lockhart",
)  # fmt: skip
TALES = {
    "roof": ("The roof was replaced in {year}.", "a roof from {year}"),
    "dry": ("The basement has stayed dry through every storm since {year}, the sellers say.", "a cellar that"
            " has not seen water since {year}"),
    "kitchen": ("The kitchen was gutted and rebuilt in {year}, with a gas range.", "a kitchen redone in {year}"),
    "furnace": ("A new furnace went in during the winter of {year}.", "heating equipment from {year}"),
    "windows": ("All windows were changed for triple glazing in {year}.", "triple-pane windows put in in {year}"),
    "wiring": ("An electrician rewired the place from top to bottom in {year}.", "electrics renewed in {year}"),
}  # fmt: skip
"""What a description may tell, and how somebody would ask for it."""
QUIRKS = (
    "Trains pass behind the fence twice a day.", "The neighbors keep bees and share the honey.",
    "The street is plowed first in winter.", "Cell reception is weak indoors.", "The driveway is shared.",
    "From the upper floor you see the water.", "The school bus stops at the corner.",
)  # fmt: skip
SCHEMA = """
CREATE TABLE agent (id INTEGER PRIMARY KEY, slug TEXT, name TEXT, phone TEXT, license TEXT, languages TEXT,
  since INTEGER, rating REAL);
CREATE TABLE school (id INTEGER PRIMARY KEY, name TEXT, town TEXT, level TEXT, rating INTEGER, x INTEGER, y INTEGER);
CREATE TABLE home (id INTEGER PRIMARY KEY, slug TEXT, address TEXT, street TEXT, town TEXT, zip TEXT, deal TEXT,
  kind TEXT, price INTEGER, beds INTEGER, baths REAL, sqft INTEGER, lot INTEGER, year INTEGER, garage INTEGER,
  hoa INTEGER, features TEXT, listed TEXT, status TEXT, agent INTEGER, x INTEGER, y INTEGER, tale TEXT,
  tale_year INTEGER, quirk TEXT, pets TEXT, pet_fee INTEGER, deposit INTEGER, assessed INTEGER, rank INTEGER);
CREATE TABLE change (id INTEGER PRIMARY KEY, home INTEGER, day TEXT, what TEXT, price INTEGER);
CREATE INDEX change_of ON change (home);
"""
SIZE = 40
"""How many steps of a twentieth of a mile the map of a town has on each side of its middle."""


def build(world: World, facts: sqlite3.Connection) -> None:
    facts.executescript(SCHEMA)
    facts.executemany(f"INSERT INTO agent VALUES ({','.join('?' * 8)})", _agents(world))
    facts.executemany(f"INSERT INTO school VALUES ({','.join('?' * 7)})", _schools(world))
    homes = draw_homes(world)
    facts.executemany(f"INSERT INTO home VALUES ({','.join('?' * 30)})", [tuple(home.values()) for home in homes])
    for home in homes:
        for change in _changes(world, home):
            facts.execute("INSERT INTO change (home, day, what, price) VALUES (?, ?, ?, ?)", (home["id"], *change))


def draw_homes(world: World) -> list[dict[str, object]]:
    """Every home, town by town; addresses are unique. The city's assessor knows them, too."""
    found: list[dict[str, object]] = []
    for town, (zip_code, dear) in TOWNS.items():
        rng = world.rng("hearthline", town)
        streets = [f"{name} {rng.choice(_WAYS)}" for name in rng.sample(rng.share(_STREETS), 12)]
        taken: set[str] = set()
        for place in range(96):
            street = rng.choice(streets)
            address = f"{rng.randint(2, 999)} {street}"
            if address in taken:
                continue
            taken.add(address)
            home = {"id": len(found) + 1, "slug": slug_of(f"{address} {town}"), "address": address, "street": street}
            home |= {"town": town, "zip": zip_code} | _home(world, rng, dear, place < 66)
            found.append(home)
    return found


def _home(world: World, rng: Chance, dear: float, sale: bool) -> dict[str, object]:
    kind = rng.choice(
        ("House", "House", "House", "Townhouse", "Condo", "Land") if sale else ("House", "Condo", "Townhouse")
    )
    land = kind == "Land"
    beds = 0 if land else rng.randint(1, 3) if kind == "Condo" else rng.randint(2, 5)
    sqft = 0 if land else 10 * round((380 * beds + rng.randint(250, 1100)) / 10)
    lot = 0 if kind == "Condo" else 100 * rng.randint(180, 1700) if land else 100 * rng.randint(22, 420)
    baths = 0 if land else max(1, beds - 1) + rng.choice((0, 0.5))
    rate = rng.uniform(165, 270)
    value = (sqft * rate + lot * (rate / 100 if land else 1.1) + 30_000) * dear
    price = 500 * round(value / 500) if sale else 25 * round(value * 0.0062 / 25)
    features = [] if land else [each for each in FEATURES if rng.random() < 0.38]
    hoa = 0 if land or (kind == "House" and rng.random() < 0.7) else 5 * rng.randint(12, 92) if sale else 0
    listed = world.today - timedelta(rng.choice((rng.randint(0, 6), rng.randint(7, 29), rng.randint(30, 160))))
    assessed = 100 * round((value if sale else value * 0.95) * rng.uniform(0.78, 0.98) / 100)
    return {
        "deal": "sale" if sale else "rent", "kind": kind, "price": price, "beds": beds, "baths": float(baths),
        "sqft": sqft, "lot": lot, "year": 0 if land else rng.randint(1922, 2024),
        "garage": 0 if land else rng.randint(0, 3),
        "hoa": hoa, "features": "|".join(features), "listed": listed.isoformat(),
        "status": rng.choice(("Active",) * 7 + ("Pending",)), "agent": rng.randint(1, 18),
        "x": rng.randint(-SIZE, SIZE), "y": rng.randint(-SIZE, SIZE), "tale": "" if land else rng.choice(list(TALES)),
        "tale_year": rng.randint(2012, 2025), "quirk": rng.choice(QUIRKS),
        "pets": "" if sale else rng.choice(("none", "cats", "cats and dogs")),
        "pet_fee": 0 if sale else 50 * rng.randint(2, 8),
        "deposit": 0 if sale else price * rng.choice((1, 1, 2)), "assessed": assessed, "rank": rng.randint(0, 10_000),
    }  # fmt: skip


def _agents(world: World) -> Iterable[tuple[object, ...]]:
    rng = world.rng("hearthline", "agents")
    firsts = rng.share(_FIRST)
    names = rng.sample([f"{first} {last}" for first in firsts for last in rng.share(_LAST)], 18)
    for number, name in enumerate(names, 1):
        phone, permit = f"(541) 555-{100 + number:04d}", f"OR-{200_000 + rng.randint(0, 99_999)}"
        tongues = ", ".join(
            ["English", *rng.sample(("Spanish", "Polish", "Hindi", "French", "Tagalog"), rng.randint(0, 2))]
        )
        yield (
            number,
            slug_of(name),
            name,
            phone,
            permit,
            tongues,
            rng.randint(1989, 2023),
            round(rng.uniform(3.6, 5), 1),
        )


def _schools(world: World) -> Iterable[tuple[object, ...]]:
    number = 0
    for town in TOWNS:
        rng = world.rng("hearthline", "schools", town)
        for band, level in zip(rng.sample((-26, 0, 26), 3), ("Elementary", "Middle", "High"), strict=True):
            number += 1
            name = f"{rng.choice(rng.share(_STREETS))} {level} School"
            spot = rng.randint(-SIZE + 8, SIZE - 32), band + rng.randint(-7, 7)
            yield number, name, town, level, rng.randint(4, 10), *spot


def _changes(world: World, home: dict[str, object]) -> Iterable[tuple[str, str, int]]:
    """What was asked for a home, latest first: cuts since it was listed, and when it was sold before."""
    rng, day, price = (
        world.rng("hearthline", "changes", home["slug"]),
        date.fromisoformat(str(home["listed"])),
        home["price"],
    )
    assert isinstance(price, int)
    step = 500 if home["deal"] == "sale" else 25
    age = (world.today - day).days
    cuts = rng.randint(0, 3) if age > 14 else 0
    asked, seen = price, []
    for cut in range(cuts):
        seen.append(((world.today - timedelta(1 + age * (cut + 1) // (cuts + 1))).isoformat(), "Price cut", asked))
        asked += step * rng.randint(4, 40)
    yield from seen
    yield day.isoformat(), "Listed", asked
    if home["deal"] == "sale" and rng.random() < 0.8:
        past = date(rng.randint(1998, 2021), rng.randint(1, 12), rng.randint(1, 28))
        yield past.isoformat(), "Sold", 500 * round(price * rng.uniform(0.35, 0.85) / 500)


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    for town in TOWNS:
        text = f"Homes for sale and rent, schools and agents in {town}."
        yield IndexEntry(f"/town/{slug_of(town)}", f"Homes in {town}", text)
    for row in facts.execute("SELECT slug, name FROM agent ORDER BY id"):
        yield IndexEntry(f"/agent/{row['slug']}", f"{row['name']}, real-estate agent", "Listings and contact.")


def miles(one: sqlite3.Row, two: sqlite3.Row) -> float:
    """How far two places of a town are apart, as the crow flies, in tenths of a mile.

    A step of the map is a twentieth of a mile."""
    return round(hypot(one["x"] - two["x"], one["y"] - two["y"]) / 20, 1)
