"""Solenne Air: an airline that sells its own flights."""

from __future__ import annotations

from pathlib import Path

from workalike.town.flightkit.agency import SOLENNE
from workalike.town.flightkit.pages import FLIGHTS
from workalike.town.site import Skin, messy

DUSK = Skin(
    "dusk",
    "train",
    {
        "from": "Leaving from",
        "to": "Going to",
        "dates": "Travel dates",
        "people": "Passengers",
        "search": "Find flights",
        "select": "Choose flight",
        "fare": "Take",
        "continue": "Continue",
        "place": "Buy ticket",
        "trips": "Manage booking",
        "summary": "Your journey",
        "step_seats": "Where would you like to sit?",
        "step_extras": "Make it yours",
        "step_travellers": "Passengers",
        "step_contact": "How can we reach you?",
        "step_payment": "Pay by card",
        "step_review": "Check your journey",
        "newsletter_title": "The Solenne letter",
        "newsletter_text": "New routes, quiet weeks and members' fares, once a month.",
    },
    ("extras", "seats", "travellers", "contact", "payment", "review"),
)

MEADOW = Skin(
    "meadow",
    "test",
    {
        "from": "Origin",
        "to": "Destination",
        "dates": "Travel days",
        "people": "Guests",
        "search": "Search",
        "select": "Pick",
        "fare": "Fly",
        "continue": "Save and continue",
        "place": "Complete purchase",
        "trips": "Your bookings",
        "summary": "What you fly",
        "step_seats": "Pick your place",
        "step_extras": "Something extra?",
        "step_travellers": "Guest names",
        "step_contact": "Your contact",
        "step_payment": "Your card",
        "step_review": "Everything right?",
        "newsletter_title": "Before you take off",
        "newsletter_text": "Hear first about new routes from New York, Lisbon and Atlanta.",
    },
    ("seats", "extras", "contact", "travellers", "payment", "review"),
)

CROSSWIND = messy(
    MEADOW,
    "crosswind",
    strip="Earn double miles until the end of the month.",
)

SITE = FLIGHTS.site(
    SOLENNE,
    "Solenne Air flies from New York, Lisbon and Atlanta across the Atlantic and the Americas. Book at the source.",
    Path(__file__).parent,
    (DUSK, MEADOW, CROSSWIND),
)
