"""Looking for flights: the form, suggestions for cities, results with filters and order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.fares import FARES, party
from workalike.town.flightkit.journeys import Journey, clock, journey, journeys, span
from workalike.town.flightkit.places import CARRIERS, CITIES, AirportCity, city_of, suggest
from workalike.town.flightkit.planes import CABINS
from workalike.town.flightkit.schedule import HORIZON, is_full, schedule
from workalike.town.flightkit.trip import EXTRAS
from workalike.town.kit.listing import SortOrder, counted, is_let_through, labels_of, read_address, with_query
from workalike.town.visit import PageVisit
from workalike.town.world import World

MOST_PEOPLE = 6
TIMES = {"morning": ("Morning", 300, 720), "afternoon": ("Afternoon", 720, 1080), "evening": ("Evening", 1080, 1740)}
SORTS: dict[str, SortOrder[Callable[[FlightOffer], Any]]] = {
    "price": SortOrder("Lowest price", lambda each: (each.cents is None, each.cents, each.way.departs)),
    "fastest": SortOrder("Shortest time", lambda each: (each.way.minutes, each.way.departs)),
    "earliest": SortOrder("Earliest departure", lambda each: (each.way.departs, each.way.minutes)),
    "latest": SortOrder("Latest departure", lambda each: (-each.way.departs, each.way.minutes)),
}


class FlightOffer(msgspec.Struct, frozen=True):
    """A way as it stands among the results: its price for all travellers, None when it is sold out."""

    way: Journey
    cents: int | None
    each: int | None
    left: int


class FlightQuery(msgspec.Struct, frozen=True):
    """What somebody looks for."""

    origin: AirportCity
    destination: AirportCity
    depart: date
    back: date | None = None
    adults: int = 1
    children: int = 0
    cabin: str = "Economy"
    picked: str = ""

    @property
    def people(self) -> int:
        return self.adults + self.children

    @property
    def leg(self) -> tuple[str, str, date]:
        """The direction being chosen."""
        if self.back and self.picked:
            return self.destination.code, self.origin.code, self.back
        return self.origin.code, self.destination.code, self.depart


class FlightSearchPages(msgspec.Struct, frozen=True):
    """The pages before anything is chosen, for one seller."""

    agency: FlightAgency

    def front(self, visit: PageVisit) -> Response:
        query = "SELECT * FROM route WHERE cents > 0 ORDER BY origin, destination"
        routes = visit.rng("front").sample(visit.facts.execute(query).fetchall(), 8)
        return page(self.agency, visit, "front.html", routes=routes, ask=None, problem=None)

    def city(self, visit: PageVisit) -> Response:
        """Everything that flies to a city."""
        city = CITIES.get(visit.part("code"))
        routes = visit.facts.execute(
            "SELECT * FROM route WHERE destination = ? ORDER BY cents", (visit.part("code"),)
        ).fetchall()
        if city is None or not routes:
            raise visit.missing("city")
        return page(self.agency, visit, "flights/city.html", city=city, routes=routes, ask=None, problem=None)

    def help(self, visit: PageVisit) -> Response:
        carriers = [CARRIERS[code] for code in self.agency.carriers]
        return page(self.agency, visit, "flights/help.html", carriers=carriers, fares=FARES, extras=EXTRAS)

    def suggestions(self, visit: PageVisit) -> Response:
        typed = visit.query.get("q", "")
        return visit.json([{"label": city.label, "land": city.country} for city in suggest(typed)] if typed else [])

    def days(self, visit: PageVisit) -> Response:
        """Days on which nothing nonstop is left between two cities, for the calendar."""
        one, two = city_of(visit.query.get("from", "")), city_of(visit.query.get("to", ""))
        if one is None or two is None:
            return visit.json([])
        world, ahead = visit.town.world, (visit.today + timedelta(n) for n in range(1, HORIZON + 1))
        flown = (one.code, two.code) in schedule(world)
        return visit.json([day.isoformat() for day in ahead if flown and is_full(world, one.code, two.code, day)])

    def results(self, visit: PageVisit) -> Response:
        """What flies, for the way out or, once that is picked, for the way back."""
        ask, problem = read_ask(visit)
        if ask is None:
            return page(self.agency, visit, "flights/again.html", ask=None, problem=problem)
        found = shown(self.agency, visit.town.world, ask)
        kept = sorted(_narrow(found, visit), key=SORTS[_sort(visit)].key)
        picked = ask.picked and journey(visit.town.world, ask.origin.code, ask.destination.code, ask.depart, ask.picked)
        origin, destination, day = ask.leg
        strip = [(each, self._lowest(visit, ask, each)) for each in _around(visit, day)]
        values: dict[str, Any] = {"ask": ask, "found": found, "kept": kept, "picked": picked, "strip": strip}
        values |= {"origin": CITIES[origin], "destination": CITIES[destination], "day": day, "problem": None}
        values |= {
            "sorted_by": _sort(visit),
            "times": TIMES,
            "carriers": dict(counted(each.way.carrier for each in found)),
            "with_query": with_query,
            "sorts": labels_of(SORTS),
            "items": visit.request.query_params.multi_items(),
        }
        return page(self.agency, visit, "results.html", **values)

    def _lowest(self, visit: PageVisit, ask: FlightQuery, day: date) -> int | None:
        origin, destination, _ = ask.leg
        ways = journeys(visit.town.world, origin, destination, day, self.agency.carriers)
        prices = [each.cents for way in ways if (each := show(self.agency, way, ask)).cents is not None]
        return min((cents for cents in prices if cents is not None), default=None)


def page(agency: FlightAgency, visit: PageVisit, template: str, **values: Any) -> Response:
    common: dict[str, Any] = {"agency": agency, "cities": CITIES, "airlines": CARRIERS, "clock": clock, "span": span}
    common |= {"cabins": CABINS, "horizon": HORIZON, "hold": lambda **changed: hold(visit, **changed)}
    return visit.html(template, **common, **values)


def hold(visit: PageVisit, **changed: str) -> str:
    """The query in force with some values changed; an empty one drops out."""
    items = [(name, value) for name, value in visit.request.query_params.multi_items() if name not in changed]
    return urlencode([*items, *((name, value) for name, value in changed.items() if value)])


def read_ask(visit: PageVisit) -> tuple[FlightQuery | None, str]:
    """The search of the address, or what is wrong with it in a sentence."""
    query = visit.query
    one, two = city_of(query.get("from", "")), city_of(query.get("to", ""))
    depart, back = read_day(query.get("depart", "")), read_day(query.get("return", ""))
    if one is None or two is None or one == two:
        return None, "Choose two different cities from our list."
    if depart is None or not 0 < (depart - visit.today).days <= HORIZON:
        return None, f"Choose a day of departure within the next {HORIZON} days."
    if back is not None and (back < depart or (back - visit.today).days > HORIZON):
        return None, "The day of return must not be before the day of departure."
    adults, children = count_of(query.get("adults", "1")), count_of(query.get("children", "0"))
    if adults < 1 or adults + children > MOST_PEOPLE:
        return None, f"We book for one to {MOST_PEOPLE} travellers at a time."
    cabin = query.get("cabin", "Economy")
    return FlightQuery(
        one, two, depart, back, adults, children, cabin if cabin in CABINS else "Economy", query.get("picked", "")
    ), ""


def read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def shown(agency: FlightAgency, world: World, ask: FlightQuery) -> list[FlightOffer]:
    return [show(agency, way, ask) for way in journeys(world, *ask.leg, agency.carriers)]


def show(agency: FlightAgency, way: Journey, ask: FlightQuery) -> FlightOffer:
    """A way with the lowest price it has for these travellers in their cabin."""
    fare = way.from_fare(ask.cabin, ask.people)
    if fare is None:
        return FlightOffer(way, None, None, 0)
    each = way.cents(fare)
    return FlightOffer(way, party(each, ask.adults, ask.children) + agency.fee * ask.people, each, way.left(fare.cabin))


def _narrow(found: list[FlightOffer], visit: PageVisit) -> list[FlightOffer]:
    """What the filters leave."""
    asked = read_address(visit.request.query_params.multi_items())
    times, most = asked.all("time"), asked.number("max")
    return [
        each
        for each in found
        if is_let_through(str(each.way.stops), asked.all("stops"))
        and is_let_through(each.way.carrier, asked.all("airline"))
        and (not times or any(_within(each.way, name) for name in times))
        and (most is None or (each.cents is not None and each.cents <= most * 100))
    ]


def _within(way: Journey, name: str) -> bool:
    _, first, last = TIMES.get(name, ("", 0, 0))
    return first <= way.departs < last or first <= way.departs + 1440 < last


def _around(visit: PageVisit, day: date) -> list[date]:
    days = [day + timedelta(shift) for shift in range(-3, 4)]
    return [each for each in days if 0 < (each - visit.today).days <= HORIZON]


def _sort(visit: PageVisit) -> str:
    asked = visit.query.get("sort", "price")
    return asked if asked in SORTS else "price"


def count_of(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 else 0
