"""Bookings after they were made: finding one by its number and the guest's name, its confirmation, cancelling it."""

from __future__ import annotations

import sqlite3

import msgspec
from starlette.responses import Response

from workalike.town.bookkit.booking import choice_of
from workalike.town.bookkit.browse import clock, desk_page
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.kit.records import cancel_record, document, find_record
from workalike.town.render import long_date, money
from workalike.town.state import insert
from workalike.town.visit import PageVisit


class SlotRecordPages(msgspec.Struct, frozen=True):
    """The pages of one site for those who have booked."""

    desk: BookingDesk

    def find(self, visit: PageVisit) -> Response:
        """The form; with a number and a name that belong together, on to the booking."""
        number, name = visit.form.get("number", "").strip().upper(), visit.form.get("name", "").strip().lower()
        row = find_record(visit, self.desk.table("booking"), number) if number else None
        if row is not None and name and row["name"].lower().split()[-1] == name:
            insert(visit.state, self.desk.table("seen"), {"number": number})
            return visit.redirect(f"/booking/{number}")
        failed = visit.request.method == "POST"
        return desk_page(self.desk, visit, "book/find.html", 404 if failed else 200, failed=failed, number=number)

    def show(self, visit: PageVisit) -> Response:
        row = self._own(visit)
        return desk_page(self.desk, visit, "book/booking.html", booking=row, chosen=choice_of(visit, row))

    def cancel(self, visit: PageVisit) -> Response:
        row = self._own(visit)
        cancel_record(visit, self.desk.table("booking"), row["number"])
        return visit.redirect(f"/booking/{row['number']}")

    def confirmation(self, visit: PageVisit) -> Response:
        row = self._own(visit)
        chosen = choice_of(visit, row)
        lines = [
            f"Booking {row['number']} ({row['status']})", row["name"], "", chosen.venue.name, chosen.venue.address,
            f"{long_date(chosen.day)}, {clock(chosen.time)}",
            *(f"{count} {self.desk.kinds[name].lower()}" for name, count in chosen.party.counts.items()),
            *([chosen.seat] if chosen.seat else []), *chosen.options, f"Paid: {money(row['total'])}",
        ]  # fmt: skip
        return document(visit, f"{self.desk.title} - Confirmation", lines, f"{self.desk.name}-{row['number']}.pdf")

    def _own(self, visit: PageVisit) -> sqlite3.Row:
        """Only who made the booking, or named its guest, gets to see it."""
        known = f"number IN (SELECT number FROM {self.desk.table('seen')})"
        row = find_record(visit, self.desk.table("booking"), visit.part("number"), known)
        if row is None:
            raise visit.missing("booking")
        return row
