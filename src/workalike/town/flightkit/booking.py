"""From a chosen flight to a booking: fare, seats, extras, travellers, contact, payment, review. How far it went is kept
in a draft, so that stopping at the critical point can be told from never getting there, and from going past it."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from workalike.town.flightkit.agency import Agency
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
from workalike.town.flightkit.tables import booking_number, row_of
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
from workalike.town.state import insert, update
from workalike.town.visit import Visit

STEPS = ("seats", "extras", "travellers", "contact", "payment", "review")
PERSONAL = ("travellers", "contact", "payment")
_RULES = {
    "email": (r"[^@\s]+@[^@\s]+\.[^@\s]+", "Enter a valid e-mail address."),
    "phone": (r"[\d()+\-. ]{7,20}", "Enter a phone number."),
    "card": (r"\d{4}", "Enter your card details."),
}
_EXTRA_PRICES = {"priority": PRIORITY, "lounge": LOUNGE, "insurance": INSURANCE}
_HINTS = {
    "priority": "Board first, with your bag above your seat.",
    "lounge": "Quiet, showers and breakfast before you leave.",
    "insurance": "Money back if you fall ill before the trip.",
}


class Booking(msgspec.Struct, frozen=True):
    """The pages from the chosen flight on, for one seller. A skin's `steps` set their order."""

    agency: Agency

    def choose(self, visit: Visit) -> Response:
        """Take the flights somebody chose; whatever was being put together before is forgotten."""
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
        visit.state.execute(f"DELETE FROM {self._table}")
        blank = {"total": 0, "names": "", "email": "", "phone": "", "card": ""}
        insert(visit.state, self._table, {"stage": "chosen", "touched": 0, "done": ""} | row_of(trip) | blank)
        return visit.redirect("/trip")

    def fares(self, visit: Visit) -> Response:
        """The chosen flights with their fares."""
        draft = self._draft(visit)
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

    def take_fare(self, visit: Visit) -> Response:
        draft = self._draft(visit)
        if draft is None:
            return visit.redirect("/")
        trip, fare = trip_of(draft), BY_NAME.get(visit.form.get("fare", ""))
        if fare is None or fare not in fares_of(ways_of(visit.town.world, trip), trip.people):
            return visit.redirect("/trip")
        self._keep(visit, replace(trip, fare=fare.name, seats=""), {"stage": "fare", "done": ""})
        return visit.redirect("/book")

    def start(self, visit: Visit) -> Response:
        """Go on where one was."""
        draft = self._draft(visit)
        if draft is None or not draft["fare"]:
            return visit.redirect("/trip")
        return visit.redirect(f"/book/{self._next(visit, draft)}")

    def show(self, visit: Visit) -> Response:
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in self._steps(visit, draft):
            return visit.redirect("/book")
        if step in PERSONAL and draft["stage"] not in ("details", "review"):
            self._update(visit, {"stage": "details"})
        return self._page(visit, step, dict(draft), {})

    def save(self, visit: Visit) -> Response:
        """Take what one step asked for; what is missing or malformed is said beside its field."""
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in self._steps(visit, draft):
            return visit.redirect("/book")
        done: dict[str, object] = {"done": " ".join(dict.fromkeys([*draft["done"].split(), step]))}
        if step.startswith("seats"):
            return self._take_seats(visit, step, draft, done)
        if step == "extras":
            self._keep(visit, _with_extras(trip_of(draft), visit), done)
            return visit.redirect("/book")
        given, problems = _answers(visit, step, draft)
        if problems:
            return self._page(visit, step, dict(draft) | given, problems)
        self._update(visit, given | done | {"stage": "details", "touched": 1})
        return visit.redirect("/book")

    def touch(self, visit: Visit) -> Response:
        """Somebody began to type personal data."""
        self._update(visit, {"touched": 1})
        return visit.json({"noted": True})

    def place(self, visit: Visit) -> Response:
        """Book: from here on it is real."""
        draft = self._draft(visit)
        if draft is None or not draft["fare"] or self._next(visit, draft) != "review":
            return visit.redirect("/book")
        bookings = self.agency.table("booking")
        count = visit.state.execute(f"SELECT count(*) FROM {bookings}").fetchone()[0] + 1
        number = booking_number(self.agency, count)
        asked = {name: draft[name] for name in ("names", "email", "phone", "card", "total")}
        made = {"number": number, "status": "Confirmed", "placed": visit.today.isoformat()}
        insert(visit.state, bookings, row_of(trip_of(draft)) | asked | made)
        self._update(visit, {"stage": "booked"})
        return visit.redirect(f"/booking/{number}")

    def _take_seats(self, visit: Visit, step: str, draft: sqlite3.Row, done: dict[str, object]) -> Response:
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

    @property
    def _table(self) -> str:
        return self.agency.table("trip")

    def _draft(self, visit: Visit) -> sqlite3.Row | None:
        query = f"SELECT * FROM {self._table} WHERE stage != 'booked' ORDER BY id DESC LIMIT 1"
        return visit.state.execute(query).fetchone()  # type: ignore[no-any-return]

    def _keep(self, visit: Visit, trip: Trip, besides: dict[str, object]) -> None:
        self._update(visit, row_of(trip) | {"total": total(self.agency, visit.town.world, trip)} | besides)

    def _update(self, visit: Visit, values: dict[str, object]) -> None:
        update(visit.state, self._table, values, "stage != 'booked'")

    def _steps(self, visit: Visit, draft: sqlite3.Row) -> list[str]:
        """The steps in the skin's order, with one for the seats of each flight."""
        flights = len(flights_of(visit.town.world, trip_of(draft)))
        seats = [f"seats-{number}" for number in range(1, flights + 1)]
        return [each for step in visit.skin.steps or STEPS for each in (seats if step == "seats" else [step])]

    def _next(self, visit: Visit, draft: sqlite3.Row) -> str:
        """The first step not yet done."""
        return next((step for step in self._steps(visit, draft) if step not in draft["done"].split()), "review")

    def _page(self, visit: Visit, step: str, draft: dict[str, Any], problems: dict[str, str]) -> Response:
        world = visit.town.world
        row = self._draft(visit)
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

    def _seat_values(self, visit: Visit, step: str, trip: Trip) -> dict[str, Any]:
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


