"""Tasks about comparing: one product at two shops, two products at one."""

from __future__ import annotations

import re
import sqlite3
from random import Random
from typing import Any

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.shop import Shop
from workalike.town.shopkit.shops import KESTREL, MARLOW, SHOPS
from workalike.town.shopkit.tasks.draws import (
    any_variant,
    asks,
    draw_hunt,
    draw_shared,
    draw_shop,
    listed,
    look_at,
    shelf,
    template,
)
from workalike.town.shopkit.tasks.goals import FillCart, ReadHelp, SeeProduct
from workalike.town.shopkit.tasks.items import Item, price_of
from workalike.town.shopkit.tasks.sums import GIFT, delivered_shown
from workalike.town.template import TaskDraft
from workalike.town.town import Town

NAMES = {"marlow": "Marlow & Finch|Marlow", "kestrel": "Kestrel Market|Kestrel"}
BOTH = {"shop1": MARLOW.title, "shop2": KESTREL.title}
Pair = tuple[sqlite3.Row, sqlite3.Row]
Near = dict[str, dict[str, Any]]


def cheaper_where(town: Town, rng: Random) -> TaskDraft | None:
    pair = draw_shared(town, rng)
    if pair is None or pair[0]["price"] == pair[1]["price"]:
        return None
    prices = _by_shop(pair, "price")
    low, high = sorted(prices, key=lambda name: prices[name])
    gap = prices[high] - prices[low]
    near: Near = {
        "the other shop": {"shop": NAMES[high]},
        "a price as the difference": {"difference": prices[low]},
        "the other shop, its price": {"shop": NAMES[high], "difference": prices[high]},
    }
    answers = (ExpectedAnswer("shop", "name", NAMES[low]), ExpectedAnswer("difference", "money", gap))
    return _shared(pair, answers, near, "price")


def both_prices(town: Town, rng: Random) -> TaskDraft | None:
    pair = draw_shared(town, rng)
    if pair is None or pair[0]["price"] == pair[1]["price"]:
        return None
    return _shared(pair, _at_both("price", "money", *(row["price"] for row in pair)), {}, "price")


def delivered_price(town: Town, rng: Random) -> TaskDraft | None:
    """With the first way of delivery of a single piece, which changes the ranking now and then."""
    pair = draw_shared(town, rng)
    if pair is None:
        return None
    looks = _looks(pair)
    totals = {item.site: item.price + _delivery(SHOPS[item.site], item.price) for item in looks}
    low, high = sorted(totals, key=lambda name: totals[name])
    if totals[low] == totals[high]:
        return None
    near: Near = {
        "the other shop": {"shop": NAMES[high], "total": totals[high]},
        "right shop, other sum": {"total": totals[high]},
        "right sum, other shop": {"shop": NAMES[high]},
    }
    told = BOTH | {"product": pair[0]["name"]}
    told |= {"way1": MARLOW.deliveries[0].name.lower(), "way2": KESTREL.deliveries[0].name.lower()}
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        told,
        (ExpectedAnswer("shop", "name", NAMES[low]), ExpectedAnswer("total", "money", totals[low])),
        shown=tuple(group for item in looks for group in delivered_shown(item)),
        near=near,
    )


def rated_where(town: Town, rng: Random) -> TaskDraft | None:
    pair = draw_shared(town, rng, "reviews > 3")
    if pair is None or pair[0]["rating"] == pair[1]["rating"]:
        return None
    stars = _by_shop(pair, "rating")
    low, high = sorted(stars, key=lambda name: stars[name])
    ratings = _at_both("rating", "number", pair[0]["rating"], pair[1]["rating"])
    near: Near = {"the other shop": {"shop": NAMES[low]}}
    return _shared(pair, (ExpectedAnswer("shop", "name", NAMES[high]), *ratings), near, "rating")


def buy_where_cheaper(town: Town, rng: Random) -> TaskDraft | None:
    pair = draw_shared(town, rng)
    if pair is None or pair[0]["price"] == pair[1]["price"]:
        return None
    low = "marlow" if pair[0]["price"] < pair[1]["price"] else "kestrel"
    item = any_variant(town, low, pair[0]["slug"])
    if item is None:
        return None
    goals = (*(SeeProduct(look) for look in _looks(pair)), FillCart(low, (item,), alone=True))
    return TaskDraft(goals, BOTH | {"product": item.name}, shown=tuple((price_of(look),) for look in _looks(pair)))


