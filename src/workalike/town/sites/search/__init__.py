"""Wayfind: the search engine, and the page every task starts on."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from workalike.town.index import complete, look_up
from workalike.town.site import Page, Site, Skin
from workalike.town.visit import Visit

PER_PAGE = 10


def front(visit: Visit) -> Response:
    """The start page; with a query, what is found in the whole town."""
    asked = visit.query.get("q", "").strip()
    if not asked:
        return visit.html("front.html")
    given = visit.query.get("page", "1")
    page = max(1, int(given)) if given.isdecimal() else 1
    results, total = look_up(visit.town.index, asked, PER_PAGE, PER_PAGE * (page - 1))
    titles = {name: site.title for name, site in visit.town.sites.items()}
    pages = min(8, -(-total // PER_PAGE))
    return visit.html("results.html", asked=asked, results=results, total=total, page=page, pages=pages, titles=titles)


def suggestions(visit: Visit) -> Response:
    """How the words typed so far might go on."""
    return visit.json(complete(visit.town.index, visit.query.get("q", "")))


SITE = Site(
    name="search",
    title="Wayfind",
    about="Search the town.",
    folder=Path(__file__).parent,
    skins=(Skin("plain", "train", {"go": "Search"}), Skin("night", "test", {"go": "Find it"})),
    pages=(Page("/", front), Page("/search", front), Page("/suggest", suggestions)),
    listed=False,
)
