"""All pages of a site that sells flights."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from workalike.town.flightkit import agency as routes
from workalike.town.flightkit import tables
from workalike.town.flightkit.agency import Agency
from workalike.town.flightkit.booking import Booking
from workalike.town.flightkit.manage import Manage
from workalike.town.flightkit.search import Search
from workalike.town.site import Page, Site, Skin
from workalike.town.template import Template


def flight_site(
    agency: Agency, about: str, folder: Path, skins: tuple[Skin, ...], templates: tuple[Template, ...] = ()
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
    )


def pages(agency: Agency) -> tuple[Page, ...]:
    search, booking, manage = Search(agency), Booking(agency), Manage(agency)
    post = ("POST",)
    return (
        Page("/", search.front),
        Page("/to/{code}", search.city),
        Page("/fees", search.help),
        Page("/suggest", search.suggestions),
        Page("/days", search.days),
        Page("/flights", search.results),
        Page("/trip", booking.fares),
        Page("/trip", booking.choose, post),
        Page("/trip/fare", booking.take_fare, post),
        Page("/book", booking.start),
        Page("/book/touch", booking.touch, post),
        Page("/book/place", booking.place, post),
        Page("/book/{step}", booking.show),
        Page("/book/{step}", booking.save, post),
        Page("/manage", manage.find),
        Page("/booking/{number}", manage.show),
        Page("/booking/{number}/ticket.pdf", manage.ticket),
        Page("/booking/{number}/cancel", manage.cancel, post),
    )
