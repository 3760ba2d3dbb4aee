"""Bookings after they were made: finding one by its number and the guest's name, its confirmation, cancelling it."""

from __future__ import annotations

import sqlite3

import msgspec
from starlette.responses import Response

from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.booking import choice_of
from workalike.town.hotelkit.browse import agency_page
from workalike.town.kit.records import cancel_record, document, find_record
from workalike.town.render import long_date, money
from workalike.town.state import insert
from workalike.town.visit import PageVisit


class HotelRecordPages(msgspec.Struct, frozen=True):
    """The pages of one site for those who have booked."""

    agency: HotelAgency

    def find(self, visit: PageVisit) -> Response:
        """The form; with a number and a name that belong together, on to the booking."""
        number, name = visit.form.get("number", "").strip().upper(), visit.form.get("name", "").strip().lower()
        row = find_record(visit, self.agency.table("booking"), number) if number else None
        if row is not None and name and row["name"].lower().split()[-1] == name:
            insert(visit.state, self.agency.table("seen"), {"number": number})
            return visit.redirect(f"/booking/{number}")
        failed = visit.request.method == "POST"
        return agency_page(self.agency, visit, "hotel/find.html", 404 if failed else 200, failed=failed, number=number)

    def show(self, visit: PageVisit) -> Response:
        row = self._own(visit)
        return agency_page(
            self.agency, visit, "hotel/booking.html", booking=row, chosen=choice_of(self.agency, visit, row)
        )

    def cancel(self, visit: PageVisit) -> Response:
        row = self._own(visit)
        cancel_record(visit, self.agency.table("booking"), row["number"])
        return visit.redirect(f"/booking/{row['number']}")

    def confirmation(self, visit: PageVisit) -> Response:
        row = self._own(visit)
        chosen = choice_of(self.agency, visit, row)
        lines = [
            f"Booking {row['number']} ({row['status']})", row["name"], "", chosen.hotel["name"],
            chosen.hotel["address"], f"{chosen.offer.room_name}, {chosen.offer.rate.name}",
            f"Check-in: {long_date(chosen.stay.arrive)}, from {chosen.hotel['check_in']}",
            f"Check-out: {long_date(chosen.stay.depart)}, until {chosen.hotel['check_out']}",
            *(f"{name}: {money(cents)}" for name, cents in chosen.extras.items()), f"Total: {money(row['total'])}",
        ]  # fmt: skip
        name = f"{self.agency.name}-{row['number']}.pdf"
        return document(visit, f"{self.agency.title} - Confirmation", lines, name)

    def _own(self, visit: PageVisit) -> sqlite3.Row:
        """Only who made the booking, or named its guest, gets to see it."""
        known = f"number IN (SELECT number FROM {self.agency.table('seen')})"
        row = find_record(visit, self.agency.table("booking"), visit.part("number"), known)
        if row is None:
            raise visit.missing("booking")
        return row
