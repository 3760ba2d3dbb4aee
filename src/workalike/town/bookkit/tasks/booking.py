"""Bookings that all sites with times to book can ask for: something described, with something to fall back on, as last
time, near a hotel, twice; where there is nothing to be had, and behind a wall. A site gives them its trade."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

import msgspec
from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.bookkit.city import AREAS, CITIES
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tables import slot_key
from workalike.town.bookkit.tasks.goals import BookSlot, JoinWaiting, SeeResults, SeeVenue
from workalike.town.bookkit.tasks.market import SlotMarket
from workalike.town.bookkit.tasks.outing import Outing, about, on_the_day, outing_of
from workalike.town.bookkit.tasks.target import DescribedVenue, Trade, by_distance, by_quirk, by_rating
from workalike.town.bookkit.tasks.words import people, said_time, spelt, when
from workalike.town.bookkit.venue import Venue
from workalike.town.hotelkit.listing import HotelQuery
from workalike.town.hotelkit.tasks.goals import SeeHouse
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import HotelHunt
from workalike.town.hotelkit.tasks.rooms import about as about_hotel
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.template import TaskDraft
from workalike.town.town import Town


class OpenChoice(msgspec.Struct, frozen=True):
    """Times that are all right, by their keys: the results that list them, one of the places, and how it is told."""

    see: SeeResults
    outing: Outing
    keys: tuple[str, ...]
    slots: dict[str, str]


DrawChoice = Callable[[Town, Random], OpenChoice | None]


def online(venue: Venue) -> bool:
    return venue.books == "online"


def told(trade: Trade, town: Town, day: date, party: Party, time: str = "") -> dict[str, str]:
    """How a day, a time and a party are told."""
    said = when(day, town.world.today) | {"site": trade.title, "party": people(party), "count": str(party.size)}
    return said | ({"time": said_time(time)} if time else {})


def at(trade: Trade, market: SlotMarket, target: DescribedVenue, rng: Random) -> tuple[Outing, list[str], date, Party]:
    """A day and a party for a described place, with the times it has then."""
    day, party = market.day(rng), trade.party(rng, target.venue)
    return outing_of(trade.site, target.venue, day, party), market.free(target.venue, day, party), day, party


def book_one(outing: Outing, time: str, seat: str = "", wishes: tuple[tuple[str, str], ...] = ()) -> BookSlot:
    return BookSlot(outing, (slot_key(outing.slug, outing.day, time),), seat, wishes)


def described(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A time with a wish, and a seat where there is a choice, at a place that guests tell something of."""
    market = SlotMarket(town, trade.site)
    target = by_quirk(trade, market, rng, lambda venue: online(venue) and bool(venue.options))
    if target is None:
        return None
    outing, times, day, party = at(trade, market, target, rng)
    if not times:
        return None
    time, wish = rng.choice(times), rng.choice(target.venue.options)
    seat = rng.choice(target.venue.seats) if target.venue.seats else ""
    slots = told(trade, town, day, party, time) | {"place": target.phrase, "wish": trade.wishes[wish.code]}
    slots["seat"] = f"{trade.seats[seat]}, " if seat else ""
    goal = book_one(outing, time, seat, ((wish.code, wish.label),))
    return TaskDraft((*target.goals, goal), slots, shown=target.shown)


def any_that_fits(draw: DrawChoice, town: Town, rng: Random) -> TaskDraft | None:
    """Whichever fits, to the critical point."""
    found = draw(town, rng)
    if found is None:
        return None
    return TaskDraft((found.see, SeeVenue(found.outing), BookSlot(found.outing, found.keys)), found.slots)


def any_for_me(draw: DrawChoice, town: Town, rng: Random) -> TaskDraft | None:
    """Whichever fits, booked with the user's data; the number of the booking is brought back."""
    found, who = draw(town, rng), draw_persona(rng)
    if found is None:
        return None
    outing, number = found.outing, SlotMarket(town, found.outing.site).number()
    earlier = str(town.begin_rows(f"{outing.site}_booking")[0]["number"])
    goal = BookSlot(outing, found.keys, persona=who, number=number)
    return TaskDraft(
        (found.see, SeeVenue(outing), SeeVenue(outing, "rules"), goal),
        found.slots,
        (ExpectedAnswer("booking number", "name", number),),
        shown=((FactPattern(outing.site, number, "number"),),),
        near={"an earlier booking": {"booking number": earlier}},
        persona=who,
    )


