"""Waymark: places with their hours, on maps drawn by ourselves."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.refkit import places
from workalike.town.refkit.pages import FOLDER
from workalike.town.site import PageRoute, Site, Skin
from workalike.town.sites.waymark import pages
from workalike.town.state import Table

ATLAS = Skin(
    "atlas",
    "train",
    {
        "hello": "Where is the nearest one?",
        "kind": "What",
        "zip": "Near ZIP code",
        "go": "Show places",
        "keep": "Keep this place",
        "unkeep": "Kept: let go",
        "kept": "Kept places",
        "sort_as": "select",
    },
)
CONTOUR = Skin(
    "contour",
    "test",
    {
        "hello": "Open today, around the corner",
        "kind": "Kind of place",
        "zip": "ZIP",
        "go": "Go",
        "keep": "Pin it",
        "unkeep": "Unpin",
        "kept": "Pinned",
        "sort_as": "links",
    },
)
PINBOARD = Skin(
    "pinboard",
    "test",
    {
        "hello": "where?",
        "kind": "kind",
        "zip": "zip",
        "go": "Search",
        "keep": "\uf004",
        "unkeep": "\uf7a9",
        "kept": "Hearts",
        "sort_as": "select",
        "chat_text": "Lost? I know the way.",
    },
    mess=MESS,
)

SITE = Site(
    name="waymark",
    title="Waymark",
    about="Maps, opening hours and branches by ZIP code.",
    folder=Path(__file__).parent,
    also_folders=(FOLDER,),
    skins=(ATLAS, CONTOUR, PINBOARD),
    pages=(
        PageRoute("/", pages.front),
        PageRoute("/find", pages.find),
        PageRoute("/place/{id}", pages.place),
        PageRoute("/kept", pages.kept),
        PageRoute("/kept", pages.keep, ("POST",)),
    ),
    tables=(Table("waymark_kept", "place INTEGER NOT NULL"),),
    build=places.build,
    entries=places.entries,
)
