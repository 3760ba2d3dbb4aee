"""Tasks about houses that are described: by what they have, where they stand, what guests say; over several houses,
dates and sites, with sums to be worked out and bookings to be moved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer
from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.browse import QUIRKS, quirk_of
from workalike.town.hotelkit.houses import AMENITIES, CITIES
from workalike.town.hotelkit.listing import BOARDS, DISTANCES, RATINGS, Hit, HotelQuery
from workalike.town.hotelkit.prices import HotelStay
from workalike.town.hotelkit.tasks.asking import SITES, article
from workalike.town.hotelkit.tasks.draws import dates, slots, template
from workalike.town.hotelkit.tasks.goals import BookRoom, SaveHouse, SeeHouse, asked_for
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.reserving import with_extras
from workalike.town.hotelkit.tasks.rooms import HotelHunt, Room, about, lowest_of, total_of
from workalike.town.kit.booked import FindBooking
from workalike.town.persona import draw_persona
from workalike.town.render import long_date, money
from workalike.town.template import TaskDraft
from workalike.town.town import Town

PORTAL = "stayward"
ORDERS = {
    "price": "the cheapest",
    "rating": "the best rated",
    "distance": "the most central",
}
Near = dict[str, dict[str, Any]]
SAID = {
    "Early risers only": "a guest was woken by bells",
    "Good legs needed": "a guest had to take the stairs all week",
    "Better than the concert": "a guest could see fireworks from the bath",
    "Four paws up": "a guest's dog got something baked",
    "Where is the pillow?": "a guest found the bedding too thin",
}
"""What guests say, in other words than theirs."""


class HouseWant(msgspec.Struct, frozen=True):
    """A house that is described: the first of what fits, with its cheapest offer; everything that fits; the words."""

    room: Room
    hits: tuple[Hit, ...]
    needs: str
    words: str


def draw_house(
    town: Town, rng: Random, stay: HotelStay, sort: str = "", least: int = 2, most: int = 6, city: str = ""
) -> HouseWant | None:
    """The first house of a city in some order, of those that have what is asked for and are free; clearly the first."""
    market, where = Market(town, PORTAL), city or rng.choice(CITIES).name
    order = sort or rng.choice(tuple(ORDERS))
    ask, filters, words = _needs(rng, HotelQuery(where, sort=order))
    hits = [hit for hit in market.results(ask, stay) if hit.offer]
    if not least <= len(hits) <= most or _rank(hits[0], order) == _rank(hits[1], order):
        return None
    room = offered(hits[0], stay, HotelHunt(filters, order))
    needs = " and ".join(words)
    return HouseWant(room, tuple(hits), needs, f"{ORDERS[order]} hotel in {where} with {needs}")


def offered(hit: Hit, stay: HotelStay, hunt: HotelHunt | None = None) -> Room:
    """A house for a stay, with its cheapest offer."""
    assert hit.offer is not None
    offer = hit.offer
    room = replace(room_of(PORTAL, hit.hotel, stay), room=offer.room, room_name=offer.room_name, hunt=hunt)
    return replace(room, rate=offer.rate.code, rate_name=offer.rate.name, total=offer.total)


def central(town: Town, rng: Random) -> TaskDraft | None:
    """How far the most central one is, and what it costs."""
    stay = Market(town, PORTAL).stay(rng)
    want = draw_house(town, rng, stay, "distance")
    if want is None:
        return None
    here, other = (hit.hotel for hit in want.hits[:2])
    near: Near = {
        "the second": {"hotel": other["name"]},
        "its distance": {"distance in km": other["distance"] / 10},
    }
    answers = (
        ExpectedAnswer("hotel", "name", want.room.name),
        ExpectedAnswer("distance in km", "number", here["distance"] / 10),
    )
    return TaskDraft(
        (SeeHouse(want.room),), told(town, want), answers, shown=((about(want.room, "distance"),),), near=near
    )


def evidence(town: Town, rng: Random) -> TaskDraft | None:
    """The address to write down, and from when one may come."""
    want = draw_house(town, rng, Market(town, PORTAL).stay(rng))
    if want is None:
        return None
    row, other = (hit.hotel for hit in want.hits[:2])
    near: Near = {
        "the second's address": {"address": other["address"]},
        "the time of leaving": {"check-in time": row["check_out"]},
    }
    answers = (
        ExpectedAnswer("address", "name", row["address"]),
        ExpectedAnswer("check-in time", "time", row["check_in"]),
    )
    shown = ((about(want.room, "address"),), (about(want.room, "check-in"),))
    return TaskDraft((SeeHouse(want.room),), told(town, want), answers, shown=shown, near=near)


def any_house(town: Town, rng: Random) -> TaskDraft | None:
    """Begin to book whichever house meets several conditions, with breakfast and the right to cancel."""
    market, city = Market(town, PORTAL), rng.choice(CITIES).name
    stay = market.stay(rng)
    stars, rating, within = rng.choice((("4", "5"), ("3", "4"))), rng.choice(("7", "8")), rng.choice(("3", "6"))
    ask = HotelQuery(city, stars=stars, rating=rating, within=within, board="breakfast", refundable=True, sort="price")
    every = Market(town, PORTAL).results(HotelQuery(city, sort="price"), stay)
    hits = [hit for hit in market.results(ask, stay) if hit.offer]
    if not 2 <= len(hits) < len(every) - 1:
        return None
    filters = (
        *(("Stars", f"{count} stars", "stars", count) for count in stars),
        ("Guest rating", RATINGS[rating], "rating", rating),
        ("Location", DISTANCES[within], "within", within),
        ("Terms and meals", BOARDS["breakfast"], "board", "breakfast"),
    )
    room = replace(
        offered(hits[0], stay, HotelHunt(filters, "price")),
        any_of=tuple(sorted(hit.hotel["slug"] for hit in hits)),
        rates=("breakfast", "half"),
    )
    words = f"{' or '.join(stars)} stars, a guest rating of {rating} or more, within {within} km of the centre"
    said = {"site": AGENCIES[PORTAL].title, "city": city, "needs": words} | dates(stay, town.world.today)
    return TaskDraft((BookRoom(room),), said)


def keep_three(town: Town, rng: Random) -> TaskDraft | None:
    """The three cheapest with something, onto the list."""
    want = draw_house(town, rng, Market(town, PORTAL).stay(rng), "price", least=4)
    if want is None or len({_rank(hit, "price") for hit in want.hits[:4]}) < 4:
        return None
    rooms = [replace(offered(hit, want.room.stay), hunt=want.room.hunt) for hit in want.hits[:3]]
    return TaskDraft(tuple(SaveHouse(room) for room in rooms), told(town, want))


def per_person(town: Town, rng: Random) -> TaskDraft | None:
    """What the cheapest of several houses costs a person and night, with breakfast."""
    market = Market(town, PORTAL)
    stay = market.stay(rng, rng.choice((2, 3, 4)))
    want = draw_house(town, rng, stay, "distance", least=4)
    if want is None:
        return None
    rooms = [_best(market, hit, stay, ("breakfast",)) for hit in want.hits[:4]]
    fits = sorted((room for room in rooms if room is not None), key=lambda room: room.total)
    if len(fits) < 4 or fits[0].total == fits[1].total:
        return None
    best = fits[0]
    each, rest = divmod(best.total, stay.adults * stay.nights)
    if rest:
        return None
    near: Near = {
        "the second": {"hotel": fits[1].name},
        "the total": {"price per person and night": best.total},
        "for the room": {"price per person and night": round(best.total / stay.nights)},
    }
    near = {label: value for label, value in near.items() if value.get("price per person and night") != each}
    answers = (
        ExpectedAnswer("hotel", "name", best.name),
        ExpectedAnswer("price per person and night", "money", each),
    )
    goals = tuple(SeeHouse(room) for room in fits)
    return TaskDraft(goals, told(town, want), answers, shown=tuple((total_of(room),) for room in fits), near=near)


def told_by_guests(town: Town, rng: Random) -> TaskDraft | None:
    """The one of four of which a guest tells something."""
    want = draw_house(town, rng, Market(town, PORTAL).stay(rng), "price", least=5)
    if want is None or len({_rank(hit, "price") for hit in want.hits[:5]}) < 5:
        return None
    rooms = [offered(hit, want.room.stay) for hit in want.hits[:4]]
    quirks = [quirk_of(town.world, PORTAL, room.slug) for room in rooms]
    once = [quirk for quirk in QUIRKS if quirks.count(quirk) == 1]
    if not once:
        return None
    quirk = rng.choice(once)
    room = rooms[quirks.index(quirk)]
    other = next(each for each in rooms if each != room)
    near: Near = {"another one": {"hotel": other.name}, "another total": {"total": other.total}}
    return TaskDraft(
        tuple(SeeHouse(each) for each in rooms),
        told(town, want) | {"quirk": SAID[quirk[0]]},
        (ExpectedAnswer("hotel", "name", room.name), ExpectedAnswer("total", "money", room.total)),
        shown=((about(room, "remark", quirk[0]),), lowest_of(room)),
        near={label: value for label, value in near.items() if value.get("total") != room.total},
    )


def both_sites(town: Town, rng: Random) -> TaskDraft | None:
    """Two houses of the chain, each at the portal and at the chain itself: the lowest of four totals."""
    chain = Market(town, "aldergate")
    stay, city = chain.stay(rng), rng.choice(CITIES).name
    rows = chain.facts.execute("SELECT * FROM hotel WHERE city = ? ORDER BY id", (city,)).fetchall()
    if len(rows) != 2:
        return None
    rooms = [
        room
        for row in rows
        for site in AGENCIES
        if (room := _standard(Market(town, site), room_of(site, row, stay))) is not None
    ]
    ranked = sorted(rooms, key=lambda room: room.total)
    if len(rooms) < 4 or ranked[0].total == ranked[1].total:
        return None
    best, second = ranked[:2]
    near: Near = {
        "the second": {"hotel": second.name, "site": SITES[second.site], "total": second.total},
        "another total": {"total": second.total},
    }
    said = slots(best, town.world.today) | {"chain": "Aldergate Hotels", "portal": "Stayward", "city": city}
    answers = (
        ExpectedAnswer("hotel", "name", best.name),
        ExpectedAnswer("site", "name", SITES[best.site]),
        ExpectedAnswer("total", "money", best.total),
    )
    shown = tuple((total_of(room),) for room in rooms)
    return TaskDraft(tuple(SeeHouse(room) for room in rooms), said, answers, shown=shown, near=near)


def else_later(town: Town, rng: Random) -> TaskDraft | None:
    """Full on the nights that were wished for: the same nights a week later."""
    chain = Market(town, "aldergate")
    row = chain.house(rng)
    stay = chain.stay(rng)
    only = chain.facts.execute("SELECT count(*) FROM hotel WHERE city = ?", (row["city"],)).fetchone()[0] == 1
    house = room_of("aldergate", row, stay)
    if not only or chain.offers(house):
        return None
    later = HotelStay(stay.arrive + timedelta(7), stay.depart + timedelta(7))
    room = _standard(chain, room_of("aldergate", row, later), ("saver", "flex"))
    if room is None:
        return None
    said = slots(room, town.world.today) | dates(stay, town.world.today) | {"later": long_date(later.arrive)}
    nights = tuple(about(house, "full night", day.isoformat()) for day in stay.days)
    shown = ((about(house, "full", stay=True), *nights),)
    return TaskDraft((SeeHouse(house), BookRoom(room)), said, shown=shown)


def full_house(town: Town, rng: Random) -> TaskDraft | None:
    """The chain's only house of a city is full on those nights."""
    chain = Market(town, "aldergate")
    row = chain.house(rng)
    stay = chain.stay(rng)
    only = chain.facts.execute("SELECT count(*) FROM hotel WHERE city = ?", (row["city"],)).fetchone()[0] == 1
    house = room_of("aldergate", row, stay)
    if not only or chain.offers(house):
        return None
    nights = tuple(about(house, "full night", day.isoformat()) for day in stay.days)
    shown = ((about(house, "full", stay=True), *nights),)
    return TaskDraft((SeeHouse(house),), slots(house, town.world.today), status="unavailable", shown=shown)


