"""Results of a search: the venues of a city that fit, each with its free times, filtered, sorted and in pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import msgspec

from workalike.town.bookkit.slots import Party, Slot, fits, slots
from workalike.town.bookkit.venue import Venue, venues_in
from workalike.town.kit.listing import SortOrder, counted, is_let_through, paged, read_address, typed_so_far
from workalike.town.world import World

PER_PAGE = 8
RATINGS = {"4.5": "4.5 and up", "4": "4.0 and up", "3.5": "3.5 and up"}
SORTS: dict[str, SortOrder[Callable[[Venue], Any]]] = {
    "recommended": SortOrder("Recommended", lambda venue: venue.rank),
    "rating": SortOrder("Best rated", lambda venue: (-venue.rating, -venue.reviews)),
    "price": SortOrder(
        "Lowest price", lambda venue: (venue.level, sum(fare.cents for fare in venue.fares[:1]), venue.rank)
    ),
    "name": SortOrder("Name", lambda venue: venue.name),
}


class VenueQuery(msgspec.Struct, frozen=True):
    """What somebody wants to see of a city."""

    city: str
    kinds: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    """Details and what they are to be."""
    rating: str = ""
    online: bool = False
    sort: str = "recommended"
    page: int = 1


class VenueHit(msgspec.Struct, frozen=True):
    """A venue with its times of the day that is asked for."""

    venue: Venue
    times: tuple[Slot, ...]


class VenueListing(msgspec.Struct, frozen=True):
    """One page of results, and what could be filtered by."""

    hits: list[VenueHit]
    total: int
    pages: int
    kinds: list[tuple[str, int]]
    areas: list[tuple[str, int]]
    traits: list[tuple[str, int]]
    levels: list[tuple[int, int]]
    details: dict[str, list[tuple[str, int]]]


def read_query(items: Iterable[tuple[str, str]], city: str, facets: tuple[str, ...] = (), page: int = 1) -> VenueQuery:
    asked = read_address(items)
    return VenueQuery(
        city,
        asked.all("kind"),
        asked.all("area"),
        asked.all("trait"),
        asked.all("level"),
        tuple((name, value) for name in facets for value in asked.all(name)),
        asked.one("rating", RATINGS),
        "online" in asked.values,
        asked.one("sort", SORTS, "recommended"),
        page,
    )


def run_query(
    world: World,
    facts: sqlite3.Connection,
    query: VenueQuery,
    day: date | None = None,
    party: Party | None = None,
    facets: tuple[str, ...] = (),
) -> VenueListing:
    """Venues that have nothing free come last, whatever the order."""
    every = venues_in(facts, query.city)
    hits = [VenueHit(venue, free_times(world, venue, day, party)) for venue in every if _fits(venue, query)]
    hits.sort(key=lambda hit: (day is not None and not hit.times, SORTS[query.sort].key(hit.venue)))
    return VenueListing(
        *paged(hits, query.page, PER_PAGE),
        counted(venue.kind for venue in every),
        counted(venue.area for venue in every),
        counted(trait for venue in every for trait in venue.traits),
        counted(venue.level for venue in every),
        {name: counted(value for venue in every if (value := venue.detail(name))) for name in facets},
    )


def free_times(world: World, venue: Venue, day: date | None, party: Party | None) -> tuple[Slot, ...]:
    if day is None or party is None:
        return ()
    return tuple(slot for slot in slots(world, venue, day) if fits(venue, slot, party))


def suggest(facts: sqlite3.Connection, typed: str, most: int = 7) -> list[dict[str, str]]:
    """Cities and venues whose name holds what is typed."""
    typed = typed_so_far(typed)
    if not typed:
        return []
    cities = facts.execute("SELECT DISTINCT city FROM venue WHERE city LIKE ? ORDER BY city", (f"{typed}%",)).fetchall()
    venues = facts.execute(
        "SELECT name, city, kind FROM venue WHERE name LIKE ? ORDER BY name LIMIT ?",
        (f"%{typed}%", most - len(cities)),
    )
    found = [{"value": row["city"], "kind": "City"} for row in cities]
    return found + [{"value": row["name"], "kind": f"{row['kind']}, {row['city']}"} for row in venues]


def _fits(venue: Venue, query: VenueQuery) -> bool:
    return (
        is_let_through(venue.kind, query.kinds)
        and is_let_through(venue.area, query.areas)
        and set(query.traits) <= set(venue.traits)
        and is_let_through(str(venue.level), query.levels)
        and all((name, venue.detail(name)) in query.details for name, _ in query.details)
        and venue.rating >= float(query.rating or 0)
        and (not query.online or venue.books == "online")
    )
