"""Drawing routes, days and flights from the world, and wording them as people would."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random

import msgspec

from workalike.town.flightkit.agency import AGENCIES, FlightAgency
from workalike.town.flightkit.fares import BY_NAME, Fare, party
from workalike.town.flightkit.journeys import Journey, clock, journeys
from workalike.town.flightkit.places import CITIES
from workalike.town.flightkit.trip import Trip
from workalike.town.kit.make import templates_from
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "flight")


class FlightDay(msgspec.Struct, frozen=True):
    """All that flies between two cities on a day, at one seller."""

    agency: FlightAgency
    origin: str
    destination: str
    day: date
    ways: tuple[Journey, ...]

    @property
    def nonstop(self) -> list[Journey]:
        return [way for way in self.ways if not way.stops]

    def trip(self, way: Journey, fare: str = "", adults: int = 1, children: int = 0) -> Trip:
        return Trip(
            self.origin, self.destination, self.day.isoformat(), way.key, fare=fare, adults=adults, children=children
        )

    def price(self, way: Journey, fare: Fare, adults: int = 1, children: int = 0) -> int:
        return party(way.cents(fare), adults, children) + self.agency.fee * (adults + children)

    def slots(self, town: Town, rng: Random) -> dict[str, str]:
        return {
            "site": self.agency.title,
            "from": CITIES[self.origin].name,
            "to": CITIES[self.destination].name,
            "when": say_day(self.day, town.world.today, rng),
            "date": f"{self.day:%B} {self.day.day}",
        }


def draw_day(town: Town, rng: Random, nonstop: bool = True, site: str = "") -> FlightDay:
    """Some route on some day of the next weeks; with `nonstop` one that is flown without a stop on some days."""
    agency = AGENCIES[site or rng.choice(("gannet", "gannet", "solenne"))]
    pair = _route(town, rng, agency)
    if not nonstop:
        pair = (pair[0], _route(town, rng, agency)[1])
    day = town.world.today + timedelta(rng.randint(3, 75))
    return day_of(town, agency, pair, day)


def _route(town: Town, rng: Random, agency: FlightAgency) -> tuple[str, str]:
    facts = town.facts[agency.name]
    place = rng.choice(range(facts.execute("SELECT count(*) FROM route").fetchone()[0]))
    query = "SELECT origin, destination FROM route ORDER BY origin, destination LIMIT 1 OFFSET ?"
    row = facts.execute(query, (place,)).fetchone()
    return row["origin"], row["destination"]


def day_of(town: Town, agency: FlightAgency, pair: tuple[str, str], day: date) -> FlightDay:
    return FlightDay(
        agency, *pair, day, journeys(town.world, *pair, day, agency.carriers) if pair[0] != pair[1] else ()
    )


def buyable(ways: list[Journey] | tuple[Journey, ...], fare: str, people: int = 1) -> list[Journey]:
    """Those that have a fare, and show it: the results are of economy until somebody asks for another cabin, and what
    is sold out there cannot be picked."""
    return [way for way in ways if BY_NAME[fare] in way.fares(people) and way.from_fare("Economy", people)]


def say_day(day: date, today: date, rng: Random) -> str:
    """A day as somebody would say it: with month and number, or counted from today, which then is named.

    >>> say_day(date(2026, 5, 18), date(2026, 5, 4), Random(4)) != ""
    True
    """
    ahead = (day - today).days
    absolute = [
        f"on {day:%B} {day.day}",
        f"on {day:%A}, {day:%B} {day.day}, {day.year}",
        f"on {day.month}/{day.day}/{day.year}",
    ]
    now = f"(today is {today:%B} {today.day}, {today.year})"
    relative = [f"in {ahead} days {now}"]
    if ahead % 7 == 0:
        relative = [f"in {ahead // 7} weeks {now}" if ahead > 7 else f"a week from today {now}"]
    if ahead < 7:
        relative.append(f"this coming {day:%A} {now}")
    return rng.choice([*absolute, *absolute, *relative, *relative])


def say_people(adults: int, children: int = 0) -> str:
    """
    >>> say_people(2, 1)
    '2 adults and 1 child'
    """
    grown = f"{adults} adult{'s' if adults > 1 else ''}"
    return f"{grown} and {children} child{'ren' if children > 1 else ''}" if children else grown


def name_flight(way: Journey) -> str:
    """A nonstop flight by airline, number and time: `Norrwind NR 214 at 7:15 AM`."""
    return f"{way.airline} {way.name} at {clock(way.departs)}"
