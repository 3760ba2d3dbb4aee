"""The stage world: cities with their venues, what is on, when and where, all drawn from the world's seed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from random import Random

import msgspec

from workalike.town.kit.places import slug_of
from workalike.town.site import IndexEntry
from workalike.town.world import World

NAMES = msgspec.json.decode((Path(__file__).parent / "names.json").read_bytes())
CITIES: tuple[str, ...] = tuple(NAMES["cities"])
GENRES: tuple[str, ...] = tuple(NAMES["names"])
HORIZON = 75
"""How many days ahead tickets are sold."""
EFFECTS = {
    "strobe": "Strobe lighting is used throughout the second half.",
    "loud": "There are sudden loud bangs and stage fog.",
    "smoke": "Herbal cigarettes are smoked on stage.",
    "none": "There is no strobe lighting, and nothing goes bang.",
}
BAGS = {
    "none": "Please leave bags at home, as nothing larger than a wallet comes in.",
    "small": "Handbags the size of a sheet of letter paper are welcome, larger ones stay outside.",
    "check": "Backpacks must be checked at the cloakroom for three dollars apiece.",
    "free": "Bring whatever bag you like, as long as it fits under your seat.",
}
NOTES = ("Sign-language interpreted", "Relaxed performance", "Audio described", "Talk after the show")
SCHEMA = """
CREATE TABLE venue (id INTEGER PRIMARY KEY, slug TEXT, name TEXT, city TEXT, kind TEXT, address TEXT, x INTEGER,
  y INTEGER, seats INTEGER, bag TEXT, doors INTEGER, facility INTEGER, phone TEXT, step_free INTEGER);
CREATE TABLE event (id INTEGER PRIMARY KEY, slug TEXT, name TEXT, genre TEXT, premise TEXT, hint TEXT, minutes INTEGER,
  interval INTEGER, min_age INTEGER, effect TEXT, child_to INTEGER, child_off INTEGER, senior_off INTEGER,
  student_off INTEGER, service INTEGER, pack INTEGER, rating REAL, rank INTEGER);
CREATE TABLE show (id INTEGER PRIMARY KEY, code TEXT, event INTEGER, venue INTEGER, day TEXT, time TEXT, base INTEGER,
  fill INTEGER, status TEXT, note TEXT);
