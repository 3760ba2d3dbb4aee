"""Encore: the ticket office of eight cities, with plans of the houses, seats, ages, fees and waiting lists."""

from __future__ import annotations

from pathlib import Path

from workalike.town.kit.records import cancel_own
from workalike.town.mess import MESS
from workalike.town.site import PageRoute, RecordDesk, Site, Skin
from workalike.town.sites.encore import booking, browse, tables, world
from workalike.town.sites.encore.tasks import TEMPLATES

_POST = ("POST",)
_BOTH = ("GET", "POST")

MARQUEE = Skin(
    "marquee",
    "train",
    {
        "search": "Search events",
        "search_hint": "Artist, show or venue",
        "go": "Search",
        "following": "Following",
        "follow": "Follow",
        "manage": "My booking",
        "help": "Help",
        "dates": "Dates and tickets",
        "wait": "Join the waiting list",
        "join": "Put me on the list",
        "take": "Take these seats",
        "claim": "Send claim",
        "summary": "Your order",
        "continue": "Continue",
        "confirm": "Place order",
        "step_tickets": "Who is coming?",
        "step_delivery": "Getting your tickets",
        "step_buyer": "Your details",
        "step_payment": "Payment",
        "step_review": "Check and buy",
        "newsletter_title": "Presale codes, every Friday",
    },
)

PLAYBILL = Skin(
    "playbill",
    "test",
    {
        "search": "What would you like to see?",
        "search_hint": "A name, a house, a city",
        "go": "Look it up",
        "following": "My list",
        "follow": "Add to my list",
        "manage": "Booked already?",
        "help": "Fees & refunds",
        "dates": "When and where",
        "wait": "Waiting list",
        "join": "Add me",
        "take": "Hold my seats",
        "claim": "Submit claim",
        "summary": "Order summary",
        "continue": "Go on",
        "confirm": "Buy tickets",
        "step_tickets": "Kind of tickets",
        "step_delivery": "Delivery",
        "step_buyer": "Buyer",
        "step_payment": "Card",
        "step_review": "Last look",
        "newsletter_title": "The playbill in your mailbox",
    },
    ("tickets", "delivery", "buyer", "payment", "review"),
)

BACKSTAGE = Skin(
    "backstage",
    "test",
    PLAYBILL.words
    | {
        "go": "\uf002",
        "search": "Find",
        "follow": "\uf004",
        "following": "\uf004 list",
        "take": "\uf061",
        "continue": "\uf061",
        "claim": "\uf1d8",
        "join": "\uf067",
        "wait": "\uf017 list",
        "strip": "Tonight only: no fee on the fee. Terms apply.",
    },
    ("delivery", "tickets", "buyer", "payment", "review"),
    layout="playbill",
    mess=MESS,
)

SITE = Site(
    name="encore",
    title="Encore Tickets",
    about="Tickets for concerts, plays, comedy, dance and family shows in eight cities.",
    folder=Path(__file__).parent,
    skins=(MARQUEE, PLAYBILL, BACKSTAGE),
    pages=(
        PageRoute("/", browse.front),
        PageRoute("/events", browse.events),
        PageRoute("/suggest", browse.suggestions),
        PageRoute("/event/{slug}", browse.event),
        PageRoute("/show/{code}", browse.show),
        PageRoute("/show/{code}/seats/{section}", browse.section),
        PageRoute("/show/{code}/waiting", browse.waiting, _BOTH),
        PageRoute("/venue/{slug}", browse.venue),
        PageRoute("/city/{city}", browse.city),
        PageRoute("/pic/{slug}.svg", browse.picture),
        PageRoute("/help", browse.help_page),
        PageRoute("/following", browse.following),
        PageRoute("/following", browse.follow, _POST),
        PageRoute("/claim", browse.claim, _BOTH),
        PageRoute("/book/start/{code}/{section}", booking.start, _POST),
        PageRoute("/book/touch", booking.WIZARD.touch, _POST),
        PageRoute("/book/confirm", booking.confirm, _POST),
        PageRoute("/book/{step}", booking.show_step),
        PageRoute("/book/{step}", booking.save_step, _POST),
        PageRoute("/find", booking.find, _BOTH),
        PageRoute("/booking/{number}", booking.booking),
        PageRoute("/booking/{number}/cancel", cancel_own, _POST),
        PageRoute("/booking/{number}/tickets.pdf", booking.ticket),
    ),
    tables=tables.TABLES,
    build=world.build,
    begin=tables.begin,
    entries=world.entries,
    templates=TEMPLATES,
    desk=RecordDesk("/find", "Last name", "manage", posts=True),
    crossed=tables.CROSSED,
    thing="/event/",
    written=("review", "text"),
)
