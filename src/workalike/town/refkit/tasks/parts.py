"""What chains are put together from: pages to read, the cheapest hotel or flight, a good to buy, the nearest place."""

from __future__ import annotations

import re
import sqlite3
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from workalike.core.key import FactPattern
from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.fares import BY_NAME as FARES
from workalike.town.flightkit.journeys import Journey
from workalike.town.flightkit.places import BY_NAME as AIRPORTS
from workalike.town.flightkit.tasks.draws import FlightDay, buyable, day_of
from workalike.town.flightkit.tasks.goals import FlyTrip, fact_of
from workalike.town.hotelkit.listing import HotelQuery
from workalike.town.hotelkit.prices import HotelStay
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import HotelHunt, Room
from workalike.town.kit.make import templates_from
from workalike.town.refkit.geography import District, find_zip, metros
from workalike.town.refkit.goals import MAP, FindPlaces, SeePlace
from workalike.town.refkit.knowledge import articles, of_kind
from workalike.town.refkit.pages import WrittenPage
from workalike.town.shopkit.tasks.draws import any_variant
from workalike.town.shopkit.tasks.items import Item
from workalike.town.sites.waymark.pages import found_places
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "chain")
BOOK, PAPER = "commonplace", "tidings"
NAMES = {BOOK: "Commonplace", PAPER: "The Tidings", "map": "Waymark", "hotels": "Stayward", "flights": "Gannet"}
FREE = ("Terms and meals", "Free cancellation", "refundable", "1")


class FoundHotel(msgspec.Struct, frozen=True):
    """The cheapest that can be cancelled in a city, and the one after it."""

    room: Room
    second: str
    second_total: int


class FoundFlight(msgspec.Struct, frozen=True):
    """The cheapest way there on a day."""

    goal: FlyTrip
    price: int
    next_price: int
    shown: tuple[FactPattern, ...]


class FoundPlace(msgspec.Struct, frozen=True):
    """The nearest place of a kind, its row, and the one after it."""

    goal: SeePlace
    row: sqlite3.Row
    second: sqlite3.Row
    away: float

    @property
    def hours(self) -> list[tuple[int, int] | None]:
        return msgspec.json.decode(self.row["hours"], type=list[tuple[int, int] | None])

    def shown(self, field: str) -> tuple[FactPattern, ...]:
        return (FactPattern(MAP, str(self.row["id"]), field),)


def slots(**more: str) -> dict[str, str]:
    """The names of the sites, and whatever else."""
    return {
        "book": NAMES[BOOK],
        "paper": NAMES[PAPER],
        "map": "Waymark",
        "hotels": "Stayward",
        "flights": "Gannet",
    } | more


def draw_page(town: Town, rng: Random, kind: str) -> WrittenPage:
    return rng.choice(of_kind(town.world, kind))


def page_of(town: Town, title: str) -> WrittenPage:
    return next(each for each in articles(town.world) if each.title == title)


def told_day(text: str) -> date:
    """A day as pages print it.

    >>> told_day("May 4, 2026")
    datetime.date(2026, 5, 4)
    """
    return datetime.strptime(text, "%B %d, %Y").date()


def a_stay(town: Town, rng: Random) -> HotelStay:
    arrive = town.world.today + timedelta(rng.randint(12, 90))
    return HotelStay(arrive, arrive + timedelta(rng.randint(2, 4)))


def find_hotel(town: Town, city: str, stay: HotelStay, stars: str = "") -> FoundHotel | None:
    """The cheapest house of a city that can still be cancelled, where it is clearly the cheapest."""
    market = Market(town, "stayward")
    ask = HotelQuery(city, (stars,) if stars else (), refundable=True, sort="price")
    hits = [hit for hit in market.results(ask, stay) if hit.offer]
    if len(hits) < 2 or hits[0].offer is None or hits[1].offer is None or hits[0].offer.total == hits[1].offer.total:
        return None
    best, offer = hits[0].hotel, hits[0].offer
    filters = (*(((("Stars", f"{stars} stars", "stars", stars),)) if stars else ()), FREE)
    room = replace(
        room_of("stayward", best, stay), room=offer.room, room_name=offer.room_name, rate=offer.rate.code,
        rate_name=offer.rate.name, total=offer.total, hunt=HotelHunt(filters),
    )  # fmt: skip
    same = [each for each in market.offers(room) if each.total == room.total and each.rate != "saver"]
    return FoundHotel(room, hits[1].hotel["name"], hits[1].offer.total) if len(same) == 1 else None


def find_flight(town: Town, origin: str, city: str, day: date) -> FoundFlight | None:
    """The cheapest way from an airport to a city on a day, with or without a stop."""
    goes = AIRPORTS[city.casefold()].code
    if origin == goes:
        return None
    found: FlightDay = day_of(town, AGENCIES["gannet"], (origin, goes), day)
    ways: list[Journey] = sorted(buyable(found.ways, "Light"), key=lambda way: way.cents(FARES["Light"]))
    prices = [found.price(way, FARES["Light"]) for way in ways]
    if len(ways) < 2 or prices[0] == prices[1]:
        return None
    alone = {"adults": 1, "children": 0, "cabin": "Economy"}
    lowest = FactPattern(
        "gannet", f"{origin}-{goes} {day}", "lowest", {name: str(value) for name, value in alone.items()}
    )
    goal = FlyTrip("gannet", found.trip(ways[0], "Light"))
    return FoundFlight(goal, prices[0], prices[1], (fact_of("gannet", ways[0], "price", **alone), lowest))


def find_place(town: Town, kind: str, start: District) -> FoundPlace | None:
    """The nearest place of a kind to a ZIP code, where it is clearly the nearest."""
    hits = found_places(town.facts[MAP], kind, start, "near")
    if len(hits) < 2 or hits[0][1] is None or hits[0][1] == hits[1][1]:
        return None
    row = hits[0][0]
    return FoundPlace(SeePlace(FindPlaces(kind, start.zip), row["id"], row["name"]), row, hits[1][0], hits[0][1])


def some_zip(town: Town, rng: Random) -> District:
    return rng.choice(rng.choice(metros(town.world)).districts)


def zip_of(town: Town, code: str) -> District:
    found = find_zip(town.world, code)
    assert found is not None
    return found


def in_stock(town: Town, site: str, name: str) -> Item | None:
    """A good at a shop by its name: any variant of it."""
    row = town.facts[site].execute("SELECT slug FROM product WHERE name = ? AND stock > 0", (name,)).fetchone()
    return any_variant(town, site, row["slug"]) if row else None


def cheapest_of_brand(town: Town, site: str, brand: str, kind: str) -> Item | None:
    """What a shop has of a brand and a kind, where one is clearly the cheapest."""
    query = "SELECT slug, price FROM product WHERE category = ? AND brand = ? AND stock > 0 ORDER BY price, slug"
    rows = town.facts[site].execute(query, (kind, brand)).fetchall()
    if len(rows) < 2 or rows[0]["price"] == rows[1]["price"]:
        return None
    return any_variant(town, site, rows[0]["slug"])


def number_in(text: str) -> int:
    """
    >>> number_in("1,204,551")
    1204551
    """
    return int(re.sub(r"\D", "", text))


def say(day: date) -> str:
    return f"{day:%B} {day.day}"
