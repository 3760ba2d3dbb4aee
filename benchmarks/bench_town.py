"""How fast the town is: time of the server for a page, cost of a reset and of a difference, pace of the oracle."""

from __future__ import annotations

import asyncio
import statistics
import time

from benchmarks import Figure, median_seconds
from tests.town.browser import chromium, solve
from workalike.core.outcomes import solved as counts
from workalike.runtime.serving import serving
from workalike.town.benchmark import draw_tasks
from workalike.town.caller import Caller
from workalike.town.check import check_tasks
from workalike.town.server import App
from workalike.town.town import Town
from workalike.verify.state import judge

EVERY = 16
"""The oracle is timed on every so many-th task; `make sweep` runs all."""
PAGES = {
    "search": ("/", "/?q=marlow+rain+jacket"),
    "marlow": (
        "/",
        "/c/jackets",
        "/search?q=kettle&sort=price-low",
        "/d/kitchen",
        "/cart",
        "/help/delivery",
        "/sign-in",
    ),
    "kestrel": ("/", "/c/jackets", "/search?q=kettle&sort=price-low", "/d/kitchen", "/cart", "/track"),
}


def measure() -> list[Figure]:
    start = time.perf_counter()
    town = Town()
    built = time.perf_counter() - start
    return [
        Figure("town: building the world", built, "s", detail=f"{len(town.sites)} sites"),
        *_pages(town),
        *_states(town),
        _check(town),
        *asyncio.run(_oracle(town)),
    ]


def _pages(town: Town) -> list[Figure]:
    caller = Caller(App(town), town.open().token)
    taken = []
    for site, paths in PAGES.items():
        for path in [*paths, *_products(town, site)]:
            caller.get(site, path)
            taken.append(median_seconds(lambda site=site, path=path: caller.get(site, path)) * 1000)  # type: ignore[misc]
    worst = max(taken)
    return [
        Figure("town: server time of a page, median", statistics.median(taken), "ms", "< 10", f"{len(taken)} pages"),
        Figure("town: server time of a page, slowest", worst, "ms"),
    ]


def _products(town: Town, site: str) -> list[str]:
    if site == "search":
        return []
    rows = town.facts[site].execute("SELECT slug FROM product ORDER BY id LIMIT 5 OFFSET 700")
    return [f"/p/{row['slug']}" for row in rows]


def _states(town: Town) -> list[Figure]:
    token = town.open().token
    reset = median_seconds(lambda: town.reset(token), 200) * 1000
    changes = median_seconds(lambda: town.changes(token), 200) * 1000
    return [
        Figure("town: resetting an attempt, median", reset, "ms", "< 5"),
        Figure("town: the row difference of an attempt, median", changes, "ms"),
    ]


def _check(town: Town) -> Figure:
    drawn = draw_tasks(town)
    start = time.perf_counter()
    wrong = [found for found in check_tasks(town, drawn, judge) if found.wrong]
    taken = time.perf_counter() - start
    return Figure(
        "town: checking every task", len(drawn) / taken, "tasks/s", detail=f"{len(drawn)} tasks, {len(wrong)} wrong"
    )


async def _oracle(town: Town) -> list[Figure]:
    """The oracle in a real browser, one task after the other, without pictures."""
    drawn = draw_tasks(town)[::EVERY]
    steps = solved = 0
    async with serving(App(town)) as port, chromium(port) as web:
        start = time.perf_counter()
        for each in drawn:
            left, answer, past = await solve(town, web, each)
            verdict = judge(each.key, left.changes, answer, left.shown)
            solved += counts(verdict.outcome, "town", each.key.reports) is True
            steps += len(past)
        taken = time.perf_counter() - start
    return [
        Figure(
            "town: the oracle's sweep", 60 * len(drawn) / taken, "tasks/min", detail=f"{solved} of {len(drawn)} solved"
        ),
        Figure("town: a step of the oracle", 1000 * taken / steps, "ms", detail=f"{steps} steps"),
    ]
