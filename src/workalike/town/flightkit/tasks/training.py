"""Templates of the train split: other questions and other bookings than those of the test split."""

from __future__ import annotations

from datetime import date
from random import Random

from workalike.core.key import ExpectedAnswer
from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.fares import BY_NAME
from workalike.town.flightkit.tasks.asking import at
from workalike.town.flightkit.tasks.draws import buyable, draw_day, name_flight, template
from workalike.town.flightkit.tasks.goals import FlyTrip, fact_of, fare_of
from workalike.town.flightkit.trip import trip_of, ways_of
from workalike.town.kit.booked import FindBooking
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def fare_price(town: Town, rng: Random) -> TaskDraft | None:
    """What one fare of a flight costs."""
    day = draw_day(town, rng)
    ways = buyable(day.nonstop, "Light")
    if not ways:
        return None
    way = rng.choice(ways)
    fare, other = rng.sample(way.fares(), 2)
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(way, fare.name), "fare"),),
        day.slots(town, rng) | {"flight": name_flight(way), "fare": fare.name},
        (ExpectedAnswer("price", "money", day.price(way, fare)),),
        shown=((fare_of(day.agency.name, way, fare.name, day.price(way, fare)),),),
        near={"the neighbour's price": {"price": day.price(way, other)}},
    )


def first_departure(town: Town, rng: Random) -> TaskDraft | None:
    day = draw_day(town, rng)
    ways = day.nonstop
    if len(ways) < 2 or ways[0].departs == ways[1].departs or not buyable(ways[:1], "Light"):
        return None
    near = {"the second": ways[1].departs, "the last": ways[-1].departs}
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(ways[0], "Light"), sort="earliest", nonstop=True),),
        day.slots(town, rng),
        (ExpectedAnswer("departure time", "time", at(ways[0].departs)),),
        shown=((fact_of(day.agency.name, ways[0], "departs"),),),
        near={label: {"departure time": at(minute)} for label, minute in near.items()},
    )


def book_named(town: Town, rng: Random) -> TaskDraft | None:
    """A named flight and fare, up to the critical point."""
    day, fare = draw_day(town, rng), rng.choice(list(BY_NAME))
    ways = buyable(day.nonstop, fare)
    if not ways:
        return None
    way = rng.choice(ways)
    goal = FlyTrip(day.agency.name, day.trip(way, fare), "details", BY_NAME[fare].cabin)
    return TaskDraft((goal,), day.slots(town, rng) | {"flight": name_flight(way), "fare": fare})


def look_up(town: Town, rng: Random) -> TaskDraft | None:
    """When the flight of a booking leaves."""
    site = rng.choice(("gannet", "solenne"))
    row = rng.choice(town.begin_rows(f"{site}_booking"))
    way = ways_of(town.world, trip_of(row))[0]
    name, day = str(row["names"]).split()[-1], date.fromisoformat(str(row["depart"]))
    return TaskDraft(
        (FindBooking(site, str(row["number"]), name),),
        {"site": AGENCIES[site].title, "number": str(row["number"]), "name": name, "date": f"{day:%B} {day.day}"},
        (ExpectedAnswer("departure time", "time", at(way.departs)),),
        shown=((fact_of(site, way, "departs"),),),
        near={"its arrival": {"departure time": at(way.arrives)}} if way.arrives != way.departs else {},
    )


TEMPLATES = (
    template("train-price", "flights", "easy", fare_price, "train"),
    template("train-first", "flights", "easy", first_departure, "train"),
    template("train-book", "flights", "medium", book_named, "train"),
    template("train-look-up", "flights", "easy", look_up, "train"),
)
