"""Chains that end in a journey: a fact tells where to or when, then a hotel, a flight, or both."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from workalike.core.key import ExpectedAnswer
from workalike.town.flightkit.places import CITIES
from workalike.town.hotelkit.prices import HotelStay
from workalike.town.hotelkit.tasks.goals import BookRoom, SeeHouse, asked_for
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import about, lowest_of
from workalike.town.refkit.goals import KeepArticle, fact_in, reading
from workalike.town.refkit.knowledge import of_kind
from workalike.town.refkit.pages import WrittenPage
from workalike.town.refkit.stories import RANKED
from workalike.town.refkit.stories import of_kind as stories_of
from workalike.town.refkit.tasks.parts import (
    BOOK,
    PAPER,
    a_stay,
    draw_page,
    find_flight,
    find_hotel,
    in_stock,
    number_in,
    page_of,
    say,
    slots,
    template,
    told_day,
)
from workalike.town.shopkit.goods import goods
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.goals import FillCart
from workalike.town.template import TaskDraft
from workalike.town.town import Town

ORIGINS = ("JFK", "BOS", "ORD", "SEA", "LHR", "DUB")


def origin_hotel(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest hotel that can be cancelled, where a brand began that is told by its founder."""
    person = draw_page(town, rng, "Person")
    brands = [each for each in of_kind(town.world, "Brand") if each.told()["founder"] == person.title]
    if not brands or person.told()["known for"] != brands[0].title:
        return None
    brand, stay = brands[0], a_stay(town, rng)
    city = brand.told()["place of origin"]
    found = find_hotel(town, city, stay)
    if found is None or city == person.told()["birthplace"]:
        return None
    answers = (
        ExpectedAnswer("city", "name", city),
        ExpectedAnswer("hotel", "name", found.room.name),
        ExpectedAnswer("total", "money", found.room.total),
    )
    near: dict[str, dict[str, Any]] = {
        "the second": {"hotel": found.second, "total": found.second_total},
        "the birthplace": {"city": person.told()["birthplace"]},
    }
    shown = (fact_in(BOOK, brand, "place of origin"), lowest_of(found.room))
    goals = (reading(BOOK, person), reading(BOOK, brand), SeeHouse(found.room))
    told = slots(founder=person.title, dates=_dates(stay))
    return TaskDraft(goals, told, answers, shown=shown, near=near)


def first_flight(town: Town, rng: Random) -> TaskDraft | None:
    """What it costs to fly to where an airline's first flight went from."""
    airline, origin = draw_page(town, rng, "Airline"), rng.choice(ORIGINS)
    day = town.world.today + timedelta(rng.randint(8, 80))
    city = airline.told()["first flight from"]
    found = find_flight(town, origin, city, day)
    if found is None:
        return None
    answers = (ExpectedAnswer("city", "name", city), ExpectedAnswer("price", "money", found.price))
    hub = airline.told()["largest hub"]
    near: dict[str, dict[str, Any]] = {"the next price": {"price": found.next_price}, "the hub": {"city": hub}}
    shown = (fact_in(BOOK, airline, "first flight from"), found.shown)
    goals = (reading(BOOK, airline), found.goal)
    told = slots(airline=airline.title, origin=CITIES[origin].name, day=say(day))
    return TaskDraft(goals, told, answers, shown=shown, near=near) if hub != city else None


