"""What can be had at a site, looked up for drawing tasks and their near misses."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from msgspec.structs import replace

from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.listing import Hit, HotelQuery, run_ask
from workalike.town.hotelkit.prices import HotelStay, extras_of, offers, rows_of
from workalike.town.hotelkit.tasks.rooms import Room
from workalike.town.town import Town

FURTHEST = 110


class Market:
    """One site's houses, rooms and rates."""

    def __init__(self, town: Town, site: str) -> None:
        self.town, self.site, self.agency = town, site, AGENCIES[site]
        self.facts, self.today = town.facts[site], town.world.today

    def house(self, rng: Random, where: str = "1") -> sqlite3.Row:
        chosen = rng.choice(self.facts.execute(f"SELECT id FROM hotel WHERE {where} ORDER BY id").fetchall())
        return self.facts.execute("SELECT * FROM hotel WHERE id = ?", (chosen["id"],)).fetchone()  # type: ignore[no-any-return]

    def row(self, slug: str) -> sqlite3.Row:
        return self.facts.execute("SELECT * FROM hotel WHERE slug = ?", (slug,)).fetchone()  # type: ignore[no-any-return]

    def amenities(self, slug: str) -> set[str]:
        query = "SELECT amenity.name FROM amenity JOIN hotel ON hotel.id = amenity.hotel WHERE slug = ?"
        return {row["name"] for row in self.facts.execute(query, (slug,))}

    def stay(self, rng: Random, adults: int = 2, children: int = 0, rooms: int = 1) -> HotelStay:
        """Dates to come; half of them can be told from today in a few words."""
        ahead = rng.choice((1, 7, 14, 21, 28)) if rng.random() < 0.5 else rng.randint(3, FURTHEST)
        arrive = self.today + timedelta(ahead)
        return HotelStay(arrive, arrive + timedelta(rng.randint(1, 5)), adults, children, rooms)

    def offers(self, wanted: Room) -> list[Room]:
        """Everything a house has for a stay, as rooms with their totals; extras stay as they are."""
        row, found = self.row(wanted.slug), []
        priced = extras_of(row, wanted.stay)
        besides = sum(priced.get(code, 0) for code in wanted.extras)
        for room in rows_of(self.facts, row["id"]):
            for offer in offers(self.agency, self.town.world, row, room, wanted.stay):
                named = {"room_name": room["name"], "rate_name": offer.rate.name}
                found.append(
                    replace(wanted, room=offer.room, rate=offer.rate.code, total=offer.total + besides, **named)
                )
        return found

    def extras(self, room: Room) -> list[str]:
        return list(extras_of(self.row(room.slug), room.stay))

    def until(self, room: Room) -> date | None:
        """The last day on which a flexible rate can be cancelled."""
        last = room.stay.arrive - timedelta(self.row(room.slug)["cancel_days"])
        return last if last >= self.today else None

    def results(self, ask: HotelQuery, stay: HotelStay) -> list[Hit]:
        return run_ask(self.agency, self.town.world, self.facts, ask, stay).hits

    def neighbour(self, room: Room) -> Room:
        """Another house: of the same city where there is one, next in price."""
        row = self.row(room.slug)
        near = self.facts.execute(
            "SELECT * FROM hotel WHERE id != ? ORDER BY city != ?, abs(base - ?), id LIMIT 1",
            (row["id"], row["city"], row["base"]),
        ).fetchone()
        return room_of(self.site, near)

    def elsewhere(self, room: Room, right: tuple[str, ...]) -> Iterator[tuple[str, Room]]:
        """A house of the same city that is none of the right ones, in some room of it."""
        rows = self.facts.execute("SELECT * FROM hotel WHERE city = ? ORDER BY id", (room.city,)).fetchall()
        for row in rows:
            found = self.offers(room_of(self.site, row, room.stay)) if row["slug"] not in right else []
            if found:
                yield f"{row['name']} instead", found[0]
                return

    def far_house(self, room: Room) -> Room:
        """A house of quite another city."""
        rows = self.facts.execute("SELECT * FROM hotel WHERE city != ? ORDER BY id LIMIT 1", (room.city,))
        return room_of(self.site, rows.fetchone())


def room_of(site: str, hotel: sqlite3.Row, stay: HotelStay | None = None) -> Room:
    """A house, for a stay where one is given."""
    bare = Room(site, hotel["slug"], hotel["name"], hotel["city"])
    if stay is None:
        return bare
    dates = {"arrive": stay.arrive.isoformat(), "depart": stay.depart.isoformat()}
    return replace(bare, adults=stay.adults, children=stay.children, rooms=stay.rooms, **dates)
