"""What the pages of the hotel sites say about questions that are asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.wording import cents, people_of, stay_of

SITES = {"Stayward": "stayward", "Aldergate Hotels": "aldergate"}
RATES = {
    "non-refundable saver rate": "Saver rate",
    "flexible rate without meals": "Flexible rate",
    "flexible rate with breakfast": "Flexible rate with breakfast",
    "half board rate": "Half board",
}
Said = Mapping[str, str]


def asked(said: Said) -> dict[str, object]:
    first, last = stay_of(said)
    return {"in": first.isoformat(), "out": last.isoformat(), **people_of(said)}


def house(web: Visitor, site: str, name: str, query: Mapping[str, object] | None = None) -> Node:
    """A house's page by its full name, for a stay where there is one."""
    page = web.get(SITES[site], "/search", where=name, **(query or {}))
    assert page.one("h1").text.startswith(name), (name, page.one("h1").text)
    return page


def rate_of(said: Said) -> str:
    return said["Rate"] if "Rate" in said else RATES[said["rate"]]


def offers(page: Node) -> dict[tuple[str, str], Node]:
    """The rates of a house by room and name."""
    return {
        (room.one("h3").text, rate.one(".rate-name b").text): rate
        for room in page.every("article.room")
        for rate in room.every(".rate")
    }


def price(rate: Node) -> int:
    return cents(rate.one(".rate-price b").text)


def total(web: Visitor, said: Said, site: str = "", name: str = "", room: str = "") -> int:
    page = house(web, site or said["site"], name or said["hotel"], asked(said))
    return price(offers(page)[(room or said["room"], rate_of(said))])


def rate_total(web: Visitor, said: Said) -> dict[str, object]:
    return {"total": total(web, said)}


def refundable(web: Visitor, said: Said) -> dict[str, object]:
    found = offers(house(web, said["site"], said["hotel"], asked(said)))
    free = [price(rate) for (room, _), rate in found.items() if "Double" in room and "Free cancellation" in rate.text]
    return {"total": min(free)}


def difference(web: Visitor, said: Said) -> dict[str, object]:
    return {"difference": total(web, said, room=said["high"]) - total(web, said, room=said["low"])}


def deadline(web: Visitor, said: Said) -> dict[str, object]:
    page = house(web, said["site"], said["hotel"], asked(said))
    rates = [rate for (_, name), rate in offers(page).items() if name == rate_of(said)]
    match = re.search(r"until (\w+, \w+ \d+, \d{4})", rates[0].text)
    assert match
    return {"last day": datetime.strptime(match[1], "%A, %B %d, %Y").date().isoformat()}


def which_has(web: Visitor, said: Said) -> dict[str, object]:
    what = re.sub(r"^an? ", "", said["what"]).lower()
    listed = {
        name: [item.text.lower() for item in house(web, said["site"], name).every(".amenities li")]
        for name in (said["one"], said["two"])
    }
    ((name, _),) = [(name, items) for name, items in listed.items() if what in items]
    return {"hotel": name}


def cheaper_of_two(web: Visitor, said: Said) -> dict[str, object]:
    totals = {name: total(web, said, name=name) for name in (said["one"], said["two"])}
    low = min(totals, key=lambda name: totals[name])
    return {"hotel": low, "total": totals[low]}


def portal_or_chain(web: Visitor, said: Said) -> dict[str, object]:
    totals = {site: total(web, said, site=site) for site in (said["site"], said["chain"])}
    low = min(totals, key=lambda site: totals[site])
    return {"site": low, "total": totals[low]}


def cheapest_with(web: Visitor, said: Said) -> dict[str, object]:
    """Every house of the city, looked at one by one, without the site's own filters."""
    needs, query = said["needs"].split(" and "), {"where": said["city"], **asked(said)}
    found = []
    for number in range(1, 9):
        cards = web.get(SITES[said["site"]], "/search", page=number, **query).every("article.hit")
        found += [(cents(card.one(".from b").text), card) for card in cards if card.every(".from b")]
        if not cards:
            break
    for lowest, card in sorted(found, key=lambda pair: pair[0]):
        name = card.one("h2 a").text
        page = house(web, said["site"], name)
        if all(has(page, card, need) for need in needs):
            return {"hotel": name, "total": lowest}
    raise AssertionError("no house has all that")


