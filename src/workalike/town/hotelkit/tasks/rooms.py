"""What hotel tasks are about, as plain data: a house, a stay there, a room on some terms; and how a house is found."""

from __future__ import annotations

from datetime import date

import msgspec

from workalike.core.key import FactPattern
from workalike.town.hotelkit.prices import HotelStay
from workalike.town.render import money


class HotelHunt(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a house is found when the task does not name it: filters by group and name, as parts of the query, and the
    order of the results; then it is the first."""

    filters: tuple[tuple[str, str, str, str], ...] = ()
    """Each a group, the label, the query's field and its value."""
    sort: str = "price"


class Room(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house at a site for a stay; with a room and a rate where it comes to those. An empty `arrive` means that no
    dates matter."""

    site: str
    slug: str
    name: str
    city: str
    arrive: str = ""
    depart: str = ""
    adults: int = 2
    children: int = 0
    rooms: int = 1
    room: str = ""
    room_name: str = ""
    rate: str = ""
    rate_name: str = ""
    extras: tuple[str, ...] = ()
    total: int = 0
    hunt: HotelHunt | None = None
    any_of: tuple[str, ...] = ()
    """The houses that are all right, in any room, where the choice is open."""
    rates: tuple[str, ...] = ()
    """The rates that are all right there."""

    @property
    def stay(self) -> HotelStay:
        days = date.fromisoformat(self.arrive), date.fromisoformat(self.depart)
        return HotelStay(*days, self.adults, self.children, self.rooms)


def total_of(room: Room) -> FactPattern:
    """The fact of what a room on its terms costs for its stay."""
    return FactPattern(room.site, room.slug, "total", room.stay.context | {"room": room.room, "rate": room.rate})


def lowest_of(room: Room) -> tuple[FactPattern, ...]:
    """The same for a house's cheapest offer, as results show it or as its rates do."""
    return FactPattern(room.site, room.slug, "from", room.stay.context, money(room.total)), total_of(room)


def about(room: Room, field: str, value: str | None = None, stay: bool = False) -> FactPattern:
    """Another fact about a house, or about a stay there."""
    return FactPattern(room.site, room.slug, field, room.stay.context if stay else {}, value)
