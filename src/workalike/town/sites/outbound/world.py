"""What can be done in the cities of the world: trails, museums, classes, workshops, tours, boats, bikes and meetups."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from workalike.town.bookkit.city import AREAS, CITIES, STREETS, near
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.bookkit.venue import WEEKDAYS, GuestRemark, SlotOption, TicketFare, Venue
from workalike.town.world import World

OUTBOUND = BookingDesk(
    name="outbound",
    title="Outbound",
    prefix="OB",
    phone="1-800-555-0138",
    kinds={"adults": "Adults", "children": "Children", "seniors": "Seniors"},
    things="things to do",
    usual={"adults": 2},
    facets=("Difficulty", "Language"),
)
_DATA: dict[str, Any] = msgspec.json.decode((Path(__file__).parent / "programme.json").read_bytes())
NAMES: dict[str, list[str]] = _DATA["names"]
KINDS = tuple(NAMES)
_QUIRKS: dict[str, list[list[str]]] = _DATA["quirks"]
QUIRKS = [pair for kind in KINDS for pair in _QUIRKS[kind]]
"""What guests tell of one activity of its kind in a city, and how somebody would describe it in other words."""
TRAITS = ("Good in the rain", "Stroller friendly", "Step-free access", "Dogs welcome", "Small groups", "Snack included")
LANGUAGES = ("English", "French", "German", "Spanish")
_WHO = ("Aino", "Bernd", "Chloe", "Davide", "Emre", "Freya", "Gil", "Hanna", "Imran", "Jill", "Karel", "Lotte")
_OPTIONS = {
    "Trail": (SlotOption("poles", "Walking poles", 600), SlotOption("map", "Printed map", 400)),
    "Museum": (SlotOption("audio", "Audio guide", 500), SlotOption("special", "Special exhibition", 700)),
    "Cooking class": (SlotOption("apron", "Apron to keep", 1400), SlotOption("drinks", "Drinks with the meal", 1200)),
    "Craft workshop": (SlotOption("extra", "Second piece", 1800), SlotOption("frame", "Gift box", 900)),
    "Walking tour": (SlotOption("radio", "Headset", 300), SlotOption("pickup", "Hotel pick-up", 1500)),
    "Boat trip": (SlotOption("upper", "Upper deck", 800), SlotOption("drinks", "Drink on board", 600)),
    "Bike tour": (SlotOption("helmet", "Helmet", 300), SlotOption("ebike", "Electric bicycle", 1900)),
    "Meetup": (),
}
_PRICES = {
    "Trail": (400, 1200), "Museum": (900, 2200), "Cooking class": (4500, 9500), "Craft workshop": (3500, 8800),
    "Walking tour": (1400, 3600), "Boat trip": (1800, 5200), "Bike tour": (2900, 7200), "Meetup": (0, 0),
}  # fmt: skip
_MINUTES = {
    "Trail": (90, 360), "Museum": (60, 120), "Cooking class": (120, 300), "Craft workshop": (90, 270),
    "Walking tour": (75, 210), "Boat trip": (45, 180), "Bike tour": (120, 330), "Meetup": (90, 150),
}  # fmt: skip


@lru_cache(maxsize=4)
def activities(world: World) -> tuple[Venue, ...]:
    """Four of a kind in every city, and none of a kind that guests tell the same of."""
    found: list[Venue] = []
    for city in CITIES:
        rng = world.rng("activities", city)
        for place, kind in enumerate(KINDS):
            names, quirks = rng.sample(rng.share(NAMES[kind]), 4), rng.sample(range(5), 4)
            for name, quirk in zip(names, quirks, strict=True):
                found.append(_activity(world, city, kind, name, place * 5 + quirk, rng))
    return tuple(found)


def _activity(world: World, city: str, kind: str, short: str, quirk: int, rng: Random) -> Venue:
    area = rng.choice(tuple(AREAS))
    x, y = near(rng, area)
    name = f"{city} {short} Trail" if kind == "Trail" else f"{short} {city}"
    minutes = rng.randrange(*_MINUTES[kind], 15)
    fares, ages = _fares(rng, kind)
    notes, numbers = _rules(rng, kind)
    details, more = _details(rng, kind, minutes)
    hours, times = _week(rng, kind)
    remarks = rng.sample(_DATA["remarks"], 6)
    remarks.insert(rng.randint(3, 6), QUIRKS[quirk][0])
    books = "online" if kind in ("Museum", "Cooking class") else rng.choice(("online",) * 5 + ("phone",))
    if kind == "Trail" and rng.random() < 0.4:
        books = "walk-in"
    room = {"Museum": 30, "Meetup": 24, "Boat trip": 20}.get(kind, rng.choice((8, 10, 12)))
    return Venue(
        name.lower().replace(" ", "-").replace("'", ""), name, kind, city, area,
        f"{rng.randint(2, 98)} {rng.choice(STREETS)}, {city}", x, y, round(rng.triangular(3.5, 4.9, 4.4), 1),
        rng.randint(20, 700), 1, f"555-{rng.randint(200, 999)}-{rng.randint(1000, 9999)}", _about(rng, kind),
        books, times, room, min(room, 12), rng.randint(1, 10**6), fares,
        tuple(each for each in TRAITS if rng.random() < 0.4), details, notes, hours, (),
        tuple(_said(world, rng, text) for text in remarks), (), _OPTIONS[kind], minutes, quirk,
        numbers | ages | more | {"minutes": minutes},
    )  # fmt: skip


def _said(world: World, rng: Random, text: str) -> GuestRemark:
    when = world.today - timedelta(rng.randint(4, 300))
    return GuestRemark(rng.choice(_WHO), f"{when:%B %Y}", rng.randint(3, 5), text)


def _about(rng: Random, kind: str) -> str:
    return f"{rng.choice(_FIRST[kind])} {rng.choice(_SECONDS)}"


def _fares(rng: Random, kind: str) -> tuple[tuple[TicketFare, ...], dict[str, int]]:
    """Tickets by age; a meetup is free for all."""
    adult = round(rng.randint(*_PRICES[kind]) / 50) * 50
    child_to, senior_from, baby_to = (
        rng.choice((11, 12, 14, 15, 17)),
        rng.choice((60, 62, 65, 67)),
        rng.choice((2, 3, 5)),
    )
    child, senior = (
        round(adult * rng.choice((0.4, 0.5, 0.6)) / 50) * 50,
        round(adult * rng.choice((0.7, 0.8)) / 50) * 50,
    )
    fares = (
        TicketFare("adults", f"Adult ({child_to + 1} to {senior_from - 1})", adult),
        TicketFare("children", f"Child ({baby_to + 1} to {child_to})", child),
        TicketFare("seniors", f"Senior ({senior_from} and over)", senior),
    )
    return fares, {"child_to": child_to, "senior_from": senior_from, "baby_to": baby_to}


def _details(rng: Random, kind: str, minutes: int) -> tuple[tuple[tuple[str, str], ...], dict[str, int]]:
    """What stands at a glance, and the numbers in it."""
    took = f"{minutes // 60} h {minutes % 60:02d} min"
    if kind == "Trail":
        length, climb = rng.randint(28, 184), rng.randint(4, 90) * 10
        hard = "Easy" if climb < 250 and length < 100 else "Hard" if climb > 600 or length > 150 else "Moderate"
        route = rng.choice(("Loop", "Loop", "Out and back", "One way"))
        told = (("Length", f"{length / 10:.1f} km"), ("Climb", f"{climb} m"), ("Difficulty", hard), ("Route", route))
        return told, {"length": length, "climb": climb}
    if kind == "Museum":
        return (("Time needed", took),), {}
    group = rng.choice((8, 10, 12, 14, 16))
    language = rng.choice(LANGUAGES) if kind != "Meetup" else "English"
    glance = (("Duration", took), ("Group size", f"up to {group}"), ("Language", language))
    if kind == "Bike tour":
        length = rng.randint(90, 420)
        return (*glance, ("Length", f"{length / 10:.1f} km")), {"length": length}
    return glance, {"group": group}


def _rules(rng: Random, kind: str) -> tuple[tuple[tuple[str, str], ...], dict[str, int]]:
    """Rules in prose, and the numbers in them."""
    hours, part = rng.choice((24, 48, 72, 168, 336)), rng.choice((25, 40, 50, 60))
    group, off = rng.choice((8, 10, 12, 15)), rng.choice((10, 15, 20))
    least, free = rng.choice((6, 8, 10, 12)), rng.randint(1, 4)
    notes = [
        ("refund", f"Whoever cancels {hours} hours ahead or earlier gets everything back; after that we return {part}% "
         "of what was paid."),
        ("groups", f"Parties of {group} or more pay {off}% less for all tickets together."),
        ("babies", "The smallest, below the age of a child's ticket, come along without one."),
        ("weather", rng.choice(("We go in light rain and stop for thunder.", "Only a storm warning calls us off.",
                                "If the weather spoils it, you choose another day."))),
        ("lateness", f"We wait {rng.choice((5, 10, 15))} minutes, then we begin."),
    ]  # fmt: skip
    if kind in ("Cooking class", "Craft workshop", "Bike tour"):
        notes.append(("age", f"For safety's sake nobody under {least} takes part, not even with their parents."))
    if kind == "Museum":
        notes.append(("free evening", f"On {WEEKDAYS[free]} evenings from 5 pm on, nobody pays at the door."))
    if kind == "Trail":
        notes.append(
            ("dogs", rng.choice(("Dogs on a lead, please: there are sheep.", "No dogs, as birds breed here.")))
        )
    rng.shuffle(notes)
    numbers = {"refund": hours, "part": part, "group size": group, "off": off, "least": least, "free": free}
    return tuple(notes), numbers


def _week(rng: Random, kind: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Opening hours where there are some, and the times that can be booked, Monday first."""
    if kind == "Museum":
        closed, late = rng.choice((0, 7)), rng.choice((3, 4))
        ends = {day: 20 + rng.randint(0, 2) if day == late else rng.choice((18, 19)) for day in range(7)}
        hours = tuple("Closed" if day == closed else f"10:00 AM – {ends[day] - 12}:00 PM" for day in range(7))
        times = ("10:00", "11:30", "13:00", "14:30", "16:00")
        return hours, tuple(() if day == closed else times for day in range(7))
    daily = {
        "Trail": ("07:00", "09:00", "11:00"), "Walking tour": ("09:30", "11:30", "14:00", "17:00"),
        "Boat trip": ("10:00", "12:00", "14:00", "16:00", "18:00"), "Bike tour": ("09:00", "13:30"),
    }.get(kind)  # fmt: skip
    if daily:
        return (), tuple(daily for _ in range(7))
    days = rng.sample(range(7), 3 if kind != "Meetup" else 2)
    starts = ("10:00", "14:00", "18:00") if kind != "Meetup" else (rng.choice(("18:30", "19:00")),)
    return (), tuple(starts if day in days else () for day in range(7))


_FIRST = {
    "Trail": ("A path that begins behind the last tram stop.", "Up through beech wood, down along the stream."),
    "Museum": ("Four floors in a former warehouse.", "A small house with a large collection."),
    "Cooking class": ("You cook, you eat, you take the recipes home.", "A kitchen for twelve and one patient teacher."),
    "Craft workshop": ("Make one good thing with your own hands.", "A real workshop with real tools."),
    "Walking tour": ("The city on foot, told by somebody who lives in it.", "Streets that no coach can enter."),
    "Boat trip": ("The city from the water.", "An old boat, a quiet engine, a lot of sky."),
    "Bike tour": ("Flat ways, good bicycles, no hurry.", "Further than your feet would take you."),
    "Meetup": ("People who like the same thing, once a week.", "Come alone, leave with company."),
}
_SECONDS = (
    "Nobody needs to know anything beforehand.", "Wear shoes that you like.", "It fills up at weekends.",
    "We keep it small on purpose.", "Locals come, too, which says something.",
)  # fmt: skip