def two_cities(town: Town, rng: Random) -> TaskDraft | None:
    """One city after the other; both houses onto the list, and what both stays cost together."""
    market = Market(town, PORTAL)
    first = market.stay(rng)
    then = HotelStay(first.depart, first.depart + timedelta(rng.randint(1, 4)))
    one, two = draw_house(town, rng, first, "price"), draw_house(town, rng, then, "price")
    if one is None or two is None or one.room.city == two.room.city:
        return None
    total = one.room.total + two.room.total
    near: Near = {"the first stay": {"total": one.room.total}, "the second stay": {"total": two.room.total}}
    said = told(town, one) | {"one": one.words, "two": two.words, "then": long_date(then.depart)}
    goals = (SeeHouse(one.room), SaveHouse(one.room), SeeHouse(two.room), SaveHouse(two.room))
    shown = (lowest_of(one.room), lowest_of(two.room))
    return TaskDraft(goals, said, (ExpectedAnswer("total", "money", total),), shown=shown, near=near)


def move_booking(town: Town, rng: Random) -> TaskDraft | None:
    """The same room on the same terms some weeks later, in the user's name; then the old booking is cancelled."""
    site = rng.choice(tuple(AGENCIES))
    market, row = Market(town, site), rng.choice(town.begin_rows(f"{site}_booking"))
    arrive, depart = (date.fromisoformat(str(row[name])) for name in ("arrive", "depart"))
    weeks = rng.randint(1, 4)
    stay = HotelStay(arrive + timedelta(7 * weeks), depart + timedelta(7 * weeks), int(str(row["adults"])))
    house = room_of(site, market.row(str(row["hotel"])), stay)
    same = [room for room in market.offers(house) if (room.room, room.rate) == (row["room"], row["rate"])]
    if not same:
        return None
    who = draw_persona(rng)
    number, name = str(row["number"]), str(row["name"]).split()[-1]
    first, last = str(row["name"]).split(" ", 1)
    given = who | {"name": str(row["name"]), "first_name": first, "last_name": last, "email": str(row["email"])}
    room = replace(same[0])
    goals = (
        FindBooking(site, number, name, later=True),
        SeeHouse(replace(room, room="", rate="", room_name="", rate_name="", total=0)),
        BookRoom(room, given),
        FindBooking(site, number, name, cancel=True),
    )
    said = {"site": AGENCIES[site].title, "number": number, "name": name}
    said |= {"weeks": "a week" if weeks == 1 else f"{weeks} weeks"}
    shown = ((replace(about(room, "hotel"), thing=number),),)
    return TaskDraft(goals, said, persona=given, shown=shown)


