"""Stayward: a portal that sells rooms of every chain."""

from __future__ import annotations

from pathlib import Path

from workalike.town.hotelkit.agency import STAYWARD
from workalike.town.hotelkit.pages import HOTELS
from workalike.town.hotelkit.tasks import TEMPLATES
from workalike.town.site import Skin, messy

BREEZE = Skin(
    "breeze",
    "train",
    {
        "where": "Destination or hotel",
        "where_hint": "Where are you going?",
        "check_in": "Check-in",
        "check_out": "Check-out",
        "guests": "Guests",
        "go": "Search",
        "renew": "Check availability",
        "reserve": "Reserve",
        "save": "Save this hotel",
        "saved": "Saved hotels",
        "policies": "House rules",
        "summary": "Your stay",
        "continue": "Continue",
        "confirm": "Complete booking",
        "step_extras": "Add something extra",
        "step_arrival": "When will you arrive?",
        "step_guest": "Who is staying?",
        "step_payment": "Payment",
        "step_review": "Check and book",
        "manage": "My booking",
        "newsletter_title": "Secret deals, every Thursday",
    },
    ("extras", "arrival", "guest", "payment", "review"),
)

INK = Skin(
    "ink",
    "test",
    {
        "where": "Where to",
        "where_hint": "City or hotel",
        "check_in": "Arrival",
        "check_out": "Departure",
        "guests": "Travellers",
        "go": "Show hotels",
        "renew": "Show rates",
        "reserve": "Choose",
        "save": "Keep for later",
        "saved": "Kept for later",
        "policies": "Good to know",
        "summary": "Your choice",
        "continue": "Next step",
        "confirm": "Book now",
        "step_extras": "Extras",
        "step_arrival": "Time of arrival",
        "step_guest": "Main guest",
        "step_payment": "Card",
        "step_review": "One last look",
        "manage": "Manage booking",
        "newsletter_title": "Travel more, pay less",
    },
    ("arrival", "extras", "guest", "payment", "review"),
)

CLUTTER = messy(
    INK,
    "clutter",
    save="\uf004",
    strip="87 people are looking at this city right now.",
)

SITE = HOTELS.site(
    STAYWARD,
    "Hotels of every chain in more than sixty cities, with honest prices.",
    Path(__file__).parent,
    (BREEZE, INK, CLUTTER),
    TEMPLATES,
)
