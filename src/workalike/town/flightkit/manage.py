"""Bookings that were made: looked up by number and name, the ticket as a document, cancelled."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.journeys import clock
from workalike.town.flightkit.places import CITIES
from workalike.town.flightkit.search import page
from workalike.town.flightkit.trip import bill, flights_of, trip_of, ways_of
from workalike.town.kit.records import cancel_record, document, find_record
from workalike.town.render import long_date, money
from workalike.town.visit import PageVisit


class FlightRecordPages(msgspec.Struct, frozen=True):
    """The pages about bookings, for one seller."""

    agency: FlightAgency

    def find(self, visit: PageVisit) -> Response:
        """A booking by its number and the traveller's last name."""
        number, name = visit.query.get("number", "").strip().upper(), visit.query.get("name", "").strip().casefold()
        row = self._row(visit, number)
        if row is not None and name and any(one.endswith(name) for one in row["names"].casefold().split("; ")):
            return visit.redirect(f"/booking/{number}")
        return page(self.agency, visit, "flights/find.html", failed=bool(number or name))

    def show(self, visit: PageVisit) -> Response:
        row = self._row(visit, visit.part("number"))
        if row is None:
            raise visit.missing("booking")
        trip, world = trip_of(row), visit.town.world
        values: dict[str, Any] = {"booking": row, "trip": trip, "ways": ways_of(world, trip)}
        return page(self.agency, visit, "flights/booking.html", bill=bill(self.agency, world, trip), **values)

    def ticket(self, visit: PageVisit) -> Response:
        """The ticket to print."""
        row = self._row(visit, visit.part("number"))
        if row is None:
            raise visit.missing("booking")
        trip = trip_of(row)
        lines = [
            f"Booking {row['number']}  ·  {row['status']}",
            f"Travellers: {row['names']}",
            f"Fare: {trip.fare}",
            "",
        ]
        for each in flights_of(visit.town.world, trip):
            leg = each.leg
            lines.append(f"{leg.number}  {CITIES[leg.origin].label} to {CITIES[leg.destination].label}")
            lines.append(f"    {long_date(each.day)}, departs {clock(leg.departs)}, arrives {clock(each.arrives)}")
        lines += ["", f"Seats: {trip.seats or 'assigned at check-in'}", f"Paid: {money(row['total'])}"]
        return document(visit, f"{self.agency.title} ticket", lines, f"ticket-{row['number']}.pdf")

    def cancel(self, visit: PageVisit) -> Response:
        number = visit.part("number")
        row = self._row(visit, number)
        if row is not None and date.fromisoformat(row["depart"]) > visit.today:
            cancel_record(visit, self.agency.table("booking"), number)
        return visit.redirect(f"/booking/{number}")

    def _row(self, visit: PageVisit, number: str) -> sqlite3.Row | None:
        return find_record(visit, self.agency.table("booking"), number)
