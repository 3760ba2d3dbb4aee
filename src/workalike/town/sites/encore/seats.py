"""Seats and what they cost: the sections of a house, which seats are free, prices by age, and the fees that come on
top. Pure functions of the world and its rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from zlib import crc32

import msgspec

from workalike.town.world import World


class Section(msgspec.Struct, frozen=True):
    """A part of a house: how many rows and seats, how dear, and where it lies on the plan (a box in percent)."""

    code: str
    name: str
    rows: int
    wide: int
    factor: float
    box: tuple[int, int, int, int]


PLANS = {
    "theatre": (
        Section("OL", "Orchestra Left", 10, 7, 1.1, (6, 16, 22, 36)),
        Section("OC", "Orchestra Centre", 12, 12, 1.45, (30, 16, 40, 38)),
        Section("OR", "Orchestra Right", 10, 7, 1.1, (72, 16, 22, 36)),
        Section("MZ", "Mezzanine", 6, 14, 1.0, (16, 58, 68, 16)),
        Section("BL", "Balcony Left", 5, 8, 0.62, (10, 78, 38, 16)),
        Section("BR", "Balcony Right", 5, 8, 0.62, (52, 78, 38, 16)),
    ),
    "arena": (
        Section("FL", "Floor", 12, 14, 1.6, (30, 16, 40, 34)),
        Section("101", "Section 101", 9, 10, 1.2, (6, 16, 20, 40)),
        Section("102", "Section 102", 9, 12, 1.15, (28, 54, 44, 18)),
        Section("103", "Section 103", 9, 10, 1.2, (74, 16, 20, 40)),
        Section("201", "Section 201", 8, 12, 0.7, (4, 60, 22, 32)),
        Section("202", "Section 202", 8, 12, 0.72, (28, 76, 44, 18)),
        Section("203", "Section 203", 8, 12, 0.7, (74, 60, 22, 32)),
    ),
    "club": (
        Section("TB", "Cabaret Tables", 4, 8, 1.5, (18, 16, 64, 24)),
        Section("MF", "Main Floor", 8, 10, 1.0, (18, 44, 64, 26)),
        Section("GL", "Gallery", 3, 12, 0.75, (10, 76, 80, 16)),
    ),
}
AGES = {"adult": "Adult", "child": "Child", "senior": "Senior", "student": "Student"}
DELIVERY = {"mobile": "Mobile ticket", "collect": "Collect at the box office", "post": "By post"}
POSTAGE = {"mobile": 0, "collect": 150, "post": 695}
ORDER_FEE = 395
MOST = 8
"""How many seats one order holds at most."""


class Bill(msgspec.Struct, frozen=True):
    """What an order comes to, in cents, line by line."""

    tickets: int
    service: int
    facility: int
    order: int
    delivery: int

    @property
    def fees(self) -> int:
        return self.service + self.facility + self.order + self.delivery

    @property
    def total(self) -> int:
        return self.tickets + self.fees


def section_of(kind: str, code: str) -> Section | None:
    return next((each for each in PLANS[kind] if each.code == code), None)


def is_free(world: World, show: sqlite3.Row, section: Section, row: str, seat: int) -> bool:
    """Whether a seat can be had; those in front and in the middle go first."""
    if show["status"] != "sale":
        return False
    drawn = crc32(f"{world.seed}|{show['code']}|{section.code}|{row}|{seat // 2}".encode()) % 100
    return bool(drawn >= show["fill"] - 3 * (ord(row) - 65))


def free_seats(world: World, show: sqlite3.Row, section: Section) -> dict[str, list[int]]:
    """The free seats, by row."""
    return {
        row: [seat for seat in range(1, section.wide + 1) if is_free(world, show, section, row, seat)]
        for row in (chr(65 + at) for at in range(section.rows))
    }


def blocks(world: World, show: sqlite3.Row, section: Section, count: int) -> Iterator[str]:
    """Every choice of so many free seats side by side, as orders write it: `OC C7,C8`."""
    for row, seats in free_seats(world, show, section).items():
        for seat in seats:
            if all(seat + next_to in seats for next_to in range(count)):
                chosen = ",".join(f"{row}{seat + next_to}" for next_to in range(count))
                yield f"{section.code} {chosen}"


def price(show: sqlite3.Row, section: Section) -> int:
    """What an adult pays in a section, before fees."""
    return int(show["base"] * section.factor / 50 + 0.5) * 50


def reduced(event: sqlite3.Row, cents: int, age: str) -> int:
    off = 0 if age == "adult" else event[f"{age}_off"]
    return round(cents * (100 - off) / 100)


def ages_of(event: sqlite3.Row) -> dict[str, str]:
    """The kinds of tickets there are."""
    return {age: text for age, text in AGES.items() if age == "adult" or event[f"{age}_off"]}


def bill(event: sqlite3.Row, venue: sqlite3.Row, each: int, ages: Sequence[str], delivery: str) -> Bill:
    """The sum of an order of tickets at a section's price: a service fee on each ticket's price, the house's own fee
    for each, and one for the order."""
    prices = [reduced(event, each, age) for age in ages]
    service = sum(round(cents * event["service"] / 100) for cents in prices)
    return Bill(sum(prices), service, venue["facility"] * len(ages), ORDER_FEE, POSTAGE[delivery])


def split_seats(seats: str) -> tuple[str, list[str]]:
    """
    >>> split_seats("OC C7,C8")
    ('OC', ['C7', 'C8'])
    """
    section, _, rest = seats.partition(" ")
    return section, rest.split(",") if rest else []
