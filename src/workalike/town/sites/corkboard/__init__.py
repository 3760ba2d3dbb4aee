"""Corkboard: the town's notice board. Anybody can pin up a notice, and write to a neighbour."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.site import PageRoute, Site, Skin
from workalike.town.sites.corkboard.goals import NAME
from workalike.town.sites.corkboard.pages import board, front, member, post, send, write
from workalike.town.sites.corkboard.world import TABLES, build, entries

CORK = Skin("cork", "train", {"write": "Write a notice", "post": "Pin it up", "send": "Send message"})
LEDGER = Skin("ledger", "test", {"write": "New entry", "post": "Publish", "send": "Send it"})
SCRAPS = Skin(
    "scraps",
    "test",
    {
        "write": "\uf044",
        "writing": "yours",
        "post": "\uf00c",
        "send": "\uf0e0",
        "strip": "New: get the boards by post, every Friday!",
        "chat_text": "Lost something? Found something? Tell me!",
    },
    mess=MESS,
    pinned=False,
)

SITE = Site(
    name=NAME,
    title="Corkboard",
    about="Notices by neighbours: news, things for sale, events, opinions on the town's businesses.",
    folder=Path(__file__).parent,
    skins=(CORK, LEDGER, SCRAPS),
    pages=(
        PageRoute("/", front),
        PageRoute("/board/{board}", board),
        PageRoute("/board/{board}/new", write),
        PageRoute("/board/{board}/new", post, ("POST",)),
        PageRoute("/neighbour/{who}", member),
        PageRoute("/neighbour/{who}", send, ("POST",)),
    ),
    tables=TABLES,
    build=build,
    entries=entries,
)