def who_carries(town: Town, rng: Random) -> TaskDraft | None:
    """Something only one of the two sells."""
    site = rng.choice(("marlow", "kestrel"))
    other = "kestrel" if site == "marlow" else "marlow"
    row = rng.choice(town.facts[site].execute("SELECT * FROM product WHERE stock > 0 ORDER BY id").fetchall())
    if town.facts[other].execute("SELECT 1 FROM product WHERE slug = ?", (row["slug"],)).fetchone():
        return None
    near: Near = {"the other shop": {"shop": NAMES[other]}, "another price": {"price": row["price"] + 300}}
    near |= {"the price before the sale": {"price": row["was"]}} if row["was"] else {}
    item = look_at(site, row)
    answers = (ExpectedAnswer("shop", "name", NAMES[site]), ExpectedAnswer("price", "money", row["price"]))
    return TaskDraft(
        (SeeProduct(item),), BOTH | {"product": row["name"]}, answers, shown=((price_of(item),),), near=near
    )


def which_of_two(town: Town, rng: Random) -> TaskDraft | None:
    """Two products of one shelf by a detail that can be measured."""
    shop = draw_shop(rng)
    kind = rng.choice([kind for kind in BY_SLUG.values() if "Weight" in kind.specs and kind.department != "Pantry"])
    rows = (
        town.facts[shop.name]
        .execute(
            "SELECT product.*, value FROM product JOIN spec ON product = product.id"
            " WHERE category = ? AND spec.name = 'Weight' ORDER BY product.id",
            (kind.slug,),
        )
        .fetchall()
    )
    one, two = rng.sample(rows, 2)
    if grams(one["value"]) == grams(two["value"]) or one["family"] == two["family"]:
        return None
    light, heavy = (one, two) if grams(one["value"]) < grams(two["value"]) else (two, one)
    looks = (look_at(shop.name, one), look_at(shop.name, two))
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        {"shop": shop.title, "one": one["name"], "two": two["name"]},
        (ExpectedAnswer("product", "name", _called(light)),),
        shown=tuple((FactPattern(shop.name, item.slug, "Weight"),) for item in looks),
        near={"the heavier one": {"product": _called(heavy)}, "both": {"product": f"{one['name']} and {two['name']}"}},
    )


def by_price(town: Town, rng: Random) -> TaskDraft | None:
    """Three products of one shelf, in order."""
    shop = draw_shop(rng)
    kind = rng.choice(list(BY_SLUG.values()))
    query = "SELECT * FROM product WHERE category = ? ORDER BY id"
    drawn = rng.sample(town.facts[shop.name].execute(query, (kind.slug,)).fetchall(), 3)
    ranked = sorted(drawn, key=lambda row: row["price"])
    if len({row["price"] for row in drawn}) < 3 or len({row["family"] for row in drawn}) < 3:
        return None
    names = [_called(row) for row in ranked]
    looks = [look_at(shop.name, row) for row in drawn]
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        {"shop": shop.title, "products": listed([row["name"] for row in drawn])},
        (ExpectedAnswer("products", "names", names, ordered=True),),
        shown=tuple((price_of(item),) for item in looks),
        near={"two swapped": {"products": [names[1], names[0], names[2]]}},
    )


