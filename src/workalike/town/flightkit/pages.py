"""All pages of a site that sells flights."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from workalike.town.flightkit import agency as routes
from workalike.town.flightkit import tables
from workalike.town.flightkit.agency import FlightAgency
from workalike.town.flightkit.booking import FlightBookingPages
from workalike.town.flightkit.manage import FlightRecordPages
from workalike.town.flightkit.search import FlightSearchPages
from workalike.town.site import PageRoute, RecordDesk, Site, Skin
from workalike.town.template import Template


def flight_site(
    agency: FlightAgency, about: str, folder: Path, skins: tuple[Skin, ...], templates: tuple[Template, ...] = ()
) -> Site:
    """A seller of flights as a site of the town: its own looks over the mechanics all of them share."""
    return Site(
        name=agency.name,
        title=agency.title,
        about=about,
        folder=folder,
        also_folders=(Path(__file__).parent,),
        skins=skins,
        pages=pages(agency),
        tables=tables.tables(agency.name),
        build=partial(routes.build, agency),
        begin=partial(tables.begin, agency),
        entries=routes.entries,
        templates=templates,
        crossed=tables.crossed(agency.name),
        desk=RecordDesk("/manage", "Last name of a traveller", "trips"),
    )


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
