"""How the oracle fills the search form: kind of trip, cities with their suggestions, calendar, travellers, cabin."""

from __future__ import annotations

import re
from datetime import date

from workalike.core.actions import Action, Wait
from workalike.town.flightkit.places import CITIES
from workalike.town.flightkit.tasks.plan import Ride
from workalike.town.flightkit.trip import Trip
from workalike.town.look import FIELDS, PAUSE, Look
from workalike.town.render import long_date, short_date

FROM = re.compile(r"^(from|flying from|leaving from|origin)$", re.IGNORECASE)
TO = re.compile(r"^(to|flying to|going to|destination)$", re.IGNORECASE)
DATES = re.compile(r"^(dates|when|travel dates|travel days): ", re.IGNORECASE)
PEOPLE = re.compile(r"^(travellers|who|passengers|guests): ", re.IGNORECASE)
SEARCH = re.compile(r"^(search flights|show flights|find flights|search)$", re.IGNORECASE)


def search_for(look: Look, ride: Ride) -> Action:
    trip = ride.trip
    return (
        look.tick("radio", "Round trip" if trip.back else "One way")
        or _city(look, FROM, trip.origin)
        or _city(look, TO, trip.destination)
        or _dates(look, trip)
        or _people(look, trip)
        or look.pick("Cabin", ride.cabin)
        or look.click("button", SEARCH)
    )


def _city(look: Look, name: re.Pattern[str], code: str) -> Action | None:
    """Type the city's name and take it from the suggestions."""
    city = CITIES[code]
    field = look.find(FIELDS, name)
    if field is not None and field.value == city.label:
        return None
    option = look.find("option", city.label)
    if option is not None:
        return look.hit(option)
    return look.fill(FIELDS, name, city.name) or Wait(PAUSE)


def _dates(look: Look, trip: Trip) -> Action | None:
    out, back = short_date(_day(trip.depart)), short_date(_day(trip.back)) if trip.back else ""
    button = look.find("button", DATES)
    if button is None:
        return look.seek("the dates")
    shown = button.name.partition(": ")[2]
    if shown == (f"{out} – {back}" if back else out):
        return None
    later = look.find("button", "Next month")
    if later is None:
        return look.hit(button)
    wanted = trip.back if back and shown == f"{out} – return" else trip.depart
    return look.hit(look.find("button", long_date(_day(wanted))) or later)


def _people(look: Look, trip: Trip) -> Action | None:
    button = look.find("button", PEOPLE)
    if button is None:
        return look.seek("the travellers")
    adults, children = _counts(button.name)
    done = look.find("button", "Done")
    if (adults, children) == (trip.adults, trip.children):
        return look.hit(done) if done else None
    if done is None:
        return look.hit(button)
    for now, wanted, what in ((adults, trip.adults, "adults"), (children, trip.children, "children")):
        if now != wanted:
            return look.click("button", f"{'More' if now < wanted else 'Fewer'} {what}")
    return None


def _counts(name: str) -> tuple[int, int]:
    """
    >>> _counts("Who: 2 adults, 1 child")
    (2, 1)
    """
    adults, children = re.search(r"(\d+) adult", name), re.search(r"(\d+) child", name)
    return int(adults[1]) if adults else 0, int(children[1]) if children else 0


def _day(text: str) -> date:
    return date.fromisoformat(text)
