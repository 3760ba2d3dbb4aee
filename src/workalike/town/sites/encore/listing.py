"""What is on: productions that fit a question, each with its cheapest ticket, filtered, sorted and in pages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from workalike.town.kit.listing import SortOrder, is_let_through, paged, read_address, typed_so_far
from workalike.town.sites.encore.seats import PLANS, price
from workalike.town.sites.encore.world import CITIES, GENRES

PER_PAGE = 10
MONTHS = {"05": "May", "06": "June", "07": "July"}
SUITS = {"4": "Children of 4", "8": "Children of 8", "12": "From 12 on"}
SHOWS = (
    "SELECT show.*, venue.slug AS venue_slug, venue.name AS venue_name, venue.city, venue.kind, venue.facility,"
    " venue.seats AS house FROM show JOIN venue ON venue.id = show.venue"
)


class StageQuery(msgspec.Struct, frozen=True):
    """What somebody wants to see."""

    words: str = ""
    genres: tuple[str, ...] = ()
    city: str = ""
    month: str = ""
    suits: str = ""
    most: int | None = None
    """The highest price of the cheapest ticket, in dollars."""
    sort: str = "popular"
    page: int = 1


class StageHit(msgspec.Struct, frozen=True):
    """A production with its dates that fit, and the cheapest ticket for one of them."""

    event: sqlite3.Row
    shows: list[sqlite3.Row]
    lowest: int | None


class StageListing(msgspec.Struct, frozen=True):
    """One page of productions."""

    hits: list[StageHit]
    total: int
    pages: int


def read_query(items: Iterable[tuple[str, str]], page: int = 1) -> StageQuery:
    asked = read_address(items)
    return StageQuery(
        " ".join(asked.one("q").split())[:80],
        asked.all("genre", GENRES),
        asked.one("city", CITIES),
        asked.one("month", MONTHS),
        asked.one("suits", SUITS),
        asked.number("most"),
        asked.one("sort", SORTS, "popular"),
        page,
    )


def run_query(facts: sqlite3.Connection, ask: StageQuery) -> StageListing:
    """Words are looked for in names, genres, houses and cities; what a piece is about has to be read."""
    shows: dict[int, list[sqlite3.Row]] = {}
    for show in facts.execute(f"{SHOWS} ORDER BY day, time, show.id"):
        shows.setdefault(show["event"], []).append(show)
    hits = []
    for event in facts.execute("SELECT * FROM event ORDER BY rank"):
        fitting = [show for show in shows[event["id"]] if _fits(show, ask)]
        lowest = lowest_of(fitting)
        suits = not ask.suits or event["min_age"] <= int(ask.suits)
        cheap = ask.most is None or (lowest is not None and lowest <= 100 * ask.most)
        if fitting and suits and cheap and is_let_through(event["genre"], ask.genres):
            score = _score(event, shows[event["id"]], ask.words)
            if score or not ask.words:
                hits.append((score, StageHit(event, fitting, lowest)))
    hits.sort(key=lambda hit: (-hit[0] if ask.sort == "popular" else 0, SORTS[ask.sort].key(hit[1])))
    return StageListing(*paged([hit for _, hit in hits], ask.page, PER_PAGE))


def lowest_of(shows: Iterable[sqlite3.Row]) -> int | None:
    """The cheapest ticket for any of these that is on sale."""
    prices = [price(show, section) for show in shows if show["status"] == "sale" for section in PLANS[show["kind"]]]
    return min(prices, default=None)


def suggest(facts: sqlite3.Connection, typed: str, most: int = 7) -> list[dict[str, str]]:
    """Productions and houses whose name holds what is typed."""
    typed = typed_so_far(typed)
    if not typed:
        return []
    like = f"%{typed}%"
    events = facts.execute("SELECT name, slug FROM event WHERE name LIKE ? ORDER BY rank LIMIT ?", (like, most))
    found = [{"name": row["name"], "href": f"/event/{row['slug']}"} for row in events]
    venues = facts.execute("SELECT name, city, slug FROM venue WHERE name LIKE ? OR city LIKE ? LIMIT 3", (like, like))
    return found + [{"name": f"{row['name']}, {row['city']}", "href": f"/venue/{row['slug']}"} for row in venues]


def _fits(show: sqlite3.Row, ask: StageQuery) -> bool:
    return (not ask.city or show["city"] == ask.city) and (not ask.month or show["day"][5:7] == ask.month)


def _score(event: sqlite3.Row, shows: list[sqlite3.Row], words: str) -> int:
    asked = re.findall(r"\w+", words.lower())
    name = re.findall(r"\w+", event["name"].lower())
    around = {word for show in shows for word in re.findall(r"\w+", f"{show['city']} {show['venue_name']}".lower())}
    around |= {event["genre"].lower()}
    score = sum(4 * (word in name) + (word in around) for word in asked)
    return score + 20 * (asked == name)


SORTS: dict[str, SortOrder[Callable[[StageHit], Any]]] = {
    "popular": SortOrder("Most popular", lambda hit: hit.event["rank"]),
    "soon": SortOrder("Soonest first", lambda hit: (hit.shows[0]["day"], hit.event["rank"])),
    "price": SortOrder("Lowest price", lambda hit: (hit.lowest is None, hit.lowest or 0, hit.event["rank"])),
    "rating": SortOrder("Best reviewed", lambda hit: (-hit.event["rating"], hit.event["rank"])),
}
