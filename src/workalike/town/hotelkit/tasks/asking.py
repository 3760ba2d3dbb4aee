"""Questions: what a stay costs, until when it can be cancelled, which house has what, where it is cheaper."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer
from workalike.town.hotelkit.agency import CHAINS
from workalike.town.hotelkit.houses import AMENITIES, CITIES
from workalike.town.hotelkit.listing import DISTANCES, RATINGS, Hit, HotelQuery
from workalike.town.hotelkit.prices import HotelStay
from workalike.town.hotelkit.tasks.draws import dates, draw_room, same_terms, slots, template
from workalike.town.hotelkit.tasks.goals import SeeHouse
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.rooms import HotelHunt, Room, about, lowest_of, total_of
from workalike.town.template import TaskDraft
from workalike.town.town import Town

SITES = {"aldergate": "Aldergate Hotels|Aldergate", "stayward": "Stayward"}


def total_of_rate(*rates: str) -> Callable[[Town, Random], TaskDraft | None]:
    """What one room costs on one of these rates."""

    def draw(town: Town, rng: Random) -> TaskDraft | None:
        room = draw_room(town, rng, rates=rates)
        if room is None:
            return None
        others = [each.total for each in Market(town, room.site).offers(room) if each.total != room.total]
        near = min(others, key=lambda total: abs(total - room.total), default=room.total + 1700)
        return TaskDraft(
            (SeeHouse(room),),
            slots(room, town.world.today),
            (ExpectedAnswer("total", "money", room.total),),
            shown=((total_of(room),),),
            near={"the neighbour's price": {"total": near}} | _for_a_night(room),
        )

    return draw


def cheapest_refundable(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest double of a house that can still be cancelled."""
    room = draw_room(town, rng, rates=("flex",))
    if room is None or room.adults > 2 or room.children:
        return None
    offers = Market(town, room.site).offers(room)
    doubles = sorted(
        (each for each in offers if "Double" in each.room_name and each.rate == "flex"), key=lambda r: r.total
    )
    saver = [each.total for each in offers if each.rate == "saver" and each.total < doubles[0].total] if doubles else []
    if not saver or len({each.total for each in doubles}) < len(doubles):
        return None
    best = doubles[0]
    near = {"the non-refundable price": min(saver), "another room's price": max(each.total for each in offers)}
    return TaskDraft(
        (SeeHouse(best),),
        slots(best, town.world.today),
        (ExpectedAnswer("total", "money", best.total),),
        shown=((total_of(best),),),
        near={label: {"total": cents} for label, cents in near.items() if cents != best.total},
    )


def difference(town: Town, rng: Random) -> TaskDraft | None:
    """How much more one room costs than another, on the same terms."""
    room = draw_room(town, rng, rates=("flex", "breakfast"))
    others = same_terms(Market(town, room.site), room) if room else []
    if room is None or not others:
        return None
    other = rng.choice(others)
    low, high = sorted((room, other), key=lambda each: each.total)
    gap = high.total - low.total
    if gap < 1000 or gap in (low.total, high.total):
        return None
    near = {"the dearer price": high.total, "the cheaper price": low.total}
    return TaskDraft(
        (SeeHouse(room),),
        slots(room, town.world.today) | {"low": low.room_name, "high": high.room_name},
        (ExpectedAnswer("difference", "money", gap),),
        shown=((total_of(low),), (total_of(high),)),
        near={label: {"difference": cents} for label, cents in near.items()},
    )


def deadline(town: Town, rng: Random) -> TaskDraft | None:
    """Until when a flexible booking can be cancelled."""
    room = draw_room(town, rng, rates=("flex", "breakfast"))
    until = Market(town, room.site).until(room) if room else None
    if room is None or until is None or until <= town.world.today or until == room.stay.arrive:
        return None
    rule = about(room, "cancellation")
    shown = replace(total_of(room), field="free cancellation", context=room.stay.context | {"rate": room.rate})
    return TaskDraft(
        (SeeHouse(room),),
        slots(room, town.world.today),
        (ExpectedAnswer("last day", "date", until.isoformat()),),
        shown=((shown, rule),),
        near={"the day of arrival": {"last day": room.arrive}, "the day of leaving": {"last day": room.depart}},
    )


