"""What the shops' pages say about questions that are asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from tests.town.second_reader.page import Node, Visitor
from tests.town.second_reader.wording import cents

SITES = {"Marlow & Finch": "marlow", "Kestrel Market": "kestrel"}
Said = Mapping[str, str]


def product(web: Visitor, shop: str, name: str) -> Node | None:
    """A product's page, found by the shop's own search; None where the shop has no such thing."""
    found = web.get(SITES[shop], "/search", q=name)
    links = [link for link in found.every("article.card h3 a") if link.text == name]
    return web.get(SITES[shop], links[0].attributes["href"]) if links else None


def needed(web: Visitor, shop: str, name: str) -> Node:
    page = product(web, shop, name)
    assert page is not None, f"{shop} has no {name}"
    return page


def price(page: Node) -> int:
    return cents(page.one(".one-price .price").text if page.every(".one-price") else page.one(".price").text)


def details(page: Node) -> dict[str, str]:
    rows = page.every(".specs tr")
    return {row.one("th").text: row.one("td").text for row in rows}


def help_page(web: Visitor, shop: str) -> Node:
    return web.get(SITES[shop], "/help/delivery")


def delivery(web: Visitor, shop: str, total: int, way: str) -> int:
    """What a way of delivery costs for a sum of goods."""
    row = next(row for row in help_page(web, shop).every("tr") if row.text.lower().startswith(way.lower()))
    free = re.search(r"free over (\$[\d,.]+)", row.text)
    return 0 if free and total >= cents(free[1]) else cents(row.text)


def wrapping(web: Visitor, shop: str) -> int:
    match = re.search(r"Gift wrapping costs (\$[\d,.]+)", help_page(web, shop).text)
    assert match
    return cents(match[1])


def both(said: Said) -> tuple[str, str]:
    return said["shop1"], said["shop2"]


def cheaper_where(web: Visitor, said: Said) -> dict[str, object]:
    prices = {shop: price(needed(web, shop, said["product"])) for shop in both(said)}
    low, high = sorted(prices, key=lambda shop: prices[shop])
    return {"shop": low, "difference": prices[high] - prices[low]}


def both_prices(web: Visitor, said: Said) -> dict[str, object]:
    return {f"price at {shop}": price(needed(web, shop, said["product"])) for shop in both(said)}


def delivered(web: Visitor, said: Said) -> dict[str, object]:
    totals = {}
    for shop, way in zip(both(said), (said["way1"], said["way2"]), strict=True):
        bare = price(needed(web, shop, said["product"]))
        totals[shop] = bare + delivery(web, shop, bare, way)
    low = min(totals, key=lambda shop: totals[shop])
    return {"shop": low, "total": totals[low]}


def ratings(web: Visitor, said: Said) -> dict[str, object]:
    stars = {shop: float(needed(web, shop, said["product"]).one(".stars-text").text.split()[0]) for shop in both(said)}
    best = max(stars, key=lambda shop: stars[shop])
    return {"shop": best, **{f"rating at {shop}": stars[shop] for shop in stars}}


def carries(web: Visitor, said: Said) -> dict[str, object]:
    pages = {shop: product(web, shop, said["product"]) for shop in both(said)}
    ((shop, page),) = [(shop, page) for shop, page in pages.items() if page is not None]
    return {"shop": shop, "price": price(page)}


def lighter(web: Visitor, said: Said) -> dict[str, object]:
    def grams(name: str) -> float:
        number, unit = details(needed(web, said["shop"], name))["Weight"].split(maxsplit=1)
        return float(number) * (1000 if unit.startswith("kg") else 1)

    return {"product": min((said["one"], said["two"]), key=grams)}


def by_price(web: Visitor, said: Said) -> dict[str, object]:
    """Names hold commas themselves, so that only the shop can tell where one ends."""
    words = re.split(r",? and |, ", said["products"])
    names, parts = [], list(words)
    while parts:
        for count in range(len(parts), 0, -1):
            name = ", ".join(parts[:count])
            if product(web, said["shop"], name) is not None:
                names.append(name)
                parts = parts[count:]
                break
        else:
            raise AssertionError(f"{parts} are no products")
    return {"products": sorted(names, key=lambda name: price(needed(web, said["shop"], name)))}


def cheapest_anywhere(web: Visitor, said: Said) -> dict[str, object]:
    cards = [(card, shop) for shop in both(said) for card in shelf(web, shop, said)]
    lowest, name, shop = min((cents(card.one(".price").text), card.one("h3 a").text, shop) for card, shop in cards)
    return {"product": name, "shop": shop, "price": lowest}


def shelf(web: Visitor, shop: str, said: Said) -> list[Node]:
    """Everything on a shelf with some detail, page by page."""
    title = re.fullmatch(r"product under “(.+)”", said["what"])
    assert title
    front = web.get(SITES[shop], "/")
    path = next(link.attributes["href"] for link in front.every("a") if link.text == title[1])
    quoted = re.fullmatch(r"“(.+): (.+)”", said["detail"])
    names = [box.attributes.get("name", "") for box in web.get(SITES[shop], path).every("input")]
    labels = {name.removeprefix("spec.") for name in names if name.startswith("spec.")}
    if quoted:
        name, value = quoted[1], quoted[2]
    else:
        name = max((each for each in labels if said["detail"].startswith(each.lower() + " ")), key=len)
        value = said["detail"][len(name) + 1 :]
    cards: list[Node] = []
    for number in range(1, 9):
        more = web.get(SITES[shop], path, page=number, **{f"spec.{name}": value}).every("article.card")
        if not more:
            break
        cards += more
    return cards


def wrapped(web: Visitor, said: Said) -> dict[str, object]:
    return {f"price at {shop}": price(needed(web, shop, said["product"])) + wrapping(web, shop) for shop in both(said)}


def tracked(web: Visitor, said: Said) -> dict[str, object]:
    page = web.get(SITES[said["shop"]], "/track", number=said["number"], zip=said["zip"])
    match = re.search(r"Expected on (\w+, \w+ \d+, \d{4})", page.text)
    assert match
    return {"arrival": datetime.strptime(match[1], "%A, %B %d, %Y").date().isoformat()}


def sold_out(web: Visitor, said: Said) -> dict[str, object]:
    """Whether the variant is there that the words choose: of each option the value that they name."""
    asked = f"{said['product']} {said['options']}"
    cards = web.get(SITES[said["shop"]], "/search", q=" ".join(asked.split()[:2])).every("article.card h3 a")
    name = max((card.text for card in cards if asked.startswith(card.text)), key=len)
    page, words = needed(web, said["shop"], name), asked.removeprefix(name).lower()
    chosen: dict[str, str] = {}
    for field in ("first", "second"):
        pills = [box.attributes for box in page.every("form.buy input")]
        boxes = [box["value"] for box in pills if box.get("name") == field]
        drops = [drop for drop in page.every("form.buy select") if drop.attributes.get("name") == field]
        values = [
            value for value in boxes or [option.text for drop in drops for option in drop.every("option")][1:] if value
        ]
        whole = [value for value in values if re.search(rf"(?<![\w.]){re.escape(value.lower())}(?![\w.])", words)]
        parts = [value for value in values if value.lower() in words]
        chosen |= {field: max(whole or parts, key=len)} if values else {}
    form = page.one("form.buy").attributes
    told = web.json(SITES[said["shop"]], f"/p/{form['data-slug']}/stock", **chosen)
    return {"": "unavailable" if "Sold out" in told else "done"}


READERS: dict[str, Callable[[Visitor, Said], dict[str, object]]] = {
    "compare-price": cheaper_where,
    "compare-both": both_prices,
    "compare-delivered": delivered,
    "compare-rating": ratings,
    "compare-carries": carries,
    "compare-weight": lighter,
    "compare-order": by_price,
    "compare-cheapest": cheapest_anywhere,
    "compare-wrapped": wrapped,
    "track-order": tracked,
    "sold-out": sold_out,
}
