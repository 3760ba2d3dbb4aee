"""From a chosen flight to a booking: fare, seats, extras, travellers, contact, payment, review. How far it went is kept
in a draft, so that stopping at the critical point can be told from never getting there, and from going past it."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.fares import (
    BY_NAME,
    FARES,
    INSURANCE,
    LOUNGE,
    MEALS,
    MOST_BAGS,
    PRIORITY,
    party,
    seat_price,
)
from workalike.town.flightkit.places import CARRIERS, city_of
from workalike.town.flightkit.planes import LAYOUTS
from workalike.town.flightkit.search import MOST_PEOPLE, count_of, page, read_day
from workalike.town.flightkit.tables import row_of
from workalike.town.flightkit.trip import (
    EXTRAS,
    Trip,
    bill,
    fares_of,
    flights_of,
    map_of,
    read_seats,
    total,
    trip_of,
    ways_of,
    write_seats,
)
from workalike.town.kit.records import count_rows, scattered_letters
from workalike.town.kit.wizard import RULES, Wizard
from workalike.town.state import insert
from workalike.town.visit import PageVisit

STEPS = ("seats", "extras", "travellers", "contact", "payment", "review")
_EXTRA_PRICES = {"priority": PRIORITY, "lounge": LOUNGE, "insurance": INSURANCE}
_HINTS = {
    "priority": "Board first, with your bag above your seat.",
    "lounge": "Quiet, showers and breakfast before you leave.",
    "insurance": "Money back if you fall ill before the trip.",
}


class FlightBookingPages(msgspec.Struct, frozen=True):
    """The pages from the chosen flight on, for one seller. A skin's `steps` set their order."""

    agency: FlightAgency

    @property
    def wizard(self) -> Wizard:
        fields = {"contact": ("email", "phone"), "payment": ("card",)}
        return Wizard(self.agency.table("trip"), STEPS, fields, ("travellers", "contact", "payment"))

    def choose(self, visit: PageVisit) -> Response:
        """Take the flights somebody chose. What was being put together before is left, not forgotten: that personal
        data was typed into it stays known."""
        form = visit.form
        one, two = city_of(form.get("from", "")), city_of(form.get("to", ""))
        depart, back = read_day(form.get("depart", "")), read_day(form.get("return", ""))
        if one is None or two is None or depart is None:
            return visit.redirect("/")
        trip = Trip(
            one.code,
            two.code,
            depart.isoformat(),
            form.get("outbound", ""),
            back=back.isoformat() if back else "",
            inbound=form.get("inbound", "") if back else "",
            adults=count_of(form.get("adults", "1")),
            children=count_of(form.get("children", "0")),
        )
        ways = ways_of(visit.town.world, trip)
        if not ways or any(way.carrier not in self.agency.carriers for way in ways) or not _in_order(trip):
            return visit.redirect("/")
        blank = {"total": 0, "names": "", "email": "", "phone": "", "card": ""}
        self.wizard.begin(visit, {"stage": "chosen", "done": ""} | row_of(trip) | blank)
        return visit.redirect("/trip")

    def fares(self, visit: PageVisit) -> Response:
        """The chosen flights with their fares."""
        draft = self.wizard.draft(visit)
        if draft is None:
            return visit.redirect("/")
        trip, world = trip_of(draft), visit.town.world
        ways = ways_of(world, trip)
        open_ones = fares_of(ways, trip.people)
        fee = self.agency.fee * len(ways)
        each = {fare.name: sum(way.cents(fare) for way in ways) + fee for fare in FARES}
        whole = {
            fare.name: sum(party(way.cents(fare), trip.adults, trip.children) for way in ways) + fee * trip.people
            for fare in FARES
        }
        known = [fare for fare in FARES if all(fare.cabin in LAYOUTS[f.leg.plane] for way in ways for f in way.flights)]
        return page(
            self.agency,
            visit,
            "fare.html",
            trip=trip,
            ways=ways,
            fares=known,
            open_ones=open_ones,
            each=each,
            whole=whole,
        )

    def take_fare(self, visit: PageVisit) -> Response:
        draft = self.wizard.draft(visit)
        if draft is None:
            return visit.redirect("/")
        trip, fare = trip_of(draft), BY_NAME.get(visit.form.get("fare", ""))
        if fare is None or fare not in fares_of(ways_of(visit.town.world, trip), trip.people):
            return visit.redirect("/trip")
        self._keep(visit, replace(trip, fare=fare.name, seats=""), {"stage": "fare", "done": ""})
        return visit.redirect("/book")

    def start(self, visit: PageVisit) -> Response:
        """Go on where one was."""
        draft = self.wizard.draft(visit)
        if draft is None or not draft["fare"]:
            return visit.redirect("/trip")
        return visit.redirect(f"/book/{self._next(visit, draft)}")

    def show(self, visit: PageVisit) -> Response:
        step, draft = visit.part("step"), self.wizard.draft(visit)
        if draft is None or not draft["fare"] or step not in self._steps(visit, draft):
            return visit.redirect("/book")
        if step in self.wizard.personal and draft["stage"] not in ("details", "review"):
            self.wizard.update(visit, {"stage": "details"})
        return self._page(visit, step, dict(draft), {})

    def save(self, visit: PageVisit) -> Response:
        """Take what one step asked for; what is missing or malformed is said beside its field."""
        step, draft = visit.part("step"), self.wizard.draft(visit)
        if draft is None or not draft["fare"] or step not in self._steps(visit, draft):
            return visit.redirect("/book")
        done: dict[str, object] = {"done": " ".join(dict.fromkeys([*draft["done"].split(), step]))}
        if step.startswith("seats"):
            return self._take_seats(visit, step, draft, done)
        if step == "extras":
            self._keep(visit, _with_extras(trip_of(draft), visit), done)
            return visit.redirect("/book")
        given, problems = _names(visit, draft) if step == "travellers" else self.wizard.given(visit, step)
        if problems:
            self.wizard.note_typed(visit, step, given)
            return self._page(visit, step, dict(draft) | given, problems)
        self.wizard.update(visit, given | done | {"stage": "details", "touched": 1})
        return visit.redirect("/book")

    def place(self, visit: PageVisit) -> Response:
        """Book: from here on it is real."""
        draft = self.wizard.draft(visit)
        if draft is None or not draft["fare"] or self._next(visit, draft) != "review":
            return visit.redirect("/book")
        bookings = self.agency.table("booking")
        number = scattered_letters(self.agency.prefix, count_rows(visit.state, bookings) + 1)
        asked = {name: draft[name] for name in ("names", "email", "phone", "card", "total")}
        made = {"number": number, "status": "Confirmed", "placed": visit.today.isoformat()}
        insert(visit.state, bookings, row_of(trip_of(draft)) | asked | made)
        self.wizard.update(visit, {"stage": "booked"})
        return visit.redirect(f"/booking/{number}")

    def _take_seats(self, visit: PageVisit, step: str, draft: sqlite3.Row, done: dict[str, object]) -> Response:
        trip, world = trip_of(draft), visit.town.world
        flight = flights_of(world, trip)[int(step.removeprefix("seats-")) - 1]
        free = {seat.name for seat in map_of(world, flight, BY_NAME[trip.fare]) if seat.free}
        names = sorted({value for name, value in visit.form_items if name == "seat" and value in free})
        if len(names) > trip.people:
            return self._page(visit, step, dict(draft), {"seat": f"Choose at most {trip.people}."})
        chosen = read_seats(trip.seats) | {flight.leg.number: names}
        order = [each.leg.number for each in flights_of(world, trip)]
        ordered = {number: chosen.get(number, []) for number in order}
        self._keep(visit, replace(trip, seats=write_seats(ordered)), done)
        return visit.redirect("/book")

    def _keep(self, visit: PageVisit, trip: Trip, besides: dict[str, object]) -> None:
        self.wizard.update(visit, row_of(trip) | {"total": total(self.agency, visit.town.world, trip)} | besides)

    def _steps(self, visit: PageVisit, draft: sqlite3.Row) -> list[str]:
        """The steps in the skin's order, with one for the seats of each flight."""
        flights = len(flights_of(visit.town.world, trip_of(draft)))
        seats = [f"seats-{number}" for number in range(1, flights + 1)]
        return [each for step in self.wizard.order(visit) for each in (seats if step == "seats" else [step])]

    def _next(self, visit: PageVisit, draft: sqlite3.Row) -> str:
        """The first step not yet done."""
        return next((step for step in self._steps(visit, draft) if step not in draft["done"].split()), "review")

    def _page(self, visit: PageVisit, step: str, draft: dict[str, Any], problems: dict[str, str]) -> Response:
        world = visit.town.world
        row = self.wizard.draft(visit)
        assert row is not None
        trip = trip_of(row)
        values: dict[str, Any] = {"step": step, "steps": self._steps(visit, row), "draft": draft, "problems": problems}
        values |= {"trip": trip, "ways": ways_of(world, trip), "fare": BY_NAME[trip.fare]}
        values |= {"bill": bill(self.agency, world, trip), "total": total(self.agency, world, trip)}
        if step.startswith("seats"):
            values |= self._seat_values(visit, step, trip)
        if step == "extras":
            values |= _extra_values(visit, trip)
        return page(self.agency, visit, "book.html", **values)

    def _seat_values(self, visit: PageVisit, step: str, trip: Trip) -> dict[str, Any]:
        flight = flights_of(visit.town.world, trip)[int(step.removeprefix("seats-")) - 1]
        fare = BY_NAME[trip.fare]
        rows: dict[int, dict[str, Any]] = {}
        for seat in map_of(visit.town.world, flight, fare):
            rows.setdefault(seat.row, {})[seat.letter] = seat
        layout = LAYOUTS[flight.leg.plane][fare.cabin]
        prices = {roomy: seat_price(fare, roomy) for roomy in (False, True)}
        chosen = read_seats(trip.seats).get(flight.leg.number, [])
        return {"flight": flight, "rows": rows, "layout": layout, "prices": prices, "chosen": chosen}


