"""Results of a search: the houses of a city that fit, each with its cheapest offer, filtered, sorted and in pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.prices import HotelStay, Offer, offers
from workalike.town.kit.listing import SortOrder, counted, is_let_through, paged, read_address, typed_so_far
from workalike.town.world import World

PER_PAGE = 6
BOARDS = {"breakfast": "Breakfast included", "half": "Half board"}
RATINGS = {"9": "9+ Superb", "8": "8+ Very good", "7": "7+ Good"}
DISTANCES = {"1": "Within 1 km of the centre", "3": "Within 3 km of the centre", "6": "Within 6 km of the centre"}


class HotelQuery(msgspec.Struct, frozen=True):
    """What somebody wants to see of a city."""

    city: str
    stars: tuple[str, ...] = ()
    amenities: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    board: str = ""
    rating: str = ""
    within: str = ""
    most: int | None = None
    """The highest price for a night, in dollars."""
    refundable: bool = False
    sort: str = "recommended"
    page: int = 1


class Hit(msgspec.Struct, frozen=True):
    """A house with its cheapest offer that fits, or none."""

    hotel: sqlite3.Row
    amenities: tuple[str, ...]
    offer: Offer | None


class HotelListing(msgspec.Struct, frozen=True):
    """One page of results, and what could be filtered by."""

    hits: list[Hit]
    total: int
    pages: int
    amenities: list[tuple[str, int]]
    chains: list[tuple[str, int]]
    stars: list[tuple[int, int]]


def read_ask(items: Iterable[tuple[str, str]], city: str, page: int = 1) -> HotelQuery:
    asked = read_address(items)
    return HotelQuery(
        city,
        asked.all("stars"),
        asked.all("amenity"),
        asked.all("chain"),
        asked.one("board", BOARDS),
        asked.one("rating", RATINGS),
        asked.one("within", DISTANCES),
        asked.number("most"),
        "refundable" in asked.values,
        asked.one("sort", SORTS, "recommended"),
        page,
    )


def run_ask(
    agency: HotelAgency, world: World, facts: sqlite3.Connection, ask: HotelQuery, stay: HotelStay
) -> HotelListing:
    """Houses without a free room come last, whatever the order."""
    every = facts.execute("SELECT * FROM hotel WHERE city = ? ORDER BY rank", (ask.city,)).fetchall()
    held = amenities_in(facts, ask.city)
    fitting = [row for row in every if _fits(row, held[row["id"]], ask)]
    hits = [Hit(row, held[row["id"]], cheapest(agency, world, facts, row, stay, ask)) for row in fitting]
    if ask.most is not None:
        hits = [hit for hit in hits if hit.offer and hit.offer.total <= ask.most * 100 * stay.nights * stay.rooms]
    hits.sort(key=lambda hit: (hit.offer is None, SORTS[ask.sort].key(hit)))
    return HotelListing(
        *paged(hits, ask.page, PER_PAGE),
        counted(name for names in held.values() for name in names),
        counted(row["brand"] for row in every),
        sorted(counted(row["stars"] for row in every), reverse=True),
    )


def cheapest(
    agency: HotelAgency, world: World, facts: sqlite3.Connection, hotel: sqlite3.Row, stay: HotelStay, ask: HotelQuery
) -> Offer | None:
    """The lowest offer of a house on the terms that are asked for."""
    rooms = facts.execute("SELECT * FROM room WHERE hotel = ? ORDER BY place", (hotel["id"],))
    found = [offer for room in rooms.fetchall() for offer in offers(agency, world, hotel, room, stay)]
    found = [offer for offer in found if _suits(offer, ask)]
    return min(found, key=lambda offer: offer.total, default=None)


def amenities_in(facts: sqlite3.Connection, city: str) -> dict[int, tuple[str, ...]]:
    held: dict[int, tuple[str, ...]] = {}
    query = (
        "SELECT hotel.id, amenity.name FROM hotel JOIN amenity ON amenity.hotel = hotel.id WHERE city = ? ORDER BY 1"
    )
    for number, name in facts.execute(query, (city,)):
        held[number] = (*held.get(number, ()), name)
    return held


def suggest(facts: sqlite3.Connection, typed: str, most: int = 7) -> list[dict[str, str]]:
    """Cities and houses whose name holds what is typed."""
    typed = typed_so_far(typed)
    if not typed:
        return []
    like = f"%{typed}%"
    cities = facts.execute(
        "SELECT city, country, count(*) AS count FROM hotel WHERE city LIKE ? OR country LIKE ?"
        " GROUP BY city ORDER BY city NOT LIKE ?, city LIMIT 4",
        (like, like, f"{typed}%"),
    )
    found = [{"value": row["city"], "name": f"{row['city']}, {row['country']}", "kind": "City"} for row in cities]
    hotels = facts.execute(
        "SELECT name, city FROM hotel WHERE name LIKE ? ORDER BY name LIMIT ?", (like, most - len(found))
    )
    return found + [{"value": row["name"], "name": row["name"], "kind": "Hotel"} for row in hotels]


def _fits(row: sqlite3.Row, held: tuple[str, ...], ask: HotelQuery) -> bool:
    return (
        is_let_through(str(row["stars"]), ask.stars)
        and set(ask.amenities) <= set(held)
        and is_let_through(row["brand"], ask.chains)
        and row["rating"] >= float(ask.rating or 0)
        and (not ask.within or row["distance"] <= 10 * int(ask.within))
    )


def _suits(offer: Offer, ask: HotelQuery) -> bool:
    if ask.board == "half" and offer.rate.code != "half":
        return False
    if ask.board == "breakfast" and offer.rate.code not in ("breakfast", "half"):
        return False
    return not ask.refundable or offer.until is not None


SORTS: dict[str, SortOrder[Callable[[Hit], Any]]] = {
    "recommended": SortOrder("Recommended", lambda hit: hit.hotel["rank"]),
    "price": SortOrder("Lowest price", lambda hit: (hit.offer.total if hit.offer else 0, hit.hotel["rank"])),
    "rating": SortOrder("Guest rating", lambda hit: (-hit.hotel["rating"], -hit.hotel["reviews"])),
    "distance": SortOrder("Distance from centre", lambda hit: (hit.hotel["distance"], hit.hotel["rank"])),
    "stars": SortOrder("Most stars", lambda hit: (-hit.hotel["stars"], hit.hotel["rank"])),
}
