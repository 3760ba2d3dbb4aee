"""Wayfind: the search engine, and the page every task starts on."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from workalike.town.index import complete, look_up
from workalike.town.kit.listing import page_number, pages_of
from workalike.town.site import PageRoute, Site, Skin, messy
from workalike.town.visit import PageVisit

PER_PAGE = 10


def front(visit: PageVisit) -> Response:
    """The start page; with a query, what is found in the whole town."""
    asked = visit.query.get("q", "").strip()
    if not asked:
        return visit.html("front.html")
    page = page_number(visit)
    results, total = look_up(visit.town.index, asked, PER_PAGE, PER_PAGE * (page - 1))
    titles = {name: site.title for name, site in visit.town.sites.items()}
    pages = min(8, pages_of(total, PER_PAGE))
    return visit.html("results.html", asked=asked, results=results, total=total, page=page, pages=pages, titles=titles)


def suggestions(visit: PageVisit) -> Response:
    """How the words typed so far might go on."""
    return visit.json(complete(visit.town.index, visit.query.get("q", "")))


PLAIN = Skin("plain", "train", {"go": "Search"})
NIGHT = Skin("night", "test", {"go": "Find it"})

SITE = Site(
    name="search",
    title="Wayfind",
    about="Search the town.",
    folder=Path(__file__).parent,
    skins=(PLAIN, NIGHT, messy(NIGHT, "busy", strip="Wayfind is faster in our own browser. Get it now.")),
    pages=(PageRoute("/", front), PageRoute("/search", front), PageRoute("/suggest", suggestions)),
    listed=False,
)