def _in_order(trip: Trip) -> bool:
    return (not trip.back or trip.back >= trip.depart) and trip.adults >= 1 and trip.people <= MOST_PEOPLE


def _with_extras(trip: Trip, visit: PageVisit) -> Trip:
    bags, meal = visit.form.get("bags", "0"), visit.form.get("meal", "")
    return replace(
        trip,
        bags=min(int(bags) if bags.isdecimal() else 0, MOST_BAGS),
        meal=meal if meal in MEALS else "",
        **{name: int(visit.form.get(name) == "1") for name in EXTRAS},
    )


def _extra_values(visit: PageVisit, trip: Trip) -> dict[str, Any]:
    ways = ways_of(visit.town.world, trip)
    free = BY_NAME[trip.fare].cabin != "Economy"
    return {
        "meals": MEALS,
        "most_bags": MOST_BAGS,
        "bag": sum(CARRIERS[way.carrier].bag for way in ways),
        "meal_price": 0 if free else sum(CARRIERS[way.carrier].meal for way in ways),
        "extras": [(name, text, _EXTRA_PRICES[name], _HINTS[name]) for name, text in EXTRAS.items()],
    }


def _names(visit: PageVisit, draft: sqlite3.Row) -> tuple[dict[str, Any], dict[str, str]]:
    """Who travels, and whose name is not whole."""
    people = draft["adults"] + draft["children"]
    parts = [(visit.form.get(f"first-{n}", ""), visit.form.get(f"last-{n}", "")) for n in range(1, people + 1)]
    names = [" ".join(f"{first} {last}".split()) for first, last in parts]
    bad = [n for n, pair in enumerate(parts, 1) if not all(map(str.strip, pair))]
    return {"names": "; ".join(names)}, {f"last-{n}": RULES["name"][1] for n in bad}
