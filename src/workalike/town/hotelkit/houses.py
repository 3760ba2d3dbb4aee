"""The hotels of the world: the same houses for every site that sells them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from random import Random
from urllib.parse import quote

import msgspec

from workalike.town.hotelkit.agency import CHAIN, CHAINS, Chain, HotelAgency
from workalike.town.render import plural
from workalike.town.site import IndexEntry
from workalike.town.world import World

SCHEMA = """
CREATE TABLE hotel (
  id INTEGER PRIMARY KEY, slug TEXT UNIQUE, name TEXT UNIQUE, chain TEXT, brand TEXT, city TEXT, country TEXT,
  district TEXT, address TEXT, stars INTEGER, rating REAL, reviews INTEGER, distance INTEGER, base INTEGER,
  check_in TEXT, check_out TEXT, pets TEXT, breakfast INTEGER, half_board INTEGER, cancel_days INTEGER,
  parking INTEGER, transfer INTEGER, late INTEGER, tone INTEGER, rank INTEGER
);
CREATE TABLE amenity (hotel INTEGER, name TEXT);
CREATE TABLE room (
  hotel INTEGER, place INTEGER, code TEXT, name TEXT, kind TEXT, sleeps INTEGER, size INTEGER, bed TEXT, factor REAL
);
CREATE INDEX by_city ON hotel (city);
CREATE INDEX amenity_of ON amenity (hotel);
CREATE INDEX room_of ON room (hotel);
"""
DISTRICTS = {
    "Central": (2, 6), "Old Town": (3, 9), "Market Square": (2, 5), "Opera": (5, 12), "Riverside": (8, 19),
    "Station": (9, 16), "Park": (12, 28), "University": (15, 30), "Harbour": (14, 35), "Trade Fair": (36, 60),
    "Airport": (82, 150), "Town Hall": (2, 6), "Cathedral": (3, 9), "Theatre": (3, 8), "Museum Mile": (5, 12),
    "Canal Side": (8, 19), "Tram Depot": (9, 16), "Botanic Garden": (12, 28), "College": (15, 30),
    "Lighthouse": (14, 35), "Expo": (36, 60), "Airfield": (82, 150),
}  # fmt: skip
"""Where houses stand, and how far from the middle of the city that is, in tenths of a kilometre. A world has half of
them."""
STREETS = ("Station Road", "Quay", "Linden Street", "Cathedral Lane", "Garden Row", "Mill Street", "Market Place")
AMENITIES = (
    "Swimming pool", "Fitness centre", "Spa", "Sauna", "Restaurant", "Bar", "Bicycle rental", "Rooftop terrace",
    "EV charging", "Laundry service", "Family rooms", "Air conditioning",
)  # fmt: skip
PETS = ("Pets are not allowed", "Pets are welcome free of charge", "Pets are welcome for $20 a night")
ROOMS = (
    ("std", "Standard Double", "double", 2, (16, 20), "1 double bed", 1.0),
    ("twin", "Standard Twin", "twin", 2, (17, 21), "2 single beds", 1.04),
    ("sup", "Superior Double", "double", 2, (21, 26), "1 queen bed", 1.2),
    ("dlx", "Deluxe King", "double", 3, (27, 33), "1 king bed", 1.42),
    ("fam", "Family Room", "family", 4, (29, 38), "1 queen bed and 2 single beds", 1.55),
    ("jun", "Junior Suite", "suite", 3, (36, 46), "1 king bed and a sofa bed", 1.95),
)


class HotelCity(msgspec.Struct, frozen=True):
    """A city with hotels."""

    name: str
    country: str
    houses: int
    level: float


CITIES = msgspec.json.decode((Path(__file__).parent / "cities.json").read_bytes(), type=tuple[HotelCity, ...])
COUNTRY = {city.name: city.country for city in CITIES}


class House(msgspec.Struct, frozen=True):
    """A hotel: its row, what it offers, its rooms."""

    row: tuple[str | int | float, ...]
    amenities: tuple[str, ...]
    rooms: tuple[tuple[str | int | float, ...], ...]
    chain: str


@lru_cache(maxsize=4)
def houses(world: World) -> tuple[House, ...]:
    """Every hotel there is; a chain has at most one house in a district."""
    found: list[House] = []
    for city in CITIES:
        rng = world.rng("hotels", city.name)
        pairs = [(chain, district) for chain in CHAINS for district in world.share(DISTRICTS)]
        own = [pair for pair in pairs if pair[0].slug == "aldergate"]
        chosen = [rng.choice(own)]
        chosen += [pair for pair in rng.sample(pairs, city.houses + 2) if pair not in chosen]
        for chain, district in chosen[: city.houses]:
            found.append(_house(len(found) + 1, city, chain, district, rng))
    return tuple(found)


def build(agency: HotelAgency, world: World, facts: sqlite3.Connection) -> None:
    """The houses that a site sells."""
    facts.executescript(SCHEMA)
    for house in houses(world):
        if agency.chain in ("", house.chain):
            facts.execute(f"INSERT INTO hotel VALUES ({','.join('?' * len(house.row))})", house.row)
            number = house.row[0]
            facts.executemany("INSERT INTO amenity VALUES (?,?)", [(number, name) for name in house.amenities])
            facts.executemany("INSERT INTO room VALUES (?,?,?,?,?,?,?,?,?)", house.rooms)


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """What the search engine knows of a hotel site."""
    for row in facts.execute("SELECT city, country, count(*) AS count FROM hotel GROUP BY city ORDER BY city"):
        told = f"{plural(row['count'], 'hotel')} in {row['city']}."
        yield IndexEntry(f"/city/{quote(row['city'])}", f"Hotels in {row['city']}", told)
    for row in facts.execute("SELECT * FROM hotel ORDER BY id"):
        text = f"{row['stars']}-star hotel in {row['city']}, {row['country']}, {row['district']}."
        yield IndexEntry(f"/hotel/{row['slug']}", row["name"], text)


def _house(number: int, city: HotelCity, chain: Chain, district: str, rng: Random) -> House:
    name = f"{chain.title} {city.name} {district}"
    stars = rng.choice(chain.stars)
    base = 6800 * city.level * chain.level * (0.82 + 0.09 * stars) * rng.uniform(0.88, 1.14)
    near = DISTRICTS[district]
    row = (
        number, name.lower().replace(" ", "-"), name, chain.slug, CHAIN[chain.slug].title, city.name, city.country,
        district, f"{rng.randint(2, 180)} {rng.choice(STREETS)}, {city.name}", stars,
        round(min(9.7, rng.triangular(6.6, 9.6, 7.2 + 0.35 * stars)), 1), rng.randint(90, 4200), rng.randint(*near),
        int(base), rng.choice(("14:00", "15:00", "15:00", "16:00")), rng.choice(("10:00", "11:00", "11:00", "12:00")),
        rng.choice(PETS), rng.choice((1100, 1400, 1600, 1900, 2300)), rng.choice((0, 3200, 3900, 4500)),
        rng.choice((1, 2, 3, 5, 7)), rng.choice((0, 900, 1500, 2200)), rng.choice((0, 2800, 3900, 5500)),
        rng.choice((1500, 2500, 3000)), rng.randint(0, 5), rng.randint(1, 10**6),
    )  # fmt: skip
    amenities = tuple(name for name in AMENITIES if rng.random() < chain.comfort)
    kept = [ROOMS[0], *(room for room in ROOMS[1:] if rng.random() < 0.62)]
    rooms = tuple(
        (number, place, code, title, kind, sleeps, rng.randint(*size), bed, round(factor * rng.uniform(0.96, 1.06), 3))
        for place, (code, title, kind, sleeps, size, bed, factor) in enumerate(kept)
    )
    return House(row, ("Free Wi-Fi", *amenities), rooms, chain.slug)
