"""Employers and their postings, drawn from the world."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from random import Random

import msgspec

from workalike.town.refkit.geography import District, Metro, metros
from workalike.town.refkit.people import draw_names
from workalike.town.render import money
from workalike.town.shopkit.goods import slugify
from workalike.town.site import IndexEntry
from workalike.town.world import World

JOBS = 460
SUFFIXES = {
    "Healthcare": ("Medical Group", "Health", "Clinics", "Care Partners", "Hospital"),
    "Hospitality": ("Kitchens", "Hospitality", "Taverns", "Catering", "Inns"),
    "Logistics": ("Freight", "Logistics", "Haulage", "Parcel", "Warehousing"),
    "Technology": ("Labs", "Systems", "Software", "Networks", "Data"),
    "Finance": ("Capital", "Accounting", "Credit Union", "Lending", "Trust"),
    "Education": ("Academy", "Schools", "Learning", "Institute", "Library Trust"),
    "Trades": ("Builders", "Electric", "Contracting", "Woodworks", "Construction"),
    "Retail": ("Outfitters", "Stores", "Mercantile", "Home", "Grocers"),
    "Science": ("Research", "Biosciences", "Analytics", "Environmental", "Instruments"),
}
_STEMS = (
    "Alban", "Brack", "Cald", "Dray", "Eld", "Farn", "Galen", "Hazel", "Ing", "Jessa", "Kel", "Lang", "Mont", "Nether",
    "Orch", "Pel", "Quen", "Rush", "Selk", "Tar", "Ulver", "Van", "Wex", "Yew", "Zel", "Arden", "Bexley", "Cor",
    "Dun", "Evers",
)  # fmt: skip
_TAILS = ("more", "ton", "vale", "worth", "by", "ley", "stead", "bridge", "wood", "mark")
MODES = ("On-site", "Hybrid", "Remote")
TYPES = ("Full-time", "Part-time", "Contract")
DESKS = (
    "Clinical Psychologist", "Event Coordinator", "Logistics Coordinator", "Software Developer", "Data Analyst",
    "Support Technician", "Staff Accountant", "Payroll Specialist", "Loan Officer", "Science Teacher",
)  # fmt: skip
"""What can be done at home."""
RAISED = {"Junior": 0.86, "": 1.0, "Senior": 1.19, "Lead": 1.34}
WEEKS = 52
SCHEMA = """
CREATE TABLE employer (slug TEXT PRIMARY KEY, name TEXT, field TEXT, metro TEXT, founded INTEGER, size INTEGER,
  founder TEXT, about TEXT, tone INTEGER);
CREATE TABLE job (id INTEGER PRIMARY KEY, req TEXT, title TEXT, role TEXT, field TEXT, employer TEXT, name TEXT,
  metro TEXT, place TEXT, zip TEXT, x INTEGER, y INTEGER, mode TEXT, type TEXT, level TEXT, unit TEXT, low INTEGER,
  high INTEGER, hours REAL, yearly INTEGER, degree TEXT, years INTEGER, posted TEXT, closes TEXT, closed INTEGER,
  applicants INTEGER, health INTEGER, bonus INTEGER, vacation INTEGER, rounds INTEGER, opening TEXT, body TEXT,
  duties TEXT, wants TEXT, words TEXT);
