"""All pages of a site that sells flights."""

from __future__ import annotations

from pathlib import Path

from workalike.town.flightkit import agency as routes
from workalike.town.flightkit import tables
from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.booking import FlightBookingPages
from workalike.town.flightkit.manage import FlightRecordPages
from workalike.town.flightkit.search import FlightSearchPages
from workalike.town.kit.seller import SiteKit
from workalike.town.site import PageRoute, RecordDesk


def pages(agency: FlightAgency) -> tuple[PageRoute, ...]:
    search, booking, manage = FlightSearchPages(agency), FlightBookingPages(agency), FlightRecordPages(agency)
    post = ("POST",)
    return (
        PageRoute("/", search.front),
        PageRoute("/to/{code}", search.city),
        PageRoute("/fees", search.help),
        PageRoute("/suggest", search.suggestions),
        PageRoute("/days", search.days),
        PageRoute("/flights", search.results),
        PageRoute("/trip", booking.fares),
        PageRoute("/trip", booking.choose, post),
        PageRoute("/trip/fare", booking.take_fare, post),
        PageRoute("/book", booking.start),
        PageRoute("/book/touch", booking.wizard.touch, post),
        PageRoute("/book/place", booking.place, post),
        PageRoute("/book/{step}", booking.show),
        PageRoute("/book/{step}", booking.save, post),
        PageRoute("/manage", manage.find),
        PageRoute("/booking/{number}", manage.show),
        PageRoute("/booking/{number}/ticket.pdf", manage.ticket),
        PageRoute("/booking/{number}/cancel", manage.cancel, post),
    )


FLIGHTS = SiteKit(
    (Path(__file__).parent,),
    pages,
    tables.tables,
    tables.crossed,
    routes.build,
    tables.begin,
    routes.entries,
    desk=RecordDesk("/manage", "Last name of a traveller", "trips"),
)
