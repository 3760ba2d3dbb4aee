"""The oracle of the sites that sell flights: goal by goal, from what is visible and what was done."""

from __future__ import annotations

import re
from functools import partial

from workalike.core.actions import Action, Press, Visit
from workalike.core.observation import Observation
from workalike.town import moves
from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.search import SORTS
from workalike.town.flightkit.tasks.desk import answer_step
from workalike.town.flightkit.tasks.finder import search_for
from workalike.town.flightkit.tasks.plan import FlightPlan, Reference, Ride, read_plan
from workalike.town.look import Look
from workalike.town.site import DOMAIN
from workalike.town.template import Plan

TRIPS = re.compile(r"^(my bookings|find a booking|manage booking|your bookings)$", re.IGNORECASE)
SELECT = r"^(select|view deal|choose flight|pick) {}$"
FARE = r"^(choose|book|take|fly) {}$"
ENDS = {"fare": "/trip$", "seats": "/book/seats-", "details": "/book/(contact|travellers)", "booked": "/booking/"}


def oracle(plan: Plan, look: Look) -> Action:
    todo = read_plan(plan)
    return moves.pursue(look, _goals(todo, look), todo.said[0])


def _goals(todo: FlightPlan, look: Look) -> list[moves.Goal]:
    """What is to be done, in order."""
    goals: list[moves.Goal] = [partial(_ride, look, ride, todo.persona) for ride in todo.rides]
    if todo.find:
        goals.append(partial(_find, look, todo.find, todo.cancel))
    return goals


def _done(look: Look, ride: Ride) -> bool:
    if ride.until == "results":
        return any(_shows(seen, ride) for seen in look.seen)
    return look.was_at(ride.site, ENDS[ride.until])


def _ride(look: Look, ride: Ride, persona: dict[str, str]) -> Action | None:
    if _done(look, ride):
        return None
    away = _enter(look, ride.site)
    if away is not None:
        return away
    if look.at(ride.site, "/book/"):
        return answer_step(look, ride, persona)
    if look.at(ride.site, "/trip$"):
        return look.click("button", re.compile(FARE.format(ride.trip.fare), re.IGNORECASE))
    if look.at(ride.site, "/flights$"):
        return _results(look, ride)
    return search_for(look, ride)


def _results(look: Look, ride: Ride) -> Action:
    """Put the results in order, then take the flight."""
    query = moves.query(look.url)
    if not _is_search(query, ride):
        return Visit(f"http://{ride.site}.{DOMAIN}/")
    if ride.nonstop and "0" not in query.get("stops", ()):
        return moves.narrow(look, "Stops", "Nonstop only")
    if ride.sort and query.get("sort") != [ride.sort]:
        return moves.sort(look, SORTS[ride.sort][0])
    key = ride.trip.inbound if query.get("picked") else ride.trip.outbound
    name = re.escape(key.replace("/", " + "))
    return look.click("button", re.compile(SELECT.format(name), re.IGNORECASE))


def _shows(seen: Observation, ride: Ride) -> bool:
    """Whether a sight is of the results a ride looks for, ordered as it wants."""
    if not Look(seen).at(ride.site, "/flights$"):
        return False
    query = moves.query(seen.url)
    ordered = not ride.sort or query.get("sort") == [ride.sort]
    return _is_search(query, ride) and ordered and (not ride.nonstop or "0" in query.get("stops", ()))


def _is_search(query: dict[str, list[str]], ride: Ride) -> bool:
    trip = ride.trip
    asked = {"depart": trip.depart, "return": trip.back, "adults": str(trip.adults), "children": str(trip.children)}
    same = all(query.get(name, [""])[0] == value for name, value in asked.items())
    ends = query.get("from", [""])[0], query.get("to", [""])[0]
    return same and trip.origin in ends[0] and trip.destination in ends[1] and query.get("cabin") == [ride.cabin]


def _enter(look: Look, site: str) -> Action | None:
    """Be at a site that sells flights."""
    return moves.enter(look, site, AGENCIES[site].title)


def _find(look: Look, booking: Reference, cancel: bool) -> Action | None:
    """Look a booking up, and cancel it where that is asked for."""
    page = f"/booking/{booking.number}"
    if look.was_at(booking.site, page):
        if not cancel or look.clicked("button", "Cancel this booking", booking.site, page):
            return None
        return look.click("button", "Cancel this booking")
    if look.at(booking.site, "/manage"):
        return (
            look.fill("textbox", "Booking number", booking.number)
            or look.fill("textbox", "Last name of a traveller", booking.name)
            or Press(("enter",))
        )
    return _enter(look, booking.site) or look.click("link", TRIPS, up=True)