CREATE INDEX by_event ON show (event);
CREATE UNIQUE INDEX by_code ON show (code);
"""


def build(world: World, facts: sqlite3.Connection) -> None:
    facts.executescript(SCHEMA)
    venues = draw_venues(world)
    facts.executemany(f"INSERT INTO venue VALUES ({','.join('?' * 14)})", venues)
    number = 0
    for rank, (genre, place) in enumerate((genre, place) for place in range(10) for genre in GENRES):
        event = _event(world, genre, place, rank)
        facts.execute(f"INSERT INTO event VALUES ({','.join('?' * 18)})", event)
        for show in _shows(world, rank + 1, genre, venues):
            number += 1
            code = f"EN{2000 + number * 7}"
            facts.execute(f"INSERT INTO show VALUES ({','.join('?' * 10)})", (number, code, rank + 1, *show))


def draw_venues(world: World) -> list[tuple[object, ...]]:
    """Three houses a city; where they stand is told in steps of fifty yards from the station."""
    rng, found = world.rng("encore", "venues"), list[tuple[object, ...]]()
    names = {kind: rng.sample(rng.share(names), len(CITIES)) for kind, names in NAMES["venues"].items()}
    for place, city in enumerate(CITIES):
        rows = rng.sample(range(-16, 17, 4), 3)
        spots = [(rng.randrange(-22, 11, 4), y if y else 3) for y in rows]
        for kind, spot in zip(("theatre", "arena", "club"), spots, strict=True):
            name = ("The " if kind != "arena" else "") + names[kind][place]
            address = f"{rng.randint(2, 180)} {rng.choice(NAMES['streets'])}, {city}"
            seats = {"theatre": 900, "arena": 6000, "club": 180}[kind] + 10 * rng.randint(0, 40)
            doors, facility = rng.choice((30, 45, 60, 90)), 25 * rng.randint(6, 20)
            phone = f"({rng.randint(300, 899)}) 555-{rng.randint(100, 199):04d}"
            row = (slug_of(f"{name} {city}"), name, city, kind, address, *spot, seats, rng.choice(list(BAGS)))
            found.append((len(found) + 1, *row, doors, facility, phone, int(rng.random() < 0.6)))
    return found


def _event(world: World, genre: str, place: int, rank: int) -> tuple[object, ...]:
    names = NAMES["names"][genre]
    pairs = [f"{first} {second}" for first in world.share(names["first"]) for second in names["second"]]
    name = world.rng("encore", "names", genre).sample(pairs, 10)[place]
    premise, hint = NAMES["premises"][genre][place]
    rng = world.rng("encore", "event", genre, place)
    minutes = rng.randrange(50, 80, 5) if genre in ("Family", "Comedy") else rng.randrange(75, 175, 5)
    effect = rng.choice(("none", "none", "loud")) if genre == "Family" else rng.choice(list(EFFECTS))
    least = {"Family": (0, 0, 3, 5), "Comedy": (16, 18, 14), "Music": (0, 0, 14, 18)}.get(genre, (0, 8, 12, 14))
    child_off = rng.choice((30, 40, 50)) if rng.random() < 0.8 else 0
    offs = (rng.choice((10, 15, 12)), child_off, rng.choice((0, 10, 15, 20, 25)), rng.choice((0, 10, 20)))
    pack = rng.choice((70, 75, 80, 95)) if genre == "Family" else 0
    row = (slug_of(name), name, genre, premise, hint, minutes, int(minutes > 100 or rng.random() < 0.25))
    age = (rng.choice(least), effect, offs[0], *offs[1:], rng.choice((9, 11, 12, 14, 16)), pack)
    return (rank + 1, *row, *age, round(rng.uniform(3.1, 4.9), 1), rank)


def _shows(world: World, event: int, genre: str, venues: list[tuple[object, ...]]) -> Iterable[tuple[object, ...]]:
    """A tour changes its city every few days; everything else stays where it is."""
    rng = world.rng("encore", "shows", event)
    kinds = {"Music": ("arena", "club", "theatre"), "Comedy": ("club", "theatre")}.get(genre, ("theatre",))
    kind, tours = rng.choice(kinds), genre in ("Music", "Comedy")
    where = [row for row in venues if row[4] == kind]
    stops = rng.sample(where, rng.randint(4, 6)) if tours else [rng.choice(where)]
    base = {"arena": 4600, "theatre": 3800, "club": 2400}[kind] + 100 * rng.randint(0, 30)
    day = world.today + timedelta(rng.randint(3, 16))
    for stop in stops:
        gone = tours and rng.random() < 0.18
        for _ in range(rng.randint(1, 3) if tours else rng.randint(8, 12)):
            for time in _times(genre, day, rng):
                price = round(base * (1.12 if day.weekday() > 3 else 1) / 50) * 50 + 50 * rng.randint(0, 6)
                status = "sold" if gone or rng.random() < 0.16 else "sale"
                if rng.random() < 0.03:
                    status = "postponed"
                note = rng.choice(NOTES) if rng.random() < 0.2 else ""
                yield stop[0], day.isoformat(), time, price, rng.randint(35, 88), status, note
            day += timedelta(1)
        day += timedelta(rng.randint(1, 4) if tours else 0)


def _times(genre: str, day: date, rng: Random) -> tuple[str, ...]:
    if genre == "Family":
        return ("11:00", "14:30") if day.weekday() > 4 else ("16:00",)
    evening = rng.choice(("19:00", "19:30", "20:00"))
    return ("14:00", evening) if genre == "Theatre" and day.weekday() == 5 else (evening,)


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """The search engine knows what is on by name and genre, and the houses."""
    for row in facts.execute("SELECT slug, name, genre FROM event ORDER BY id"):
        yield IndexEntry(f"/event/{row['slug']}", f"{row['name']} tickets", f"{row['genre']}: dates and tickets.")
    for row in facts.execute("SELECT slug, name, city, address FROM venue ORDER BY id"):
        yield IndexEntry(f"/venue/{row['slug']}", f"{row['name']}, {row['city']}", f"What is on at {row['address']}.")
