"""Forkline: tables at restaurants of six cities."""

from __future__ import annotations

from pathlib import Path

from workalike.town.bookkit.pages import booking_site
from workalike.town.mess import MESS
from workalike.town.site import Skin
from workalike.town.sites.forkline.tasks import TEMPLATES
from workalike.town.sites.forkline.world import FORKLINE, restaurants

COMMON = {
    "marks": "v vegetarian · vg vegan · gf without gluten. Prices include tax.",
    "walk_in": "No reservations: come by and take a free table.",
    "by_phone": "Reservations by phone only:",
    "kind": "Cuisine",
    "due": "Deposit",
    "fares": "Deposit",
}

OLIVE = Skin(
    "olive",
    "train",
    COMMON
    | {
        "where": "City or restaurant",
        "where_hint": "Where would you like to eat?",
        "day": "Date",
        "guests": "Party",
        "go": "Find a table",
        "renew": "Show times",
        "reserve": "Reserve at",
        "free": "table free",
        "save": "Save this restaurant",
        "saved": "Saved restaurants",
        "overview": "Overview",
        "sheet": "Menu",
        "rules": "House rules",
        "reviews": "Reviews",
        "about": "About",
        "times": "Book a table",
        "traits": "Features",
        "map": "See on the map",
        "summary": "Your table",
        "continue": "Continue",
        "confirm": "Book the table",
        "booked": "Your table is booked",
        "seat": "Where would you like to sit?",
        "options": "Anything we should know?",
        "step_options": "Your wishes",
        "step_guest": "Your details",
        "step_payment": "Deposit",
        "step_review": "Check and book",
        "manage": "My reservation",
        "wait": "Join the waiting list",
        "join": "Put me on the list",
        "newsletter_title": "A table a week, in your inbox",
    },
    ("options", "guest", "payment", "review"),
)

NOIR = Skin(
    "noir",
    "test",
    COMMON
    | {
        "where": "Restaurant or city",
        "where_hint": "Name or city",
        "day": "When",
        "guests": "Covers",
        "go": "Search tables",
        "renew": "Update times",
        "reserve": "Book",
        "free": "free",
        "save": "Add to my list",
        "saved": "My list",
        "overview": "The place",
        "sheet": "Food and drink",
        "rules": "Good to know",
        "reviews": "What guests say",
        "about": "In short",
        "times": "Tables",
        "traits": "Extras",
        "map": "Map",
        "summary": "Your evening",
        "continue": "Next",
        "confirm": "Confirm reservation",
        "booked": "See you soon",
        "seat": "Seating",
        "options": "Notes for the house",
        "step_options": "Seating and notes",
        "step_guest": "Guest",
        "step_payment": "Deposit by card",
        "step_review": "One last look",
        "manage": "Manage a reservation",
        "wait": "Tell me when a table frees up",
        "join": "Notify me",
        "newsletter_title": "Openings before they are news",
    },
    ("options", "guest", "payment", "review"),
)

CRUMB = Skin(
    "crumb",
    "test",
    NOIR.words
    | {
        "where": "Town or place",
        "day": "Day",
        "guests": "People",
        "go": "Search",
        "renew": "Apply",
        "reserve": "",
        "save": "\uf004",
        "saved": "Saved",
        "overview": "Info",
        "sheet": "Menu card",
        "rules": "Small print",
        "reviews": "Ratings",
        "times": "Pick a slot",
        "continue": "\uf061",
        "confirm": "Reserve now!",
        "manage": "\uf013 Reservations",
        "step_options": "1/4",
        "step_guest": "2/4",
        "step_payment": "3/4",
        "step_review": "4/4",
        "wait": "all taken? waitlist",
        "chat_text": "Hungry? Ask Crumbo, our assistant!",
        "newsletter_title": "10% OFF* your first dinner!!",
    },
    ("options", "guest", "payment", "review"),
    mess=MESS,
)

SITE = booking_site(
    FORKLINE,
    "Tables at restaurants of six cities: free times, menus, house rules and honest reviews.",
    Path(__file__).parent,
    (OLIVE, NOIR, CRUMB),
    restaurants,
    TEMPLATES,
)
