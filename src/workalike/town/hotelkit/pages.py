"""All pages of a hotel site."""

from __future__ import annotations

from pathlib import Path

from workalike.town.hotelkit import houses, tables
from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.booking import HotelBookingPages
from workalike.town.hotelkit.browse import HotelPages
from workalike.town.hotelkit.manage import HotelRecordPages
from workalike.town.kit.records import cancel_own
from workalike.town.kit.seller import SiteKit
from workalike.town.site import PageRoute, RecordDesk


def pages(agency: HotelAgency) -> tuple[PageRoute, ...]:
    look, book, manage = HotelPages(agency), HotelBookingPages(agency), HotelRecordPages(agency)
    post = ("POST",)
    return (
        PageRoute("/", look.front),
        PageRoute("/destinations", look.destinations),
        PageRoute("/city/{city}", look.city),
        PageRoute("/search", look.search),
        PageRoute("/days", look.days),
        PageRoute("/suggest", look.suggestions),
        PageRoute("/hotel/{slug}", look.hotel),
        PageRoute("/pic/hotel/{slug}.svg", look.picture),
        PageRoute("/pic/city/{city}.svg", look.city_picture),
        PageRoute("/saved", look.saved),
        PageRoute("/saved", look.save, post),
        PageRoute("/help", look.help),
        PageRoute("/book/start", book.start, post),
        PageRoute("/book/touch", book.wizard.touch, post),
        PageRoute("/book/confirm", book.confirm, post),
        PageRoute("/book/{step}", book.show),
        PageRoute("/book/{step}", book.save, post),
        PageRoute("/find", manage.find, ("GET", "POST")),
        PageRoute("/booking/{number}", manage.show),
        PageRoute("/booking/{number}/cancel", cancel_own, post),
        PageRoute("/booking/{number}/confirmation.pdf", manage.confirmation),
    )


HOTELS = SiteKit(
    (Path(__file__).parent,),
    pages,
    tables.tables,
    tables.crossed,
    houses.build,
    tables.begin,
    houses.entries,
    thing="/hotel/",
    written=("review", "text"),
    desk=RecordDesk("/find", "Last name", "manage", posts=True),
)
