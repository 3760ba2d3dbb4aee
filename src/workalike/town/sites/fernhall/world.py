"""The county's world: doctors in their practices, desks of its offices, who collects what when, and which pharmacy is
open at night. Kinds of things are codes here; what they are called stands in the looks' words, language by language."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta
from random import Random

from workalike.core.key import RowPattern
from workalike.town.kit.places import slug_of
from workalike.town.persona import draw_persona
from workalike.town.site import IndexEntry
from workalike.town.state import Table, insert
from workalike.town.world import Chance, World

NAME = "fernhall"
SPECIALTIES = ("general", "heart", "skin", "eyes", "ears", "bones", "children", "women", "nerves", "teeth")
TONGUES = ("spanish", "german", "polish", "turkish", "arabic", "vietnamese", "signs")
"""What is spoken at some practices besides English; the last one is sign language."""
PLANS = ("Harbor Mutual", "Keystone Basic", "Union Care", "State Plan", "Bluefield")
ACCESS = ("steps", "loop", "braille", "dogs")
"""No steps at the door, a hearing loop, signs in braille, guide dogs are welcome."""
DISTRICTS = ("Old Town", "Riverside", "Northfield", "Mill Quarter", "Garden Hill")
LANDMARKS = {"station": ("Central Station", 0, 0), "market": ("Market Hall", -10, 6), "campus": ("East Campus", 12, -5)}
SERVICES = {
    "library": (0, ("id", "address")),
    "parking": (3600, ("id", "vehicle")),
    "passport": (13000, ("birth", "photo", "old")),
    "dog": (2400, ("id", "vaccination")),
    "bulky": (1800, ("address",)),
    "flu": (2500, ("insurance",)),
    "records": (1500, ("id", "form")),
    "fishing": (4200, ("id", "photo")),
}
"""What the county's desks do: the fee, and what one has to bring."""
WASTES = ("paper", "organic", "glass")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HORIZON = 21
"""How many days ahead times can be booked."""
ROSTER = 28
"""For how many days the pharmacies' nights are known."""
ROUNDS = 6
"""How many of the next collections a street is told."""
STREETS = (
    "Abbey Lane", "Baker Street", "Castle Row", "Dyer Street", "Elm Court", "Ferry Road", "Glebe Street", "Hatter Row",
    "Ivy Lane", "Juniper Way", "King's Parade", "Lantern Street", "Minster Road", "Nettle Lane", "Orchard Rise",
    "Pepper Street", "Quince Court", "Rope Walk", "Smithy Road", "Tanner Street", "Upper Green", "Vine Street",
    "Weaver Lane", "Yew Tree Road",
)  # fmt: skip
_HOUSES = (
    "Linden", "Harrow", "Saint Agnes", "Millrace", "Beacon", "Kingfisher", "Rowan", "Northgate", "Saint Luke",
    "Orchard", "Marlowe", "Ferryside", "Hazel", "Priory", "Bluebell", "Foundry", "Sycamore", "Lakeview", "Saint Rita",
    "Old Mint", "Thistle", "Falcon", "Westgate", "Juniper", "Hollybush", "Cloister", "Heron", "Saint Brigid",
    "Maltings", "Elmfield", "Copper", "Swan", "Greenway", "Tollgate", "Saint Denis", "Primrose",
)  # fmt: skip
_PHARMACIES = (
    "Anchor", "Angel", "Crescent", "Eagle", "Fountain", "Golden Lion", "Harp", "Lion", "Moon", "Olive", "Pelican",
    "Rose", "Star", "Sun", "Unicorn", "White Hart",
)  # fmt: skip
_OFFICES = ("Town Hall", "Riverside Centre", "Mill Quarter House", "Garden Hill Library")
_FIRST = (
    "Adele", "Basil", "Carmen", "Dorian", "Edith", "Farid", "Gloria", "Hanna", "Imani", "Jasper", "Katya", "Lionel",
    "Mirela", "Nadia", "Orla", "Petra", "Quentin", "Rosa", "Stefan", "Tamsin", "Ursula", "Viktor", "Wanda", "Xenia",
    "Yusuf", "Zelda", "Ambrose", "Beatriz", "Cyril", "Dagmar", "Esteban", "Fiona",
)  # fmt: skip
_LAST = (
    "Abara", "Brandt", "Cortes", "Dunmore", "Eklund", "Farrow", "Gallo", "Hollis", "Ibarra", "Jansen", "Kowal", "Lund",
    "Mbeki", "Nilsson", "Osei", "Pacheco", "Quill", "Reyes", "Sorensen", "Tran", "Ulrich", "Varga", "Winslow", "Yilmaz",
    "Zeller", "Ackroyd", "Bellamy", "Crane", "Demir", "Ellery", "Fuchs", "Gomes",
)  # fmt: skip
SCHEMA = """
CREATE TABLE place (id INTEGER PRIMARY KEY, kind TEXT, slug TEXT, name TEXT, address TEXT, district TEXT, x INTEGER,
  y INTEGER, phone TEXT, access TEXT, bell INTEGER, strides INTEGER, lift TEXT, shut TEXT, opens TEXT, instead INTEGER);
CREATE TABLE provider (id INTEGER PRIMARY KEY, kind TEXT, slug TEXT, name TEXT, place INTEGER, field TEXT, tongues TEXT,
  plans TEXT, accepts INTEGER, video INTEGER, hours TEXT, pace INTEGER);
CREATE TABLE street (id INTEGER PRIMARY KEY, name TEXT, zone INTEGER);
CREATE TABLE collection (id INTEGER PRIMARY KEY, zone INTEGER, waste TEXT, day TEXT);
CREATE TABLE duty (day TEXT PRIMARY KEY, place INTEGER);
"""
_PERSON = "name TEXT, email TEXT, phone TEXT"
_TIME = "provider TEXT NOT NULL, day TEXT NOT NULL, time TEXT NOT NULL"
TABLES = (
    Table("fernhall_draft", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, {_TIME}, reason TEXT, {_PERSON}", "draft"),
    Table("fernhall_booking", f"number TEXT NOT NULL, {_TIME}, reason TEXT, {_PERSON}, status TEXT NOT NULL"),
    Table("fernhall_pointer", "path TEXT NOT NULL", "draft"),
)
CROSSED = (
    RowPattern("fernhall_draft", after={"touched": 1}),
    RowPattern("fernhall_booking", after={"status": "Confirmed"}),
)
REASONS = {"doctor": ("first", "known", "papers"), "desk": ("new", "renewal", "question")}
"""What one may come for, at a doctor's and at a desk."""


def build(world: World, facts: sqlite3.Connection) -> None:
    facts.executescript(SCHEMA)
    rng = world.rng(NAME, "places")
    practices = [(name, "practice") for name in rng.share(_HOUSES)]
    pharmacies = [(f"{name} Pharmacy", "pharmacy") for name in rng.share(_PHARMACIES)]
    offices = [(name, "office") for name in _OFFICES]
    for number, (name, kind) in enumerate([*practices, *pharmacies, *offices], 1):
        full = f"{name} {rng.choice(('Practice', 'Medical Centre', 'Clinic'))}" if kind == "practice" else name
        row = (number, kind, slug_of(full), full, *_spot(rng, number), *_inside(world, rng, len(practices)))
        facts.execute(f"INSERT INTO place VALUES ({','.join('?' * 16)})", row)
    _doctors(world, facts, len(practices))
    _desks(world, facts)
    _calendars(world, facts)


def _spot(rng: Chance, number: int) -> tuple[object, ...]:
    street = rng.choice(STREETS)
    spot = (rng.choice(DISTRICTS), rng.randrange(-20, 21), rng.randrange(-16, 17))
    return f"{rng.randint(2, 190)} {street}", *spot, f"541-555-{100 + 7 * number:04d}"


def _inside(world: World, rng: Chance, practices: int) -> tuple[object, ...]:
    """What a place is like to enter, and when it is shut for holidays, who stands in."""
    access = ",".join(code for code in ACCESS if rng.random() < 0.55)
    lift = (world.today + timedelta(rng.randint(5, 40))).isoformat() if rng.random() < 0.5 else ""
    shut = world.today + timedelta(HORIZON + rng.randint(4, 16))
    opens = shut + timedelta(rng.randint(6, 15))
    return (
        access,
        rng.randint(2, 9),
        rng.randint(12, 90),
        lift,
        shut.isoformat(),
        opens.isoformat(),
        rng.randint(1, practices),
    )


def _doctors(world: World, facts: sqlite3.Connection, practices: int) -> None:
    rng = world.rng(NAME, "doctors")
    names = [f"{first} {last}" for first in rng.share(_FIRST) for last in rng.share(_LAST)]
    for number, name in enumerate(rng.sample(names, 7 * len(SPECIALTIES) * 2), 1):
        field, place = SPECIALTIES[number % len(SPECIALTIES)], rng.randint(1, practices)
        tongues = ",".join(code for code in TONGUES if rng.random() < 0.3)
        plans = ",".join(rng.sample(PLANS, rng.randint(2, 4)))
        row = ("doctor", slug_of(f"dr {name}"), f"Dr. {name}", place, field, tongues, plans)
        rest = (int(rng.random() < 0.7), int(rng.random() < 0.4), _hours(rng), rng.choice((15, 20, 30)))
        facts.execute(_INTO_PROVIDER, (*row, *rest))


def _desks(world: World, facts: sqlite3.Connection) -> None:
    rng = world.rng(NAME, "desks")
    offices = facts.execute("SELECT * FROM place WHERE kind = 'office' ORDER BY id").fetchall()
    for field in SERVICES:
        for office in rng.sample(offices, 2):
            slug = slug_of(f"{field} {office['name']}")
            row = ("desk", slug, office["name"], office["id"], field, "", "", 1, 0, _hours(rng), rng.choice((20, 30)))
            facts.execute(_INTO_PROVIDER, row)


def _hours(rng: Random) -> str:
    """Opening hours by weekday, `mon=08:00-12:30`; some days there are none."""
    days = rng.sample(WEEKDAYS[:5], rng.randint(3, 5)) + ["sat"] * (rng.random() < 0.25)
    open_ = {day: (rng.choice((8, 8, 9, 10, 13)), rng.choice((0, 30))) for day in WEEKDAYS if day in days}
    return ",".join(
        f"{day}={hour:02d}:{half:02d}-{hour + (4 if day == 'sat' else rng.randint(4, 7)):02d}:{half:02d}"
        for day, (hour, half) in open_.items()
    )


def _calendars(world: World, facts: sqlite3.Connection) -> None:
    rng = world.rng(NAME, "calendars")
    for name in STREETS:
        facts.execute("INSERT INTO street (name, zone) VALUES (?, ?)", (name, rng.randint(1, 8)))
    for zone in range(1, 9):
        for waste, apart in zip(WASTES, (14, 7, 21), strict=True):
            day = world.today + timedelta(rng.randint(1, apart))
            for _ in range(ROUNDS):
                late = int(day.weekday() > 4) + int(day.weekday() == 5)
                moved = (day + timedelta(late or int(rng.random() < 0.15))).isoformat()
                facts.execute("INSERT INTO collection (zone, waste, day) VALUES (?, ?, ?)", (zone, waste, moved))
                day += timedelta(apart)
    pharmacies = [row["id"] for row in facts.execute("SELECT id FROM place WHERE kind = 'pharmacy' ORDER BY id")]
    for ahead in range(ROSTER):
        day = world.today + timedelta(ahead)
        facts.execute("INSERT INTO duty VALUES (?, ?)", (day.isoformat(), rng.choice(pharmacies)))


def begin(world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Some people's appointments."""
    rng = world.rng(NAME, "bookings")
    providers = facts.execute("SELECT * FROM provider ORDER BY id").fetchall()
    for number, provider in enumerate(rng.sample(providers, 16), 1):
        who = draw_persona(rng)
        day = world.today + timedelta(rng.randint(3, HORIZON - 1))
        values: dict[str, object] = {
            "number": f"FH{40_000 + 617 * number}", "provider": provider["slug"], "day": day.isoformat(),
            "time": f"{rng.randint(8, 16):02d}:{rng.choice((0, 15, 30, 45)):02d}",
            "reason": rng.choice(REASONS[provider["kind"]]), "status": "Confirmed",
        }  # fmt: skip
        insert(state, "fernhall_booking", values | {name: who[name] for name in ("name", "email", "phone")})


def open_hours(hours: str) -> dict[str, tuple[str, str]]:
    """From when to when, by weekday.

    >>> open_hours("mon=08:00-12:30,sat=09:00-13:00")
    {'mon': ('08:00', '12:30'), 'sat': ('09:00', '13:00')}
    """
    days = (part.partition("=") for part in hours.split(",") if part)
    return {day: (told.partition("-")[0], told.partition("-")[2]) for day, _, told in days}


def free_times(world: World, provider: sqlite3.Row, day: date) -> tuple[str, ...]:
    """The times of a day that nobody has taken yet; none today, and none beyond the horizon."""
    opened = open_hours(provider["hours"]).get(WEEKDAYS[day.weekday()])
    if opened is None or not 0 < (day - world.today).days <= HORIZON:
        return ()
    first, last = (60 * int(text[:2]) + int(text[3:]) for text in opened)
    rng = world.rng(NAME, "free", provider["slug"], day.isoformat())
    every = range(first, last, provider["pace"])
    return tuple(f"{at // 60:02d}:{at % 60:02d}" for at in every if rng.random() < 0.22)


def free_days(world: World, provider: sqlite3.Row, start: date) -> list[tuple[date, tuple[str, ...]]]:
    """The days from one on that have free times, with these."""
    days = (start + timedelta(ahead) for ahead in range(HORIZON + 1))
    return [(day, times) for day in days if (times := free_times(world, provider, day))]


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    yield IndexEntry("/doctors", "Find a doctor", "Doctors in Fernhall County by specialty, language and insurance.")
    yield IndexEntry("/services", "Services", "Passports, permits, library cards: fees, papers, appointments.")
    yield IndexEntry("/collections", "Collections", "When paper, glass and organic waste are collected in your street.")
    yield IndexEntry("/pharmacies", "Pharmacies at night", "Which pharmacy is on duty.")
    yield IndexEntry("/access", "Accessibility", "How to use this site by keyboard and with a screen reader.")


_INTO_PROVIDER = (
    "INSERT INTO provider (kind, slug, name, place, field, tongues, plans, accepts, video, hours, pace)"
    f" VALUES ({','.join('?' * 11)})"
)
