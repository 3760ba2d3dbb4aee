"""What the shops' pages say about things that are described and not named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.shops import SITES, both, delivery, details, price, tracked, wrapping
from tests.town.second_reader.wording import TODAY, cents

Said = Mapping[str, str]
HOME = Path(__file__).parents[3] / "src/workalike/town/shopkit"
MEANT = {words: slug for slug, words in json.loads((HOME / "tasks/meant.json").read_text()).items()}
"""Which shelf is meant by which words."""
TELLING = {kind["slug"]: kind["telling"] for kind in json.loads((HOME / "kinds.json").read_text())}
ORDERS = {"the cheapest ": "low", "the most expensive ": "high", "the best rated ": "rating"}
QUIRKS = {
    "somebody gave to their mother on a big birthday": "mother",
    "has stood up to small children and moving house": "toddler",
    "a customer found much smaller than in the pictures": "tinier",
    "stopped working for a customer within a month": "Stopped working",
    "reached a customer with one of its parts missing": "without one of its parts",
}
"""What stands in the reviews that other words are about."""


class Shelf:
    """Everything at a shop that fits some words, with its card."""

    def __init__(self, web: Visitor, shop: str, words: str, **more: str) -> None:
        meant, *asked = words.split(", ")
        self.web, self.site, self.slug = web, SITES[shop], MEANT[meant]
        path = f"/c/{self.slug}"
        boxes = [box.attributes for box in web.get(self.site, path).every("input")]
        names = {box["name"].removeprefix("spec.") for box in boxes if box.get("name", "").startswith("spec.")}
        query: dict[str, str] = dict(more)
        for detail in asked:
            name = max((each for each in names if detail.startswith(each.lower() + " ")), key=len)
            query[f"spec.{name}"] = detail[len(name) + 1 :]
        self.cards: list[Node] = []
        for number in range(1, 9):
            found = web.get(self.site, path, page=number, **query).every("article.card")
            if not found:
                break
            self.cards += found

    def ranked(self, order: str = "low") -> list[Node]:
        def rank(card: Node) -> float:
            if order == "rating":
                return -float(card.one(".stars-text").text.split()[0])
            return cents(card.one(".price").text) * (-1 if order == "high" else 1)

        return sorted(self.cards, key=rank)

    def page(self, card: Node) -> Node:
        return self.web.get(self.site, card.one("h3 a").attributes["href"])

    def reviews(self, card: Node) -> Node:
        return self.web.get(self.site, card.one("h3 a").attributes["href"] + "/reviews")


def name_of(card: Node) -> str:
    return card.one("h3 a").text


def cost(card: Node) -> int:
    return cents(card.one(".price").text)


def wanted(web: Visitor, shop: str, words: str) -> tuple[Shelf, Node]:
    """The thing that some words mean at a shop."""
    start = next(each for each in ORDERS if words.startswith(each))
    shelf = Shelf(web, shop, words.removeprefix(start))
    return shelf, shelf.ranked(ORDERS[start])[0]


def at_both(web: Visitor, said: Said, field: str = "want") -> dict[str, Node]:
    """The page of the thing that the first shop is asked about, at both."""
    shelf, card = wanted(web, said["shop1"], said[field])
    path = card.one("h3 a").attributes["href"]
    return {said["shop1"]: shelf.page(card), said["shop2"]: web.get(SITES[said["shop2"]], path)}


def unit(shelf: Shelf, card: Node) -> float:
    """What a unit of what is in it costs."""
    text = details(shelf.page(card))[TELLING[shelf.slug]]
    match = re.match(r"([\d.,]+) ?(\S*)", text)
    assert match
    return cost(card) / (float(match[1].replace(",", "")) * (1000 if match[2] in ("kg", "L") else 1))


def usual(web: Visitor, shop: str, total: int) -> int:
    """What the first way of delivery costs for a sum."""
    way = web.get(SITES[shop], "/help/delivery").every("tbody tr")[0].every("td")[0].text
    return delivery(web, shop, total, way)


def number(web: Visitor, said: Said) -> dict[str, object]:
    shelf, card = wanted(web, said["shop"], said["want"])
    return {"item number": details(shelf.page(card))["Item number"], "price": cost(card)}


def send_back(web: Visitor, said: Said) -> dict[str, object]:
    arrives = date.fromisoformat(str(tracked(web, said)["arrival"]))
    match = re.search(r"within (\d+) days", web.get(SITES[said["shop"]], "/help/returns").one(".help").text)
    assert match
    return {"last day": (arrives + timedelta(int(match[1]))).isoformat()}


def none_fits(web: Visitor, said: Said) -> dict[str, object]:
    return {"": "done" if Shelf(web, said["shop"], said["want"].removeprefix("any ")).cards else "unavailable"}


def delivered(web: Visitor, said: Said) -> dict[str, object]:
    bare = {shop: price(page) for shop, page in at_both(web, said).items()}
    totals = {shop: total + usual(web, shop, total) for shop, total in bare.items()}
    low = min(totals, key=lambda shop: totals[shop])
    return {"shop": low, "total": totals[low]}


def by_unit(web: Visitor, said: Said) -> dict[str, object]:
    shelves = {shop: Shelf(web, shop, said["rest"]) for shop in both(said)}
    ranked = sorted((unit(shelf, card), name_of(card), shop) for shop, shelf in shelves.items() for card in shelf.cards)
    return {"product": ranked[0][1], "shop": ranked[0][2]}


def unit_order(web: Visitor, said: Said) -> dict[str, object]:
    shelf = Shelf(web, said["shop"], said["rest"])
    return {"products": [name_of(card) for card in sorted(shelf.cards, key=lambda card: unit(shelf, card))]}


def numbers(web: Visitor, said: Said) -> dict[str, object]:
    return {f"item number at {shop}": details(page)["Item number"] for shop, page in at_both(web, said).items()}


def returns(web: Visitor, said: Said) -> dict[str, object]:
    def days(shop: str) -> int:
        match = re.search(r"within (\d+) days", web.get(SITES[shop], "/help/returns").one(".help").text)
        assert match
        return int(match[1])

    pages = at_both(web, said)
    longest = max(pages, key=days)
    return {"shop": longest, "price": price(pages[longest])}


def saved(web: Visitor, said: Said) -> dict[str, object]:
    shelf = Shelf(web, said["shop"], said["rest"], sale="1")
    gaps = [(cents(card.one(".price-was").text) - cost(card), name_of(card)) for card in shelf.cards]
    return {"product": max(gaps)[1], "saving": max(gaps)[0]}


def basket(web: Visitor, said: Said) -> dict[str, object]:
    pages = [at_both(web, said, field) for field in ("one", "two")]
    bare = {shop: sum(price(each[shop]) for each in pages) for shop in both(said)}
    totals = {shop: total + usual(web, shop, total) for shop, total in bare.items()}
    low = min(totals, key=lambda shop: totals[shop])
    return {"shop": low, "total": totals[low]}


def choice(web: Visitor, said: Said) -> dict[str, object]:
    counts = {shop: len(Shelf(web, shop, said["rest"]).cards) for shop in both(said)}
    most = max(counts, key=lambda shop: counts[shop])
    return {"shop": most, "number": counts[most]}


def sooner(web: Visitor, said: Said) -> dict[str, object]:
    def day(page: Node) -> date:
        match = re.search(r"Get it by \w+, (\w+ \d+)", page.text)
        assert match
        return datetime.strptime(f"{match[1]}, {TODAY.year}", "%b %d, %Y").date()

    days = {shop: day(page) for shop, page in at_both(web, said).items()}
    first = min(days, key=lambda shop: days[shop])
    return {"shop": first, "day": days[first].isoformat()}


def complaints(web: Visitor, said: Said) -> dict[str, object]:
    shelf = Shelf(web, said["shop"], said["rest"])
    ends = (shelf.ranked()[0], shelf.ranked()[-1])
    counts = [
        (int(shelf.reviews(card).every(".reviews-sum tr")[4].every("td")[2].text), name_of(card)) for card in ends
    ]
    return {"product": min(counts)[1], "one-star reviews": min(counts)[0]}


def present(web: Visitor, said: Said) -> dict[str, object]:
    bare = {shop: price(page) for shop, page in at_both(web, said).items()}
    return {f"total at {shop}": cost + wrapping(web, shop) + usual(web, shop, cost) for shop, cost in bare.items()}


def anywhere(web: Visitor, said: Said) -> dict[str, object]:
    cards = [(cost(card), name_of(card), shop) for shop in both(said) for card in Shelf(web, shop, said["rest"]).cards]
    low, name, shop = min(cards)
    return {"product": name, "shop": shop, "price": low}


def customers(web: Visitor, said: Said) -> dict[str, object]:
    for shop in both(said):
        shelf = Shelf(web, shop, said["rest"])
        for card in shelf.ranked()[:2]:
            if QUIRKS[said["quirk"]] in shelf.reviews(card).text:
                return {"product": name_of(card), "shop": shop}
    raise AssertionError("no customer says that")


def lighter(web: Visitor, said: Said) -> dict[str, object]:
    def grams(card: Node) -> float:
        value, measure = details(shelf.page(card))["Weight"].split(maxsplit=1)
        return float(value) * (1000 if measure.startswith("kg") else 1)

    shelf = Shelf(web, said["shop"], said["rest"])
    return {"difference in grams": round(abs(grams(shelf.ranked()[0]) - grams(shelf.ranked()[-1])))}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "number": number,
    "send-back": send_back,
    "none-fits": none_fits,
    "weigh-delivered": delivered,
    "weigh-unit": by_unit,
    "weigh-order": unit_order,
    "weigh-numbers": numbers,
    "weigh-returns": returns,
    "weigh-saved": saved,
    "weigh-basket": basket,
    "weigh-choice": choice,
    "weigh-sooner": sooner,
    "weigh-complaints": complaints,
    "weigh-present": present,
    "weigh-anywhere": anywhere,
    "weigh-customers": customers,
    "weigh-lighter": lighter,
}