def which_has(town: Town, rng: Random) -> TaskDraft | None:
    """Which of two houses has something."""
    market = Market(town, "stayward")
    one = market.house(rng)
    two = market.house(rng, f"city = '{one['city']}' AND id != {one['id']}")
    only = sorted((market.amenities(one["slug"]) ^ market.amenities(two["slug"])) & set(AMENITIES))
    if not only:
        return None
    what = rng.choice(only)
    looks = (room_of("stayward", one), room_of("stayward", two))
    has, lacks = looks if what in market.amenities(one["slug"]) else tuple(reversed(looks))
    names = _spelled(one["name"], two["name"])
    told = {"site": "Stayward", "one": one["name"], "two": two["name"], "what": f"{article(what)}{what.lower()}"}
    told["what"] = told["what"].replace("ev ", "EV ")
    return TaskDraft(
        tuple(SeeHouse(room) for room in looks),
        told,
        (ExpectedAnswer("hotel", "name", names[has.name]),),
        shown=((about(has, "amenity", what), about(lacks, "amenities")),),
        near={"the other one": {"hotel": lacks.name}, "both": {"hotel": f"{has.name} and {lacks.name}"}},
    )


def cheaper_of_two(town: Town, rng: Random) -> TaskDraft | None:
    """Which of two houses costs less for the same stay, and how much."""
    market = Market(town, "stayward")
    stay = market.stay(rng)
    one = market.house(rng)
    two = market.house(rng, f"city = '{one['city']}' AND id != {one['id']}")
    rooms = [room for row in (one, two) if (room := _standard(market, room_of("stayward", row, stay)))]
    if len({room.total for room in rooms}) < 2:
        return None
    names = _spelled(one["name"], two["name"])
    told = slots(rooms[0], town.world.today) | {"one": one["name"], "two": two["name"]}
    return _cheaper("hotel", rooms, {room.name: names[room.name] for room in rooms}, told)


def portal_or_chain(town: Town, rng: Random) -> TaskDraft | None:
    """Where the same room is cheaper: at the portal or at the chain itself."""
    direct = Market(town, "aldergate")
    offers = direct.offers(room_of("aldergate", direct.house(rng), direct.stay(rng)))
    rooms = [each for each in offers if each.rate in ("flex", "saver")]
    if not rooms:
        return None
    own = rng.choice(rooms)
    there = Market(town, "stayward").offers(replace(own, site="stayward"))
    portal = next(each for each in there if (each.room, each.rate) == (own.room, own.rate))
    if own.total == portal.total:
        return None
    told = slots(own, town.world.today) | {"site": "Stayward", "chain": "Aldergate Hotels"}
    return _cheaper("site", [portal, own], SITES, told)


def _cheaper(field: str, rooms: list[Room], names: dict[str, str], told: dict[str, str]) -> TaskDraft:
    """Which of two costs less, and how much it is; `names` are by house, or by site."""
    low, high = sorted(rooms, key=lambda room: room.total)
    called = {id(room): names.get(room.name) or names[room.site] for room in rooms}
    near: dict[str, dict[str, Any]] = {
        "the dearer one": {field: called[id(high)]},
        "the dearer one with its price": {field: called[id(high)], "total": high.total},
        "the dearer price": {"total": high.total},
    }
    return TaskDraft(
        tuple(SeeHouse(room) for room in rooms),
        told,
        (ExpectedAnswer(field, "name", called[id(low)]), ExpectedAnswer("total", "money", low.total)),
        shown=tuple((total_of(room),) for room in rooms),
        near=near,
    )