def next_free(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A time, or the next later one that is free."""
    market = SlotMarket(town, trade.site)
    target = by_distance(trade, market, rng, online)
    if target is None:
        return None
    outing, times, day, party = at(trade, market, target, rng)
    taken = [time for time in market.full(target.venue, day, party) if trade.hours[0] <= time <= trade.hours[1]]
    if not taken or not times:
        return None
    first = rng.choice(taken)
    later = [time for time in times if time > first]
    if not later:
        return None
    goals = (*target.goals, book_one(outing, later[0]))
    slots = told(trade, town, day, party, first) | {"place": target.phrase}
    return TaskDraft(goals, slots, shown=(*target.shown, (on_the_day(outing, "full at", first),)))


def wait_instead(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """Nothing between two hours: then the waiting list, with the user's data."""
    market = SlotMarket(town, trade.site)
    target = by_rating(trade, market, rng, online)
    if target is None:
        return None
    outing, _, day, party = at(trade, market, target, rng)
    low, high = rng.choice(trade.windows)
    taken = [time for time in market.full(target.venue, day, party) if low <= time <= high]
    if not taken or market.keys(target.venue, day, party, low, high):
        return None
    who = draw_persona(rng)
    slots = told(trade, town, day, party) | {"place": target.phrase, "low": said_time(low), "high": said_time(high)}
    return TaskDraft(
        (*target.goals, SeeVenue(outing), JoinWaiting(outing, who)),
        slots,
        shown=(*target.shown, *((on_the_day(outing, "full at", time),) for time in taken)),
        persona=who,
    )


def as_last_time(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """All that an earlier booking says, once more some weeks later."""
    market = SlotMarket(town, trade.site)
    row = rng.choice(town.begin_rows(f"{trade.site}_booking"))
    venue, party, weeks = market.venue(str(row["venue"])), Party(str(row["party"])), rng.randint(1, 4)
    day = date.fromisoformat(str(row["day"])) + timedelta(weeks=weeks)
    if str(row["time"]) not in market.free(venue, day, party):
        return None
    name, number = str(row["name"]), str(row["number"])
    who = draw_persona(rng) | {"name": name, "email": str(row["email"]), "phone": str(row["phone"])}
    who |= {"first_name": name.split()[0], "last_name": name.split()[-1]}
    taken = str(row["options"]).split(",")
    wishes = tuple((each.code, each.label) for each in venue.options if each.code in taken)
    goal = book_one(outing_of(trade.site, venue, day, party), str(row["time"]), str(row["seat"]), wishes)
    later = "a week later" if weeks == 1 else f"{spelt(weeks)} weeks later"
    return TaskDraft(
        (FindBooking(trade.site, number, who["last_name"]), replace(goal, persona=who, number=market.number())),
        {"site": trade.title, "number": number, "name": who["last_name"], "later": later},
        shown=((FactPattern(trade.site, number, "venue"),),),
        persona=who,
    )


def no_reservations(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A place that takes no bookings here."""
    market = SlotMarket(town, trade.site)
    target = by_quirk(trade, market, rng, lambda venue: not online(venue))
    if target is None:
        return None
    outing, day = outing_of(trade.site, target.venue), market.day(rng)
    party, time = trade.party(rng, target.venue), rng.choice(trade.windows)[0]
    return TaskDraft(
        (*target.goals, SeeVenue(outing)),
        told(trade, town, day, party, time) | {"place": target.phrase},
        status="unavailable",
        shown=(*target.shown, (about(outing, "books"),)),
    )


def full_house(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A place that has nothing for so many on that day, neither at the time nor at another."""
    market = SlotMarket(town, trade.site)
    target = by_distance(trade, market, rng, online)
    if target is None:
        return None
    outing, times, day, party = at(trade, market, target, rng)
    all_of_them = market.full(target.venue, day, party)
    evening = [time for time in all_of_them if trade.hours[0] <= time <= trade.hours[1]]
    if times or not evening:
        return None
    time = rng.choice(evening)
    return TaskDraft(
        (*target.goals, SeeVenue(outing)),
        told(trade, town, day, party, time) | {"place": target.phrase},
        status="unavailable",
        shown=(*target.shown, (on_the_day(outing, "full at", time), on_the_day(outing, "full"))),
    )


def walled(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A wall stands before the booking."""
    market = SlotMarket(town, trade.site)
    target = by_rating(trade, market, rng, online)
    if target is None:
        return None
    outing, times, day, party = at(trade, market, target, rng)
    if not times:
        return None
    time = rng.choice(times)
    met = {"venue": outing.slug, "time": time, **{name: str(value) for name, value in outing.query.items()}}
    slots = told(trade, town, day, party, time) | {"place": target.phrase}
    goals = (*target.goals, book_one(outing, time))
    return TaskDraft(goals, slots, shown=target.shown, wall={trade.site: "/book"}, met=met, truth=())


def near_the_hotel(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """A table in the district of a hotel that stands at another site."""
    market, hotels, city = SlotMarket(town, trade.site), Market(town, "stayward"), rng.choice(CITIES)
    stars, stay = rng.choice(("3", "4", "5")), hotels.stay(rng)
    hits = [hit for hit in hotels.results(HotelQuery(city, stars=(stars,), sort="rating"), stay) if hit.offer]
    if len(hits) < 2 or hits[0].hotel["rating"] == hits[1].hotel["rating"] or hits[0].hotel["district"] not in AREAS:
        return None
    hotel, area = hits[0].hotel, str(hits[0].hotel["district"])
    house = replace(
        room_of("stayward", hotel, stay), hunt=HotelHunt((("Stars", f"{stars} stars", "stars", stars),), "rating")
    )
    right = [venue for venue in market.all(city, online) if venue.area == area]
    if not right:
        return None
    party, (low, high) = trade.party(rng, min(right, key=lambda venue: venue.largest)), trade.hours
    day = stay.arrive
    keys = {venue.slug: market.keys(venue, day, party, low, high) for venue in right}
    right = [venue for venue in right if keys[venue.slug]]
    if not right:
        return None
    outing = outing_of(trade.site, right[0], day, party)
    every = tuple(key for each in right for key in keys[each.slug])
    see = SeeResults(trade.site, city, (("area", area, area),), outing.day, outing.party)
    slots = told(trade, town, day, party) | {
        "city": city,
        "stars": stars,
        "low": said_time(low),
        "high": said_time(high),
    }
    slots |= {"nights": spelt(stay.nights), "leave": f"{stay.depart:%B} {stay.depart.day}"}
    return TaskDraft(
        (
            SeeHouse(house),
            see,
            SeeVenue(outing),
            BookSlot(outing, every),
        ),
        slots,
        shown=((about_hotel(house, "rating"),),),
    )


def two_evenings(trade: Trade, town: Town, rng: Random) -> TaskDraft | None:
    """Two tables on two days, at two places that are described, with the user's data."""
    market, who = SlotMarket(town, trade.site), draw_persona(rng)
    one, two = (by_quirk(trade, market, rng, online) for _ in range(2))
    if one is None or two is None or one.venue.slug == two.venue.slug or len(one.goals) + len(two.goals) < 3:
        return None
    first, times, day, party = at(trade, market, one, rng)
    second = outing_of(trade.site, two.venue, day + timedelta(rng.randint(1, 3)), party)
    others = market.free(two.venue, second.date, party)
    if not times or not others:
        return None
    time, other = rng.choice(times), rng.choice(others)
    slots = told(trade, town, day, party, time) | {"place": one.phrase, "other": two.phrase, "later": said_time(other)}
    slots |= {"second": f"{second.date:%A}, {second.date:%B} {second.date.day}"}
    books = (
        replace(book_one(first, time), persona=who, number=market.number(1)),
        replace(book_one(second, other), persona=who, number=market.number(2)),
    )
    goals = (*one.goals, books[0], *two.goals, books[1])
    return TaskDraft(goals, slots, shown=(*one.shown, *two.shown), persona=who)
