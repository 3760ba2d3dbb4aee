"""Bookings after they were made: finding one by its number and the guest's name, its confirmation, cancelling it."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.booking import choice_of
from workalike.town.hotelkit.browse import agency_page
from workalike.town.kit.records import document, look_up, own_booking
from workalike.town.render import long_date, money
from workalike.town.visit import PageVisit


class HotelRecordPages(msgspec.Struct, frozen=True):
    """The pages of one site for those who have booked."""

    agency: HotelAgency

    def find(self, visit: PageVisit) -> Response:
        """The form; with a number and a name that belong together, on to the booking."""
        number, known = look_up(visit)
        if known:
            return visit.redirect(f"/booking/{number}")
        failed = visit.request.method == "POST"
        return agency_page(self.agency, visit, "hotel/find.html", 404 if failed else 200, failed=failed, number=number)

    def show(self, visit: PageVisit) -> Response:
        row = own_booking(visit)
        return agency_page(
            self.agency, visit, "hotel/booking.html", booking=row, chosen=choice_of(self.agency, visit, row)
        )

    def confirmation(self, visit: PageVisit) -> Response:
        row = own_booking(visit)
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