def has(page: Node, card: Node, need: str) -> bool:
    if need == "a guest rating of 8 or more":
        return float(card.one(".score b").text) >= 8
    near = re.search(r"([\d.]+) km from the centre", card.text)
    if need == "a location within 3 km of the centre":
        return near is not None and float(near[1]) <= 3
    return re.sub(r"^an? ", "", need).lower() in [item.text.lower() for item in page.every(".amenities li")]


def sold_out(web: Visitor, said: Said) -> dict[str, object]:
    page = house(web, said["site"], said["hotel"], asked(said))
    return {"": "done" if page.every(".rate") else "unavailable"}


QUIRKS = {
    "a guest was woken by bells": "church next door",
    "a guest had to take the stairs all week": "lift was out of order",
    "a guest could see fireworks from the bath": "bath tub",
    "a guest's dog got something baked": "biscuit",
    "a guest found the bedding too thin": "thin as a newspaper",
}
"""What guests say that other words are about."""


def cards(web: Visitor, site: str, query: Mapping[str, object]) -> list[Node]:
    """Every house of a city that has rooms for a stay, page by page, as the site recommends them."""
    found: list[Node] = []
    for number in range(1, 9):
        more = web.get(SITES[site], "/search", page=number, **query).every("article.hit")
        if not more:
            break
        found += [card for card in more if card.every(".from b")]
    return found


def lowest(card: Node) -> int:
    return cents(card.one(".from b").text)


def far(card: Node) -> float:
    match = re.search(r"([\d.]+) km from the centre", card.text)
    assert match
    return float(match[1])


RANKS: dict[str, Callable[[Node], float]] = {
    "the cheapest": lowest,
    "the best rated": lambda card: -float(card.one(".score b").text),
    "the most central": far,
}


def fitting(web: Visitor, site: str, city: str, needs: str, query: Mapping[str, object], order: str) -> list[Node]:
    """The houses of a city that have what is needed, without the site's own filters, in some order."""
    found = cards(web, site, {"where": city, **query})
    kept = [card for card in found if all(has(house(web, site, title(card)), card, need) for need in _split(needs))]
    return sorted(kept, key=RANKS[order])


def _split(needs: str) -> list[str]:
    return re.split(r" and (?=a )", needs)


def title(card: Node) -> str:
    return card.one("h2 a").text


def described(web: Visitor, said: Said, words: str, query: Mapping[str, object]) -> Node:
    """The card of the house that some words mean."""
    match = re.fullmatch(r"(the \w+(?: \w+)?) hotel in (.+?) with (.+)", words)
    assert match, words
    return fitting(web, said.get("site", "Stayward"), match[2], match[3], query, match[1])[0]


def central(web: Visitor, said: Said) -> dict[str, object]:
    card = described(web, said, said["want"], asked(said))
    return {"hotel": title(card), "distance in km": far(card)}


def evidence(web: Visitor, said: Said) -> dict[str, object]:
    page = house(web, said["site"], title(described(web, said, said["want"], asked(said))))
    address = re.search(r"\d+ [A-Z][\w ]+?, [A-Z][\w ]+?(?= ·|[A-Z]|$| \S+, )", page.one("h1").parent.parent.text)  # type: ignore[union-attr]
    times = {row.one("th").text: row.one("td").text for row in page.every(".policies tr")}
    assert address
    return {"address": address[0], "check-in time": times["Check-in"].removeprefix("from ")}


def per_person(web: Visitor, said: Said) -> dict[str, object]:
    query = asked(said)
    nearest = fitting(web, said["site"], said["city"], said["needs"], query, "the most central")[:4]
    prices = []
    for card in nearest:
        found = offers(house(web, said["site"], title(card), query))
        meals = [price(rate) for (_, name), rate in found.items() if name == "Flexible rate with breakfast"]
        prices.append((min(meals), title(card)))
    first, last = stay_of(said)
    total, name = min(prices)
    return {
        "hotel": name,
        "price per person and night": total // (people_of(said)["adults"] * (last - first).days),
    }


