"""A booking of several pages. How far it went is kept in a draft, so that stopping at the critical point can be told
from never getting there, and from going past it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.hotelkit import prices
from workalike.town.hotelkit.agency import Agency
from workalike.town.hotelkit.browse import agency_page, find_hotel
from workalike.town.hotelkit.prices import EXTRAS, Offer, Stay, extras_of, read_stay
from workalike.town.hotelkit.tables import booking_number
from workalike.town.state import insert, update
from workalike.town.visit import Visit

STEPS = ("extras", "arrival", "guest", "payment", "review")
FIELDS = {"arrival": ("arrival",), "guest": ("name", "email", "phone"), "payment": ("card",)}
PERSONAL = ("guest", "payment")
KEPT = (
    "hotel", "room", "rate", "arrive", "depart", "adults", "children", "rooms", "extras", "name", "email", "phone",
    "arrival", "card",
)  # fmt: skip
"""What goes from the draft into the booking."""
ARRIVALS = ("In the afternoon", "In the evening", "After 10 p.m.")
_RULES = {
    "arrival": ("|".join(map(re.escape, ARRIVALS)), "Choose when you will arrive."),
    "name": (r".*\S\s+\S.*", "Enter first and last name."),
    "email": (r"[^@\s]+@[^@\s]+\.[^@\s]+", "Enter a valid e-mail address."),
    "phone": (r"[\d()+\-. ]{7,20}", "Enter a phone number."),
    "card": (r"\d{4}", "Enter your card details."),
}


class Choice(msgspec.Struct, frozen=True):
    """What a draft or a booking is about, looked up."""

    hotel: sqlite3.Row
    stay: Stay
    offer: Offer
    extras: dict[str, int]
    """The extras taken, by name, with their prices."""

    @property
    def total(self) -> int:
        return self.offer.total + sum(self.extras.values())


class Booking(msgspec.Struct, frozen=True):
    """The pages on which a room is booked at one site. A skin's `steps` set their order."""

    agency: Agency

    def start(self, visit: Visit) -> Response:
        """A room and a rate were chosen: begin, whatever was begun before is forgotten."""
        stay, _ = read_stay(visit.form, visit.today)
        hotel = find_hotel(visit, visit.form.get("hotel", ""))
        found = find_offer(self.agency, visit, hotel, visit.form, stay) if stay else None
        if stay is None or found is None:
            return visit.redirect(f"/hotel/{hotel['slug']}" + (f"?{stay.query}" if stay else ""))
        visit.state.execute(f"DELETE FROM {self.agency.table('draft')} WHERE stage != 'booked'")
        chosen = {"hotel": hotel["slug"], "room": found.room, "rate": found.rate.code, "extras": ""}
        dates = {"arrive": stay.arrive.isoformat(), "depart": stay.depart.isoformat()}
        many = {"adults": stay.adults, "children": stay.children, "rooms": stay.rooms}
        first = self._steps(visit)[0]
        insert(visit.state, self.agency.table("draft"), {"stage": first, "touched": 0} | chosen | dates | many)
        return visit.redirect(f"/book/{first}")

    def show(self, visit: Visit) -> Response:
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in STEPS:
            return visit.redirect("/")
        due = self._next(visit, draft)
        steps = self._steps(visit)
        if steps.index(step) > steps.index(due):
            return visit.redirect(f"/book/{due}")
        if steps.index(step) > steps.index(draft["stage"]):
            self._update(visit, {"stage": step})
        return self._page(visit, step, draft, {})

    def save(self, visit: Visit) -> Response:
        """Take what one step asked for; what is missing or malformed is said beside its field."""
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in STEPS[:-1]:
            return visit.redirect("/")
        given = self._given(visit, step, draft)
        problems = {name: _RULES[name][1] for name in given if name in _RULES and not _is_right(name, given[name])}
        if problems:
            return self._page(visit, step, dict(draft) | given, problems)
        self._update(visit, given | {"touched": int(bool(draft["touched"]) or step in PERSONAL)})
        steps = self._steps(visit)
        after = steps[steps.index(step) + 1]
        return visit.redirect(f"/book/{after}")

    def touch(self, visit: Visit) -> Response:
        """Somebody began to type personal data."""
        self._update(visit, {"touched": 1})
        return visit.json({"noted": True})

    def confirm(self, visit: Visit) -> Response:
        """Book it: from here on it is real."""
        draft = self._draft(visit)
        if draft is None or self._next(visit, draft) != "review":
            return visit.redirect("/book/review" if draft else "/")
        chosen = choice_of(self.agency, visit, draft)
        count = visit.state.execute(f"SELECT count(*) FROM {self.agency.table('booking')}").fetchone()[0]
        number = booking_number(self.agency, count + 1)
        kept = {name: draft[name] for name in KEPT}
        insert(
            visit.state,
            self.agency.table("booking"),
            kept | {"number": number, "total": chosen.total, "status": "Confirmed"},
        )
        insert(visit.state, self.agency.table("seen"), {"number": number})
        self._update(visit, {"stage": "booked"})
        return visit.redirect(f"/booking/{number}")

    def _given(self, visit: Visit, step: str, draft: sqlite3.Row) -> dict[str, object]:
        if step == "extras":
            offered = choice_of(self.agency, visit, draft)
            taken = {value for name, value in visit.form_items if name == "extra"}
            return {"extras": ",".join(code for code in extras_of(offered.hotel, offered.stay) if code in taken)}
        return {name: " ".join(visit.form.get(name, "").split()) for name in FIELDS[step]}

    def _draft(self, visit: Visit) -> sqlite3.Row | None:
        query = f"SELECT * FROM {self.agency.table('draft')} WHERE stage != 'booked' ORDER BY id DESC LIMIT 1"
        return visit.state.execute(query).fetchone()  # type: ignore[no-any-return]

    def _update(self, visit: Visit, values: Mapping[str, object]) -> None:
        update(visit.state, self.agency.table("draft"), values, "stage != 'booked'")

    def _next(self, visit: Visit, draft: sqlite3.Row) -> str:
        """The first step that still lacks something, in the skin's order."""
        lacking = (step for step in self._steps(visit) if any(not draft[name] for name in FIELDS.get(step, ())))
        return next(lacking, "review")

    def _steps(self, visit: Visit) -> tuple[str, ...]:
        return visit.skin.steps or STEPS

    def _page(self, visit: Visit, step: str, draft: Any, problems: dict[str, str]) -> Response:
        chosen = choice_of(self.agency, visit, draft)
        return agency_page(
            self.agency,
            visit,
            "book.html",
            step=step,
            steps=self._steps(visit),
            draft=draft,
            problems=problems,
            chosen=chosen,
            offered=extras_of(chosen.hotel, chosen.stay),
            names=EXTRAS,
            arrivals=ARRIVALS,
        )