def dog_and_car(town: Town, rng: Random) -> TaskDraft | None:
    """What a dog and a car add to a stay; the rules stand in prose."""
    stay = Market(town, PORTAL).stay(rng)
    want = draw_house(town, rng, stay)
    if want is None:
        return None
    row = want.hits[0].hotel
    pets = 2000 if "$20" in row["pets"] else 0
    extra = (pets + row["parking"]) * stay.nights
    if "not" in row["pets"] or not row["parking"] or not extra:
        return None
    near: Near = {
        "the car only": {"extra": row["parking"] * stay.nights},
        "for a night": {"extra": pets + row["parking"]},
    }
    near |= {"with the stay": {"extra": extra + want.room.total}}
    return TaskDraft(
        (SeeHouse(want.room),),
        told(town, want),
        (ExpectedAnswer("extra", "money", extra),),
        shown=((about(want.room, "pets"),), (about(want.room, "parking"),)),
        near={label: value for label, value in near.items() if value["extra"] != extra},
    )


def cheapest_arrival(town: Town, rng: Random) -> TaskDraft | None:
    """On which of four days to arrive so that it costs least, in a house that is described."""
    market = Market(town, PORTAL)
    stay = market.stay(rng)
    want = draw_house(town, rng, stay, "rating")
    if want is None:
        return None
    shifts = (0, *sorted(rng.sample(range(2, 15), 3)))
    row = want.hits[0].hotel
    rooms = []
    for shift in shifts:
        then = HotelStay(stay.arrive + timedelta(shift), stay.depart + timedelta(shift))
        room = _standard(market, room_of(PORTAL, row, then))
        if room is None:
            return None
        rooms.append(room)
    low, second = sorted(rooms, key=lambda room: room.total)[:2]
    if low.total == second.total:
        return None
    near: Near = {"the second": {"day": second.arrive}, "the second's total": {"total": second.total}}
    said = told(town, want) | {"days": _days([date.fromisoformat(room.arrive) for room in rooms])}
    answers = (ExpectedAnswer("day", "date", low.arrive), ExpectedAnswer("total", "money", low.total))
    shown = tuple((total_of(room),) for room in rooms)
    hunted = [replace(room, hunt=want.room.hunt if place == 0 else None) for place, room in enumerate(rooms)]
    return TaskDraft(tuple(SeeHouse(room) for room in hunted), said, answers, shown=shown, near=near)


