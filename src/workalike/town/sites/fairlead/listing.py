"""Narrowing, ordering and counting postings."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from workalike.town.kit.listing import SortOrder, counted, paged, read_address, whole
from workalike.town.refkit.geography import District, find_zip, miles
from workalike.town.world import World

PER_PAGE = 12
PAYS = {"30": "$30,000 a year", "45": "$45,000 a year", "60": "$60,000 a year", "80": "$80,000 a year"}
RANGES = {"10": "Within 10 miles", "25": "Within 25 miles"}
DAYS = {"7": "Last 7 days", "14": "Last 14 days", "30": "Last 30 days"}
FACETS = ("field", "metro", "mode", "type", "level", "degree")
TITLES = {
    "field": "Field", "metro": "City", "mode": "Workplace", "type": "Job type", "level": "Seniority",
    "degree": "Education",
}  # fmt: skip


class JobQuery(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody looks for. Open postings only; `chosen` are facets by name, `zip` is where one would start from."""

    q: str = ""
    zip: str = ""
    within: str = ""
    pay: str = ""
    days: str = ""
    employer: str = ""
    chosen: dict[str, tuple[str, ...]] = {}
    sort: str = "newest"
    page: int = 1

    @property
    def items(self) -> list[tuple[str, str]]:
        """As a query's items."""
        plain = {name: getattr(self, name) for name in ("q", "zip", "within", "pay", "days", "employer")}
        found = [(name, value) for name, value in plain.items() if value]
        found += [(name, value) for name, values in self.chosen.items() for value in values]
        return found + ([("sort", self.sort)] if self.sort != "newest" else [])

    @property
    def context(self) -> dict[str, str]:
        """What the number of openings depends on."""
        return {f"by {name}": value for name, value in self.items if name != "sort"}


class JobHit(msgspec.Struct, frozen=True):
    """A posting, and how far it is from where one starts."""

    job: sqlite3.Row
    away: float | None


class JobsFound(msgspec.Struct, frozen=True):
    """A page of postings, and how often what can be chosen occurs."""

    hits: Sequence[JobHit]
    total: int
    pages: int
    facets: dict[str, list[tuple[Any, int]]]
    start: District | None


def read_query(items: Sequence[tuple[str, str]], page: int) -> JobQuery:
    asked = read_address(items)
    return JobQuery(
        " ".join(asked.one("q").split()), asked.one("zip").strip(), asked.one("within"), asked.one("pay"),
        asked.one("days"), asked.one("employer"), {name: asked.all(name) for name in FACETS if asked.all(name)},
        asked.one("sort", usual="newest"), page,
    )  # fmt: skip


def run_query(world: World, facts: sqlite3.Connection, ask: JobQuery) -> JobsFound:
    """The open postings that fit, a page of them."""
    start = find_zip(world, ask.zip) if ask.zip else None
    fitting = _fitting(world, facts, ask, start)
    facets = {name: counted(hit.job[name] for hit in fitting) for name in FACETS}
    return JobsFound(*paged(_in_order(fitting, ask), ask.page, PER_PAGE), facets, start)


def every_hit(world: World, facts: sqlite3.Connection, ask: JobQuery) -> list[JobHit]:
    """All of them, in order, over all pages."""
    return _in_order(_fitting(world, facts, ask, find_zip(world, ask.zip) if ask.zip else None), ask)


def _fitting(world: World, facts: sqlite3.Connection, ask: JobQuery, start: District | None) -> list[JobHit]:
    """What fits, whatever of the facets is chosen."""
    rows = facts.execute("SELECT * FROM job WHERE closed = 0 ORDER BY id")
    return [hit for row in rows if _fits(hit := JobHit(row, _away(row, start)), ask, world.today)]


def _in_order(fitting: list[JobHit], ask: JobQuery) -> list[JobHit]:
    hits = (hit for hit in fitting if all(hit.job[name] in values for name, values in ask.chosen.items()))
    return sorted(hits, key=SORTS.get(ask.sort, SORTS["newest"]).key)


def _away(job: sqlite3.Row, start: District | None) -> float | None:
    """Miles from a start; other metropolitan areas are out of reach."""
    if start is None:
        return None
    return miles((job["x"], job["y"]), (start.x, start.y)) if job["metro"] == start.metro else 999.0


def _fits(hit: JobHit, ask: JobQuery, today: date) -> bool:
    job, least, days = hit.job, whole(ask.pay), whole(ask.days)
    reach = whole(ask.within) or (25 if hit.away is not None else None)
    return (
        all(word in f"{job['words']} {job['req'].lower()}" for word in ask.q.lower().split())
        and (hit.away is None or reach is None or hit.away <= reach)
        and (least is None or job["yearly"] >= least * 100_000)
        and (days is None or job["posted"] >= (today - timedelta(days)).isoformat())
        and (not ask.employer or job["employer"] == ask.employer)
    )


def _newest(hit: JobHit) -> tuple[Any, ...]:
    return (-date.fromisoformat(hit.job["posted"]).toordinal(), hit.job["id"])


SORTS: dict[str, SortOrder[Callable[[JobHit], Any]]] = {
    "newest": SortOrder("Newest first", _newest),
    "pay": SortOrder("Highest pay", lambda hit: (-hit.job["yearly"], hit.job["id"])),
    "near": SortOrder("Nearest first", lambda hit: _newest(hit) if hit.away is None else (hit.away, hit.job["id"])),
}
