"""A plan carried out by plain requests, as the pages' own forms would."""

from __future__ import annotations

from workalike.town.caller import Caller
from workalike.town.flightkit.tasks.plan import Ride, read_plan
from workalike.town.flightkit.trip import EXTRAS, read_seats
from workalike.town.template import Plan


def perform(plan: Plan, caller: Caller) -> None:
    todo = read_plan(plan)
    for ride in todo.rides:
        _ride(ride, todo.persona, caller)
        if todo.touch:
            caller.post(ride.site, "/book/touch")
    if todo.find:
        caller.get(todo.find.site, "/manage", number=todo.find.number, name=todo.find.name)
        if todo.cancel:
            caller.post(todo.find.site, f"/booking/{todo.find.number}/cancel")


def _ride(ride: Ride, persona: dict[str, str], caller: Caller) -> None:
    site, trip = ride.site, ride.trip
    search = {"from": trip.origin, "to": trip.destination, "depart": trip.depart, "return": trip.back}
    search |= {"adults": str(trip.adults), "children": str(trip.children)}
    caller.get(site, "/flights", **search, cabin=ride.cabin)
    if ride.until == "results":
        return
    caller.post(site, "/trip", search | {"outbound": trip.outbound, "inbound": trip.inbound})
    if ride.until == "fare":
        return
    caller.post(site, "/trip/fare", {"fare": trip.fare})
    if ride.until == "seats":
        caller.get(site, "/book/seats-1")
        return
    _choose(ride, caller)
    if ride.until == "booked":
        _book(ride, persona, caller)


def _choose(ride: Ride, caller: Caller) -> None:
    """Seats and extras, up to the first question for personal data."""
    chosen, trip = read_seats(ride.trip.seats), ride.trip
    for place, number in enumerate(ride.numbers, 1):
        caller.post(ride.site, f"/book/seats-{place}", [("seat", name) for name in chosen.get(number, [])])
    extras = {"bags": trip.bags, "meal": trip.meal, **{name: getattr(trip, name) for name in EXTRAS}}
    caller.post(ride.site, "/book/extras", extras)
    caller.get(ride.site, "/book")


def _book(ride: Ride, who: dict[str, str], caller: Caller) -> None:
    caller.post(ride.site, "/book/contact", {"email": who["email"], "phone": who["phone"]})
    caller.post(ride.site, "/book/travellers", {"first-1": who["first_name"], "last-1": who["last_name"]})
    caller.post(ride.site, "/book/payment", {"card": who["card_number"][-4:]})
    caller.post(ride.site, "/book/place")
