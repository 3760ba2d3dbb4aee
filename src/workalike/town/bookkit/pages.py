"""All pages of a site on which times are booked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from workalike.town import hotelkit
from workalike.town.bookkit import tables, venue
from workalike.town.bookkit.booking import SlotBookingPages
from workalike.town.bookkit.browse import VenuePages
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.bookkit.manage import SlotRecordPages
from workalike.town.kit.records import cancel_own
from workalike.town.kit.seller import SiteKit
from workalike.town.site import PageRoute, RecordDesk, Site, Skin
from workalike.town.template import Template
from workalike.town.world import World


def booking_site(
    desk: BookingDesk,
    about: str,
    folder: Path,
    skins: tuple[Skin, ...],
    venues: Callable[[World], tuple[venue.Venue, ...]],
    templates: tuple[Template, ...] = (),
) -> Site:
    """A site that books times: its own venues and looks over the mechanics they share. Forms, calendars and sheets
    look as they do where rooms are booked, so that stylesheet serves here, too."""

    kit = SiteKit(
        (Path(__file__).parent, Path(hotelkit.__file__).parent),
        pages,
        tables.tables,
        tables.crossed,
        lambda _, world, facts: venue.store(facts, venues(world)),
        tables.begin,
        partial(venue.entries, desk.things),
        thing="/at/",
        written=("review", "text"),
        desk=RecordDesk("/find", "Last name", "manage", posts=True),
    )
    return kit.site(desk, about, folder, skins, templates)


def pages(desk: BookingDesk) -> tuple[PageRoute, ...]:
    look, book, manage = VenuePages(desk), SlotBookingPages(desk), SlotRecordPages(desk)
    post = ("POST",)
    return (
        PageRoute("/", look.front),
        PageRoute("/city/{city}", look.city),
        PageRoute("/map/{city}", look.map),
        PageRoute("/search", look.search),
        PageRoute("/days", look.days),
        PageRoute("/suggest", look.suggestions),
        PageRoute("/at/{slug}", look.venue),
        PageRoute("/at/{slug}/{page}", look.page),
        PageRoute("/pic/at/{slug}.svg", look.picture),
        PageRoute("/pic/city/{city}.svg", look.city_picture),
        PageRoute("/saved", look.saved),
        PageRoute("/saved", look.save, post),
        PageRoute("/help", look.help),
        PageRoute("/book/start", book.start, post),
        PageRoute("/book/touch", book.wizard.touch, post),
        PageRoute("/book/confirm", book.confirm, post),
        PageRoute("/book/{step}", book.show),
        PageRoute("/book/{step}", book.save, post),
        PageRoute("/wait/typed", book.typed, post),
        PageRoute("/wait/{slug}", book.wait, ("GET", "POST")),
        PageRoute("/find", manage.find, ("GET", "POST")),
        PageRoute("/booking/{number}", manage.show),
        PageRoute("/booking/{number}/cancel", cancel_own, post),
        PageRoute("/booking/{number}/confirmation.pdf", manage.confirmation),
    )
