"""Who takes bookings: one site, with its words for what it books."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class BookingDesk(msgspec.Struct, frozen=True):
    """A site on which times are booked. `kinds` are those who come, with what a counter calls them, `usual` who comes
    where nobody says otherwise; `things` is what its venues are called together, `levels` how dear they are in signs,
    `facets` the details one can narrow by."""

    name: str
    title: str
    prefix: str
    phone: str
    kinds: Mapping[str, str]
    things: str
    usual: Mapping[str, int]
    levels: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()

    def table(self, name: str) -> str:
        return f"{self.name}_{name}"