def with_things(town: Town, rng: Random) -> TaskDraft | None:
    """A described house, booked with extras as far as the guest's details."""
    want = draw_house(town, rng, Market(town, PORTAL).stay(rng))
    if want is None:
        return None
    cheapest = [each for each in Market(town, PORTAL).offers(want.room) if each.total == want.room.total]
    room = with_extras(town, rng, want.room) if len(cheapest) == 1 else None
    if room is None or not room.extras:
        return None
    said = told(town, want) | {"extras": slots(room, town.world.today)["extras"]}
    return TaskDraft((BookRoom(replace(room, hunt=want.room.hunt)),), said)


def deadline_and_cost(town: Town, rng: Random) -> TaskDraft | None:
    """Until when a described house lets one cancel, and what that right costs over the cheapest rate."""
    market = Market(town, PORTAL)
    want = draw_house(town, rng, market.stay(rng))
    if want is None:
        return None
    found = {room.rate: room for room in market.offers(want.room) if room.room == "std"}
    until = market.until(want.room)
    if until is None or not {"saver", "flex"} <= set(found) or until <= town.world.today:
        return None
    gap = found["flex"].total - found["saver"].total
    near: Near = {
        "the day of arrival": {"last day": want.room.arrive},
        "the whole price": {"surcharge": found["flex"].total},
    }
    answers = (ExpectedAnswer("last day", "date", until.isoformat()), ExpectedAnswer("surcharge", "money", gap))
    rule = about(want.room, "cancellation")
    free = replace(
        total_of(found["flex"]), field="free cancellation", context=want.room.stay.context | {"rate": "flex"}
    )
    shown = ((free, rule), (total_of(found["flex"]),), (total_of(found["saver"]),))
    return TaskDraft((SeeHouse(want.room),), told(town, want), answers, shown=shown, near=near)


