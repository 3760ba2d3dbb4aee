"""Tasks that ask: prices, differences, seats, durations, times; nothing is to be booked."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from workalike.core.key import Answer
from workalike.town.comparing import mistake, prefer
from workalike.town.flightkit.fares import BY_NAME
from workalike.town.flightkit.journeys import Journey, clock, span
from workalike.town.flightkit.tasks.draws import Day, buyable, day_of, draw_day, name_flight, say_day, say_people
from workalike.town.flightkit.tasks.make import Case, template
from workalike.town.flightkit.tasks.plan import FlightPlan, Ride
from workalike.town.flightkit.trip import map_of
from workalike.town.render import money
from workalike.town.town import Town


def cheapest(town: Town, rng: Random) -> Case | None:
    """The lowest price of a day, nonstop or not."""
    day, nonstop = draw_day(town, rng), rng.random() < 0.6
    ways = sorted(buyable(day.nonstop if nonstop else day.ways, "Light"), key=lambda way: way.cents(BY_NAME["Light"]))
    prices = [day.price(way, BY_NAME["Light"]) for way in ways]
    if len(ways) < 2 or len(set(prices)) < 2 or prices[0] == prices[1]:
        return None
    best, first = ways[0], prices[0]
    said = (money(first), f"The cheapest is {best.airline} {best.name} for {money(first)}.", f"${first // 100}")
    wrong = {"the neighbour's price": money(prices[1]), "the dearest": money(prices[-1]), "no price": f"{best.airline}"}
    ride = Ride(day.agency.name, day.trip(best, "Light"), sort="price" if rng.random() < 0.5 else "", nonstop=nonstop)
    slots = day.slots(town, rng) | {"kind": "nonstop flight" if nonstop else "flight (nonstop or with a stop)"}
    return Case(FlightPlan(said, (ride,), wrong=wrong), slots, (Answer("money", first / 100),))


def fare_gap(town: Town, rng: Random) -> Case | None:
    """How much dearer one fare of a flight is than another."""
    day = draw_day(town, rng)
    ways = [way for way in day.nonstop if len(way.fares()) >= 3]
    if not ways:
        return None
    way = rng.choice(ways)
    low, high = sorted(rng.sample(way.fares(), 2), key=lambda fare: way.cents(fare))
    prices = day.price(way, low), day.price(way, high)
    gap = prices[1] - prices[0]
    said = (
        f"{money(gap)} more.",
        f"{high.name} is {money(prices[1])}, {low.name} {money(prices[0])}: {money(gap)} more.",
    )
    wrong = {
        "only the dearer price": money(prices[1]),
        "only the cheaper price": money(prices[0]),
        "ten dollars off": money(gap + 1000),
    }
    ride = Ride(day.agency.name, day.trip(way, low.name), "fare")
    slots = day.slots(town, rng) | {"flight": name_flight(way), "low": low.name, "high": high.name}
    answer = Answer("money", gap / 100, also=tuple(price / 100 for price in prices))
    return Case(FlightPlan(said, (ride,), wrong=wrong), slots, (answer,))


def legroom(town: Town, rng: Random) -> Case | None:
    """How many seats with more room are free on a flight."""
    day = draw_day(town, rng)
    ways = buyable(day.nonstop, "Standard")
    if not ways:
        return None
    way = rng.choice(ways)
    seats = map_of(town.world, way.flights[0], BY_NAME["Standard"])
    free = sum(seat.free and seat.roomy for seat in seats)
    if not 1 < free < 20:
        return None
    left = sum(seat.free for seat in seats)
    said = (f"{free} seats with extra legroom are left.", f"{free}", f"There are {free} extra-legroom seats available.")
    wrong = {
        "one too many": f"{free + 1} seats with extra legroom are left.",
        "one too few": f"{free - 1}",
        "all that are free": f"{max(left, free + 2)} seats are left.",
        "no number": "There are some.",
    }
    ride = Ride(day.agency.name, day.trip(way, "Standard"), "seats")
    answer = Answer("number", free, unit=("seat", "seats", "extra-legroom", "extra legroom"))
    return Case(FlightPlan(said, (ride,), wrong=wrong), day.slots(town, rng) | {"flight": name_flight(way)}, (answer,))


def fastest(town: Town, rng: Random) -> Case | None:
    """How long the quickest way takes where one has to change."""
    day = draw_day(town, rng, nonstop=False)
    ways = sorted(day.ways, key=lambda way: way.minutes)
    if len(ways) < 3 or not ways[0].stops or ways[0].minutes == ways[1].minutes or not buyable(ways[:1], "Light"):
        return None
    best, second = ways[0], ways[1]
    legs, aloft = [each.leg.minutes for each in best.flights], sum(each.leg.minutes for each in best.flights)
    said = (
        span(best.minutes),
        f"The quickest takes {best.minutes // 60}h {best.minutes % 60}m in all.",
        f"{span(best.minutes)} in total ({' and '.join(map(span, legs))} in the air, {span(best.waits[0])} to change).",
    )
    wrong = {
        "the neighbour's time": span(second.minutes),
        "flying time only": span(aloft),
        "an hour off": span(best.minutes + 60),
    }
    ride = Ride(day.agency.name, day.trip(best, "Light"), sort="fastest")
    also = tuple(sorted({*legs, *best.waits, aloft} - {best.minutes, second.minutes}))
    answer = Answer("duration", best.minutes, also=also)
    return Case(FlightPlan(said, (ride,), wrong=wrong), day.slots(town, rng), (answer,))


def last_departure(town: Town, rng: Random) -> Case | None:
    """When the last nonstop flight leaves that still has seats."""
    day = draw_day(town, rng)
    ways = day.nonstop
    if len(ways) < 2 or not buyable(ways[-1:], "Light") or ways[-1].departs == ways[-2].departs:
        return None
    best, before = ways[-1], ways[-2]
    said = (clock(best.departs), f"The last one, {best.name}, leaves at {clock(best.departs)}.")
    wrong = {
        "the one before": clock(before.departs),
        "its arrival": f"At {clock(best.arrives)}." if best.arrives != best.departs else "At 3:01 AM.",
        "the first one": clock(ways[0].departs),
        "no time": f"{best.airline}",
    }
    ride = Ride(day.agency.name, day.trip(best, "Light"), sort="latest", nonstop=True)
    at = f"{best.departs // 60:02d}:{best.departs % 60:02d}"
    also = (f"{best.arrives // 60:02d}:{best.arrives % 60:02d}",)
    answer = Answer("time", at, also=also if also != (at,) else ())
    return Case(FlightPlan(said, (ride,), wrong=wrong), day.slots(town, rng), (answer,))


def family(town: Town, rng: Random) -> Case | None:
    """What several travellers pay together for a named flight."""
    day, adults, children = draw_day(town, rng), rng.randint(1, 3), rng.randint(1, 2)
    fare = rng.choice(("Light", "Standard", "Flex", "Premium", "Business"))
    ways = buyable(day.nonstop, fare, adults + children)
    if not ways:
        return None
    way, bought = rng.choice(ways), BY_NAME[fare]
    whole, each = day.price(way, bought, adults, children), day.price(way, bought)
    child = (whole - each * adults) // children
    said = (
        money(whole),
        f"In {fare} all of you pay {money(whole)} together.",
        f"{adults} × {money(each)} for adults and {children} × {money(child)} for children: {money(whole)} in total.",
    )
    wrong = {
        "without the children": money(day.price(way, bought, adults)),
        "children at full price": money(each * (adults + children)),
        "one adult more": money(whole + each),
    }
    cabin = bought.cabin
    ride = Ride(day.agency.name, day.trip(way, fare, adults, children), "fare", cabin)
    slots = day.slots(town, rng) | {"flight": name_flight(way), "fare": fare, "people": say_people(adults, children)}
    parts = {each, child, each * adults, child * children} - {whole}
    answer = Answer("money", whole / 100, also=tuple(sorted(part / 100 for part in parts)))
    return Case(FlightPlan(said, (ride,), wrong=wrong), slots, (answer,))


def cheaper_day(town: Town, rng: Random) -> Case | None:
    """Which of two days has the cheapest nonstop flight."""
    one = draw_day(town, rng)
    two = day_of(town, one.agency, (one.origin, one.destination), one.day + timedelta(rng.randint(2, 12)))
    best = [_lowest(one), _lowest(two)]
    if None in best:
        return None
    prices = [day.price(way, BY_NAME["Light"]) for day, way in zip((one, two), best, strict=True) if way]
    if prices[0] == prices[1]:
        return None
    low, high = ((one, prices[0]), (two, prices[1])) if prices[0] < prices[1] else ((two, prices[1]), (one, prices[0]))
    said = (
        f"{_date(low[0])} is cheaper.",
        f"{_date(low[0])}: {money(low[1])} is less than {money(high[1])} on {_date(high[0])}.",
        f"{_date(low[0])}, {low[0].day.year} is cheaper than {_date(high[0])}, {high[0].day.year}.",
        f"The lowest fare on {_date(high[0])} is {money(high[1])}, that on {_date(low[0])} {money(low[1])}."
        f" So {_date(low[0])} is the cheaper day.",
        *prefer(_date(low[0]), _date(high[0]), "cheaper", "more expensive"),
    )
    wrong = {
        "the dearer day": f"{_date(high[0])} is cheaper.",
        "neither": "They cost the same.",
        "both": f"{_date(one)}, {_date(two)}",
        "the dearer day, with years": f"{_date(high[0])}, {high[0].day.year} is cheaper than {_date(low[0])}, 2026.",
        **mistake(_date(low[0]), _date(high[0]), "cheaper", "more expensive"),
    }
    rides = tuple(
        Ride(day.agency.name, day.trip(way, "Light"), nonstop=True)
        for day, way in zip((one, two), best, strict=True)
        if way
    )
    slots = one.slots(town, rng) | {
        "one": _date(one),
        "two": _date(two),
        "when2": say_day(two.day, town.world.today, rng),
    }
    answer = Answer("choice", _spelled(low[0]), among=(_spelled(one), _spelled(two)))
    return Case(FlightPlan(said, rides, wrong=wrong), slots, (answer,))


def _lowest(day: Day) -> Journey | None:
    return min(buyable(day.nonstop, "Light"), key=lambda way: (way.cents(BY_NAME["Light"]), way.key), default=None)


def _date(day: Day) -> str:
    return f"{day.day:%B} {day.day.day}"


def _spelled(day: Day) -> str:
    when = day.day
    words = f"{when:%B} {when.day}|{when.day} {when:%B}|{when:%b} {when.day}|{when.day} {when:%b}"
    return f"{words}|{when.month}/{when.day}|{when.isoformat()}"


TEMPLATES = (
    template("cheapest", "easy", cheapest),
    template("fare-gap", "medium", fare_gap),
    template("legroom", "medium", legroom),
    template("fastest", "medium", fastest),
    template("last-departure", "easy", last_departure),
    template("family", "medium", family),
    template("cheaper-day", "medium", cheaper_day),
)
