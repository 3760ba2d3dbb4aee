"""The restaurants of the world: menus, rules in prose, hours, and what guests tell of them."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from workalike.town.bookkit.city import AREAS, CITIES, STREETS, near
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.bookkit.venue import GuestRemark, PricedLine, SlotOption, TicketFare, Venue
from workalike.town.world import Chance, World

FORKLINE = BookingDesk(
    name="forkline",
    title="Forkline",
    prefix="FL",
    phone="1-800-555-0127",
    kinds={"guests": "Guests"},
    things="restaurants",
    usual={"guests": 2},
    levels=("$", "$$", "$$$", "$$$$"),
)
_DATA: dict[str, Any] = msgspec.json.decode((Path(__file__).parent / "kitchens.json").read_bytes())
MENUS: dict[str, dict[str, list[str]]] = _DATA["menus"]
QUIRKS: list[list[str]] = _DATA["quirks"]
"""What guests tell of one restaurant of a city, and how somebody would describe it in other words."""
KINDS = tuple(MENUS)
TRAITS = ("Outdoor seating", "Private room", "Live music", "Step-free access", "Family friendly", "Open late")
SEATS = ("Main room", "Terrace", "Counter")
REQUESTS = (
    SlotOption("highchair", "High chair"),
    SlotOption("birthday", "It is a birthday"),
    SlotOption("allergy", "Nut allergy at the table"),
    SlotOption("quiet", "A quiet corner"),
    SlotOption("stepfree", "Step-free table"),
)
WINES = ("House white", "House red", "House rose")
_WORDS = (
    "Lume", "Fontana", "Corvo", "Amarena", "Pimenta", "Sable", "Hollow", "Juniper", "Marlin", "Tilda", "Quince",
    "Bruma", "Saffi", "Ondina", "Larch", "Mirto", "Cassia", "Fennimore", "Alba", "Teodor", "Vesper", "Rowan",
    "Perla", "Sorrel", "Ginevra", "Halden", "Izar", "Kestel", "Mosto", "Nocello", "Ostra", "Pavone", "Rivka",
    "Salvo", "Tamar", "Umber", "Vireo", "Wren", "Zinnia", "Basilio",
)  # fmt: skip
_WHO = ("Ana", "Bruno", "Carys", "Dmitri", "Esther", "Faisal", "Greta", "Hamid", "Ilse", "Jonas", "Kavya", "Lucien")


@lru_cache(maxsize=4)
def restaurants(world: World) -> tuple[Venue, ...]:
    """Three of a kind in every city, and no oddity twice in one."""
    found: list[Venue] = []
    taken: set[str] = set()
    for city in CITIES:
        rng = world.rng("restaurants", city)
        quirks = rng.sample(range(len(QUIRKS)), len(QUIRKS))
        for place, kind in enumerate(kind for kind in KINDS for _ in range(3)):
            name = _name(rng, kind, taken)
            found.append(_restaurant(world, city, kind, name, quirks[place], rng))
    return tuple(found)


def _name(rng: Chance, kind: str, taken: set[str]) -> str:
    """A name that no other restaurant has, of those that the world's split has."""
    free = [f"{first} {word}" for first in MENUS[kind]["names"] for word in rng.share(_WORDS)]
    name = rng.choice([each for each in free if each not in taken])
    taken.add(name)
    return name


def _restaurant(world: World, city: str, kind: str, name: str, quirk: int, rng: Random) -> Venue:
    area, level = rng.choice(tuple(AREAS)), rng.choice((1, 2, 2, 3, 3, 4))
    x, y = near(rng, area)
    notes, numbers = _rules(rng)
    hours, times = _week(rng)
    seats = tuple(seat for seat in SEATS if seat == SEATS[0] or rng.random() < 0.5)
    remarks = rng.sample(_DATA["remarks"], 6)
    remarks.insert(rng.randint(3, 6), QUIRKS[quirk][0])
    traits = tuple(each for each in TRAITS if rng.random() < 0.42 or (each == TRAITS[0] and "Terrace" in seats))
    deposit = rng.choice((0, 0, 0, 1000, 1500, 2000, 2500))
    about = (
        f"{rng.choice(_ROOMS)} in "
        f"{rng.choice(STREETS)}, with a kitchen that {rng.choice(_COOKS)}. {rng.choice(_SECONDS)}"
    )
    return Venue(
        name.lower().replace("&", "and").replace(" ", "-").replace("'", ""), name, kind, city, area,
        f"{rng.randint(2, 98)} {rng.choice(STREETS)}, {city}", x, y, round(rng.triangular(3.4, 4.9, 4.3), 1),
        rng.randint(40, 900), level, f"555-{rng.randint(200, 999)}-{rng.randint(1000, 9999)}", about,
        rng.choice(("online",) * 8 + ("walk-in", "phone")), times, rng.choice((6, 8, 8, 10, 12)),
        rng.choice((6, 8, 8, 10, 12)), rng.randint(1, 10**6),
        (TicketFare("guests", "Guest", deposit),), traits, (), notes, hours, _menu(rng, kind, level),
        tuple(_said(world, rng, text) for text in remarks), seats if len(seats) > 1 else (),
        tuple(each for each in REQUESTS if rng.random() < 0.75), rng.choice((90, 105, 120)), quirk, numbers,
    )  # fmt: skip