def walled(town: Town, rng: Random) -> TaskDraft | None:
    """A wall stands before the booking of a described house."""
    want = draw_house(town, rng, Market(town, PORTAL).stay(rng))
    if want is None:
        return None
    room = want.room
    cheapest = [each for each in Market(town, PORTAL).offers(room) if each.total == room.total]
    if len(cheapest) > 1:
        return None
    met = asked_for(room)
    return TaskDraft((BookRoom(room),), told(town, want), wall={PORTAL: "/book"}, met=met, truth=())


def told(town: Town, want: HouseWant) -> dict[str, str]:
    said = {"site": AGENCIES[PORTAL].title, "city": want.room.city, "needs": want.needs, "want": want.words}
    return said | dates(want.room.stay, town.world.today) | {"budget": money(want.room.total)}


def _needs(rng: Random, ask: HotelQuery) -> tuple[HotelQuery, tuple[tuple[str, str, str, str], ...], list[str]]:
    """An amenity and now and then something else: the query, the filters that make it, and the words for it."""
    amenity = rng.choice(AMENITIES[:8])
    filters: list[tuple[str, str, str, str]] = [("Amenities", amenity, "amenity", amenity)]
    words = [f"{article(amenity)}{amenity.lower()}"]
    asked = replace(ask, amenities=(amenity,))
    match rng.choice(("", "rating", "within")):
        case "rating":
            filters.append(("Guest rating", RATINGS["8"], "rating", "8"))
            words.append("a guest rating of 8 or more")
            asked = replace(asked, rating="8")
        case "within":
            filters.append(("Location", DISTANCES["3"], "within", "3"))
            words.append("a location within 3 km of the centre")
            asked = replace(asked, within="3")
    return asked, tuple(filters), words