def told_by_guests(web: Visitor, said: Said) -> dict[str, object]:
    query = asked(said)
    for card in fitting(web, said["site"], said["city"], said["needs"], query, "the cheapest")[:4]:
        if QUIRKS[said["quirk"]] in house(web, said["site"], title(card)).one(".remarks").text:
            return {"hotel": title(card), "total": lowest(card)}
    raise AssertionError("no guest says that")


def two_cities(web: Visitor, said: Said) -> dict[str, object]:
    query = asked(said)
    last = datetime.strptime(said["then"], "%A, %B %d, %Y").date()
    later = {**query, "in": query["out"], "out": last.isoformat()}
    stays = ((said["one"], query), (said["two"], later))
    return {"total": sum(lowest(described(web, {"site": said["site"]}, words, when)) for words, when in stays)}


def both_sites(web: Visitor, said: Said) -> dict[str, object]:
    found = cards(web, said["chain"], {"where": said["city"], **asked(said)})
    totals = {
        (title(card), site): total(web, said, site=site, name=title(card))
        for card in found
        for site in (said["portal"], said["chain"])
    }
    (name, site), low = min(totals.items(), key=lambda pair: pair[1])
    return {"hotel": name, "site": site, "total": low}


def dog_and_car(web: Visitor, said: Said) -> dict[str, object]:
    page = house(web, said["site"], title(described(web, said, said["want"], asked(said))))
    rules = {row.one("th").text: row.one("td").text for row in page.every(".policies tr")}
    first, last = stay_of(said)
    dog = 2000 if "for $20 a night" in rules["Pets"] else 0
    return {"extra": (dog + cents(rules["Parking"])) * (last - first).days}


def cheapest_arrival(web: Visitor, said: Said) -> dict[str, object]:
    query = asked(said)
    name = title(described(web, said, said["want"], query))
    first, last = stay_of(said)
    totals = []
    for words in re.split(r", | or ", said["days"]):
        day = datetime.strptime(f"{words}, {first.year}", "%B %d, %Y").date()
        when = {**query, "in": day.isoformat(), "out": (day + (last - first)).isoformat()}
        found = offers(house(web, said["site"], name, when))
        totals.append((price(found[("Standard Double", "Flexible rate")]), day.isoformat()))
    low, day_text = min(totals)
    return {"day": day_text, "total": low}


def cancel_cost(web: Visitor, said: Said) -> dict[str, object]:
    query = asked(said)
    found = offers(house(web, said["site"], title(described(web, said, said["want"], query)), query))
    flexible, saver = (found[("Standard Double", name)] for name in ("Flexible rate", "Saver rate"))
    match = re.search(r"until (\w+, \w+ \d+, \d{4})", flexible.text)
    assert match
    last = datetime.strptime(match[1], "%A, %B %d, %Y").date()
    return {"last day": last.isoformat(), "surcharge": price(flexible) - price(saver)}


def full_house(web: Visitor, said: Said) -> dict[str, object]:
    return {"": "done" if cards(web, said["site"], {"where": said["city"], **asked(said)}) else "unavailable"}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "central": central,
    "evidence": evidence,
    "per-person": per_person,
    "told-by-guests": told_by_guests,
    "two-cities": two_cities,
    "both-sites": both_sites,
    "dog-and-car": dog_and_car,
    "cheapest-arrival": cheapest_arrival,
    "cancel-cost": cancel_cost,
    "full-house": full_house,
    "rate-total": rate_total,
    "meals-total": rate_total,
    "refundable": refundable,
    "difference": difference,
    "deadline": deadline,
    "which-has": which_has,
    "cheaper-of-two": cheaper_of_two,
    "portal-or-chain": portal_or_chain,
    "cheapest-with": cheapest_with,
    "sold-out": sold_out,
}
