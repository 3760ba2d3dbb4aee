"""A booking of several pages, and the waiting list of a day that is full."""

from __future__ import annotations

import re
import sqlite3
from datetime import date
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from workalike.town.bookkit.browse import desk_page, find_venue
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.bookkit.slots import Party, fits, read_day, read_party, slots
from workalike.town.bookkit.tables import slot_key
from workalike.town.bookkit.venue import Venue
from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.kit.wizard import Wizard
from workalike.town.state import insert
from workalike.town.visit import PageVisit

STEPS = ("options", "guest", "payment", "review")
GUEST = ("name", "email", "phone")
KEPT = ("slot", "venue", "day", "time", "party", "seat", "options", *GUEST, "card")
"""What goes from the draft into the booking."""


class ChosenSlot(msgspec.Struct, frozen=True):
    """What a draft or a booking is about, looked up."""

    venue: Venue
    day: date
    time: str
    party: Party
    seat: str
    options: dict[str, int]
    """What is taken besides, by name, with its price for all."""

    @property
    def total(self) -> int:
        return self.party.cost(self.venue.fares) + sum(self.options.values())


class SlotBookingPages(msgspec.Struct, frozen=True):
    """The pages on which a time is booked at one site. A skin's `steps` set their order; where nothing is due, no card
    is asked for, and where there is nothing to choose, no choice."""

    desk: BookingDesk

    @property
    def wizard(self) -> Wizard:
        return Wizard(self.desk.table("draft"), STEPS, {"guest": GUEST}, ("guest", "payment"))

    def start(self, visit: PageVisit) -> Response:
        """A time was chosen: begin."""
        venue, time = find_venue(visit, visit.form.get("venue", "")), visit.form.get("time", "")
        day, party = read_day(visit.form.get("day", ""), visit.today), read_party(visit.form, self.desk.kinds)
        if day is None or party is None or not _has(visit, venue, day, time, party):
            return visit.redirect(f"/at/{venue.slug}")
        first = self._steps(visit, venue)[0]
        chosen = {"slot": slot_key(venue.slug, day.isoformat(), time), "venue": venue.slug, "time": time}
        chosen |= {"day": day.isoformat(), "party": party.text, "seat": "", "options": "", "stage": first}
        self.wizard.begin(visit, chosen)
        return visit.redirect(f"/book/{first}")

    def show(self, visit: PageVisit) -> Response:
        step, draft = visit.part("step"), self.wizard.draft(visit)
        if draft is None:
            return visit.redirect("/")
        steps, due = self._steps(visit, find_venue(visit, draft["venue"])), self._due(visit, draft)
        if step not in steps or steps.index(step) > steps.index(due):
            return visit.redirect(f"/book/{due}")
        if draft["stage"] not in steps or steps.index(step) > steps.index(draft["stage"]):
            self.wizard.update(visit, {"stage": step})
        return self._page(visit, step, draft, {})

    def save(self, visit: PageVisit) -> Response:
        """Take what one step asked for; what is missing or malformed is said beside its field."""
        step, draft = visit.part("step"), self.wizard.draft(visit)
        if draft is None:
            return visit.redirect("/")
        venue = find_venue(visit, draft["venue"])
        steps = self._steps(visit, venue)
        if step not in steps[:-1]:
            return visit.redirect("/")
        given, problems = self._wizard_of(venue).given(visit, step)
        if problems:
            return self._page(visit, step, dict(draft) | given, problems)
        if step == "options":
            taken = {value for name, value in visit.form_items if name == "option"}
            given["options"] = ",".join(each.code for each in venue.options if each.code in taken)
        self.wizard.update(visit, given | {"touched": self.wizard.touched(draft, step)})
        return visit.redirect(f"/book/{steps[steps.index(step) + 1]}")

    def confirm(self, visit: PageVisit) -> Response:
        """Book it: from here on it is real."""
        draft = self.wizard.draft(visit)
        if draft is None or self._due(visit, draft) != "review":
            return visit.redirect("/book/review" if draft else "/")
        number = scattered_number(self.desk.prefix, count_rows(visit.state, self.desk.table("booking")) + 1)
        kept = {name: draft[name] for name in KEPT} | {"total": choice_of(visit, draft).total}
        insert(visit.state, self.desk.table("booking"), kept | {"number": number, "status": "Confirmed"})
        insert(visit.state, self.desk.table("seen"), {"number": number})
        self.wizard.update(visit, {"stage": "booked"})
        return visit.redirect(f"/booking/{number}")

    def wait(self, visit: PageVisit) -> Response:
        """The form of the waiting list, and its end."""
        venue = find_venue(visit, visit.part("slug"))
        asked = {**visit.query, **visit.form}
        day, party = read_day(asked.get("day", ""), visit.today), read_party(asked, self.desk.kinds)
        if day is None or party is None:
            return visit.redirect(f"/at/{venue.slug}")
        values: dict[str, Any] = {"venue": venue, "day": day, "party": party, "problems": {}, "done": False}
        if visit.request.method == "POST":
            given, values["problems"] = self.wizard.given(visit, "guest")
            values |= {"draft": given, "done": not values["problems"]}
            if values["problems"] and any(given.values()):
                self.typed(visit)
            if values["done"]:
                row = {"venue": venue.slug, "day": day.isoformat(), "party": party.text}
                insert(visit.state, self.desk.table("waiting"), row | given)
        return desk_page(self.desk, visit, "book/wait.html", **({"draft": dict.fromkeys(GUEST, "")} | values))

    def typed(self, visit: PageVisit) -> Response:
        """Somebody began to type into the form of the waiting list."""
        insert(visit.state, self.desk.table("typed"), {"what": "waiting list"})
        return visit.json({"noted": True})

    def _steps(self, visit: PageVisit, venue: Venue) -> tuple[str, ...]:
        """The steps that a venue's booking has, in the skin's order."""
        left_out = {"payment": not _due_now(venue), "options": not (venue.seats or venue.options)}
        return tuple(step for step in self.wizard.order(visit) if not left_out.get(step))

    def _wizard_of(self, venue: Venue) -> Wizard:
        fields: dict[str, tuple[str, ...]] = {"guest": GUEST}
        fields |= {"payment": ("card",)} if _due_now(venue) else {}
        fields |= {"options": ("seat",)} if venue.seats else {}
        rules = {"seat": ("|".join(map(re.escape, venue.seats)), "Choose where you would like to sit.")}
        return replace(self.wizard, fields=fields, rules=rules)

    def _due(self, visit: PageVisit, draft: sqlite3.Row) -> str:
        return self._wizard_of(find_venue(visit, draft["venue"])).lacking(visit, draft)

    def _page(self, visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
        chosen = choice_of(visit, draft)
        values: dict[str, Any] = {"step": step, "steps": self._steps(visit, chosen.venue), "draft": draft}
        return desk_page(self.desk, visit, "book.html", chosen=chosen, problems=problems, **values)


def choice_of(visit: PageVisit, row: Any) -> ChosenSlot:
    """A draft's or booking's venue, time, party and options."""
    venue, party = find_venue(visit, row["venue"]), Party(row["party"])
    taken = {each.label: each.cents * party.size for each in venue.options if each.code in row["options"].split(",")}
    return ChosenSlot(venue, date.fromisoformat(row["day"]), row["time"], party, row["seat"], taken)


def _due_now(venue: Venue) -> bool:
    """Whether a card is asked for: where tickets, a deposit or anything besides costs something."""
    return venue.paid or any(each.cents for each in venue.options)


def _has(visit: PageVisit, venue: Venue, day: date, time: str, party: Party) -> bool:
    found = {slot.time: slot for slot in slots(visit.town.world, venue, day)}
    return time in found and fits(venue, found[time], party)