def cheapest_anywhere(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest of a kind with some detail, wherever it is."""
    found = draw_hunt(town, rng, "marlow")
    if found is None:
        return None
    item, hunt = found
    ((name, value),) = hunt.specs.items()
    other = _cheapest(town, "kestrel", hunt.category, name, value)
    there = any_variant(town, "kestrel", other["slug"]) if other else None
    if there is None or there.price == item.price:
        return None
    looks = tuple(replace(each, hunt=hunt, options={}) for each in (item, there))
    best, beaten = sorted(looks, key=lambda each: each.price)
    near: Near = {
        "the other shop's cheapest": {"product": beaten.name, "shop": NAMES[beaten.site], "price": beaten.price},
        "the other shop": {"shop": NAMES[beaten.site]},
        "the other product": {"product": beaten.name} if beaten.name != best.name else {"price": best.price + 200},
    }
    answers = (
        ExpectedAnswer("product", "name", best.name),
        ExpectedAnswer("shop", "name", NAMES[best.site]),
        ExpectedAnswer("price", "money", best.price),
    )
    told = BOTH | {"what": shelf(BY_SLUG[hunt.category]), "detail": asks(name, value)}
    shown = tuple((price_of(each),) for each in looks)
    return TaskDraft(tuple(SeeProduct(each) for each in looks), told, answers, shown=shown, near=near)


def wrapped_prices(town: Town, rng: Random) -> TaskDraft | None:
    """With gift wrapping, whose price stands on another page."""
    pair = draw_shared(town, rng)
    if pair is None:
        return None
    here, there = pair[0]["price"] + MARLOW.gift_wrap, pair[1]["price"] + KESTREL.gift_wrap
    if here == there or {here, there} & {row["price"] for row in pair}:
        return None
    answers = _at_both("price", "money", here, there)
    bare = {each.field: row["price"] for each, row in zip(answers, pair, strict=True)}
    case = _shared(pair, answers, {"without wrapping": bare}, "price")
    pages = tuple(ReadHelp(site, "delivery") for site in SHOPS)
    wrapping = tuple((FactPattern(site, *GIFT),) for site in SHOPS)
    return TaskDraft((*case.goals, *pages), case.slots, answers, shown=(*case.shown, *wrapping), near=case.near)


def _shared(pair: Pair, answers: tuple[ExpectedAnswer, ...], near: Near, field: str) -> TaskDraft:
    """A question about one property of a product at both shops."""
    looks = _looks(pair)
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        BOTH | {"product": pair[0]["name"]},
        answers,
        shown=tuple((FactPattern(item.site, item.slug, field),) for item in looks),
        near=near,
    )


def _at_both(what: str, kind: str, here: object, there: object) -> tuple[ExpectedAnswer, ExpectedAnswer]:
    fields = (f"{what} at {MARLOW.title}", f"{what} at {KESTREL.title}")
    return ExpectedAnswer(fields[0], kind, here), ExpectedAnswer(fields[1], kind, there)  # type: ignore[arg-type]


def _looks(pair: Pair) -> tuple[Item, Item]:
    return look_at("marlow", pair[0]), look_at("kestrel", pair[1])


def _by_shop(pair: Pair, column: str) -> dict[str, int]:
    return {"marlow": pair[0][column], "kestrel": pair[1][column]}


def _called(row: sqlite3.Row) -> str:
    """A product by its name, or by its make where that says enough."""
    return f"{row['name']}|{row['family']}"


def _delivery(shop: Shop, price: int) -> int:
    return 0 if price >= shop.free_over else shop.deliveries[0].cents


def _cheapest(town: Town, site: str, category: str, name: str, value: str) -> sqlite3.Row | None:
    query = (
        "SELECT * FROM product WHERE category = ? AND id IN (SELECT product FROM spec WHERE name = ? AND value = ?)"
        " ORDER BY price LIMIT 2"
    )
    rows = town.facts[site].execute(query, (category, name, value)).fetchall()
    if len(rows) < 2 or rows[0]["price"] == rows[1]["price"] or not rows[0]["stock"]:
        return None
    return rows[0]  # type: ignore[no-any-return]


def grams(text: str) -> float:
    """
    >>> grams("1.2 kg"), grams("330 g")
    (1200.0, 330.0)
    """
    number, unit = re.split(r"\s+", text, maxsplit=1)
    return float(number) * (1000 if unit.startswith("kg") else 1)


TEMPLATES = (
    template("compare-price", "comparison_shopping", "medium", cheaper_where, "train"),
    template("compare-both", "comparison_shopping", "easy", both_prices, "train"),
    template("compare-delivered", "comparison_shopping", "hard", delivered_price, "train"),
    template("compare-rating", "comparison_shopping", "medium", rated_where, "train"),
    template("compare-buy", "comparison_shopping", "hard", buy_where_cheaper, "train"),
    template("compare-carries", "comparison_shopping", "easy", who_carries, "train"),
    template("compare-weight", "comparison_shopping", "medium", which_of_two, "train"),
    template("compare-order", "comparison_shopping", "medium", by_price, "train"),
    template("compare-cheapest", "comparison_shopping", "hard", cheapest_anywhere, "train"),
    template("compare-wrapped", "comparison_shopping", "hard", wrapped_prices, "train"),
)
