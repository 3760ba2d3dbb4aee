"""Aldergate Hotels: a chain's own site."""

from __future__ import annotations

from pathlib import Path

from workalike.town.hotelkit.agency import ALDERGATE
from workalike.town.hotelkit.pages import HOTELS
from workalike.town.site import Skin, messy

BRASS = Skin(
    "brass",
    "train",
    {
        "where": "Hotel or city",
        "where_hint": "Find an Aldergate",
        "check_in": "Arriving",
        "check_out": "Leaving",
        "guests": "Guests and rooms",
        "go": "Find a room",
        "renew": "See rooms",
        "reserve": "Book",
        "save": "Add to wish list",
        "saved": "Wish list",
        "policies": "Hotel information",
        "summary": "Your reservation",
        "continue": "Continue reservation",
        "confirm": "Confirm reservation",
        "step_extras": "Enhance your stay",
        "step_arrival": "Your arrival",
        "step_guest": "Guest details",
        "step_payment": "Guarantee your room",
        "step_review": "Review your reservation",
        "manage": "Reservations",
        "newsletter_title": "The Aldergate Letter",
    },
    ("arrival", "extras", "guest", "payment", "review"),
)

SLATE = Skin(
    "slate",
    "test",
    {
        "where": "City or Aldergate hotel",
        "where_hint": "Lisbon, Vienna, Kyoto …",
        "check_in": "From",
        "check_out": "To",
        "guests": "Who",
        "go": "See hotels",
        "renew": "Update dates",
        "reserve": "Select",
        "save": "Remember hotel",
        "saved": "Remembered hotels",
        "policies": "Facts and rules",
        "summary": "Overview",
        "continue": "Go on",
        "confirm": "Book and pay",
        "step_extras": "Anything else?",
        "step_arrival": "What time can we expect you?",
        "step_guest": "Your details",
        "step_payment": "Pay by card",
        "step_review": "Is everything right?",
        "manage": "Your booking",
        "newsletter_title": "Stay in touch",
    },
    ("extras", "guest", "arrival", "payment", "review"),
)

ATTIC = messy(
    SLATE,
    "attic",
    save="\uf02e",
    strip="Join Aldergate Circle and sleep a little better.",
)

SITE = HOTELS.site(
    ALDERGATE,
    "Aldergate Hotels: four and five stars in the middle of the world's best cities. Book direct.",
    Path(__file__).parent,
    (BRASS, SLATE, ATTIC),
)
