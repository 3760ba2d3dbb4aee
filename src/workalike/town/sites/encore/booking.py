"""From chosen seats to tickets, in several pages; and bookings after they were made."""

from __future__ import annotations

import re
import sqlite3
from datetime import date
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.records import (
    count_rows,
    document,
    look_up,
    own_booking,
    scattered_number,
)
from workalike.town.kit.wizard import Wizard
from workalike.town.render import long_date, money
from workalike.town.sites.encore import seats
from workalike.town.sites.encore.browse import find_show, page
from workalike.town.sites.encore.seats import AGES, DELIVERY, Bill
from workalike.town.sites.encore.tables import days_ahead
from workalike.town.state import insert
from workalike.town.visit import PageVisit

STEPS = ("tickets", "delivery", "buyer", "payment", "review")
WIZARD = Wizard(
    "encore_draft",
    STEPS,
    {
        "tickets": ("ages",),
        "delivery": ("delivery",),
        "buyer": ("name", "email", "phone"),
        "payment": ("card",),
    },
    ("buyer", "payment"),
    {
        "ages": ("[a-z,]+", "Choose a ticket for every seat."),
        "delivery": ("|".join(DELIVERY), "Choose how to get your tickets."),
    },
)
KEPT = ("show", "seats", "ages", "delivery", "name", "email", "phone", "card")


class Order(msgspec.Struct, frozen=True):
    """What a draft or a booking is about, looked up."""

    show: sqlite3.Row
    event: sqlite3.Row
    section: seats.Section
    seats: list[str]
    each: int
    bill: Bill

    @property
    def day(self) -> date:
        return date.fromisoformat(self.show["day"])


def start(visit: PageVisit) -> Response:
    """Seats were chosen: begin, if they are free and side by side."""
    row, _ = find_show(visit, visit.part("code"))
    part = seats.section_of(row["kind"], visit.part("section"))
    if part is None:
        raise visit.missing("section")
    back = f"/show/{row['code']}/seats/{part.code}"
    chosen = [value for name, value in visit.form_items if name == "seat"]
    if not 1 <= len(chosen) <= seats.MOST or not all(_free(visit, row, part, seat) for seat in chosen):
        return visit.redirect(f"{back}?problem=choose")
    chosen.sort(key=lambda seat: (seat[0], int(seat[1:])))
    first = WIZARD.order(visit)[0]
    written = f"{part.code} {','.join(chosen)}"
    WIZARD.begin(visit, {"stage": first, "show": row["code"], "seats": written})
    return visit.redirect(f"/book/{first}")


def show_step(visit: PageVisit) -> Response:
    return WIZARD.show(visit, _page)


def save_step(visit: PageVisit) -> Response:
    return WIZARD.save(visit, _page, read=_given)


def confirm(visit: PageVisit) -> Response:
    """Buy them: from here on it is real."""
    draft = WIZARD.draft(visit)
    if draft is None or WIZARD.lacking(visit, draft) != "review":
        return visit.redirect("/book/review" if draft else "/")
    number = scattered_number("EN", count_rows(visit.state, "encore_booking") + 1)
    kept = {name: draft[name] for name in KEPT}
    total = order_of(visit, draft).bill.total
    insert(visit.state, "encore_booking", kept | {"number": number, "total": total, "status": "Confirmed"})
    insert(visit.state, "encore_seen", {"number": number})
    WIZARD.update(visit, {"stage": "booked"})
    return visit.redirect(f"/booking/{number}")


def find(visit: PageVisit) -> Response:
    """The form; with a number and a name that belong together, on to the booking."""
    number, known = look_up(visit)
    if known:
        return visit.redirect(f"/booking/{number}")
    failed = visit.request.method == "POST"
    return page(visit, "find.html", 404 if failed else 200, failed=failed, number=number)


def booking(visit: PageVisit) -> Response:
    row = own_booking(visit)
    order = order_of(visit, row)
    return page(visit, "booking.html", booking=row, order=order, ahead=days_ahead(order.show, visit.today))


def ticket(visit: PageVisit) -> Response:
    row = own_booking(visit)
    order = order_of(visit, row)
    lines = [
        f"Booking {row['number']} ({row['status']})", row["name"], "", order.event["name"],
        f"{order.show['venue_name']}, {order.show['city']}", f"{long_date(order.day)}, {order.show['time']}",
        f"{order.section.name}: {', '.join(order.seats)}", f"Total: {money(row['total'])}",
    ]  # fmt: skip
    return document(visit, "Encore Tickets", lines, f"encore-{row['number']}.pdf")


def order_of(visit: PageVisit, row: Any) -> Order:
    """A draft's or booking's date, seats and bill; without ages all are adults."""
    show, event = find_show(visit, row["show"])
    code, chosen = seats.split_seats(row["seats"])
    part = seats.section_of(show["kind"], code)
    assert part is not None
    ages = (row["ages"] or "").split(",") if row["ages"] else ["adult"] * len(chosen)
    each = seats.price(show, part)
    bill = seats.bill(event, show, each, ages, row["delivery"] or "mobile")
    return Order(show, event, part, chosen, each, bill)


def _free(visit: PageVisit, show: sqlite3.Row, part: seats.Section, seat: str) -> bool:
    if not re.fullmatch(r"[A-Z]\d{1,2}", seat) or ord(seat[0]) - 65 >= part.rows or int(seat[1:]) > part.wide:
        return False
    return seats.is_free(visit.town.world, show, part, seat[0], int(seat[1:]))


def _given(visit: PageVisit, step: str, draft: sqlite3.Row) -> tuple[dict[str, Any], dict[str, str]]:
    """What a step was answered: that of the tickets asks once a seat."""
    if step != "tickets":
        return WIZARD.given(visit, step)
    given = {"ages": _ages(visit, order_of(visit, draft))}
    return given, WIZARD.problems(given)


def _ages(visit: PageVisit, order: Order) -> str:
    """A ticket for every seat, in the order of ages; nothing where one is missing."""
    offered = seats.ages_of(order.event)
    given = [visit.form.get(f"age_{seat}", "") for seat in order.seats]
    return ",".join(sorted(given)) if all(age in offered for age in given) else ""


def _page(visit: PageVisit, step: str, draft: Any, problems: dict[str, str]) -> Response:
    order = order_of(visit, draft)
    offered = seats.ages_of(order.event)
    prices = {age: seats.reduced(order.event, order.each, age) for age in offered}
    values: dict[str, Any] = {"step": step, "steps": WIZARD.order(visit), "draft": draft, "problems": problems}
    values |= {"offered": offered, "prices": prices, "delivery": DELIVERY, "postage": seats.POSTAGE, "ages": AGES}
    return page(visit, "book.html", order=order, **values)
