"""Bookings after they were made: finding one by its number and the guest's name, its confirmation, cancelling it."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from workalike.town.bookkit.booking import choice_of
from workalike.town.bookkit.browse import clock, desk_page
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.kit.records import document, look_up, own_booking
from workalike.town.render import long_date, money
from workalike.town.visit import PageVisit


class SlotRecordPages(msgspec.Struct, frozen=True):
    """The pages of one site for those who have booked."""

    desk: BookingDesk

    def find(self, visit: PageVisit) -> Response:
        """The form; with a number and a name that belong together, on to the booking."""
        number, known = look_up(visit)
        if known:
            return visit.redirect(f"/booking/{number}")
        failed = visit.request.method == "POST"
        return desk_page(self.desk, visit, "book/find.html", 404 if failed else 200, failed=failed, number=number)

    def show(self, visit: PageVisit) -> Response:
        row = own_booking(visit)
        return desk_page(self.desk, visit, "book/booking.html", booking=row, chosen=choice_of(visit, row))

    def confirmation(self, visit: PageVisit) -> Response:
        row = own_booking(visit)
        chosen = choice_of(visit, row)
        lines = [
            f"Booking {row['number']} ({row['status']})", row["name"], "", chosen.venue.name, chosen.venue.address,
            f"{long_date(chosen.day)}, {clock(chosen.time)}",
            *(f"{count} {self.desk.kinds[name].lower()}" for name, count in chosen.party.counts.items()),
            *([chosen.seat] if chosen.seat else []), *chosen.options, f"Paid: {money(row['total'])}",
        ]  # fmt: skip
        return document(visit, f"{self.desk.title} - Confirmation", lines, f"{self.desk.name}-{row['number']}.pdf")
