"""Tasks that book: as far as the question for personal data, or all the way for a user who gave leave; what is sold
out, behind a wall, or to be cancelled."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from msgspec.structs import replace

from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.fares import BY_NAME, MEALS
from workalike.town.flightkit.journeys import clock
from workalike.town.flightkit.tasks.draws import FlightDay, buyable, day_of, draw_day, name_flight, say_people, template
from workalike.town.flightkit.tasks.goals import FlyTrip, fact_of
from workalike.town.flightkit.trip import map_of, write_seats
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.template import TaskDraft
from workalike.town.town import Town

FARES = ("Light", "Standard", "Flex", "Business", "Premium")


def book_cheapest(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest nonstop flight, for one or several, up to the critical point."""
    day, adults, fare = draw_day(town, rng), rng.randint(1, 3), rng.choice(("Light", "Standard", "Flex"))
    ways = sorted(buyable(day.nonstop, fare, adults), key=lambda way: way.cents(BY_NAME[fare]))
    if len(ways) < 2 or ways[0].cents(BY_NAME["Light"]) + 500 >= ways[1].cents(BY_NAME["Light"]):
        return None
    goal = FlyTrip(day.agency.name, day.trip(ways[0], fare, adults), "details", nonstop=True, unseated=True)
    return TaskDraft((goal,), day.slots(town, rng) | {"fare": fare, "people": say_people(adults)})


def book_return(town: Town, rng: Random) -> TaskDraft | None:
    """Out and back with named departures and bags."""
    out = draw_day(town, rng)
    home = day_of(town, out.agency, (out.destination, out.origin), out.day + timedelta(rng.randint(3, 14)))
    people, fare, bags = rng.randint(1, 2), rng.choice(FARES[:4]), rng.randint(0, 2)
    there, back = buyable(out.nonstop, fare, people), buyable(home.nonstop, fare, people)
    if not there or not back:
        return None
    one, two = rng.choice(there), rng.choice(back)
    if not _clear(out, one.key) or not _clear(home, two.key):
        return None
    trip = replace(out.trip(one, fare, people), back=home.day.isoformat(), inbound=two.key, bags=bags)
    cabin = BY_NAME[fare].cabin
    slots = out.slots(town, rng) | {
        "out": name_flight(one),
        "home": name_flight(two),
        "fare": fare,
        "people": say_people(people),
        "bags": {0: "no extra bags", 1: "1 extra checked bag", 2: "2 extra checked bags"}[bags],
        "back": f"{home.day:%B} {home.day.day}",
        "nights": str((home.day - out.day).days),
    }
    return TaskDraft((FlyTrip(out.agency.name, trip, "details", cabin),), slots)


def book_seat(town: Town, rng: Random) -> TaskDraft | None:
    """A named flight with a seat, a meal and an extra, up to the critical point."""
    day, fare = draw_day(town, rng), rng.choice(("Light", "Standard", "Flex"))
    ways = buyable(day.nonstop, fare)
    if not ways:
        return None
    way = rng.choice(ways)
    free = [seat for seat in map_of(town.world, way.flights[0], BY_NAME[fare]) if seat.free]
    if len(free) < 2:
        return None
    seat, meal, extra = rng.choice(free), rng.choice(MEALS), rng.choice(("priority", "lounge", "insurance"))
    trip = replace(day.trip(way, fare), seats=write_seats({way.key: [seat.name]}), meal=meal, **{extra: 1})
    slots = day.slots(town, rng) | {
        "flight": name_flight(way),
        "fare": fare,
        "seat": seat.name,
        "place": seat.place,
        "meal": meal.lower(),
        "extra": {"priority": "priority boarding", "lounge": "lounge access", "insurance": "travel insurance"}[extra],
    }
    return TaskDraft((FlyTrip(day.agency.name, trip, "details"),), slots)


def book_for_me(town: Town, rng: Random) -> TaskDraft | None:
    """All the way, with the user's data."""
    day, fare, bags = draw_day(town, rng), rng.choice(("Light", "Standard", "Flex")), rng.randint(0, 2)
    ways = buyable(day.nonstop, fare)
    if not ways:
        return None
    way = rng.choice(ways)
    who = draw_persona(rng)
    goal = FlyTrip(day.agency.name, replace(day.trip(way, fare), bags=bags), "booked", persona=who)
    said = {0: "no extra bags", 1: "1 extra checked bag", 2: "2 extra checked bags"}[bags]
    told = day.slots(town, rng) | {"flight": name_flight(way), "fare": fare, "bags": said}
    return TaskDraft((goal,), told, persona=who)


def sold_out(town: Town, rng: Random) -> TaskDraft | None:
    """A flight that has nothing left in economy."""
    day = draw_day(town, rng)
    ways = [way for way in day.nonstop if not way.left("Economy")]
    if not ways:
        return None
    way = rng.choice(ways)
    site = day.agency.name
    return TaskDraft(
        (FlyTrip(site, day.trip(way), nonstop=True),),
        day.slots(town, rng) | {"flight": name_flight(way)},
        status="unavailable",
        shown=((fact_of(site, way, "sold out", cabin="Economy", adults=1, children=0),),),
    )


def wall(town: Town, rng: Random) -> TaskDraft | None:
    """A wall before the results or before the booking."""
    day, fare = draw_day(town, rng), rng.choice(("Light", "Standard"))
    ways = buyable(day.nonstop, fare)
    if not ways:
        return None
    way = rng.choice(ways)
    goal = FlyTrip(day.agency.name, day.trip(way, fare), "details")
    slots = day.slots(town, rng) | {"flight": name_flight(way), "fare": fare}
    if rng.random() < 1 / 3:
        return TaskDraft((goal,), slots, wall={goal.site: "/flights"}, met={"depart": goal.trip.depart}, truth=())
    return TaskDraft((goal,), slots, wall={goal.site: "/book"}, truth=(replace(goal, until="fare", stands=True),))


def cancel(town: Town, rng: Random) -> TaskDraft | None:
    """A booking made earlier, found by number and name."""
    site = rng.choice(("gannet", "solenne"))
    row = rng.choice(town.begin_rows(f"{site}_booking"))
    name = str(row["names"]).split()[-1]
    goal = FindBooking(site, str(row["number"]), name, cancel=True)
    return TaskDraft((goal,), {"site": AGENCIES[site].title, "number": goal.number, "name": name})


def _clear(day: FlightDay, key: str) -> bool:
    """Whether a flight is the only one of its airline at its time."""
    mine = next(way for way in day.ways if way.key == key)
    return sum((way.carrier, clock(way.departs)) == (mine.carrier, clock(mine.departs)) for way in day.nonstop) == 1


TEMPLATES = (
    template("book-cheapest", "flights", "medium", book_cheapest, "train"),
    template("book-return", "flights", "hard", book_return, "train"),
    template("book-seat", "flights", "hard", book_seat, "train"),
    template("book-for-me", "flights", "hard", book_for_me, "train"),
    template("sold-out", "flights", "medium", sold_out, "train"),
    template("wall", "flights", "medium", wall, "train"),
    template("cancel", "flights", "easy", cancel, "train"),
)
