"""All pages of a hotel site."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from workalike.town.hotelkit import houses, tables
from workalike.town.hotelkit.agency import Agency
from workalike.town.hotelkit.booking import Booking
from workalike.town.hotelkit.browse import Browse
from workalike.town.hotelkit.manage import Manage
from workalike.town.site import Page, Site, Skin
from workalike.town.template import Template


def agency_site(
    agency: Agency, about: str, folder: Path, skins: tuple[Skin, ...], templates: tuple[Template, ...] = ()
) -> Site:
    """A site that sells rooms: its own looks over the mechanics all of them share."""
    return Site(
        name=agency.name,
        title=agency.title,
        about=about,
        folder=folder,
        also_folders=(Path(__file__).parent,),
        skins=skins,
        pages=pages(agency),
        tables=tables.tables(agency.name),
        build=partial(houses.build, agency),
        begin=partial(tables.begin, agency),
        entries=houses.entries,
        templates=templates,
    )


def pages(agency: Agency) -> tuple[Page, ...]:
    look, book, manage = Browse(agency), Booking(agency), Manage(agency)
    post = ("POST",)
    return (
        Page("/", look.front),
        Page("/destinations", look.destinations),
        Page("/city/{city}", look.city),
        Page("/search", look.search),
        Page("/suggest", look.suggestions),
        Page("/hotel/{slug}", look.hotel),
        Page("/pic/hotel/{slug}.svg", look.picture),
        Page("/pic/city/{city}.svg", look.city_picture),
        Page("/saved", look.saved),
        Page("/saved", look.save, post),
        Page("/help", look.help),
        Page("/book/start", book.start, post),
        Page("/book/touch", book.touch, post),
        Page("/book/confirm", book.confirm, post),
        Page("/book/{step}", book.show),
        Page("/book/{step}", book.save, post),
        Page("/find", manage.find, ("GET", "POST")),
        Page("/booking/{number}", manage.show),
        Page("/booking/{number}/cancel", manage.cancel, post),
        Page("/booking/{number}/confirmation.pdf", manage.confirmation),
    )
