"""Commonplace: the encyclopaedia of the town's own world."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.refkit import pages
from workalike.town.refkit.knowledge import articles
from workalike.town.refkit.tasks import TEMPLATES
from workalike.town.site import Site, Skin

FOLIO = Skin(
    "folio",
    "train",
    {
        "hello": "What is known, in one place",
        "look": "Search Commonplace",
        "go": "Look up",
        "keep": "Watch this page",
        "unkeep": "Watching: stop",
        "kept": "Watched pages",
    },
)
COLUMN = Skin(
    "column",
    "test",
    {
        "hello": "An encyclopaedia of common things",
        "look": "Find a page",
        "finder": "aside",
        "go": "Go",
        "keep": "Bookmark",
        "unkeep": "Remove bookmark",
        "kept": "Bookmarks",
    },
)
ATTIC = Skin(
    "attic",
    "test",
    {
        "hello": "everything we found",
        "look": "type here",
        "go": "Search",
        "keep": "\uf005",
        "unkeep": "\uf089",
        "kept": "stars",
        "chat_text": "Need a source? Ask the librarian.",
    },
    mess=MESS,
)

SITE = Site(
    name="commonplace",
    title="Commonplace",
    about="The encyclopaedia: cities, airlines, brands, employers and the people behind them.",
    folder=Path(__file__).parent,
    also_folders=(pages.FOLDER,),
    skins=(FOLIO, COLUMN, ATTIC),
    thing="/read/",
    written=("text",),
    pages=pages.ROUTES,
    tables=pages.read_tables("commonplace"),
    build=lambda world, facts: pages.build_pages(facts, articles(world)),
    entries=pages.entries,
    templates=TEMPLATES,
)
