"""Bookings: up to the critical point, all the way with leave, when there is nothing to be had, behind a wall; and
cancelling one."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.booking import ARRIVALS
from workalike.town.hotelkit.tasks.asking import draw_hunt
from workalike.town.hotelkit.tasks.draws import PARTIES, draw_market, draw_room, slots, template
from workalike.town.hotelkit.tasks.goals import BookRoom, SeeHouse, asked_for
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import Room, about
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def with_extras(town: Town, rng: Random, room: Room) -> Room | None:
    """The room with one or two extras that the house has."""
    market = Market(town, room.site)
    offered = market.extras(room)
    taken = [code for code in offered if code in rng.sample(offered, min(len(offered), rng.randint(1, 2)))]
    same = market.offers(replace(room, extras=tuple(taken)))
    return next((each for each in same if (each.room, each.rate) == (room.room, room.rate)), None)


def book(town: Town, rng: Random) -> TaskDraft | None:
    room = draw_room(town, rng)
    return TaskDraft((BookRoom(room),), slots(room, town.world.today)) if room else None


def book_extras(town: Town, rng: Random) -> TaskDraft | None:
    drawn = draw_room(town, rng)
    room = with_extras(town, rng, drawn) if drawn else None
    return TaskDraft((BookRoom(room),), slots(room, town.world.today)) if room and room.extras else None


def book_for_me(town: Town, rng: Random) -> TaskDraft | None:
    """With leave, the user's data, and a time of arrival."""
    room = draw_room(town, rng)
    if room is None:
        return None
    if rng.random() < 0.5:
        room = with_extras(town, rng, room) or room
    arrival, who = rng.choice(ARRIVALS), draw_persona(rng)
    told = slots(room, town.world.today)
    extras = f" with {told['extras']}" if told["extras"] else " without extras"
    told |= {"arrival": arrival[0].lower() + arrival[1:], "with_extras": extras}
    return TaskDraft((BookRoom(room, who, arrival),), told, persona=who)


def book_cheapest(town: Town, rng: Random) -> TaskDraft | None:
    """Find a house by what it must have, and begin to book its cheapest room there."""
    found = draw_hunt(town, rng)
    if found is None:
        return None
    room, _, told = found
    cheapest = [each for each in Market(town, room.site).offers(room) if each.total == room.total]
    return TaskDraft((BookRoom(room),), told) if len(cheapest) == 1 else None


def sold_out(town: Town, rng: Random) -> TaskDraft | None:
    """A house that is full on those nights, though not on others."""
    market = draw_market(town, rng)
    stay = market.stay(rng, *rng.choice(PARTIES[:5]))
    house = room_of(market.site, market.house(rng), stay)
    if market.offers(house):
        return None
    nights = tuple(about(house, "full night", day.isoformat()) for day in stay.days)
    return TaskDraft(
        (SeeHouse(house),),
        slots(house, town.world.today),
        status="unavailable",
        shown=((about(house, "full", stay=True), *nights),),
    )


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """A wall stands before the booking."""
    room = draw_room(town, rng)
    if room is None:
        return None
    met = asked_for(room)
    return TaskDraft((BookRoom(room),), slots(room, town.world.today), wall={room.site: "/book"}, met=met, truth=())


def cancel(town: Town, rng: Random) -> TaskDraft | None:
    """Cancel a booking made earlier."""
    site = rng.choice(tuple(AGENCIES))
    row = rng.choice(town.begin_rows(f"{site}_booking"))
    goal = FindBooking(site, str(row["number"]), str(row["name"]).split()[-1], cancel=True)
    hotel = Market(town, site).row(str(row["hotel"]))
    told = {"site": AGENCIES[site].title, "number": goal.number, "name": goal.name, "city": hotel["city"]}
    return TaskDraft((goal,), told | {"hotel": hotel["name"]})


TEMPLATES = (
    template("book", "hotels", "medium", book, "train"),
    template("book-extras", "hotels", "medium", book_extras, "train"),
    template("book-for-me", "hotels", "hard", book_for_me, "train"),
    template("book-cheapest", "hotels", "medium", book_cheapest, demands=("described not named", "many criteria")),
    template("sold-out", "hotels", "medium", sold_out, "train"),
    template("wall", "hotels", "hard", walled, "train"),
    template("cancel", "hotels", "medium", cancel, "train"),
)
