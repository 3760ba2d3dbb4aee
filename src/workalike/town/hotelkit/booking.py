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
from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.browse import agency_page, find_hotel
from workalike.town.hotelkit.prices import EXTRAS, HotelStay, Offer, extras_of, read_stay
from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.kit.wizard import Wizard
from workalike.town.state import insert
from workalike.town.visit import PageVisit

STEPS = ("extras", "arrival", "guest", "payment", "review")
FIELDS = {"arrival": ("arrival",), "guest": ("name", "email", "phone"), "payment": ("card",)}
KEPT = (
    "hotel", "room", "rate", "arrive", "depart", "adults", "children", "rooms", "extras", "name", "email", "phone",
    "arrival", "card",
)  # fmt: skip
"""What goes from the draft into the booking."""
ARRIVALS = ("In the afternoon", "In the evening", "After 10 p.m.")


class ChosenRoom(msgspec.Struct, frozen=True):
    """What a draft or a booking is about, looked up."""

    hotel: sqlite3.Row
    stay: HotelStay
    offer: Offer
    extras: dict[str, int]
    """The extras taken, by name, with their prices."""

    @property
    def total(self) -> int:
        return self.offer.total + sum(self.extras.values())


class HotelBookingPages(msgspec.Struct, frozen=True):
    """The pages on which a room is booked at one site. A skin's `steps` set their order."""

    agency: HotelAgency

    @property
    def wizard(self) -> Wizard:
        rules = {"arrival": ("|".join(map(re.escape, ARRIVALS)), "Choose when you will arrive.")}
        return Wizard(self.agency.table("draft"), STEPS, FIELDS, ("guest", "payment"), rules)

    def start(self, visit: PageVisit) -> Response:
        """A room and a rate were chosen: begin. What was begun before is left, not forgotten: that personal data was
        typed into it stays known."""
        stay, _ = read_stay(visit.form, visit.today)
        hotel = find_hotel(visit, visit.form.get("hotel", ""))
        found = find_offer(self.agency, visit, hotel, visit.form, stay) if stay else None
        if stay is None or found is None:
            return visit.redirect(f"/hotel/{hotel['slug']}" + (f"?{stay.query}" if stay else ""))
        chosen = {"hotel": hotel["slug"], "room": found.room, "rate": found.rate.code, "extras": ""}
        dates = {"arrive": stay.arrive.isoformat(), "depart": stay.depart.isoformat()}
        many = {"adults": stay.adults, "children": stay.children, "rooms": stay.rooms}
        first = self.wizard.order(visit)[0]
        self.wizard.begin(visit, {"stage": first} | chosen | dates | many)
        return visit.redirect(f"/book/{first}")

    def show(self, visit: PageVisit) -> Response:
        return self.wizard.show(visit, self._page)

    def save(self, visit: PageVisit) -> Response:
        return self.wizard.save(visit, self._page, read=self._given)

    def confirm(self, visit: PageVisit) -> Response:
        """Book it: from here on it is real."""
        draft = self.wizard.draft(visit)
        if draft is None or self.wizard.lacking(visit, draft) != "review":
            return visit.redirect("/book/review" if draft else "/")
        chosen = choice_of(self.agency, visit, draft)
        number = scattered_number(self.agency.prefix, count_rows(visit.state, self.agency.table("booking")) + 1)
        kept = {name: draft[name] for name in KEPT}
        insert(
            visit.state,
            self.agency.table("booking"),
            kept | {"number": number, "total": chosen.total, "status": "Confirmed"},
        )
        insert(visit.state, self.agency.table("seen"), {"number": number})
        self.wizard.update(visit, {"stage": "booked"})
        return visit.redirect(f"/booking/{number}")

    def _given(self, visit: PageVisit, step: str, draft: sqlite3.Row) -> tuple[dict[str, Any], dict[str, str]]:
        given, problems = self.wizard.given(visit, step)
        return given | ({"extras": self._extras(visit, draft)} if step == "extras" else {}), problems

    def _extras(self, visit: PageVisit, draft: sqlite3.Row) -> str:
        """The extras that were ticked, of those that are offered."""
        offered = choice_of(self.agency, visit, draft)
        taken = {value for name, value in visit.form_items if name == "extra"}
        return ",".join(code for code in extras_of(offered.hotel, offered.stay) if code in taken)

    def _page(self, visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
        chosen = choice_of(self.agency, visit, draft)
        return agency_page(
            self.agency,
            visit,
            "book.html",
            step=step,
            steps=self.wizard.order(visit),
            draft=draft,
            problems=problems,
            chosen=chosen,
            offered=extras_of(chosen.hotel, chosen.stay),
            names=EXTRAS,
            arrivals=ARRIVALS,
        )


def choice_of(agency: HotelAgency, visit: PageVisit, row: Any) -> ChosenRoom:
    """A draft's or booking's house, stay, offer and extras."""
    hotel = find_hotel(visit, row["hotel"])
    arrive, depart = date.fromisoformat(row["arrive"]), date.fromisoformat(row["depart"])
    stay = HotelStay(arrive, depart, row["adults"], row["children"], row["rooms"])
    offer = find_offer(agency, visit, hotel, {"room": row["room"], "rate": row["rate"]}, stay)
    if offer is None:
        raise visit.missing("room")
    priced = extras_of(hotel, stay)
    taken = {EXTRAS[code]: priced[code] for code in row["extras"].split(",") if code in priced}
    return ChosenRoom(hotel, stay, offer, taken)


def find_offer(
    agency: HotelAgency, visit: PageVisit, hotel: sqlite3.Row, wanted: Mapping[str, str], stay: HotelStay
) -> Offer | None:
    for room in prices.rows_of(visit.facts, hotel["id"]):
        if room["code"] == wanted.get("room"):
            found = prices.offers(agency, visit.town.world, hotel, room, stay)
            return next((offer for offer in found if offer.rate.code == wanted.get("rate")), None)
    return None
