"""How the oracle fills the search form: kind of trip, cities with their suggestions, calendar, travellers, cabin."""

from __future__ import annotations

import re
from datetime import date

from workalike.core.actions import Action, Wait
from workalike.town.flightkit.places import CITIES
from workalike.town.flightkit.trip import Trip
from workalike.town.look import FIELDS, PAUSE, OracleView
from workalike.town.render import long_date, short_date


def search_for(look: OracleView, site: str, trip: Trip, cabin: str) -> Action:
    """Fill the form and send it."""
    return (
        look.tick("radio", "Round trip" if trip.back else "One way")
        or _city(look, look.word(site, "from"), trip.origin)
        or _city(look, look.word(site, "to"), trip.destination)
        or _dates(look, _labelled(look, site, "dates"), trip)
        or _people(look, _labelled(look, site, "people"), trip)
        or look.pick("Cabin", cabin)
        or look.click("button", look.word(site, "search"))
    )


def _labelled(look: OracleView, site: str, word: str) -> re.Pattern[str]:
    """A button whose name goes on with what is chosen."""
    return re.compile(rf"^{re.escape(look.word(site, word))}: ", re.IGNORECASE)


def _city(look: OracleView, name: str, code: str) -> Action | None:
    """Type the city's name and take it from the suggestions."""
    city = CITIES[code]
    field = look.find(FIELDS, name)
    if field is not None and field.value == city.label:
        return None
    option = look.find("option", city.label)
    if option is not None:
        return look.hit(option)
    return look.fill(FIELDS, name, city.name) or Wait(PAUSE)


def _dates(look: OracleView, name: re.Pattern[str], trip: Trip) -> Action | None:
    out, back = short_date(_day(trip.depart)), short_date(_day(trip.back)) if trip.back else ""
    button = look.find("button", name)
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


def _people(look: OracleView, name: re.Pattern[str], trip: Trip) -> Action | None:
    button = look.find("button", name)
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
