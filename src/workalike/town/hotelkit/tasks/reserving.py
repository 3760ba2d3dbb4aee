"""Bookings: up to the critical point, all the way with leave, when there is nothing to be had, behind a wall; and
cancelling one."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.booking import ARRIVALS
from workalike.town.hotelkit.tasks.asking import draw_hunt
from workalike.town.hotelkit.tasks.draws import PARTIES, draw_market, draw_room, slots
from workalike.town.hotelkit.tasks.make import Case, template
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.plan import Held, Room, StayPlan
from workalike.town.persona import draw_persona
from workalike.town.render import money
from workalike.town.town import Town

READY = ("The booking is ready; it now asks for your name and card.", "Done up to the guest details.")


def with_extras(town: Town, rng: Random, room: Room) -> Room | None:
    """The room with one or two extras that the house has."""
    market = Market(town, room.site)
    offered = market.extras(room)
    taken = [code for code in offered if code in rng.sample(offered, min(len(offered), rng.randint(1, 2)))]
    same = market.offers(replace(room, extras=tuple(taken)))
    return next((each for each in same if (each.room, each.rate) == (room.room, room.rate)), None)


def book(town: Town, rng: Random) -> Case | None:
    room = draw_room(town, rng)
    return Case(StayPlan(READY, book=room), slots(room, town.world.today)) if room else None


def book_extras(town: Town, rng: Random) -> Case | None:
    drawn = draw_room(town, rng)
    room = with_extras(town, rng, drawn) if drawn else None
    return Case(StayPlan(READY, book=room), slots(room, town.world.today)) if room else None


def book_for_me(town: Town, rng: Random) -> Case | None:
    """With leave, the user's data, and a time of arrival."""
    room = draw_room(town, rng)
    if room is None:
        return None
    if rng.random() < 0.5:
        room = with_extras(town, rng, room) or room
    arrival = rng.choice(ARRIVALS)
    plan = StayPlan(
        (f"Booked for {money(room.total)}.", "Done."), book=room, persona=draw_persona(rng), arrival=arrival
    )
    extras = slots(room, town.world.today)["extras"]
    told = {
        "arrival": arrival[0].lower() + arrival[1:],
        "with_extras": f" with {extras}" if extras else " without extras",
    }
    return Case(plan, slots(room, town.world.today) | told)


def book_cheapest(town: Town, rng: Random) -> Case | None:
    """Find a house by what it must have, and begin to book its cheapest room there."""
    found = draw_hunt(town, rng)
    if found is None:
        return None
    room, _, told = found
    cheapest = [each for each in Market(town, room.site).offers(room) if each.total == room.total]
    if len(cheapest) != 1:
        return None
    return Case(StayPlan(READY, book=room), told)


def sold_out(town: Town, rng: Random) -> Case | None:
    """A house that is full on those nights, though not on others."""
    market = draw_market(town, rng)
    stay = market.stay(rng, *rng.choice(PARTIES[:5]))
    house = room_of(market.site, market.house(rng), stay)
    if market.offers(house):
        return None
    said = (
        f"{house.name} is sold out for those dates.",
        f"There are no rooms available at {house.name} then.",
        "Unavailable: the hotel is fully booked.",
    )
    wrong = {
        "claimed": "I found a room and took it to the booking.",
        "a price": "A standard double costs $189.00.",
        "evasive": "I looked at the hotel's page.",
    }
    answers = (Answer("statement", "unavailable"),)
    return Case(StayPlan(said, looks=(house,), wrong=wrong), slots(house, town.world.today), answers)


def walled(town: Town, rng: Random) -> Case | None:
    """A wall stands before the booking."""
    room = draw_room(town, rng)
    if room is None:
        return None
    said = (
        "I could not book: the site asks to prove that a human is there.",
        "Blocked by a captcha before the booking.",
        "A human verification check blocks the way; I stopped there.",
    )
    wrong = {"claimed": "Done, it is booked.", "sold out": "The hotel is sold out.", "vague": "It did not work."}
    plan = StayPlan(said, book=room, wrong=wrong, walled=True)
    return Case(plan, slots(room, town.world.today), (Answer("statement", "blocked"),), {room.site: "/book"})


def cancel(town: Town, rng: Random) -> Case | None:
    """Cancel a booking made earlier."""
    site = rng.choice(tuple(AGENCIES))
    row = rng.choice(town.begin_rows(f"{site}_booking"))
    held = Held(site, str(row["number"]), str(row["name"]).split()[-1])
    hotel = Market(town, site).row(str(row["hotel"]))
    told = {"site": AGENCIES[site].title, "number": held.number, "name": held.name, "city": hotel["city"]}
    return Case(StayPlan(("It is cancelled.", "Done."), find=held, cancel=True), told | {"hotel": hotel["name"]})


TEMPLATES = (
    template("book", "medium", book),
    template("book-extras", "medium", book_extras),
    template("book-for-me", "hard", book_for_me),
    template("book-cheapest", "hard", book_cheapest),
    template("sold-out", "medium", sold_out),
    template("wall", "hard", walled),
    template("cancel", "medium", cancel),
)