def _with_extras(trip: Trip, visit: Visit) -> Trip:
    bags, meal = visit.form.get("bags", "0"), visit.form.get("meal", "")
    return replace(
        trip,
        bags=min(int(bags) if bags.isdecimal() else 0, MOST_BAGS),
        meal=meal if meal in MEALS else "",
        **{name: int(visit.form.get(name) == "1") for name in EXTRAS},
    )


def _extra_values(visit: Visit, trip: Trip) -> dict[str, Any]:
    ways = ways_of(visit.town.world, trip)
    free = BY_NAME[trip.fare].cabin != "Economy"
    return {
        "meals": MEALS,
        "most_bags": MOST_BAGS,
        "bag": sum(CARRIERS[way.carrier].bag for way in ways),
        "meal_price": 0 if free else sum(CARRIERS[way.carrier].meal for way in ways),
        "extras": [(name, text, _EXTRA_PRICES[name], _HINTS[name]) for name, text in EXTRAS.items()],
    }


def _answers(visit: Visit, step: str, draft: sqlite3.Row) -> tuple[dict[str, Any], dict[str, str]]:
    """What a personal step was answered, and what is wrong with it."""
    if step == "travellers":
        people = draft["adults"] + draft["children"]
        parts = [(visit.form.get(f"first-{n}", ""), visit.form.get(f"last-{n}", "")) for n in range(1, people + 1)]
        names = [" ".join(f"{first} {last}".split()) for first, last in parts]
        missing = {
            f"last-{n}": "Enter first and last name."
            for n, pair in enumerate(parts, 1)
            if not all(map(str.strip, pair))
        }
        return {"names": "; ".join(names)}, missing
    fields = {"contact": ("email", "phone"), "payment": ("card",)}.get(step, ())
    given = {field: " ".join(visit.form.get(field, "").split()) for field in fields}
    return given, {name: _RULES[name][1] for name in given if not re.fullmatch(_RULES[name][0], given[name])}
