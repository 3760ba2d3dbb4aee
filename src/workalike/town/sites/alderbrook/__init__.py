"""The City of Alderbrook: parking rules, garages, and citations to look up, pay or contest."""

from __future__ import annotations

from pathlib import Path

from workalike.town.mess import MESS
from workalike.town.site import PageRoute, Site, Skin
from workalike.town.sites.alderbrook import pages, world
from workalike.town.sites.alderbrook.tasks import TEMPLATES

_POST = ("POST",)
_BOTH = ("GET", "POST")

CIVIC = Skin(
    "civic",
    "train",
    {
        "parking": "Parking",
        "rules": "Fines and deadlines",
        "garages": "City garages",
        "property": "Property records",
        "address": "Street address",
        "citations": "Pay or contest a citation",
        "query": "Citation number or license plate",
        "find": "Look up",
        "pay": "Pay this citation",
        "contest": "Contest this citation",
        "send": "Submit",
        "continue": "Continue",
        "confirm": "Pay now",
    },
)
QUAYSIDE = Skin(
    "quayside",
    "test",
    {
        "parking": "Streets & parking",
        "rules": "What a fine costs",
        "garages": "Where to park",
        "property": "Land and taxes",
        "address": "House number and street",
        "citations": "Parking citations",
        "query": "Number of the citation, or plate",
        "find": "Show me",
        "pay": "Settle it",
        "contest": "I disagree",
        "send": "Send my objection",
        "continue": "Next",
        "confirm": "Make payment",
    },
)
LEGACY = Skin(
    "legacy",
    "test",
    QUAYSIDE.words
    | {
        "query": "Ref.",
        "find": "»",
        "pay": "PAYMENT",
        "contest": "PROTEST",
        "send": "»»",
        "continue": "»",
        "confirm": "OK",
        "strip": "System maintenance on Sunday from 2 to 4 a.m.",
    },
    layout="quayside",
    mess=MESS,
)

SITE = Site(
    name="alderbrook",
    title="City of Alderbrook",
    about="The city's own site: parking, citations, garages.",
    folder=Path(__file__).parent,
    skins=(CIVIC, QUAYSIDE, LEGACY),
    pages=(
        PageRoute("/", pages.front),
        PageRoute("/parking", pages.parking),
        PageRoute("/parking/rules", pages.rules),
        PageRoute("/parking/garages", pages.garages),
        PageRoute("/garage/{slug}", pages.garage),
        PageRoute("/citations", pages.look_up),
        PageRoute("/property", pages.property_records),
        PageRoute("/parcel/{number}", pages.parcel),
        PageRoute("/vehicle/{plate}", pages.vehicle),
        PageRoute("/citation/{number}", pages.citation),
        PageRoute("/citation/{number}/contest", pages.appeal, _BOTH),
        PageRoute("/pay/start/{number}", pages.start, _POST),
        PageRoute("/pay/touch", pages.WIZARD.touch, _POST),
        PageRoute("/pay/confirm", pages.confirm, _POST),
        PageRoute("/pay/{step}", pages.show_step),
        PageRoute("/pay/{step}", pages.save_step, _POST),
        PageRoute("/receipt/{number}", pages.receipt),
    ),
    tables=world.TABLES,
    build=world.build,
    begin=world.begin,
    entries=world.entries,
    templates=TEMPLATES,
    crossed=world.CROSSED,
)
