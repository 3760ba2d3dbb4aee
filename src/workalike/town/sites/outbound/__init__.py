"""Outbound: trails, museums, classes, tours and meetups of six cities."""

from __future__ import annotations

from pathlib import Path

from workalike.town.bookkit.pages import booking_site
from workalike.town.mess import MESS
from workalike.town.site import Skin
from workalike.town.sites.outbound.tasks import TEMPLATES
from workalike.town.sites.outbound.world import OUTBOUND, activities

COMMON = {
    "marks": "",
    "sheet": "Programme",
    "walk_in": "No booking here: just go.",
    "by_phone": "Places by phone only:",
    "kind": "What",
    "seat": "Where",
    "free": "places free",
    "due": "Total",
    "fares": "Tickets",
}

MEADOW = Skin(
    "meadow",
    "train",
    COMMON
    | {
        "where": "City or activity",
        "where_hint": "Where to, or what?",
        "day": "Date",
        "guests": "Tickets for",
        "go": "Show activities",
        "renew": "Check this day",
        "reserve": "Take",
        "save": "Remember this",
        "saved": "Remembered",
        "overview": "Overview",
        "rules": "Terms",
        "reviews": "Reviews",
        "about": "What it is",
        "times": "Dates and places",
        "traits": "Good to have",
        "map": "On the map",
        "summary": "Your plan",
        "continue": "Continue",
        "confirm": "Complete booking",
        "booked": "You are going",
        "options": "Add something",
        "step_options": "Extras",
        "step_guest": "Who books",
        "step_payment": "Payment",
        "step_review": "Check and book",
        "manage": "My booking",
        "wait": "Join the waiting list",
        "join": "Add me",
        "newsletter_title": "Something new every weekend",
    },
    ("options", "guest", "payment", "review"),
)

ATLAS = Skin(
    "atlas",
    "test",
    COMMON
    | {
        "where": "Find",
        "where_hint": "A city or a name",
        "day": "Day",
        "guests": "Who",
        "go": "Explore",
        "renew": "See times",
        "reserve": "Choose",
        "save": "Pin it",
        "saved": "Pinned",
        "overview": "About",
        "rules": "Before you go",
        "reviews": "Voices",
        "about": "The idea",
        "times": "When",
        "traits": "Also",
        "map": "Open the map",
        "summary": "Your day",
        "continue": "On",
        "confirm": "Book it",
        "booked": "That is settled",
        "options": "Extras for everybody",
        "step_options": "With what",
        "step_guest": "Contact",
        "step_payment": "Card",
        "step_review": "All right?",
        "manage": "Look up a booking",
        "wait": "Full at your time? Wait for a place",
        "join": "Keep me posted",
        "newsletter_title": "The atlas by mail",
    },
    ("options", "guest", "payment", "review"),
)

PINBOARD = Skin(
    "pinboard",
    "test",
    ATLAS.words
    | {
        "where": "Place / activity",
        "day": "Pick day",
        "guests": "# of people",
        "go": "Find",
        "renew": "Apply",
        "reserve": "",
        "save": "\uf005",
        "saved": "Favourites",
        "overview": "Main",
        "rules": "T&C",
        "reviews": "Comments",
        "times": "AVAILABILITY",
        "continue": "\uf061",
        "confirm": "BUY",
        "manage": "\uf0e0 Order lookup",
        "map": "\uf279",
        "wait": "notify me",
        "chat_text": "Bored? Tell me your budget and I find you something!",
        "newsletter_title": "WIN a balloon ride",
    },
    ("options", "guest", "payment", "review"),
    mess=MESS,
)

SITE = booking_site(
    OUTBOUND,
    "Things to do in six cities: trails, museums, classes, tours and meetups, with free places.",
    Path(__file__).parent,
    (MEADOW, ATLAS, PINBOARD),
    activities,
    TEMPLATES,
)