def cheapest_with(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest house of a city with something, and what it costs."""
    found = draw_hunt(town, rng)
    if found is None:
        return None
    room, second, told = found
    other = second.offer.total if second.offer else 0
    near = {
        "the second cheapest": {"hotel": second.hotel["name"], "total": other},
        "the right house, another's price": {"total": other},
        "another house": {"hotel": second.hotel["name"]},
    }
    answers = (ExpectedAnswer("hotel", "name", room.name), ExpectedAnswer("total", "money", room.total))
    return TaskDraft((SeeHouse(room),), told, answers, shown=(lowest_of(room),), near=near)


def draw_hunt(town: Town, rng: Random) -> tuple[Room, Hit, dict[str, str]] | None:
    """A city and what a house there must have; the cheapest that has it, the second, and the words for it."""
    market = Market(town, "stayward")
    stay: HotelStay = market.stay(rng)
    city, amenity = rng.choice(CITIES).name, rng.choice(AMENITIES[:8])
    filters: list[tuple[str, str, str, str]] = [("Amenities", amenity, "amenity", amenity)]
    words = [f"{article(amenity)}{amenity.lower()}"]
    rating, within = rng.choice((("", ""), ("8", ""), ("", "3")))
    if rating:
        filters.append(("Guest rating", RATINGS[rating], "rating", rating))
        words.append("a guest rating of 8 or more")
    if within:
        filters.append(("Location", DISTANCES[within], "within", within))
        words.append("a location within 3 km of the centre")
    hits = market.results(HotelQuery(city, amenities=(amenity,), rating=rating, within=within, sort="price"), stay)
    priced = [hit for hit in hits if hit.offer]
    bare = market.results(HotelQuery(city, sort="price"), stay)
    if len(priced) < 2 or bare[0].hotel["slug"] == priced[0].hotel["slug"]:
        return None
    best, second = priced[:2]
    if best.offer is None or second.offer is None or best.offer.total == second.offer.total:
        return None
    room = room_of("stayward", best.hotel, stay)
    room = replace(room, room=best.offer.room, room_name=best.offer.room_name, rate=best.offer.rate.code)
    room = replace(room, rate_name=best.offer.rate.name, total=best.offer.total, hunt=HotelHunt(tuple(filters)))
    told = {"site": "Stayward", "city": city, "needs": " and ".join(words)} | dates(stay, town.world.today)
    return room, second, told


def _standard(market: Market, house: Room) -> Room | None:
    """The standard double on the flexible rate, if it can be had and cancelled."""
    found = (room for room in market.offers(house) if (room.room, room.rate) == ("std", "flex"))
    return next(found, None) if market.until(house) else None


def _for_a_night(room: Room) -> dict[str, dict[str, int]]:
    """The part of a total for one night, where there are several."""
    return {"a night's price": {"total": room.total // room.stay.nights}} if room.stay.nights > 1 else {}


def _spelled(one: str, two: str) -> dict[str, str]:
    """Two houses by name, each as it may be called: by its chain alone if the other belongs to another one."""
    chains = {name: next(chain.title for chain in CHAINS if name.startswith(chain.title)) for name in (one, two)}
    apart = chains[one] != chains[two]
    return {name: f"{name}|{chain}" if apart else name for name, chain in chains.items()}


def article(thing: str) -> str:
    if thing.endswith(("charging", "rental", "service", "rooms", "conditioning")):
        return ""
    return "an " if thing[0] in "AEIOU" else "a "


TEMPLATES = (
    template("rate-total", "hotels", "easy", total_of_rate("flex", "saver"), "train"),
    template("meals-total", "hotels", "medium", total_of_rate("breakfast", "half"), "train"),
    template("refundable", "hotels", "medium", cheapest_refundable, "train"),
    template("difference", "hotels", "medium", difference, "train"),
    template("deadline", "hotels", "easy", deadline, "train"),
    template("which-has", "hotels", "medium", which_has, "train"),
    template("cheaper-of-two", "hotels", "medium", cheaper_of_two, "train"),
    template("cheapest-with", "hotels", "easy", cheapest_with, demands=("described not named", "many criteria")),
    template("portal-or-chain", "hotels", "hard", portal_or_chain, "train"),
)
