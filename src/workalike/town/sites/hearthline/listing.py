"""Homes that fit a question: filters, order, pages; and the question itself, put so that the same one is always written
alike."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

import msgspec

from workalike.town.kit.listing import SortOrder, paged, whole
from workalike.town.sites.hearthline.world import FEATURES, KINDS, TOWNS

PER_PAGE = 12
ACRE = 43_560
SORTS: dict[str, SortOrder[Callable[[sqlite3.Row], Any]]] = {
    "new": SortOrder("Newest", lambda row: (-date.fromisoformat(row["listed"]).toordinal(), row["rank"], row["id"])),
    "low": SortOrder("Price, low to high", lambda row: (row["price"], row["id"])),
    "high": SortOrder("Price, high to low", lambda row: (-row["price"], row["id"])),
    "large": SortOrder("Most square feet", lambda row: (-row["sqft"], row["id"])),
    "lot": SortOrder("Largest lot", lambda row: (-row["lot"], row["id"])),
}
CHOICES: dict[str, dict[str, str]] = {
    "deal": {"sale": "For sale", "rent": "To rent"},
    "beds": {"1": "1+ bedrooms", "2": "2+ bedrooms", "3": "3+ bedrooms", "4": "4+ bedrooms"},
    "baths": {"1": "1+ baths", "2": "2+ baths", "3": "3+ baths"},
    "garage": {"1": "1+ car garage", "2": "2+ car garage", "3": "3+ car garage"},
    "hoa": {"0": "No HOA fee", "100": "HOA up to $100", "250": "HOA up to $250"},
    "lot": {"0.25": "1/4 acre or more", "0.5": "1/2 acre or more", "1": "1 acre or more"},
    "built": {"1960": "Built 1960 or later", "1990": "Built 1990 or later", "2010": "Built 2010 or later"},
    "age": {"7": "Listed in the last 7 days", "30": "Listed in the last 30 days"},
    "pets": {"cats": "Cats allowed", "dogs": "Dogs allowed"},
}
"""What is chosen one at a time, by name and value."""
RANGES = {"min": "Lowest price", "max": "Highest price", "sqft": "Least square feet"}
MANY: dict[str, tuple[str, ...]] = {"kind": KINDS, "feature": FEATURES}
NAMES = ("q", "town", *CHOICES, *RANGES, *MANY)


class HomeQuery(msgspec.Struct, frozen=True):
    """What somebody looks for, by the names of the address; several values where several may be ticked."""

    given: tuple[tuple[str, str], ...] = ()
    sort: str = "new"
    page: int = 1

    def one(self, name: str) -> str:
        return next((value for key, value in self.given if key == name), "")

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.given if key == name)

    @property
    def written(self) -> str:
        """The question without order and page, always in the same order."""
        return urlencode(sorted(self.given))


class HomeListing(msgspec.Struct, frozen=True):
    """One page of homes, and all of them for the map."""

    hits: list[sqlite3.Row]
    total: int
    pages: int
    every: list[sqlite3.Row]


def read_query(items: Iterable[tuple[str, str]], page: int = 1) -> HomeQuery:
    """A question from an address; what means nothing is left out."""
    given: dict[tuple[str, str], None] = {}
    sort = "new"
    for name, value in items:
        value = " ".join(value.split())[:60]
        known = name in CHOICES and value in CHOICES[name]
        known |= name in MANY and value in MANY[name]
        known |= name in RANGES and whole(value) is not None
        known |= (name == "town" and value in TOWNS) or (name == "q" and bool(value))
        if known:
            given[name, value] = None
        sort = value if name == "sort" and value in SORTS else sort
    return HomeQuery(tuple(given), sort, page)


def run_query(facts: sqlite3.Connection, ask: HomeQuery, today: date) -> HomeListing:
    exact = [(name, value) for name, value in ask.given if name in _EXACT]
    where = " AND ".join(f"{name} = ?" for name, _ in exact) or "1"
    rows = facts.execute(f"SELECT * FROM home WHERE {where} ORDER BY rank, id", [value for _, value in exact])
    found = sorted((row for row in rows if fits(row, ask, today)), key=SORTS[ask.sort].key)
    return HomeListing(*paged(found, ask.page, PER_PAGE), found)


def fits(row: sqlite3.Row, ask: HomeQuery, today: date) -> bool:
    """Whether a home is what somebody looks for."""
    return all(_TESTS[name](row, value, today) for name, value in ask.given if name in _TESTS) and all(
        not ask.all(name) or _any_or_all(name, row, ask.all(name)) for name in MANY
    )


def _any_or_all(name: str, row: sqlite3.Row, wanted: tuple[str, ...]) -> bool:
    """Of kinds any will do, features must all be there."""
    if name == "kind":
        return row["kind"] in wanted
    return set(wanted) <= set(row["features"].split("|"))


def _words(row: sqlite3.Row, text: str) -> bool:
    """Every word of a search stands in the address, the town or the ZIP code."""
    known = set(re.findall(r"\w+", f"{row['address']} {row['town']} {row['zip']}".lower()))
    return set(re.findall(r"\w+", text.lower())) <= known


_EXACT = ("town", "deal")
"""What the database itself can tell, before rows are looked at one by one."""
_TESTS: Mapping[str, Callable[[sqlite3.Row, str, date], bool]] = {
    "q": lambda row, value, today: _words(row, value),
    "town": lambda row, value, today: row["town"] == value,
    "deal": lambda row, value, today: row["deal"] == value,
    "beds": lambda row, value, today: row["beds"] >= int(value),
    "baths": lambda row, value, today: row["baths"] >= int(value),
    "garage": lambda row, value, today: row["garage"] >= int(value),
    "hoa": lambda row, value, today: row["hoa"] <= int(value),
    "lot": lambda row, value, today: row["lot"] >= float(value) * ACRE,
    "built": lambda row, value, today: row["year"] >= int(value),
    "age": lambda row, value, today: (today - date.fromisoformat(row["listed"])).days <= int(value),
    "pets": lambda row, value, today: value in row["pets"],
    "min": lambda row, value, today: row["price"] >= int(value),
    "max": lambda row, value, today: row["price"] <= int(value),
    "sqft": lambda row, value, today: row["sqft"] >= int(value),
}