def choice_of(agency: Agency, visit: Visit, row: Any) -> Choice:
    """A draft's or booking's house, stay, offer and extras."""
    hotel = find_hotel(visit, row["hotel"])
    arrive, depart = date.fromisoformat(row["arrive"]), date.fromisoformat(row["depart"])
    stay = Stay(arrive, depart, row["adults"], row["children"], row["rooms"])
    offer = find_offer(agency, visit, hotel, {"room": row["room"], "rate": row["rate"]}, stay)
    if offer is None:
        raise visit.missing("room")
    priced = extras_of(hotel, stay)
    taken = {EXTRAS[code]: priced[code] for code in row["extras"].split(",") if code in priced}
    return Choice(hotel, stay, offer, taken)


def find_offer(agency: Agency, visit: Visit, hotel: sqlite3.Row, wanted: Mapping[str, str], stay: Stay) -> Offer | None:
    for room in prices.rows_of(visit.facts, hotel["id"]):
        if room["code"] == wanted.get("room"):
            found = prices.offers(agency, visit.town.world, hotel, room, stay)
            return next((offer for offer in found if offer.rate.code == wanted.get("rate")), None)
    return None


def _is_right(name: str, value: object) -> bool:
    return re.fullmatch(_RULES[name][0], str(value)) is not None
