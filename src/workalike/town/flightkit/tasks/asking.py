"""Tasks that ask: prices, differences, seats, durations, times; nothing is to be booked."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.flightkit.fares import BY_NAME
from workalike.town.flightkit.journeys import Journey
from workalike.town.flightkit.tasks.draws import FlightDay, buyable, day_of, draw_day, name_flight, say_people, template
from workalike.town.flightkit.tasks.goals import FlyTrip, fact_of, fare_of
from workalike.town.flightkit.trip import map_of
from workalike.town.template import TaskDraft
from workalike.town.town import Town

ALONE = {"adults": 1, "children": 0, "cabin": "Economy"}


def cheapest(town: Town, rng: Random) -> TaskDraft | None:
    """The lowest price of a day, nonstop or not."""
    day, nonstop = draw_day(town, rng), rng.random() < 0.6
    ways = sorted(buyable(day.nonstop if nonstop else day.ways, "Light"), key=lambda way: way.cents(BY_NAME["Light"]))
    prices = [day.price(way, BY_NAME["Light"]) for way in ways]
    if len(ways) < 2 or len(set(prices)) < 2 or prices[0] == prices[1]:
        return None
    site, sort = day.agency.name, "price" if rng.random() < 0.5 else ""
    lowest = (
        () if nonstop else (FactPattern(site, f"{day.origin}-{day.destination} {day.day}", "lowest", _text(ALONE)),)
    )
    return TaskDraft(
        (FlyTrip(site, day.trip(ways[0], "Light"), sort=sort, nonstop=nonstop),),
        day.slots(town, rng) | {"kind": "nonstop flight" if nonstop else "flight (nonstop or with a stop)"},
        (ExpectedAnswer("price", "money", prices[0]),),
        shown=((fact_of(site, ways[0], "price", **ALONE), *lowest),),
        near={"the neighbour's price": {"price": prices[1]}, "the dearest": {"price": prices[-1]}},
    )


def fare_gap(town: Town, rng: Random) -> TaskDraft | None:
    """How much dearer one fare of a flight is than another."""
    day = draw_day(town, rng)
    ways = [way for way in day.nonstop if len(way.fares()) >= 3]
    if not ways:
        return None
    way = rng.choice(ways)
    low, high = sorted(rng.sample(way.fares(), 2), key=lambda fare: way.cents(fare))
    prices = day.price(way, low), day.price(way, high)
    site = day.agency.name
    near = {"only the dearer price": prices[1], "only the cheaper price": prices[0]}
    return TaskDraft(
        (FlyTrip(site, day.trip(way, low.name), "fare"),),
        day.slots(town, rng) | {"flight": name_flight(way), "low": low.name, "high": high.name},
        (ExpectedAnswer("difference", "money", prices[1] - prices[0]),),
        shown=tuple((fare_of(site, way, fare.name, day.price(way, fare)),) for fare in (low, high)),
        near={label: {"difference": cents} for label, cents in near.items()},
    )


def legroom(town: Town, rng: Random) -> TaskDraft | None:
    """How many seats with more room are free on a flight."""
    day = draw_day(town, rng)
    ways = buyable(day.nonstop, "Standard")
    if not ways:
        return None
    way = rng.choice(ways)
    seats = map_of(town.world, way.flights[0], BY_NAME["Standard"])
    free, left = sum(seat.free and seat.roomy for seat in seats), sum(seat.free for seat in seats)
    if not 1 < free < 20:
        return None
    near = {"one too many": free + 1, "one too few": free - 1, "all that are free": max(left, free + 2)}
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(way, "Standard"), "seats"),),
        day.slots(town, rng) | {"flight": name_flight(way)},
        (ExpectedAnswer("extra legroom seats", "number", free),),
        shown=((fact_of(day.agency.name, way, "seat map", cabin="Economy"),),),
        near={label: {"extra legroom seats": count} for label, count in near.items()},
    )


def fastest(town: Town, rng: Random) -> TaskDraft | None:
    """How long the quickest way takes where one has to change."""
    day = draw_day(town, rng, nonstop=False)
    ways = sorted(day.ways, key=lambda way: way.minutes)
    if len(ways) < 3 or not ways[0].stops or ways[0].minutes == ways[1].minutes or not buyable(ways[:1], "Light"):
        return None
    best, second = ways[0], ways[1]
    near = {"the neighbour's time": second.minutes, "flying time only": sum(each.leg.minutes for each in best.flights)}
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(best, "Light"), sort="fastest"),),
        day.slots(town, rng),
        (ExpectedAnswer("duration", "duration", best.minutes),),
        shown=((fact_of(day.agency.name, best, "duration"),),),
        near={label: {"duration": minutes} for label, minutes in near.items()},
    )


def last_departure(town: Town, rng: Random) -> TaskDraft | None:
    """When the last nonstop flight leaves that still has seats."""
    day = draw_day(town, rng)
    ways = day.nonstop
    if len(ways) < 2 or not buyable(ways[-1:], "Light") or ways[-1].departs == ways[-2].departs:
        return None
    best, near = ways[-1], {"the one before": ways[-2].departs, "the first one": ways[0].departs}
    near |= {"its arrival": ways[-1].arrives} if ways[-1].arrives != ways[-1].departs else {}
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(best, "Light"), sort="latest", nonstop=True),),
        day.slots(town, rng),
        (ExpectedAnswer("departure time", "time", at(best.departs)),),
        shown=((fact_of(day.agency.name, best, "departs"),),),
        near={label: {"departure time": at(minute)} for label, minute in near.items()},
    )


def family(town: Town, rng: Random) -> TaskDraft | None:
    """What several travellers pay together for a named flight."""
    day, adults, children = draw_day(town, rng), rng.randint(1, 3), rng.randint(1, 2)
    fare = rng.choice(("Light", "Standard", "Flex", "Premium", "Business"))
    ways = buyable(day.nonstop, fare, adults + children)
    if not ways:
        return None
    way, bought = rng.choice(ways), BY_NAME[fare]
    whole, each = day.price(way, bought, adults, children), day.price(way, bought)
    near = {
        "without the children": day.price(way, bought, adults),
        "children at full price": each * (adults + children),
        "one adult more": whole + each,
    }
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(way, fare, adults, children), "fare", bought.cabin),),
        day.slots(town, rng) | {"flight": name_flight(way), "fare": fare, "people": say_people(adults, children)},
        (ExpectedAnswer("total", "money", whole),),
        shown=((fare_of(day.agency.name, way, fare, each),),),
        near={label: {"total": cents} for label, cents in near.items()},
    )


def cheaper_day(town: Town, rng: Random) -> TaskDraft | None:
    """Which of two days has the cheapest nonstop flight."""
    one = draw_day(town, rng)
    two = day_of(town, one.agency, (one.origin, one.destination), one.day + timedelta(rng.randint(2, 12)))
    best = [(day, way) for day in (one, two) if (way := _lowest(day)) is not None]
    prices = [day.price(way, BY_NAME["Light"]) for day, way in best]
    if len(set(prices)) < 2:
        return None
    site, days = one.agency.name, [day.day.isoformat() for day, _ in best]
    right, wrong = days if prices[0] < prices[1] else reversed(days)
    return TaskDraft(
        tuple(FlyTrip(site, day.trip(way, "Light"), nonstop=True) for day, way in best),
        one.slots(town, rng) | {"one": _date(one), "two": _date(two)},
        (ExpectedAnswer("day", "date", right),),
        shown=tuple((fact_of(site, way, "price", **ALONE),) for _, way in best),
        near={"the dearer day": {"day": wrong}},
    )


def at(minute: int) -> str:
    """
    >>> at(875)
    '14:35'
    """
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _text(context: dict[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in context.items()}


def _lowest(day: FlightDay) -> Journey | None:
    return min(buyable(day.nonstop, "Light"), key=lambda way: (way.cents(BY_NAME["Light"]), way.key), default=None)


def _date(day: FlightDay) -> str:
    return f"{day.day:%B} {day.day.day}"


TEMPLATES = (
    template("cheapest", "flights", "easy", cheapest, "train"),
    template("fare-gap", "flights", "medium", fare_gap, "train"),
    template("legroom", "flights", "medium", legroom, "train"),
    template("fastest", "flights", "medium", fastest, "train"),
    template("last-departure", "flights", "easy", last_departure, "train"),
    template("family", "flights", "medium", family, "train"),
    template("cheaper-day", "flights", "medium", cheaper_day, "train"),
)