def show_trip(town: Town, rng: Random) -> TaskDraft | None:
    """What a trip to an exhibition comes to, and whether it stays within a budget."""
    show, origin = _a_show(town, rng), rng.choice(ORIGINS)
    opens, city = told_day(show.told()["opens"]), show.told()["city"]
    nights = rng.randint(2, 3)
    stay = HotelStay(opens, opens + timedelta(nights), 1)
    hotel, flight = find_hotel(town, city, stay), find_flight(town, origin, city, opens)
    if hotel is None or flight is None:
        return None
    ticket = number_in(show.told()["ticket"])
    total = hotel.room.total + flight.price + ticket
    budget = (total // 1000 + rng.choice((-2, 3))) * 1000
    answers = (ExpectedAnswer("total", "money", total), ExpectedAnswer("within budget", "yes_no", total <= budget))
    near: dict[str, dict[str, Any]] = {
        "without the ticket": {"total": total - ticket},
        "without the flight": {"total": hotel.room.total + ticket},
    }
    page = page_of(town, city)
    shown = (
        fact_in(PAPER, show, "opens"),
        fact_in(PAPER, show, "ticket"),
        lowest_of(hotel.room),
        flight.shown,
        fact_in(BOOK, page, "last tram"),
    )
    goals = (reading(PAPER, show), flight.goal, SeeHouse(hotel.room), reading(BOOK, page))
    tram = ExpectedAnswer("last tram", "time", _clock(page.told()["last tram"]))
    told = slots(show=show.told()["show"], origin=CITIES[origin].name, nights=str(nights), budget=f"${budget // 100:,}")
    return TaskDraft(goals, told | {"museum": _museum(show)}, (*answers, tram), shown=shown, near=near)


def ranked_city(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest city for something: its people, a hotel there, and what to drink at home."""
    what = rng.choice(tuple(RANKED))
    story = next(each for each in stories_of(town.world, "Consumers") if each.title == f"What {what} costs")
    which = rng.choice(("cheapest", "dearest"))
    city, stay = story.told()[which], a_stay(town, rng)
    page, found = page_of(town, city), find_hotel(town, city, stay, rng.choice(("3", "4")))
    if found is None or found.room.hunt is None:
        return None
    stars = found.room.hunt.filters[0][3]
    site, good = (
        rng.choice(("marlow", "kestrel")),
        rng.choice([each for each in goods(town.world) if each.kind == "teas"]),
    )
    item = in_stock(town, site, good.name)
    if item is None:
        return None
    answers = (
        ExpectedAnswer("city", "name", city),
        ExpectedAnswer("population", "number", number_in(page.told()["population"])),
        ExpectedAnswer("hotel", "name", found.room.name),
    )
    other = story.told()["dearest" if which == "cheapest" else "cheapest"]
    near: dict[str, dict[str, Any]] = {"the other end": {"city": other}, "the second": {"hotel": found.second}}
    shown = (fact_in(PAPER, story, which), fact_in(BOOK, page, "population"), lowest_of(found.room))
    goals = (reading(PAPER, story), reading(BOOK, page), SeeHouse(found.room), FillCart(site, (item,)))
    told = slots(what=what, which=which.replace("dearest", "most expensive"), dates=_dates(stay), stars=stars)
    told |= {"item": item.name, "shop": SHOPS[site].title}
    return TaskDraft(goals, told, answers, shown=shown, near=near)


def show_booking(town: Town, rng: Random) -> TaskDraft | None:
    """A room for the opening of an exhibition is taken to the guest's data; the story is kept."""
    show = _a_show(town, rng)
    opens, city = told_day(show.told()["opens"]), show.told()["city"]
    found = find_hotel(town, city, HotelStay(opens, opens + timedelta(2)))
    if found is None:
        return None
    page = page_of(town, city)
    goals = (
        reading(PAPER, show),
        KeepArticle(PAPER, show.slug, show.title),
        reading(BOOK, page),
        BookRoom(found.room),
    )
    answers = (ExpectedAnswer("river", "name", page.told()["river"]),)
    shown = (fact_in(PAPER, show, "opens"), fact_in(BOOK, page, "river"))
    told = slots(show=show.told()["show"], museum=_museum(show))
    return TaskDraft(goals, told, answers, shown=shown, near={"another river": {"river": "Thames"}})


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """The way to a room where a chain's first house stood ends at a wall."""
    chain, stay = draw_page(town, rng, "Hotel chain"), a_stay(town, rng)
    city = chain.told()["first house"]
    found = find_hotel(town, city, stay)
    if found is None:
        return None
    room = found.room
    met = asked_for(room)
    goals = (reading(BOOK, chain), BookRoom(room))
    told = slots(chain=chain.title, dates=_dates(stay))
    shown = (fact_in(BOOK, chain, "first house"),)
    return TaskDraft(goals, told, shown=shown, wall={"stayward": "/book"}, met=met, truth=goals[:1])


def full_house(town: Town, rng: Random) -> TaskDraft | None:
    """A hotel that is full when an exhibition opens."""
    show = _a_show(town, rng)
    opens, market = told_day(show.told()["opens"]), Market(town, "stayward")
    stay = HotelStay(opens, opens + timedelta(2))
    rows = market.facts.execute("SELECT * FROM hotel WHERE city = ? ORDER BY id", (show.told()["city"],)).fetchall()
    full = [room for row in rows if not market.offers(room := room_of("stayward", row, stay))]
    if not full:
        return None
    house = rng.choice(full)
    nights = tuple(about(house, "full night", day.isoformat()) for day in stay.days)
    shown = (fact_in(PAPER, show, "opens"), (about(house, "full", stay=True), *nights))
    goals = (reading(PAPER, show), SeeHouse(house))
    told = slots(show=show.told()["show"], museum=_museum(show), hotel=house.name)
    return TaskDraft(goals, told, status="unavailable", shown=shown)


def _a_show(town: Town, rng: Random) -> WrittenPage:
    """An exhibition whose name alone tells which one is meant, together with its museum."""
    return rng.choice([each for each in stories_of(town.world, "Culture") if "opens" in each.told()])


def _museum(show: WrittenPage) -> str:
    return show.title.partition(" at the ")[2]


def _clock(text: str) -> str:
    """`12:50 AM` on a clock of 24 hours."""
    hour, minute = map(int, text[:-3].split(":"))
    return f"{hour % 12 + (12 if text.endswith('PM') else 0):02d}:{minute:02d}"


def _dates(stay: HotelStay) -> str:
    return f"{say(stay.arrive)} to {say(stay.depart)}"


_CATEGORY = "compositional_tasks"
TEMPLATES = (
    template(
        "origin-hotel", _CATEGORY, "medium", origin_hotel, demands=("chain over sites", "described not named", "prose")
    ),
    template("first-flight", _CATEGORY, "medium", first_flight, demands=("chain over sites", "prose")),
    template(
        "show-trip",
        _CATEGORY,
        "hard",
        show_trip,
        demands=("chain over sites", "arithmetic", "budget and fallback", "prose"),
    ),
    template(
        "ranked-city", _CATEGORY, "hard", ranked_city, demands=("chain over sites", "described not named", "prose")
    ),
    template(
        "show-booking", _CATEGORY, "hard", show_booking, demands=("chain over sites", "described not named", "prose")
    ),
    template("wall", _CATEGORY, "medium", walled, demands=("chain over sites", "prose")),
    template("full-house", _CATEGORY, "medium", full_house, demands=("chain over sites", "budget and fallback")),
)