"""


class Role(msgspec.Struct, frozen=True):
    """A trade: what it is paid (dollars an hour, or thousands a year), and what is done in it."""

    title: str
    field: str
    unit: str
    pay: tuple[int, int]
    degree: str
    duties: tuple[str, ...]
    wants: tuple[str, ...]


class Employer(msgspec.Struct, frozen=True):
    """Who posts jobs."""

    slug: str
    name: str
    field: str
    metro: str
    founded: int
    size: int
    founder: str
    about: str
    tone: int


ROLES = msgspec.json.decode((Path(__file__).parent / "roles.json").read_bytes(), type=tuple[Role, ...])


@lru_cache(maxsize=4)
def employers(world: World) -> tuple[Employer, ...]:
    """Five of each field; the encyclopaedia and the papers know them too."""
    rng = world.rng("employers")
    names = list(rng.share(stem + tail for stem in _STEMS for tail in _TAILS))
    rng.shuffle(names)
    founders = draw_names(rng, 5 * len(SUFFIXES), "employers")
    years = rng.sample(range(1893, 2019), 5 * len(SUFFIXES))
    found = []
    for field, suffixes in SUFFIXES.items():
        for suffix in suffixes:
            name, metro = f"{names.pop()} {suffix}", rng.choice(metros(world)).name
            founder, year, size = founders.pop(), years.pop(), rng.choice((40, 85, 120, 260, 480, 900, 1700, 3200))
            size += rng.randint(1, 19)
            about = (
                f"{name} was started by [[founder|{founder}]] in [[founded|{year}]] and has its head office in"
                f" [[head office|{metro}]]. Today [[employees|{size:,}]] people work here."
            )
            found.append(Employer(slugify(name), name, field, metro, year, size, founder, about, rng.randint(0, 7)))
    return tuple(found)


def build(world: World, facts: sqlite3.Connection) -> None:
    facts.executescript(SCHEMA)
    rows = [msgspec.structs.astuple(each) for each in employers(world)]
    facts.executemany("INSERT INTO employer VALUES (?,?,?,?,?,?,?,?,?)", rows)
    rng, places = world.rng("fairlead"), metros(world)
    numbers = rng.sample(range(10_000, 99_999), JOBS)
    busy = [each for place, each in enumerate(employers(world)) for _ in range(1 + place % 4)]
    made = [_posting(number, world, rng.choice(busy), places, rng) for number in numbers]
    marks = ",".join("?" * 35)
    facts.executemany(f"INSERT INTO job VALUES ({marks})", made)


def _posting(number: int, world: World, who: Employer, places: Sequence[Metro], rng: Random) -> tuple[object, ...]:
    role = rng.choice([each for each in ROLES if each.field == who.field] * 3 + list(ROLES))
    level, kind = rng.choice(("Junior", "", "", "Senior", "Senior", "Lead")), rng.choice(TYPES[:1] * 4 + TYPES)
    metro = rng.choice([each for each in places if each.name == who.metro] * 3 + list(places))
    place: District = rng.choice(metro.districts)
    mode = rng.choice(MODES) if role.title in DESKS else "On-site"
    low, high = _pay(role, level, rng)
    hours = rng.choice((16, 20, 24, 30)) if kind == "Part-time" else rng.choice((36, 37.5, 40, 40))
    yearly = low if role.unit == "year" else round(low * hours * WEEKS)
    posted = world.today - timedelta(rng.randint(1, 58))
    closed = int(rng.random() < 0.09)
    closes = world.today - timedelta(rng.randint(1, 4)) if closed else world.today + timedelta(rng.randint(6, 50))
    title = f"{level} {role.title}".strip()
    health, bonus, vacation = rng.randint(0, 1), rng.choice((0, 0, 4, 5, 6, 8, 10)), rng.choice((10, 12, 15, 20, 25))
    rounds, years = rng.choice((1, 2, 2, 3)), {"Junior": 0, "": 2, "Senior": 5, "Lead": 8}[level]
    opening = _opening(who, title, place, rng)
    body = _body(mode, hours, health, bonus, vacation, rounds, rng)
    words = f"{title} {who.name} {role.field} {metro.name} {place.name} {mode} {kind}".lower()
    req = f"{who.name[0]}{who.name.split()[1][0]}-{number}".upper()
    return (
        number, req, title, role.title, role.field, who.slug, who.name, metro.name, place.label, place.zip, place.x,
        place.y, mode, kind, level or "Mid", role.unit, low, high, hours, yearly, role.degree, years,
        posted.isoformat(), closes.isoformat(), closed, rng.randint(3, 240), health, bonus, vacation, rounds, opening,
        msgspec.json.encode(body).decode(), msgspec.json.encode(role.duties).decode(),
        msgspec.json.encode(_wants(role, years)).decode(), words,
    )  # fmt: skip


def _pay(role: Role, level: str, rng: Random) -> tuple[int, int]:
    least, most = (each * RAISED[level] for each in role.pay)
    start = rng.uniform(least, least + (most - least) * 0.6)
    end = rng.uniform(start * 1.06, max(start * 1.1, most))
    if role.unit == "hour":
        return round(start * 4) * 25, round(end * 4) * 25
    return round(start * 2) * 50_000, round(end * 2) * 50_000


def _opening(who: Employer, title: str, place: District, rng: Random) -> str:
    """The first sentence of a posting; few are alike."""
    since = f"Since {who.founded} our people in {place.name} have kept one promise"
    ways = (
        f"{who.name} wants a {title} who would rather ask twice than guess once",
        f"Our team in {place.name} has an empty chair with your name on it",
        f"You know what a good {title} is worth and so do we",
        f"{since} and we need a {title} to keep it with us",
        f"If Mondays in {place.name} do not scare you this may be your next job",
        f"We are {who.size:,} people who like their work and we are looking for one more {title}",
    )
    return f"{rng.choice(ways)}."


def _body(mode: str, hours: float, health: int, bonus: int, vacation: int, rounds: int, rng: Random) -> list[str]:
    """Paragraphs of prose; what can be asked about stands between marks."""
    where = {
        "On-site": "The work is done in the house, every day.",
        "Hybrid": f"You are with us [[office days|{rng.choice((2, 3))}]] days a week and at home on the others.",
        "Remote": "You work from wherever you live; we meet twice a year.",
    }[mode]
    shift = rng.choice(("Weekends are yours.", "One weekend a month is on the rota.", "Shifts rotate every fortnight."))
    cover = rng.choice(
        ("We pay for [[health insurance|medical cover from the first day]]", "The company plan includes [[health"
         " insurance|doctor's visits and hospital care]]")
        if health
        else ("We have [[health insurance|no company health plan]] yet",)
    )  # fmt: skip
    extra = (
        f" and a yearly bonus of [[bonus|{bonus}]] percent of the pay"
        if bonus
        else " and pay [[bonus|no bonus]], but on time"
    )
    talks = f"There {'is' if rounds == 1 else 'are'} [[rounds|{rounds}]] round{'s' if rounds > 1 else ''} of interviews"
    return [
        f"The week has [[hours|{hours:g}]] hours. {where} {shift}",
        f"{cover}{extra}. You have [[vacation|{vacation}]] days of paid leave a year.",
        f"{talks}; the last one is with the person you would report to. We answer everybody.",
    ]


def _wants(role: Role, years: int) -> list[str]:
    experience = f"At least {years} years of experience" if years else "No experience needed: we train you"
    return [f"{role.degree} required" if role.degree != "No degree" else "No degree needed", experience, *role.wants]


def pay_text(job: sqlite3.Row) -> str:
    """
    >>> pay_text({"unit": "hour", "low": 2350, "high": 2900})
    '$23.50 – $29.00 an hour'
    """
    if job["unit"] == "hour":
        return f"{money(job['low'])} – {money(job['high'])} an hour"
    return f"${job['low'] // 100:,} – ${job['high'] // 100:,} a year"


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """The search engine knows what kinds of jobs there are, not every posting."""
    for role in ROLES:
        yield IndexEntry(f"/jobs?q={role.title.replace(' ', '+')}", f"{role.title} jobs", f"{role.field} jobs.")
