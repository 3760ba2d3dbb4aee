"""Tasks about flights that nobody names: found by when they leave or land, what they cost or how long they take; over
several days, cities and sellers, with fees and sums; and bookings to be moved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.flightkit.agency import AGENCIES
from workalike.town.flightkit.fares import BY_NAME, MEALS
from workalike.town.flightkit.journeys import Journey, clock
from workalike.town.flightkit.places import CARRIERS, CITIES
from workalike.town.flightkit.planes import PlaneSeat
from workalike.town.flightkit.tasks.asking import ALONE, at
from workalike.town.flightkit.tasks.draws import FlightDay, buyable, day_of, draw_day, say_people, template
from workalike.town.flightkit.tasks.goals import FlyTrip, ReadFees, fact_of, fare_of
from workalike.town.flightkit.trip import map_of, write_seats
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.render import money
from workalike.town.template import TaskDraft
from workalike.town.town import Town

LIGHT, STANDARD = BY_NAME["Light"], BY_NAME["Standard"]
Near = dict[str, dict[str, Any]]


def cheapest_of_days(town: Town, rng: Random) -> TaskDraft | None:
    """On which of four days the cheapest nonstop flight leaves, and what it costs."""
    first = draw_day(town, rng)
    pair, shifts = (first.origin, first.destination), (0, *sorted(rng.sample(range(1, 12), 3)))
    days = [day_of(town, first.agency, pair, first.day + timedelta(shift)) for shift in shifts]
    ways = [lowest(day) for day in days]
    found = [(day.price(way, LIGHT), day, way) for day, way in zip(days, ways, strict=True) if way is not None]
    prices = sorted(price for price, _, _ in found)
    if len(found) < 4 or prices[0] == prices[1]:
        return None
    best, second = (next(day for price, day, _ in found if price == wanted) for wanted in prices[:2])
    near: Near = {
        "the second": {"day": second.day.isoformat(), "price": prices[1]},
        "another price": {"price": prices[1]},
    }
    return TaskDraft(
        tuple(FlyTrip(day.agency.name, day.trip(way, "Light"), nonstop=True) for _, day, way in found),
        first.slots(town, rng) | {"days": _either([_date(day.day) for day in days])},
        (ExpectedAnswer("day", "date", best.day.isoformat()), ExpectedAnswer("price", "money", prices[0])),
        shown=tuple((fact_of(day.agency.name, way, "price", **ALONE),) for _, day, way in found),
        near=near,
    )


def to_be_there(town: Town, rng: Random) -> TaskDraft | None:
    """The last flight that lands in time: its number, as evidence, and when it leaves."""
    day = draw_day(town, rng)
    ways = [way for way in buyable(day.nonstop, "Light") if way.lands == way.day]
    if len(ways) < 3:
        return None
    ranked = sorted(ways, key=lambda way: way.arrives)
    place = rng.randrange(1, len(ranked) - 1)
    best, late = ranked[place], ranked[place + 1]
    by = -(-(best.arrives + 1) // 15) * 15
    if by >= late.arrives or max(ranked[: place + 1], key=lambda way: way.departs) is not best:
        return None
    if [way.departs for way in ranked[: place + 1]].count(best.departs) > 1:
        return None
    near: Near = {
        "the next one": {"flight number": late.key, "departure time": at(late.departs)},
        "the one before": {"flight number": ranked[place - 1].key, "departure time": at(ranked[place - 1].departs)},
    }
    site = day.agency.name
    return TaskDraft(
        (FlyTrip(site, day.trip(best, "Light"), sort="latest", nonstop=True),),
        day.slots(town, rng) | {"by": clock(by)},
        (ExpectedAnswer("flight number", "name", best.key), ExpectedAnswer("departure time", "time", at(best.departs))),
        shown=((fact_of(site, best, "arrives"),),),
        near=near,
    )


def all_in(town: Town, rng: Random) -> TaskDraft | None:
    """What the cheapest flight comes to with bags and a meal, whose prices stand on another page."""
    day, bags = draw_day(town, rng), rng.randint(1, 2)
    way = lowest(day)
    if way is None or not clear(day) or STANDARD not in way.fares():
        return None
    carrier = CARRIERS[way.carrier]
    bare = day.price(way, STANDARD)
    total = bare + bags * carrier.bag + carrier.meal
    near: Near = {
        "without the meal": {"total": total - carrier.meal},
        "without bags": {"total": bare + carrier.meal},
        "the fare": {"total": bare},
    }
    site = day.agency.name
    return TaskDraft(
        (FlyTrip(site, day.trip(way, "Standard"), "fare", nonstop=True), ReadFees(site)),
        day.slots(town, rng) | {"bags": "1 bag" if bags == 1 else "2 bags", "meal": rng.choice(MEALS).lower()},
        (ExpectedAnswer("total", "money", total),),
        shown=(
            (fare_of(site, way, "Standard", bare),),
            (FactPattern(site, carrier.name, "bag"),),
            (FactPattern(site, carrier.name, "meal"),),
        ),
        near=near,
    )


def agency_or_airline(town: Town, rng: Random) -> TaskDraft | None:
    """Where the airline's first flight of the day is cheaper for a party, and by how much."""
    there, adults = draw_day(town, rng, site="solenne"), rng.randint(2, 3)
    ways = buyable(there.nonstop, "Standard", adults)
    if not ways or ways[0] is not there.nonstop[0]:
        return None
    way = ways[0]
    here = day_of(town, AGENCIES["gannet"], (there.origin, there.destination), there.day)
    direct, agency = there.price(way, STANDARD, adults), here.price(way, STANDARD, adults)
    gap = agency - direct
    near: Near = {"the other site": {"site": "Gannet"}, "for one": {"difference": gap // adults}}
    goals = tuple(
        FlyTrip(day.agency.name, day.trip(way, "Standard", adults), "fare", nonstop=True) for day in (there, here)
    )
    shown = tuple((fare_of(day.agency.name, way, "Standard", day.price(way, STANDARD)),) for day in (there, here))
    said = there.slots(town, rng) | {"people": say_people(adults), "agency": here.agency.title}
    answers = (ExpectedAnswer("site", "name", "Solenne Air|Solenne"), ExpectedAnswer("difference", "money", gap))
    return TaskDraft(goals, said, answers, shown=shown, near=near)


def round_tour(town: Town, rng: Random) -> TaskDraft | None:
    """Three cities and home again: the cheapest nonstop flight of each leg, all together."""
    first = draw_day(town, rng, site="gannet")
    stops = [first.origin, first.destination, *rng.sample(sorted(CITIES), 2)]
    if len(set(stops)) < 4:
        return None
    pairs = list(zip(stops, [*stops[1:], stops[0]], strict=True))
    days = [day_of(town, first.agency, pair, first.day + timedelta(3 * at_)) for at_, pair in enumerate(pairs)]
    ways = [lowest(day) for day in days]
    legs = [(day, way) for day, way in zip(days, ways, strict=True) if way is not None]
    if len(legs) < 4:
        return None
    prices = [day.price(way, LIGHT) for day, way in legs]
    total = sum(prices)
    near: Near = {"one leg forgotten": {"total": total - prices[-1]}, "the first leg": {"total": prices[0]}}
    said = first.slots(town, rng) | {
        "tour": ", then ".join(
            f"{CITIES[day.origin].name} to {CITIES[day.destination].name} on {_date(day.day)}" for day, _ in legs
        )
    }
    return TaskDraft(
        tuple(FlyTrip("gannet", day.trip(way, "Light"), nonstop=True) for day, way in legs),
        said,
        (ExpectedAnswer("total", "money", total),),
        shown=tuple((fact_of("gannet", way, "price", **ALONE),) for _, way in legs),
        near=near,
    )


def nonstop_or_not(town: Town, rng: Random) -> TaskDraft | None:
    """Nonstop if it costs little enough, the cheapest with a change otherwise."""
    day = draw_day(town, rng)
    direct = lowest(day)
    changes = buyable([way for way in day.ways if way.stops], "Light")
    ranked = sorted(changes, key=lambda way: way.cents(LIGHT))
    if direct is None or len(ranked) < 2 or ranked[0].cents(LIGHT) == ranked[1].cents(LIGHT):
        return None
    low, high = day.price(ranked[0], LIGHT), day.price(direct, LIGHT)
    if low + 2000 >= high or not clear(day):
        return None
    nonstop = rng.random() < 0.5
    budget = (high // 1000 + 1) * 1000 if nonstop else ((low + high) // 2000) * 1000
    if not nonstop and not low <= budget < high:
        return None
    way, site = direct if nonstop else ranked[0], day.agency.name
    goals = (
        FlyTrip(site, day.trip(direct, "Light"), nonstop=True),
        FlyTrip(site, day.trip(way, "Light"), "details", unseated=True),
    )
    shown = ((fact_of(site, direct, "price", **ALONE),),)
    return TaskDraft(goals, day.slots(town, rng) | {"budget": money(budget)}, shown=shown)


def any_seat(town: Town, rng: Random) -> TaskDraft | None:
    """Any seat of a kind on a flight that is described."""
    day = draw_day(town, rng)
    way = lowest(day)
    if way is None or not clear(day) or STANDARD not in way.fares():
        return None
    place, roomy = rng.choice(("window", "aisle")), rng.random() < 0.4
    free = [seat for seat in map_of(town.world, way.flights[0], STANDARD) if seat.free]
    good = [seat for seat in free if seat.place == place and seat.roomy == roomy]
    if len(good) < 2 or len(good) == len(free):
        return None
    seat: PlaneSeat = rng.choice(good)
    trip = replace(day.trip(way, "Standard"), seats=write_seats({way.key: [seat.name]}))
    goal = FlyTrip(day.agency.name, trip, "details", nonstop=True, any_seat=tuple(each.name for each in good))
    kind = f"{place} seat {'with extra legroom' if roomy else 'without extra legroom'}"
    return TaskDraft((goal,), day.slots(town, rng) | {"seat": kind})


def nearest(town: Town, rng: Random) -> TaskDraft | None:
    """Which of three cities is the shortest flight away, and book the cheapest there."""
    first = draw_day(town, rng, site="gannet")
    rows = town.facts["gannet"].execute(
        "SELECT destination FROM route WHERE origin = ? ORDER BY destination", (first.origin,)
    )
    codes = [row["destination"] for row in rows.fetchall()]
    if len(codes) < 3:
        return None
    days = [day_of(town, first.agency, (first.origin, code), first.day) for code in rng.sample(codes, 3)]
    found = [(min(way.minutes for way in day.nonstop), day) for day in days if lowest(day) is not None]
    ranked = sorted(found, key=lambda pair: pair[0])
    if len(found) < 3 or ranked[0][0] + 20 > ranked[1][0]:
        return None
    near = ranked[0][1]
    way = lowest(near)
    if way is None or not clear(near):
        return None
    looks = [(day, min(day.nonstop, key=lambda each: each.minutes)) for _, day in found]
    goals = (
        *(FlyTrip("gannet", day.trip(quick), nonstop=True) for day, quick in looks),
        FlyTrip("gannet", near.trip(way, "Light"), "details", nonstop=True, unseated=True),
    )
    said = first.slots(town, rng) | {"cities": _either([CITIES[day.destination].name for _, day in found])}
    shown = tuple((fact_of("gannet", quick, "duration"),) for _, quick in looks)
    return TaskDraft(goals, said, shown=shown)


def move_flight(town: Town, rng: Random) -> TaskDraft | None:
    """The same route and fare some days later, on the cheapest nonstop flight; then the old booking is cancelled."""
    site = rng.choice(tuple(AGENCIES))
    row = rng.choice(town.begin_rows(f"{site}_booking"))
    shift = rng.randint(2, 12)
    day = day_of(
        town,
        AGENCIES[site],
        (str(row["origin"]), str(row["destination"])),
        date.fromisoformat(str(row["depart"])) + timedelta(shift),
    )
    way, fare = lowest(day), str(row["fare"])
    if way is None or not clear(day) or BY_NAME[fare] not in way.fares() or BY_NAME[fare].cabin != "Economy":
        return None
    who, name = draw_persona(rng), str(row["names"])
    first, last = name.split(" ", 1)
    given = who | {"name": name, "first_name": first, "last_name": last, "email": str(row["email"])}
    trip = day.trip(way, fare)
    number = str(row["number"])
    goals = (
        FindBooking(site, number, last, later=True),
        FlyTrip(site, day.trip(way), nonstop=True),
        FlyTrip(site, trip, "booked", nonstop=True, persona=given, unseated=True),
        FindBooking(site, number, last, cancel=True),
    )
    said = {"site": AGENCIES[site].title, "number": number, "name": last, "shift": f"{shift} days"}
    return TaskDraft(goals, said, persona=given, shown=((FactPattern(site, number, "booking"),),))


def refundable(town: Town, rng: Random) -> TaskDraft | None:
    """The fare that gives the money back, told by what it holds: on a described flight, for a party."""
    day, adults, children = draw_day(town, rng), rng.randint(1, 3), rng.randint(1, 2)
    people = adults + children
    flex = BY_NAME["Flex"]
    ways = buyable(day.nonstop, "Flex", people)
    if len(ways) < 2 or ways[-1] is not day.nonstop[-1] or ways[-1].departs == ways[-2].departs:
        return None
    way, site = ways[-1], day.agency.name
    total = day.price(way, flex, adults, children)
    near: Near = {
        "children at full price": {"total": day.price(way, flex) * people},
        "another fare": {"total": day.price(way, STANDARD, adults, children)},
    }
    return TaskDraft(
        (ReadFees(site), FlyTrip(site, day.trip(way, "Flex", adults, children), "fare", nonstop=True)),
        day.slots(town, rng) | {"people": say_people(adults, children)},
        (ExpectedAnswer("total", "money", total),),
        shown=((fare_of(site, way, "Flex", day.price(way, flex)),),),
        near=near,
    )


def longest_way(town: Town, rng: Random) -> TaskDraft | None:
    """How long the shortest way with a change takes, and how much longer that is than nonstop."""
    day = draw_day(town, rng)
    direct = sorted(day.nonstop, key=lambda way: way.minutes)
    changes = sorted((way for way in day.ways if way.stops), key=lambda way: way.minutes)
    if not direct or not changes or not buyable(direct[:1], "Light") or not buyable(changes[:1], "Light"):
        return None
    gap = changes[0].minutes - direct[0].minutes
    if gap < 30:
        return None
    site = day.agency.name
    near: Near = {
        "the longer one": {"difference": changes[0].minutes},
        "the shorter one": {"difference": direct[0].minutes},
    }
    return TaskDraft(
        (
            FlyTrip(site, day.trip(direct[0], "Light"), sort="fastest", nonstop=True),
            FlyTrip(site, day.trip(changes[0], "Light"), sort="fastest"),
        ),
        day.slots(town, rng),
        (ExpectedAnswer("difference", "duration", gap),),
        shown=((fact_of(site, direct[0], "duration"),), (fact_of(site, changes[0], "duration"),)),
        near={label: value for label, value in near.items() if value["difference"] != gap},
    )


def there_and_back(town: Town, rng: Random) -> TaskDraft | None:
    """Out with the first, home with the last flight, both nonstop, up to the traveller's data."""
    out = draw_day(town, rng)
    home = day_of(town, out.agency, (out.destination, out.origin), out.day + timedelta(rng.randint(2, 9)))
    people, bags = rng.randint(1, 2), rng.randint(0, 1)
    there, back = buyable(out.nonstop, "Standard", people), buyable(home.nonstop, "Standard", people)
    if len(there) < 2 or len(back) < 2 or there[0] is not out.nonstop[0] or back[-1] is not home.nonstop[-1]:
        return None
    if there[0].departs == there[1].departs or back[-1].departs == back[-2].departs:
        return None
    trip = replace(out.trip(there[0], "Standard", people), back=home.day.isoformat(), inbound=back[-1].key, bags=bags)
    said = out.slots(town, rng) | {
        "people": say_people(people),
        "back": _date(home.day),
        "bags": "no extra bags" if not bags else "1 extra checked bag",
    }
    return TaskDraft((FlyTrip(out.agency.name, trip, "details", unseated=True),), said)


def four_cities(town: Town, rng: Random) -> TaskDraft | None:
    """Where one can go for least money from a city on a day, of four."""
    first = draw_day(town, rng, site="gannet")
    query = "SELECT destination FROM route WHERE origin = ? ORDER BY destination"
    codes = [row["destination"] for row in town.facts["gannet"].execute(query, (first.origin,)).fetchall()]
    if len(codes) < 4:
        return None
    days = [day_of(town, first.agency, (first.origin, code), first.day) for code in rng.sample(codes, 4)]
    found = [(day.price(way, LIGHT), day, way) for day in days if (way := lowest(day)) is not None]
    ranked = sorted(found, key=lambda each: each[0])
    if len(found) < 4 or ranked[0][0] == ranked[1][0]:
        return None
    budget = (ranked[0][0] // 1000 + 1) * 1000
    if budget >= ranked[1][0]:
        return None
    near: Near = {
        "the second": {"city": CITIES[ranked[1][1].destination].name, "price": ranked[1][0]},
        "another price": {"price": ranked[1][0]},
    }
    said = first.slots(town, rng) | {
        "cities": _either([CITIES[day.destination].name for _, day, _ in found]),
        "budget": money(budget),
    }
    answers = (
        ExpectedAnswer("city", "name", CITIES[ranked[0][1].destination].name),
        ExpectedAnswer("price", "money", ranked[0][0]),
    )
    return TaskDraft(
        tuple(FlyTrip("gannet", day.trip(way, "Light"), nonstop=True) for _, day, way in found),
        said,
        answers,
        shown=tuple((fact_of("gannet", way, "price", **ALONE),) for _, _, way in found),
        near=near,
    )


def roomy_seats(town: Town, rng: Random) -> TaskDraft | None:
    """How many seats with more room are free on a flight that is described."""
    day = draw_day(town, rng)
    ways = buyable(day.nonstop, "Standard")
    if len(ways) < 2 or ways[0] is not day.nonstop[0] or ways[0].departs == ways[1].departs:
        return None
    seats = map_of(town.world, ways[0].flights[0], STANDARD)
    free, left = sum(seat.free and seat.roomy for seat in seats), sum(seat.free for seat in seats)
    if not 1 < free < 20:
        return None
    near = {"one too many": free + 1, "one too few": free - 1, "all that are free": max(left, free + 2)}
    return TaskDraft(
        (FlyTrip(day.agency.name, day.trip(ways[0], "Standard"), "seats", sort="earliest", nonstop=True),),
        day.slots(town, rng),
        (ExpectedAnswer("extra legroom seats", "number", free),),
        shown=((fact_of(day.agency.name, ways[0], "seat map", cabin="Economy"),),),
        near={label: {"extra legroom seats": count} for label, count in near.items()},
    )


def none_left(town: Town, rng: Random) -> TaskDraft | None:
    """The first flight of the day has nothing left in economy, and no other will do."""
    day = draw_day(town, rng)
    ways = day.nonstop
    if len(ways) < 2 or ways[0].left("Economy") or ways[0].departs == ways[1].departs:
        return None
    site = day.agency.name
    return TaskDraft(
        (FlyTrip(site, day.trip(ways[0]), nonstop=True),),
        day.slots(town, rng),
        status="unavailable",
        shown=((fact_of(site, ways[0], "sold out", cabin="Economy", adults=1, children=0),),),
    )


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """A wall before the booking of a described flight."""
    day = draw_day(town, rng)
    way = lowest(day)
    if way is None or not clear(day):
        return None
    goal = FlyTrip(day.agency.name, day.trip(way, "Light"), "details", nonstop=True)
    truth = (replace(goal, until="fare", stands=True),)
    return TaskDraft((goal,), day.slots(town, rng), wall={goal.site: "/book"}, truth=truth)


def lowest(day: FlightDay) -> Journey | None:
    """The cheapest nonstop flight of a day that can be had."""
    return min(buyable(day.nonstop, "Light"), key=lambda way: (way.cents(LIGHT), way.key), default=None)


def clear(day: FlightDay) -> bool:
    """Whether the cheapest nonstop flight is cheaper than any other."""
    prices = sorted(way.cents(LIGHT) for way in buyable(day.nonstop, "Light"))
    return len(prices) == 1 or prices[0] < prices[1]


def _date(day: date) -> str:
    return f"{day:%B} {day.day}"


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


TEMPLATES = (
    template("four-days", "flights", "hard", cheapest_of_days, demands=("many criteria", "arithmetic")),
    template("tour", "flights", "hard", round_tour, demands=("arithmetic", "described not named")),
    template("be-there", "flights", "easy", to_be_there, demands=("evidence", "described not named")),
    template("all-in", "flights", "medium", all_in, demands=("prose", "arithmetic", "described not named")),
    template("agency", "flights", "medium", agency_or_airline, demands=("chain over sites", "arithmetic")),
    template("any-seat", "flights", "medium", any_seat, demands=("open choice", "described not named")),
    template("nearest", "flights", "hard", nearest, demands=("map and distance", "described not named")),
    template("nonstop-or-not", "flights", "medium", nonstop_or_not, demands=("budget and fallback",)),
    template("roomy", "flights", "easy", roomy_seats, demands=("described not named", "map and distance")),
    template("move", "flights", "hard", move_flight, demands=("form from a document", "described not named")),
    template("refundable", "flights", "medium", refundable, demands=("prose", "many criteria", "arithmetic")),
    template("there-and-back", "flights", "medium", there_and_back, demands=("described not named", "many criteria")),
    template("four-cities", "flights", "hard", four_cities, demands=("budget and fallback", "map and distance")),
    template("longer", "flights", "medium", longest_way, demands=("arithmetic", "described not named")),
    template("none-left", "flights", "medium", none_left, demands=("described not named", "budget and fallback")),
    template("walled", "flights", "medium", walled, demands=("described not named",)),
)
