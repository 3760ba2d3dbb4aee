"""Hearthline: homes for sale and to rent in six towns, on a map, with schools, agents, price histories and tours."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.site import PageRoute, Site, Skin
from workalike.town.sites.hearthline import pages, tables, world
from workalike.town.sites.hearthline.tasks import TEMPLATES

_POST = ("POST",)

PORCH = Skin(
    "porch",
    "train",
    {
        "search": "Address, town or ZIP",
        "search_hint": "Try a street, a town or a ZIP code",
        "go": "Search",
        "saved": "Saved",
        "save": "Save home",
        "save_search": "Save search",
        "tour": "Request a tour",
        "agents": "Agents",
        "deal_sale": "Buy",
        "deal_rent": "Rent",
        "history": "Price history",
        "continue": "Continue",
        "confirm": "Send request",
        "newsletter_title": "New homes, every morning",
    },
)
ATLAS = Skin(
    "atlas",
    "test",
    {
        "search": "Where do you want to live?",
        "search_hint": "Street, town, ZIP code",
        "go": "Go",
        "saved": "My shortlist",
        "save": "Shortlist it",
        "save_search": "Remember this search",
        "tour": "See it for yourself",
        "agents": "Find an agent",
        "deal_sale": "For sale",
        "deal_rent": "To rent",
        "history": "What it cost before",
        "continue": "Next",
        "confirm": "Ask for this tour",
        "newsletter_title": "Be first through the door",
    },
)
CLIPBOARD = Skin(
    "clipboard",
    "test",
    ATLAS.words
    | {
        "search": "Where",
        "go": "\uf002",
        "saved": "\uf004 list",
        "save": "\uf004",
        "save_search": "\uf005",
        "tour": "\uf015 visit",
        "continue": "\uf061",
        "confirm": "\uf00c",
        "strip": "Rates moved this morning. Ask us how much home you can afford.",
    },
    layout="atlas",
    mess=MESS,
)

SITE = Site(
    name="hearthline",
    title="Hearthline Homes",
    about="Homes for sale and rent in Alderbrook, Fenwick, Marrow Bay, Pine Hollow, Quarry Hill and Westmere.",
    folder=Path(__file__).parent,
    skins=(PORCH, ATLAS, CLIPBOARD),
    pages=(
        PageRoute("/", pages.front),
        PageRoute("/homes", pages.homes),
        PageRoute("/home/{slug}", pages.home),
        PageRoute("/agents", pages.agents),
        PageRoute("/agent/{slug}", pages.agent),
        PageRoute("/town/{town}", pages.town),
        PageRoute("/saved", pages.saved),
        PageRoute("/saved", pages.save, _POST),
        PageRoute("/searches", pages.save_search, _POST),
        PageRoute("/tour/start/{slug}", pages.start, _POST),
        PageRoute("/tour/touch", pages.WIZARD.touch, _POST),
        PageRoute("/tour/confirm", pages.confirm, _POST),
        PageRoute("/tour/{step}", pages.show_step),
        PageRoute("/tour/{step}", pages.save_step, _POST),
        PageRoute("/requested/{number}", pages.requested),
        PageRoute("/pic/{slug}.svg", pages.picture),
    ),
    tables=tables.TABLES,
    build=world.build,
    entries=world.entries,
    templates=TEMPLATES,
    crossed=tables.CROSSED,
    thing="/home/",
    written=("text", "seller"),
)
