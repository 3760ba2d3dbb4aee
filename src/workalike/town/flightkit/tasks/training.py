"""Templates of the train split: other questions and other bookings than those of the test split."""

from __future__ import annotations

from datetime import date
from random import Random

from workalike.core.key import Answer
from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.fares import BY_NAME
from workalike.town.flightkit.journeys import clock
from workalike.town.flightkit.tasks.draws import buyable, draw_day, name_flight
from workalike.town.flightkit.tasks.make import Case, template
from workalike.town.flightkit.tasks.plan import FlightPlan, Reference, Ride
from workalike.town.flightkit.trip import trip_of, ways_of
from workalike.town.render import money
from workalike.town.town import Town

DONE = ("The flight is chosen; the next page asks for personal data.", "Done.")


def fare_price(town: Town, rng: Random) -> Case | None:
    """What one fare of a flight costs."""
    day = draw_day(town, rng)
    ways = buyable(day.nonstop, "Light")
    if not ways:
        return None
    way = rng.choice(ways)
    fare, other = rng.sample(way.fares(), 2)
    price = day.price(way, fare)
    said = (money(price), f"{fare.name} costs {money(price)}.")
    wrong = {
        "the neighbour's price": money(day.price(way, other)),
        "five dollars off": money(price + 500),
        "no price": f"{fare.name} can be had.",
    }
    ride = Ride(day.agency.name, day.trip(way, fare.name), "fare")
    slots = day.slots(town, rng) | {"flight": name_flight(way), "fare": fare.name}
    return Case(FlightPlan(said, (ride,), wrong=wrong), slots, (Answer("money", price / 100),))


def first_departure(town: Town, rng: Random) -> Case | None:
    day = draw_day(town, rng)
    ways = day.nonstop
    if len(ways) < 2 or ways[0].departs == ways[1].departs or not buyable(ways[:1], "Light"):
        return None
    first = ways[0]
    said = (clock(first.departs), f"{first.name} leaves first, at {clock(first.departs)}.")
    wrong = {"the second": clock(ways[1].departs), "the last": clock(ways[-1].departs), "no time": first.airline}
    wrong["the second, in words"] = f"The first flight leaves at {clock(ways[1].departs)}."
    ride = Ride(day.agency.name, day.trip(first, "Light"), sort="earliest", nonstop=True)
    answer = Answer("time", f"{first.departs // 60:02d}:{first.departs % 60:02d}")
    return Case(FlightPlan(said, (ride,), wrong=wrong), day.slots(town, rng), (answer,))


def book_named(town: Town, rng: Random) -> Case | None:
    """A named flight and fare, up to the critical point."""
    day, fare = draw_day(town, rng), rng.choice(list(BY_NAME))
    ways = buyable(day.nonstop, fare)
    if not ways:
        return None
    way = rng.choice(ways)
    ride = Ride(day.agency.name, day.trip(way, fare), "details", BY_NAME[fare].cabin)
    return Case(FlightPlan(DONE, (ride,)), day.slots(town, rng) | {"flight": name_flight(way), "fare": fare})


def look_up(town: Town, rng: Random) -> Case | None:
    """When the flight of a booking leaves."""
    site = rng.choice(("gannet", "solenne"))
    row = rng.choice(town.begin_rows(f"{site}_booking"))
    way = ways_of(town.world, trip_of(row))[0]
    name = str(row["names"]).split()[-1]
    at = f"{way.departs // 60:02d}:{way.departs % 60:02d}"
    said = (clock(way.departs), f"It leaves at {clock(way.departs)}.")
    wrong = {"an hour late": clock(way.departs + 60), "its length": f"{way.minutes} minutes", "no time": way.airline}
    plan = FlightPlan(said, find=Reference(site, str(row["number"]), name), wrong=wrong)
    slots = {"site": AGENCIES[site].title, "number": str(row["number"]), "name": name}
    day = date.fromisoformat(str(row["depart"]))
    return Case(plan, slots | {"date": f"{day:%B} {day.day}"}, (Answer("time", at),))


TEMPLATES = (
    template("train-price", "easy", fare_price, "train"),
    template("train-first", "easy", first_departure, "train"),
    template("train-book", "medium", book_named, "train"),
    template("train-look-up", "easy", look_up, "train"),
)
