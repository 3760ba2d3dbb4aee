"""Corkboard: the town's notice board. Anybody can pin up a notice, and write to a neighbour."""

from __future__ import annotations

from pathlib import Path

from workalike.town.site import PageRoute, Site, Skin
from workalike.town.sites.corkboard.goals import NAME
from workalike.town.sites.corkboard.pages import board, front, member, post, send, write
from workalike.town.sites.corkboard.world import TABLES, build, entries

SITE = Site(
    name=NAME,
    title="Corkboard",
    about="Notices by neighbours: news, things for sale, events, opinions on the town's businesses.",
    folder=Path(__file__).parent,
    skins=(
        Skin("cork", "train", {"write": "Write a notice", "post": "Pin it up", "send": "Send message"}),
        Skin("ledger", "test", {"write": "New entry", "post": "Publish", "send": "Send it"}),
    ),
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
