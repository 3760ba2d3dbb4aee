"""Wayfind: the search engine, and the page every task starts on."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from understudy.town.index import look_up
from understudy.town.site import Page, Site, Skin
from understudy.town.visit import Visit


def front(visit: Visit) -> Response:
    """The start page; with a query, what is found in the whole town."""
    asked = visit.query.get("q", "").strip()
    if not asked:
        return visit.html("front.html")
    results, total = look_up(visit.town.index, asked)
    return visit.html("results.html", asked=asked, results=results, total=total)


SITE = Site(
    name="search",
    title="Wayfind",
    about="Search the town.",
    folder=Path(__file__).parent,
    skins=(Skin("plain", "train"), Skin("night", "test")),
    pages=(Page("/", front),),
    listed=False,
)
