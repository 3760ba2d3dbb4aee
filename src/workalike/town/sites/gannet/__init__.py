"""Gannet: an agency that sells the flights of four airlines."""

from __future__ import annotations

from pathlib import Path

from workalike.town.flightkit.agency import GANNET
from workalike.town.flightkit.pages import FLIGHTS
from workalike.town.flightkit.tasks import TEMPLATES
from workalike.town.site import Skin, messy

COAST = Skin(
    "coast",
    "train",
    {
        "from": "From",
        "to": "To",
        "dates": "Dates",
        "people": "Travellers",
        "search": "Search flights",
        "select": "Select",
        "fare": "Choose",
        "continue": "Continue",
        "place": "Pay and book",
        "trips": "My bookings",
        "summary": "Your trip",
        "step_seats": "Choose your seats",
        "step_extras": "Bags and extras",
        "step_travellers": "Who is travelling?",
        "step_contact": "Contact details",
        "step_payment": "Payment",
        "step_review": "Review and book",
        "newsletter_title": "Fares before everybody else",
        "newsletter_text": "One letter on Tuesdays with the week's lowest fares.",
    },
    ("seats", "extras", "travellers", "contact", "payment", "review"),
)

CHALK = Skin(
    "chalk",
    "test",
    {
        "from": "Flying from",
        "to": "Flying to",
        "dates": "When",
        "people": "Who",
        "search": "Show flights",
        "select": "View deal",
        "fare": "Book",
        "continue": "Next step",
        "place": "Confirm booking",
        "trips": "Find a booking",
        "summary": "Booking summary",
        "step_seats": "Seat map",
        "step_extras": "Add to your trip",
        "step_travellers": "Traveller names",
        "step_contact": "Where do we send the ticket?",
        "step_payment": "Card payment",
        "step_review": "One last look",
        "newsletter_title": "Fly for less",
        "newsletter_text": "Sign up and be told when a fare on your route drops.",
    },
    ("extras", "seats", "contact", "travellers", "payment", "review"),
)

FLURRY = messy(
    CHALK,
    "flurry",
    strip="Heads up: some airports are busier than usual this week.",
)

SITE = FLIGHTS.site(
    GANNET,
    "Compare and book flights of Solenne Air, Norrwind, Meridia Airways and Bluebarrow in one place.",
    Path(__file__).parent,
    (COAST, CHALK, FLURRY),
    TEMPLATES,
)
