"""What tasks about hotels are drawn from, and how dates, people and things are put into words."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.prices import EXTRAS, HotelStay
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import Room
from workalike.town.kit.make import templates_from
from workalike.town.render import long_date, plural
from workalike.town.town import Town

template = templates_from(Path(__file__).parent / "voices.json", "hotel")
WEEKS = {7: "a week from today", 14: "two weeks from today", 21: "three weeks from today", 28: "four weeks from today"}
PARTIES = ((2, 0), (2, 0), (2, 0), (1, 0), (1, 0), (2, 1), (3, 0))


def draw_market(town: Town, rng: Random) -> Market:
    """The portal more often than the chain."""
    return Market(town, rng.choice(("stayward", "stayward", "aldergate")))


def draw_room(town: Town, rng: Random, where: str = "1", rates: tuple[str, ...] = ()) -> Room | None:
    """A room on some terms that can be had."""
    market = draw_market(town, rng)
    stay = market.stay(rng, *rng.choice(PARTIES))
    found = market.offers(room_of(market.site, market.house(rng, where), stay))
    found = [each for each in found if (each.rate in rates or not rates) and _is_kept(market, each)]
    return rng.choice(found) if found else None


def same_terms(market: Market, room: Room) -> list[Room]:
    """The other rooms of a house on the same rate."""
    return [each for each in market.offers(room) if each.rate == room.rate and each.room != room.room]


def slots(room: Room, today: date) -> dict[str, str]:
    """How a room, its dates and its guests are told."""
    said = {"site": AGENCIES[room.site].title, "hotel": room.name, "city": room.city, "room": room.room_name}
    said |= {"rate": RATE_WORDS.get(room.rate, ""), "Rate": room.rate_name, "extras": extras_words(room.extras)}
    return said | (dates(room.stay, today) if room.arrive else {})


def dates(stay: HotelStay, today: date) -> dict[str, str]:
    """Absolute in some words, told from today in others."""
    ahead, nights = (stay.arrive - today).days, plural(stay.nights, "night")
    begins = "tomorrow" if ahead == 1 else WEEKS.get(ahead)
    now = f" (today is {_day(today)}, {today.year})"
    return {
        "dates": f"{_day(stay.arrive)} to {_day(stay.depart)}",
        "exact": f"{long_date(stay.arrive)} to {long_date(stay.depart)}",
        "iso": f"{stay.arrive.isoformat()} to {stay.depart.isoformat()}",
        "soon": f"{begins}{now}, {nights}" if begins else f"on {_day(stay.arrive)}, {nights}",
        "nights": nights,
        "people": people(stay),
    }


def people(stay: HotelStay) -> str:
    """
    >>> people(Stay(date(2026, 5, 4), date(2026, 5, 5), 2, 1))
    '2 adults and 1 child'
    """
    children = f" and {plural(stay.children, 'child', 'children')}" if stay.children else ""
    rooms = f", {stay.rooms} rooms" if stay.rooms > 1 else ""
    return plural(stay.adults, "adult") + children + rooms


def extras_words(codes: tuple[str, ...]) -> str:
    return " and ".join(EXTRAS[code].lower() for code in codes)


RATE_WORDS = {
    "saver": "non-refundable saver rate",
    "flex": "flexible rate without meals",
    "breakfast": "flexible rate with breakfast",
    "half": "half board rate",
}


def _day(day: date) -> str:
    return f"{day:%B} {day.day}"


def _is_kept(market: Market, room: Room) -> bool:
    """A flexible rate that cannot be cancelled any more would only puzzle."""
    return room.rate == "saver" or market.until(room) is not None
