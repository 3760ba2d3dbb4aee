"""What a room costs on which nights and whether it is free: pure functions of the world, the house and the date."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from zlib import crc32

import msgspec

from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.visit import count_in
from workalike.town.world import World

HORIZON = 240
"""How many days ahead can be booked."""
LONGEST = 21


class HotelStay(msgspec.Struct, frozen=True):
    """When, and for whom."""

    arrive: date
    depart: date
    adults: int = 2
    children: int = 0
    rooms: int = 1

    @property
    def nights(self) -> int:
        return (self.depart - self.arrive).days

    @property
    def days(self) -> tuple[date, ...]:
        return tuple(self.arrive + timedelta(night) for night in range(self.nights))

    @property
    def guests(self) -> int:
        return self.adults + self.children

    @property
    def context(self) -> dict[str, str]:
        """What facts depend on that are about a stay."""
        dates = {"in": self.arrive.isoformat(), "out": self.depart.isoformat()}
        return dates | {name: str(getattr(self, name)) for name in ("adults", "children", "rooms")}

    @property
    def query(self) -> str:
        dates = f"in={self.arrive.isoformat()}&out={self.depart.isoformat()}"
        return f"{dates}&adults={self.adults}&children={self.children}&rooms={self.rooms}"


class Rate(msgspec.Struct, frozen=True):
    """The terms a room is sold on."""

    code: str
    name: str
    refundable: bool
    board: str
    factor: float


RATES = (
    Rate("saver", "Saver rate", False, "Room only", 0.86),
    Rate("flex", "Flexible rate", True, "Room only", 1.0),
    Rate("breakfast", "Flexible rate with breakfast", True, "Breakfast included", 1.0),
    Rate("half", "Half board", True, "Breakfast and dinner included", 1.0),
)


class Offer(msgspec.Struct, frozen=True):
    """A room on some terms for a stay; `total` is for all rooms, nights and guests, in cents."""

    room: str
    room_name: str
    rate: Rate
    total: int
    left: int
    until: date | None
    """The last day on which cancelling is free."""


def read_stay(query: Mapping[str, str], today: date) -> tuple[HotelStay | None, str]:
    """The stay that a query asks for, or what is wrong with it; nothing asked gives neither."""
    if not query.get("in") and not query.get("out"):
        return None, ""
    try:
        arrive, depart = date.fromisoformat(query.get("in", "")), date.fromisoformat(query.get("out", ""))
    except ValueError:
        return None, "Please choose both a check-in and a check-out date."
    stay = HotelStay(
        arrive, depart, _count(query, "adults", 2, 1), _count(query, "children", 0, 0), _count(query, "rooms", 1, 1)
    )
    if arrive < today or depart > today + timedelta(HORIZON):
        return None, f"We take bookings from today to {HORIZON} days ahead."
    if not 1 <= stay.nights <= LONGEST:
        return None, f"Check-out must come after check-in, at most {LONGEST} nights later."
    return stay, ""


def read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def offers(agency: HotelAgency, world: World, hotel: sqlite3.Row, room: sqlite3.Row, stay: HotelStay) -> list[Offer]:
    """The rates of a room for a stay; none when it is sold out on one of the nights, or too small."""
    if room["sleeps"] * stay.rooms < stay.guests or stay.adults < stay.rooms:
        return []
    left = min(rooms_left(world, hotel["slug"], room["code"], day) for day in stay.days)
    if left < stay.rooms:
        return []
    bare = [nightly(agency, world, hotel, room, day) for day in stay.days]
    until = stay.arrive - timedelta(hotel["cancel_days"])
    found = []
    for rate in RATES:
        if _is_offered(world, hotel, room, rate):
            meals = {"breakfast": hotel["breakfast"], "half": hotel["half_board"]}.get(rate.code, 0)
            total = sum(_round(cents * rate.factor) for cents in bare) * stay.rooms + meals * stay.guests * stay.nights
            free = until if rate.refundable and until >= world.today else None
            found.append(Offer(room["code"], room["name"], rate, total, left, free))
    return found


def nightly(agency: HotelAgency, world: World, hotel: sqlite3.Row, room: sqlite3.Row, day: date) -> int:
    """One night in one room on flexible terms. Weekends and summer are dearer, and no two sites agree."""
    season = 1.0 + 0.22 * max(0.0, 1 - abs(day.timetuple().tm_yday - 200) / 75)
    weekend = 1.16 if day.weekday() in (4, 5) else 1.0
    wobble = 0.93 + 0.14 * chance(world, "price", hotel["slug"], day.toordinal())
    way = 0.95 + 0.1 * chance(world, "agency", agency.name, hotel["slug"])
    return _round(hotel["base"] * room["factor"] * season * weekend * wobble * way)


def rooms_left(world: World, slug: str, code: str, day: date) -> int:
    """How many rooms of a kind are free on a night. Now and then a whole house is full for some days."""
    week, place = divmod(day.toordinal(), 9)
    if chance(world, "full", slug, week) < 0.09 and place < 5:
        return 0
    drawn = chance(world, "left", slug, code, day.toordinal())
    return 0 if drawn < 0.05 else 1 + int(9 * drawn)


def full_days(world: World, hotel: sqlite3.Row, rooms: list[sqlite3.Row], first: date, count: int) -> list[str]:
    """The nights on which nothing is free."""
    days = (first + timedelta(at) for at in range(count))
    return [day.isoformat() for day in days if not any(rooms_left(world, hotel["slug"], r["code"], day) for r in rooms)]


EXTRAS = {
    "late": "Late checkout",
    "parking": "Parking",
    "transfer": "Airport transfer",
    "upgrade": "High-floor upgrade",
}


def extras_of(hotel: sqlite3.Row, stay: HotelStay) -> dict[str, int]:
    """What can be added to a stay, with its price for the whole of it; what is free there need not be added."""
    prices = {
        "late": hotel["late"] * stay.rooms,
        "parking": hotel["parking"] * stay.nights,
        "transfer": hotel["transfer"],
        "upgrade": upgrade_of(hotel) * stay.nights * stay.rooms,
    }
    return {code: cents for code, cents in prices.items() if cents}


def upgrade_of(hotel: sqlite3.Row) -> int:
    """What a room on a high floor costs more a night; small houses have no high floors."""
    return round(hotel["base"] / 1000) * 100 if hotel["stars"] >= 3 else 0


def chance(world: World, *names: object) -> float:
    """A number from 0 to 1 that always is the same for a name; cheap enough for every room on every night."""
    return crc32("|".join(map(str, (world.seed, *names))).encode()) / 2**32


def rows_of(facts: sqlite3.Connection, hotel: int) -> list[sqlite3.Row]:
    return facts.execute("SELECT * FROM room WHERE hotel = ? ORDER BY place", (hotel,)).fetchall()


def _is_offered(world: World, hotel: sqlite3.Row, room: sqlite3.Row, rate: Rate) -> bool:
    if rate.code == "half":
        return bool(hotel["half_board"])
    return rate.code != "saver" or chance(world, "saver", hotel["slug"], room["code"]) < 0.8


def _round(cents: float) -> int:
    return max(2900, round(cents / 100) * 100)


def _count(query: Mapping[str, Any], name: str, usual: int, least: int) -> int:
    count = count_in(str(query.get(name, "")), 9)
    return usual if count is None else max(least, count)
