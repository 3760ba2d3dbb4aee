"""How the oracle answers the steps of a booking, in whatever order a skin puts them."""

from __future__ import annotations

import re

from workalike.core.actions import Action
from workalike.town.flightkit.tasks.plan import Ride
from workalike.town.flightkit.trip import EXTRAS, read_seats
from workalike.town.look import FIELDS, Look
from workalike.town.moves import pay

CONTINUE = re.compile(r"^(continue|next step|save and continue)$", re.IGNORECASE)
PLACE = re.compile(r"^(pay and book|confirm booking|buy ticket|complete purchase)$", re.IGNORECASE)
DATA = {
    "contact": {"E-mail address": "email", "Phone number": "phone"},
    "travellers": {"First name": "first_name", "Last name": "last_name"},
}


def answer_step(look: Look, ride: Ride, persona: dict[str, str]) -> Action:
    """What is next on a page of the booking."""
    step = look.path.removeprefix("/book/")
    if step == "review":
        return look.click("button", PLACE)
    return _answer(look, step, ride, persona) or look.click("button", CONTINUE)


def _answer(look: Look, step: str, ride: Ride, persona: dict[str, str]) -> Action | None:
    if step.startswith("seats-"):
        return _sit(look, step, ride)
    if step == "extras":
        return _extras(look, ride)
    if step == "payment":
        return pay(look, persona)
    for label, field in DATA[step].items():
        move = look.fill(FIELDS, label, persona[field])
        if move is not None:
            return move
    return None


def _sit(look: Look, step: str, ride: Ride) -> Action | None:
    """Take the seats of this flight; one that was clicked is taken, even where it has scrolled out of sight."""
    number = ride.numbers[int(step.removeprefix("seats-")) - 1]
    for seat in read_seats(ride.trip.seats).get(number, []):
        name = re.compile(rf"^Seat {seat},")
        if not look.clicked("checkbox", name, ride.site, f"/book/{step}$"):
            return look.click("checkbox", name)
    return None


def _extras(look: Look, ride: Ride) -> Action | None:
    trip = ride.trip
    move = look.pick("Extra checked bags", str(trip.bags)) if trip.bags else None
    if move is None and trip.meal:
        move = look.pick("Special meal", trip.meal)
    for name, text in EXTRAS.items():
        if move is None and getattr(trip, name):
            move = look.tick("checkbox", text)
    return move
