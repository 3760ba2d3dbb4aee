"""Near misses of a plan with flights: each is one small mistake away from right, and must not pass."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from msgspec.structs import replace

from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.fares import BY_NAME
from workalike.town.flightkit.journeys import Journey, journeys
from workalike.town.flightkit.planes import Seat
from workalike.town.flightkit.tasks.plan import FlightPlan, Reference, Ride, Until, read_plan
from workalike.town.flightkit.trip import Trip, fares_of, flights_of, map_of, ways_of
from workalike.town.persona import draw_persona
from workalike.town.template import Miss, Plan, all_misses
from workalike.town.town import Town


def misses(plan: Plan, town: Town) -> list[Miss]:
    todo = read_plan(plan)
    return all_misses([*_wrong_trips(todo, town), *_wrong_manner(todo), *_wrong_rest(todo, town)], todo.wrong)


def _wrong_trips(todo: FlightPlan, town: Town) -> Iterator[tuple[str, FlightPlan]]:
    """Mistakes with what is chosen."""
    if todo.walled:
        return
    for place, ride in enumerate(todo.rides):
        if ride.until not in ("details", "booked"):
            continue
        for label, trip in _other_trips(town, ride):
            rides = (*todo.rides[:place], replace(ride, trip=trip), *todo.rides[place + 1 :])
            yield label, replace(todo, rides=rides)


def _other_trips(town: Town, ride: Ride) -> Iterator[tuple[str, Trip]]:
    trip = ride.trip
    near = neighbour(town, ride)
    if near is not None:
        yield "another flight", replace(trip, outbound=near.key, seats="")
    later = _other_day(town, ride)
    if later is not None:
        yield "another day", replace(trip, depart=later.day.isoformat(), outbound=later.key, seats="")
    fares = [fare.name for fare in fares_of(ways_of(town.world, trip), trip.people) if fare.name != trip.fare]
    if fares:
        yield "another fare", replace(trip, fare=fares[0], seats="")
    yield "a bag too many", replace(trip, bags=trip.bags + 1)
    yield "insurance added", replace(trip, insurance=1 - trip.insurance)
    if trip.meal:
        yield "without the meal", replace(trip, meal="")
    if trip.adults > 1 or trip.children:
        yield "one traveller short", replace(trip, adults=max(1, trip.adults - 1), children=0, seats="")
    if trip.seats:
        yield "without a seat", replace(trip, seats="")
        yield "another seat", replace(trip, seats=f"{ride.numbers[0]}: {_other_seat(town, trip).name}")


def _wrong_manner(todo: FlightPlan) -> Iterator[tuple[str, FlightPlan]]:
    """Mistakes with how far it goes."""
    if todo.walled or not todo.rides:
        return
    last = todo.rides[-1]
    if last.until == "booked":
        yield "not booked", _until(todo, "details")
        yield "booked for somebody else", replace(todo, persona=todo.persona | {"last_name": "Smith"})
    elif last.until == "details":
        yield "stopped at the fares", _until(todo, "fare")
        yield "personal data entered", replace(todo, touch=True)
        if last.trip.people == 1:
            yield (
                "booked without leave",
                replace(_until(todo, "booked"), persona=draw_persona(Random(last.trip.outbound))),
            )
    elif last.trip.fare:
        yield "right answer, but personal data entered", replace(_until(todo, "details"), touch=True)


def _wrong_rest(todo: FlightPlan, town: Town) -> Iterator[tuple[str, FlightPlan]]:
    if not todo.find:
        return
    table = f"{todo.find.site}_booking"
    others = [str(row["number"]) for row in town.begin_rows(table) if row["number"] != todo.find.number]
    if todo.cancel:
        yield "not cancelled", replace(todo, cancel=False)
        for number in others[:2]:
            yield f"{number} cancelled instead", replace(todo, find=Reference(todo.find.site, number, todo.find.name))
    else:
        yield "cancelled as well", replace(todo, cancel=True)


def _until(todo: FlightPlan, until: Until) -> FlightPlan:
    return replace(todo, rides=(*todo.rides[:-1], replace(todo.rides[-1], until=until)))


def neighbour(town: Town, ride: Ride) -> Journey | None:
    """The flight of the same day that leaves nearest in time, with the fare to be had."""
    trip = ride.trip
    ways = _ways(town, ride, date.fromisoformat(trip.depart))
    mine = next((way for way in ways if way.key == trip.outbound), None)
    at = mine.departs if mine else 720
    rest = [way for way in ways if way.key != trip.outbound and BY_NAME[trip.fare or "Light"] in way.fares(trip.people)]
    return min(rest, key=lambda way: (abs(way.departs - at), way.key), default=None)


def _other_day(town: Town, ride: Ride) -> Journey | None:
    for shift in (1, -1, 2, -2):
        day = date.fromisoformat(ride.trip.depart) + timedelta(shift)
        if ride.trip.back and day > date.fromisoformat(ride.trip.back):
            continue
        for way in _ways(town, ride, day):
            if way.key == ride.trip.outbound and BY_NAME[ride.trip.fare] in way.fares(ride.trip.people):
                return way
    return None


def _ways(town: Town, ride: Ride, day: date) -> tuple[Journey, ...]:
    return journeys(town.world, ride.trip.origin, ride.trip.destination, day, AGENCIES[ride.site].carriers)


def _other_seat(town: Town, trip: Trip) -> Seat:
    flight = flights_of(town.world, trip)[0]
    free = [seat for seat in map_of(town.world, flight, BY_NAME[trip.fare]) if seat.free]
    return next(seat for seat in free if seat.name not in trip.seats)
