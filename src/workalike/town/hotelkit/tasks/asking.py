"""Questions: what a stay costs, until when it can be cancelled, which house has what, where it is cheaper."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.comparing import mistake, prefer
from workalike.town.hotelkit.agency import AGENCIES, CHAINS
from workalike.town.hotelkit.houses import AMENITIES, CITIES
from workalike.town.hotelkit.listing import DISTANCES, RATINGS, Ask, Hit
from workalike.town.hotelkit.prices import Stay
from workalike.town.hotelkit.tasks.draws import dates, draw_room, same_terms, slots, sums
from workalike.town.hotelkit.tasks.make import Case, template
from workalike.town.hotelkit.tasks.market import Market, room_of
from workalike.town.hotelkit.tasks.plan import Hunt, Room, StayPlan
from workalike.town.render import long_date, money
from workalike.town.town import Town


def total_of_rate(*rates: str) -> Callable[[Town, Random], Case | None]:
    """What one room costs on one of these rates."""

    def draw(town: Town, rng: Random) -> Case | None:
        room = draw_room(town, rng, rates=rates)
        if room is None:
            return None
        market = Market(town, room.site)
        others = [each.total for each in market.offers(room) if each.total != room.total]
        near = min(others, key=lambda total: abs(total - room.total), default=room.total + 1700)
        wrong = {
            "the neighbour's price": sums(near)[0],
            "two prices": f"{money(room.total)} or {money(near)}",
            "no price": "There are rooms left.",
        }
        answers = (Answer("money", room.total / 100, also=_nightly(room)),)
        return Case(StayPlan(sums(room.total), looks=(room,), wrong=wrong), slots(room, town.world.today), answers)

    return draw


def cheapest_refundable(town: Town, rng: Random) -> Case | None:
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
    wrong = {
        "the non-refundable price": sums(min(saver))[0],
        "another room's price": sums(max(each.total for each in offers))[0],
        "no price": "The cheapest one is the standard double.",
    }
    answers = (Answer("money", best.total / 100, also=_nightly(best)),)
    said = (f"The {best.room_name} on the flexible rate, for {money(best.total)}.", *sums(best.total))
    return Case(StayPlan(said, looks=(best,), wrong=wrong), slots(best, town.world.today), answers)


def difference(town: Town, rng: Random) -> Case | None:
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
    said = (
        f"The {high.room_name} costs {money(gap)} more.",
        f"{money(gap)} ({money(high.total)} against {money(low.total)})",
        f"${gap / 100:.2f}",
    )
    wrong = {
        "the dearer price": f"The {high.room_name} costs {money(high.total)}.",
        "off by a dollar": f"{money(gap + 100)} more",
        "no sum": f"The {high.room_name} costs more.",
    }
    also = (low.total / 100, high.total / 100, *_nightly(low), *_nightly(high))
    told = slots(room, town.world.today) | {"low": low.room_name, "high": high.room_name}
    answers = (Answer("money", gap / 100, also=also),)
    return Case(StayPlan(said, looks=(room,), wrong=wrong), told, answers)


def deadline(town: Town, rng: Random) -> Case | None:
    """Until when a flexible booking can be cancelled."""
    room = draw_room(town, rng, rates=("flex", "breakfast"))
    until = Market(town, room.site).until(room) if room else None
    if room is None or until is None or until <= town.world.today:
        return None
    stay = room.stay
    said = (
        f"You can cancel free of charge until {long_date(until)}.",
        f"{until:%B} {until.day}",
        until.isoformat(),
    )
    wrong = {
        "the day of arrival": f"Until {long_date(stay.arrive)}.",
        "a day too late": f"Until {long_date(until.fromordinal(until.toordinal() + 1))}.",
        "no day": "It can be cancelled free of charge.",
    }
    also = (stay.arrive.isoformat(), stay.depart.isoformat())
    answers = (Answer("date", until.isoformat(), also=also),)
    return Case(StayPlan(said, looks=(room,), wrong=wrong), slots(room, town.world.today), answers)


def which_has(town: Town, rng: Random) -> Case | None:
    """Which of two houses has something."""
    market = Market(town, "stayward")
    one = market.house(rng)
    two = market.house(rng, f"city = '{one['city']}' AND id != {one['id']}")
    only = sorted((market.amenities(one["slug"]) ^ market.amenities(two["slug"])) & set(AMENITIES))
    if not only:
        return None
    what = rng.choice(only)
    has, lacks = (one, two) if what in market.amenities(one["slug"]) else (two, one)
    said = (
        f"{has['name']} has it.",
        has["name"],
        f"Only the {has['name']} does.",
        f"{has['name']} has it, {lacks['name']} does not.",
        f"{lacks['name']} doesn't list it, but {has['name']} does.",
    )
    wrong = {
        "turned round": f"{lacks['name']} has it, {has['name']} does not.",
        "denied to the right one": f"{has['name']} doesn't list it, but {lacks['name']} does.",
        "the other one": f"{lacks['name']} has it.",
        "both": f"{one['name']}, {two['name']}",
        "neither": "Neither of them.",
    }
    names = _spelled(one["name"], two["name"])
    answers = (Answer("choice", names[has["name"]], among=tuple(names.values()), unit=("has",)),)
    looks = (room_of("stayward", one), room_of("stayward", two))
    told = {"site": "Stayward", "one": one["name"], "two": two["name"], "what": f"{_article(what)}{what.lower()}"}
    told["what"] = told["what"].replace("ev ", "EV ")
    return Case(StayPlan(said, looks=looks, wrong=wrong), told, answers)


def cheaper_of_two(town: Town, rng: Random) -> Case | None:
    """Which of two houses costs less for the same stay, and how much."""
    market = Market(town, "stayward")
    stay = market.stay(rng)
    one = market.house(rng)
    two = market.house(rng, f"city = '{one['city']}' AND id != {one['id']}")
    rooms = [_standard(market, room_of("stayward", row, stay)) for row in (one, two)]
    low, high = sorted((room for room in rooms if room), key=lambda room: room.total) if all(rooms) else (None, None)
    if low is None or high is None or low.total == high.total:
        return None
    said = (
        f"The {low.name} is cheaper: {money(low.total)}.",
        f"{low.name}, {money(low.total)} against {money(high.total)}.",
        f"{low.name}, at {money(low.total)}, is cheaper than {high.name}.",
        *prefer(low.name, high.name, "cheaper", "more expensive", f": {money(low.total)}"),
    )
    wrong = {
        "the dearer one": f"The {high.name} is cheaper: {money(low.total)}.",
        "another price": f"The {low.name} is cheaper: {money(low.total - 300)}.",
        "no price": f"The {low.name} is cheaper.",
        "the dearer one, turned round": f"{high.name}, at {money(low.total)}, is cheaper than {low.name}.",
        **mistake(low.name, high.name, "cheaper", "more expensive", f": {money(low.total)}"),
    }
    also = (high.total / 100, (high.total - low.total) / 100, *_nightly(low), *_nightly(high))
    names = _spelled(one["name"], two["name"])
    choice = Answer("choice", names[low.name], among=tuple(names.values()))
    answers = (choice, Answer("money", low.total / 100, also=also))
    told = slots(low, town.world.today) | {"one": one["name"], "two": two["name"]}
    return Case(StayPlan(said, looks=(low, high), wrong=wrong), told, answers)


def cheapest_with(town: Town, rng: Random) -> Case | None:
    """The cheapest house of a city with something, and what it costs."""
    found = draw_hunt(town, rng)
    if found is None:
        return None
    room, second, told = found
    wrong = {
        "the second cheapest": f"{second.hotel['name']} for {money(second.offer.total if second.offer else 0)}.",
        "the right house, another's price": f"{room.name} for {money(second.offer.total if second.offer else 0)}.",
        "no house": f"It costs {money(room.total)}.",
    }
    said = (f"{room.name} for {money(room.total)}.", f"The {room.name}: {money(room.total)} in all.")
    others = tuple(name for name in _names(town, room.city) if name != room.name)
    answers = (Answer("name", room.name, among=others), Answer("money", room.total / 100, also=_nightly(room)))
    return Case(StayPlan(said, looks=(room,), wrong=wrong), told, answers)


def portal_or_chain(town: Town, rng: Random) -> Case | None:
    """Where the same room is cheaper: at the portal or at the chain itself."""
    direct = Market(town, "aldergate")
    stay = direct.stay(rng)
    rooms = [
        each for each in direct.offers(room_of("aldergate", direct.house(rng), stay)) if each.rate in ("flex", "saver")
    ]
    if not rooms:
        return None
    own = rng.choice(rooms)
    there = replace(own, site="stayward")
    portal = next(
        each for each in Market(town, "stayward").offers(there) if (each.room, each.rate) == (own.room, own.rate)
    )
    if own.total == portal.total:
        return None
    low, high = sorted((own, portal), key=lambda each: each.total)
    names = {"aldergate": "Aldergate Hotels|Aldergate|own site|direct|directly", "stayward": "Stayward"}
    title, dear = AGENCIES[low.site].title, AGENCIES[high.site].title
    said = (
        f"It is cheaper at {title}: {money(low.total)}.",
        f"{title}: {money(low.total)} against {money(high.total)}.",
        f"{own.name} is cheaper at {title} ({money(low.total)}) than at {dear} ({money(high.total)}).",
        *prefer(title, dear, "cheaper", "more expensive", f": {money(low.total)}"),
    )
    wrong = {
        "the dearer site": f"It is cheaper at {dear}: {money(low.total)}.",
        "the dearer price": f"It is cheaper at {title}: {money(high.total + 100)}.",
        "no price": f"It is cheaper at {title}.",
        "turned round": f"{own.name} is cheaper at {dear} ({money(low.total)}) than at {title} ({money(high.total)}).",
        **mistake(title, dear, "cheaper", "more expensive", f": {money(low.total)}"),
    }
    also = (high.total / 100, (high.total - low.total) / 100, *_nightly(low), *_nightly(high))
    answers = (
        Answer("choice", names[low.site], among=tuple(names.values()), also=(own.name,)),
        Answer("money", low.total / 100, also=also),
    )
    plan = StayPlan(said, looks=(portal, own), wrong=wrong)
    return Case(plan, slots(own, town.world.today) | {"site": "Stayward", "chain": "Aldergate Hotels"}, answers)


def draw_hunt(town: Town, rng: Random) -> tuple[Room, Hit, dict[str, str]] | None:
    """A city and what a house there must have; the cheapest that has it, the second, and the words for it."""
    market = Market(town, "stayward")
    stay: Stay = market.stay(rng)
    city, amenity = rng.choice(CITIES).name, rng.choice(AMENITIES[:8])
    filters: list[tuple[str, str, str, str]] = [("Amenities", amenity, "amenity", amenity)]
    words = [f"{_article(amenity)}{amenity.lower()}"]
    rating, within = rng.choice((("", ""), ("8", ""), ("", "3")))
    if rating:
        filters.append(("Guest rating", RATINGS[rating], "rating", rating))
        words.append("a guest rating of 8 or more")
    if within:
        filters.append(("Location", DISTANCES[within], "within", within))
        words.append("a location within 3 km of the centre")
    hits = market.results(Ask(city, amenities=(amenity,), rating=rating, within=within, sort="price"), stay)
    priced = [hit for hit in hits if hit.offer]
    bare = market.results(Ask(city, sort="price"), stay)
    if len(priced) < 2 or bare[0].hotel["slug"] == priced[0].hotel["slug"]:
        return None
    best, second = priced[:2]
    if best.offer is None or second.offer is None or best.offer.total == second.offer.total:
        return None
    room = room_of("stayward", best.hotel, stay)
    room = replace(room, room=best.offer.room, room_name=best.offer.room_name, rate=best.offer.rate.code)
    room = replace(room, rate_name=best.offer.rate.name, total=best.offer.total, hunt=Hunt(tuple(filters)))
    told = {"site": "Stayward", "city": city, "needs": " and ".join(words)} | dates(stay, town.world.today)
    return room, second, told


def _standard(market: Market, house: Room) -> Room | None:
    """The standard double on the flexible rate, if it can be had and cancelled."""
    found = (room for room in market.offers(house) if (room.room, room.rate) == ("std", "flex"))
    return next(found, None) if market.until(house) else None


def _names(town: Town, city: str) -> list[str]:
    query = "SELECT name FROM hotel WHERE city = ? ORDER BY id"
    return [row["name"] for row in town.facts["stayward"].execute(query, (city,))]


def _nightly(room: Room) -> tuple[float, ...]:
    """What an answer may mention besides a total: its part for one night."""
    each = room.total / room.stay.nights / 100
    return (round(each, 2), round(each)) if room.stay.nights > 1 else ()


def _spelled(one: str, two: str) -> dict[str, str]:
    """Two houses by name, each as it may be called: by its chain alone if the other belongs to another one."""
    chains = {name: next(chain.title for chain in CHAINS if name.startswith(chain.title)) for name in (one, two)}
    apart = chains[one] != chains[two]
    return {name: f"{name}|{chain.removeprefix('The ')}" if apart else name for name, chain in chains.items()}


def _article(thing: str) -> str:
    if thing.endswith(("charging", "rental", "service", "rooms", "conditioning")):
        return ""
    return "an " if thing[0] in "AEIOU" else "a "


TEMPLATES = (
    template("rate-total", "easy", total_of_rate("flex", "saver")),
    template("meals-total", "medium", total_of_rate("breakfast", "half")),
    template("refundable", "medium", cheapest_refundable),
    template("difference", "medium", difference),
    template("deadline", "easy", deadline),
    template("which-has", "medium", which_has),
    template("cheaper-of-two", "medium", cheaper_of_two),
    template("cheapest-with", "hard", cheapest_with),
    template("portal-or-chain", "hard", portal_or_chain),
)
