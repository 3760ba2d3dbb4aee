"""Tasks of the train split: other templates than those of the test split, on other skins."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.hotelkit.houses import CITIES
from workalike.town.hotelkit.listing import Ask
from workalike.town.hotelkit.tasks.draws import draw_market, draw_room, slots, sums
from workalike.town.hotelkit.tasks.make import Case, template
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.plan import Hunt, StayPlan
from workalike.town.hotelkit.tasks.reserving import READY
from workalike.town.persona import draw_persona
from workalike.town.render import money
from workalike.town.town import Town


def check_in(town: Town, rng: Random) -> Case | None:
    """From when one can have the room."""
    market = draw_market(town, rng)
    row = market.house(rng)
    house, hour = room_of(market.site, row), row["check_in"]
    said = (f"Check-in is from {hour}.", hour, f"From {int(hour[:2]) - 12} p.m.")
    wrong = {
        "an hour late": f"Check-in is from {int(hour[:2]) + 1}:00.",
        "the time of leaving": f"From {row['check_out']}.",
        "no time": "In the afternoon.",
    }
    answers = (Answer("time", hour),)
    return Case(StayPlan(said, looks=(house,), wrong=wrong), slots(house, town.world.today), answers)


def pets(town: Town, rng: Random) -> Case | None:
    market = draw_market(town, rng)
    row = market.house(rng)
    house, allowed = room_of(market.site, row), "not" not in row["pets"]
    right, other = ("Yes, pets are welcome.", "No, pets are not allowed.")[:: 1 if allowed else -1]
    wrong = {"the contrary": other, "one word": other.split(",")[0] + ".", "evasive": "Ask the hotel."}
    answers = (Answer("yes_no", allowed),)
    return Case(StayPlan((right,), looks=(house,), wrong=wrong), slots(house, town.world.today), answers)


def parking(town: Town, rng: Random) -> Case | None:
    """What a space costs a night."""
    market = draw_market(town, rng)
    row = market.house(rng, "parking > 0")
    house, cents = room_of(market.site, row), row["parking"]
    wrong = {
        "a dollar more": f"{money(cents + 100)} a night",
        "the breakfast's price": f"{money(row['breakfast'])}",
        "no price": "Parking is on site.",
    }
    said = (f"Parking costs {money(cents)} a night.", f"{cents / 100:.2f}", f"${cents // 100} per night")
    answers = (Answer("money", cents / 100),)
    return Case(StayPlan(said, looks=(house,), wrong=wrong), slots(house, town.world.today), answers)


def saver_total(town: Town, rng: Random) -> Case | None:
    room = draw_room(town, rng, rates=("saver",))
    if room is None:
        return None
    wrong = {
        "off by some": sums(room.total + 1200)[0],
        "two prices": f"{money(room.total)} or {money(room.total + 900)}",
        "no price": "It is available.",
    }
    each = (round(room.total / room.stay.nights / 100, 2),)
    answers = (Answer("money", room.total / 100, also=each),)
    return Case(StayPlan(sums(room.total), looks=(room,), wrong=wrong), slots(room, town.world.today), answers)


def save(town: Town, rng: Random) -> Case | None:
    market = draw_market(town, rng)
    house = room_of(market.site, market.house(rng))
    return Case(StayPlan(("It is on the list.", "Saved."), saves=(house,)), slots(house, town.world.today))


def best_rated(town: Town, rng: Random) -> Case | None:
    """The house of a city with so many stars that guests like best."""
    market, city, stars = Market(town, "stayward"), rng.choice(CITIES).name, rng.choice(("3", "4", "5"))
    stay = market.stay(rng)
    hits = [hit for hit in market.results(Ask(city, stars=(stars,), sort="rating"), stay) if hit.offer]
    if len(hits) < 2 or hits[0].hotel["rating"] == hits[1].hotel["rating"]:
        return None
    hunt = Hunt((("Stars", f"{stars} stars", "stars", stars),), "rating")
    house = replace(room_of("stayward", hits[0].hotel, stay), hunt=hunt)
    second = hits[1].hotel["name"]
    said = (f"{house.name}.", f"Guests rate the {house.name} best, {hits[0].hotel['rating']}.")
    wrong = {"the second": f"{second}.", "both": f"{house.name} or {second}", "no house": f"One with {stars} stars."}
    answers = (Answer("name", house.name, among=tuple(hit.hotel["name"] for hit in hits[1:])),)
    return Case(StayPlan(said, looks=(house,), wrong=wrong), slots(house, town.world.today) | {"stars": stars}, answers)


def book_any_rate(town: Town, rng: Random) -> Case | None:
    room = draw_room(town, rng, rates=("saver", "flex"))
    return Case(StayPlan(READY, book=room), slots(room, town.world.today)) if room else None


def book_own(town: Town, rng: Random) -> Case | None:
    """With leave."""
    room = draw_room(town, rng, rates=("saver", "flex", "breakfast"))
    if room is None:
        return None
    plan = StayPlan((f"Booked for {money(room.total)}.", "Done."), book=room, persona=draw_persona(rng))
    return Case(plan, slots(room, town.world.today))


TEMPLATES = (
    template("train-check-in", "easy", check_in, "train"),
    template("train-pets", "easy", pets, "train"),
    template("train-parking", "easy", parking, "train"),
    template("train-saver", "easy", saver_total, "train"),
    template("train-save", "easy", save, "train"),
    template("train-best-rated", "medium", best_rated, "train"),
    template("train-book", "medium", book_any_rate, "train"),
    template("train-book-own", "hard", book_own, "train"),
)
