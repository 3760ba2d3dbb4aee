"""Shelves: what a query asks of a shop's range (words, filters, order, page) and what it finds."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from workalike.town.kit.listing import SortOrder, pages_of, read_address, typed_so_far

PER_PAGE = 24
SORTS = {
    "featured": SortOrder("Featured", "rank"),
    "price-low": SortOrder("Price: low to high", "price, id"),
    "price-high": SortOrder("Price: high to low", "price DESC, id"),
    "rating": SortOrder("Customer rating", "rating DESC, reviews DESC, id"),
    "name": SortOrder("Name", "name"),
}
SPEC = "spec."


class ShopQuery(msgspec.Struct, frozen=True):
    """A query, read from an address. `specs` maps a detail's name to the values that are let through."""

    words: str = ""
    category: str | None = None
    department: str | None = None
    brands: tuple[str, ...] = ()
    specs: dict[str, tuple[str, ...]] = {}
    low: int | None = None
    high: int | None = None
    rating: float | None = None
    sale: bool = False
    stock: bool = False
    sort: str = "featured"
    page: int = 1


class ShopListing(msgspec.Struct, frozen=True):
    """What a shelf shows: the goods of one page, how many there are, and what they could be narrowed by."""

    products: list[sqlite3.Row]
    total: int
    pages: int
    brands: list[tuple[str, int]]
    specs: dict[str, list[tuple[str, int]]]
    cheapest: int
    dearest: int


def read_ask(
    items: Iterable[tuple[str, str]], category: str | None = None, department: str | None = None, page: int = 1
) -> ShopQuery:
    """Read the query of an address; what makes no sense is left out."""
    asked = read_address((name, value.strip()) for name, value in items if value.strip())
    return ShopQuery(
        words=asked.one("q"),
        category=category,
        department=department,
        brands=asked.all("brand"),
        specs={name.removeprefix(SPEC): asked.all(name) for name in asked.values if name.startswith(SPEC)},
        low=asked.number("min"),
        high=asked.number("max"),
        rating=_decimal(asked.one("rating")),
        sale="sale" in asked.values,
        stock="stock" in asked.values,
        sort=asked.one("sort", SORTS, "featured"),
        page=page,
    )


def run_ask(facts: sqlite3.Connection, ask: ShopQuery) -> ShopListing:
    """Look on the shelves."""
    where, values = _where(ask, narrowed=True)
    total = facts.execute(f"SELECT count(*) FROM product WHERE {where}", values).fetchone()[0]
    rows = facts.execute(
        f"SELECT * FROM product WHERE {where} ORDER BY {SORTS[ask.sort].key} LIMIT ? OFFSET ?",
        [*values, PER_PAGE, PER_PAGE * (ask.page - 1)],
    ).fetchall()
    wide, wide_values = _where(ask, narrowed=False)
    cheapest, dearest = facts.execute(
        f"SELECT coalesce(min(price), 0), coalesce(max(price), 0) FROM product WHERE {wide}", wide_values
    ).fetchone()
    return ShopListing(
        products=rows,
        total=total,
        pages=pages_of(total, PER_PAGE),
        brands=_counted(facts, f"SELECT brand, count(*) FROM product WHERE {wide} GROUP BY 1 ORDER BY 1", wide_values),
        specs=_spec_counts(facts, wide, wide_values) if ask.category else {},
        cheapest=cheapest // 100,
        dearest=-(-dearest // 100),
    )


def match_words(asked: str) -> str | None:
    """Somebody's words as a query of the index: every word must occur, the last may be unfinished.

    >>> match_words("Rain jack")
    '"rain" "jack"*'
    """
    found = re.findall(r"[\w.]+", asked.lower())
    quoted = [f'"{word}"' for word in found]
    return " ".join([*quoted[:-1], quoted[-1] + "*"]) if quoted else None


def suggest(facts: sqlite3.Connection, asked: str, most: int = 6) -> list[dict[str, Any]]:
    """Names that somebody who typed this may mean."""
    match = match_words(asked)
    if match is None or not typed_so_far(asked):
        return []
    rows = facts.execute(
        "SELECT name, slug FROM product WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        " ORDER BY rank LIMIT ?",
        (match, most),
    )
    return [{"name": row["name"], "path": f"/p/{row['slug']}"} for row in rows]


def _where(ask: ShopQuery, narrowed: bool) -> tuple[str, list[object]]:
    """The condition of a query; without its filters when it is about what to filter by."""
    parts: list[tuple[str, list[object]]] = []
    match = match_words(ask.words)
    if match:
        parts.append(("id IN (SELECT rowid FROM words WHERE words MATCH ?)", [match]))
    if ask.category:
        parts.append(("category = ?", [ask.category]))
    if ask.department:
        parts.append(("department = ?", [ask.department]))
    if narrowed:
        parts += _filters(ask)
    return " AND ".join(text for text, _ in parts) or "1", [value for _, values in parts for value in values]


def _filters(ask: ShopQuery) -> list[tuple[str, list[object]]]:
    parts: list[tuple[str, list[object]]] = []
    if ask.brands:
        parts.append((f"brand IN ({_marks(ask.brands)})", [*ask.brands]))
    for name, wanted in ask.specs.items():
        having = f"id IN (SELECT product FROM spec WHERE name = ? AND value IN ({_marks(wanted)}))"
        parts.append((having, [name, *wanted]))
    numbers: Mapping[str, object | None] = {
        "price >= ?": None if ask.low is None else ask.low * 100,
        "price <= ?": None if ask.high is None else ask.high * 100,
        "rating >= ?": ask.rating,
    }
    parts += [(text, [value]) for text, value in numbers.items() if value is not None]
    parts += [("was IS NOT NULL", [])] if ask.sale else []
    parts += [("stock > 0", [])] if ask.stock else []
    return parts


def _spec_counts(facts: sqlite3.Connection, where: str, values: list[object]) -> dict[str, list[tuple[str, int]]]:
    rows = facts.execute(
        f"SELECT name, value, count(*) FROM spec WHERE product IN (SELECT id FROM product WHERE {where})"
        " GROUP BY place, name, value ORDER BY place, name, cast(replace(value, ',', '') AS REAL), value",
        values,
    )
    counted: dict[str, list[tuple[str, int]]] = {}
    for name, value, count in rows:
        counted.setdefault(name, []).append((value, count))
    return counted


def _counted(facts: sqlite3.Connection, query: str, values: list[object]) -> list[tuple[str, int]]:
    return [(row[0], row[1]) for row in facts.execute(query, values)]


def _marks(values: tuple[str, ...]) -> str:
    return ",".join("?" * len(values))


def _decimal(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d(\.\d)?", text) else None