def _said(world: World, rng: Random, text: str) -> GuestRemark:
    when = world.today - timedelta(rng.randint(4, 300))
    return GuestRemark(rng.choice(_WHO), f"{when:%B %Y}", rng.randint(3, 5), text)


def _menu(rng: Random, kind: str, level: int) -> tuple[PricedLine, ...]:
    """Dishes of a kitchen, the wines of the house by the measure, and a menu of three courses."""
    lines = []
    for section, count in (("Starters", 3), ("Mains", 6), ("Desserts", 3)):
        for text in rng.sample(MENUS[kind][section], count):
            name, what, marks, dollars = text.split("|")
            cents = round(int(dollars) * (0.72 + 0.16 * level) * rng.uniform(0.92, 1.1) * 2) * 50
            lines.append(PricedLine(section, name, what, cents, tuple(marks.split(",")) if marks else ()))
    for wine in rng.sample(WINES, 2):
        glass, base = rng.choice((10, 12.5, 15, 17.5)), rng.randint(46, 82) * (0.8 + 0.1 * level)
        for what, size in (("glass", glass), ("carafe", rng.choice((37.5, 50))), ("bottle", 75)):
            cents = round(base * size * rng.uniform(0.84, 1.08) / 50) * 50
            lines.append(PricedLine("Wine", f"{wine}, {what}", f"{size:g} cl", cents))
    middle = [line.cents for line in lines if line.section in ("Starters", "Mains", "Desserts")]
    lines.append(PricedLine("Set menu", "Three courses", "a starter, a main and a dessert of your choice",
                            round(sum(middle) / len(middle) * 2.5 / 100) * 100))  # fmt: skip
    return tuple(lines)


def _rules(rng: Random) -> tuple[tuple[tuple[str, str], ...], dict[str, int]]:
    """Rules in prose, and the numbers in them."""
    corkage, hours = rng.choice((0, 1200, 1500, 1800, 2200, 2500)), rng.choice((12, 24, 24, 48, 72))
    group, size, service = rng.choice((3800, 4400, 4900, 5400, 6200)), rng.choice((7, 8, 9)), rng.choice((8, 10, 12))
    kept, child = rng.choice((10, 15, 20, 30)), rng.choice((6, 8, 10, 12))
    dogs, nuts = rng.randint(0, 2), rng.randint(0, 2)
    notes = [
        ("corkage", f"You are welcome to bring a bottle of your own; we open it for ${corkage // 100} each."
         if corkage else "We pour only what is on our list, so please leave your own bottles at home."),
        ("cancellation", f"Plans change. Tell us {hours} hours ahead and the deposit comes back in full; after that we "
         "keep it."),
        ("groups", f"From {size} guests on the kitchen serves the set table only, at ${group // 100} a head, and "
         f"{service}% service is added to the whole bill."),
        ("lateness", f"We hold your table for {kept} minutes. Call if the tram lets you down."),
        ("children", f"Children under {child} eat half portions at half the price."),
        ("dogs", ("Dogs stay outside, sorry.", "Dogs may lie under the tables outdoors, not in the dining room.",
                  "Dogs are welcome everywhere, water bowl included.")[dogs]),
        ("allergies", ("Nuts are used throughout our kitchen and we cannot rule out traces.",
                       "With a day's notice we cook any dish without nuts.",
                       "Tell us about allergies when you book; we change a dish where we can.")[nuts]),
    ]  # fmt: skip
    rng.shuffle(notes)
    numbers = {"corkage": corkage, "cancel": hours, "group": group, "group size": size, "service": service}
    return tuple(notes), numbers | {"held": kept, "child": child, "dogs": dogs, "nuts": nuts}


def _week(rng: Random) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Opening hours and the times that can be booked, Monday first."""
    closed, lunch = rng.choice((0, 0, 1, 6, 7)), rng.random() < 0.6
    opens, closes = rng.choice((1050, 1080)), rng.choice((1320, 1350, 1380))
    hours, times = list[str](), list[tuple[str, ...]]()
    for day in range(7):
        if day == closed:
            hours.append("Closed")
            times.append(())
            continue
        until = closes + (30 if day in (4, 5) else 0)
        noon = "12:00 PM – 3:00 PM, " if lunch else ""
        hours.append(f"{noon}{_twelve(opens)} – {_twelve(until)}")
        early = (720, 750, 780, 810) if lunch else ()
        times.append(tuple(_hour(at) for at in (*early, *range(opens, until - 75, 30))))
    return tuple(hours), tuple(times)


def _hour(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _twelve(minutes: int) -> str:
    return f"{(minutes // 60 - 1) % 12 + 1}:{minutes % 60:02d} {'AM' if minutes < 720 else 'PM'}"


_ROOMS = ("A corner room", "A narrow house", "A former workshop", "Two quiet rooms", "A bright hall")
_COOKS = (
    "works over open fire", "changes its mind with the market", "has cooked the same ten dishes for thirty years",
    "takes vegetables seriously", "likes salt, smoke and lemon", "believes in second helpings",
)  # fmt: skip
_SECONDS = (
    "Regulars come for lunch and stay for the afternoon.", "Evenings are busy, early ones less so.",
    "It fills up when there is a performance nearby.", "Ask what is not on the menu.",
    "The room is small, so larger groups should plan ahead.",
)  # fmt: skip
