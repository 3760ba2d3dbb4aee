"""The Tidings: the daily paper."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.refkit import pages
from workalike.town.refkit.stories import stories
from workalike.town.site import Site, Skin

BROADSHEET = Skin(
    "broadsheet",
    "train",
    {
        "look": "Search the paper",
        "find": "Search",
        "go": "Search stories",
        "keep": "Clip this story",
        "unkeep": "Clipped: throw away",
        "kept": "Clippings",
    },
)
WIRE = Skin(
    "wire",
    "test",
    {
        "look": "Search stories",
        "finder": "head",
        "find": "Search",
        "go": "Go",
        "keep": "Save for later",
        "unkeep": "Saved (remove)",
        "kept": "Saved",
    },
)
TABLOID = Skin(
    "tabloid",
    "test",
    {
        "look": "what's up?",
        "find": "Dig",
        "go": "Search",
        "keep": "\uf0c4",
        "unkeep": "\uf2ed",
        "kept": "Cuts",
        "strip": "BREAKING: the crossword is back!",
    },
    mess=MESS,
)

SITE = Site(
    name="tidings",
    title="The Tidings",
    about="The daily paper: travel, culture, consumers, and tests.",
    folder=Path(__file__).parent,
    also_folders=(pages.FOLDER,),
    skins=(BROADSHEET, WIRE, TABLOID),
    pages=pages.ROUTES,
    tables=pages.read_tables("tidings"),
    build=lambda world, facts: pages.build_pages(facts, stories(world)),
    entries=pages.entries,
)