def _rank(hit: Hit, order: str) -> float:
    if order == "price":
        return hit.offer.total if hit.offer else 0
    return float(hit.hotel[order])


def _best(market: Market, hit: Hit, stay: HotelStay, rates: Sequence[str]) -> Room | None:
    """The cheapest offer of a house on some rates."""
    found = [room for room in market.offers(room_of(PORTAL, hit.hotel, stay)) if room.rate in rates]
    return min(found, key=lambda room: room.total, default=None)


def _standard(market: Market, house: Room, rates: Sequence[str] = ("flex",)) -> Room | None:
    found = [room for room in market.offers(house) if room.room == "std" and room.rate in rates]
    return min(found, key=lambda room: room.total, default=None) if market.until(house) else None


def _days(days: Sequence[date]) -> str:
    said = [f"{day:%B} {day.day}" for day in days]
    return f"{', '.join(said[:-1])} or {said[-1]}"


TEMPLATES = (
    template("central", "hotels", "easy", central, demands=("map and distance", "described not named")),
    template("per-person", "hotels", "hard", per_person, demands=("per unit", "arithmetic", "many criteria")),
    template("any-house", "hotels", "medium", any_house, demands=("open choice", "many criteria", "map and distance")),
    template("told-by-guests", "hotels", "hard", told_by_guests, demands=("prose", "described not named")),
    template("evidence", "hotels", "easy", evidence, demands=("evidence", "described not named")),
    template("two-cities", "hotels", "hard", two_cities, demands=("arithmetic", "described not named")),
    template("keep-three", "hotels", "medium", keep_three, demands=("described not named", "many criteria")),
    template("both-sites", "hotels", "hard", both_sites, demands=("chain over sites", "arithmetic")),
    template("dog-and-car", "hotels", "medium", dog_and_car, demands=("prose", "arithmetic", "described not named")),
    template("move", "hotels", "hard", move_booking, demands=("form from a document", "budget and fallback")),
    template("else-later", "hotels", "medium", else_later, demands=("budget and fallback", "described not named")),
    template("cheapest-arrival", "hotels", "hard", cheapest_arrival, demands=("described not named", "arithmetic")),
    template("with-things", "hotels", "medium", with_things, demands=("described not named", "many criteria")),
    template("cancel-cost", "hotels", "medium", deadline_and_cost, demands=("prose", "arithmetic")),
    template("full-house", "hotels", "medium", full_house, demands=("described not named", "budget and fallback")),
    template("walled", "hotels", "medium", walled, demands=("described not named",)),
)
