"""Tasks about comparing: one product at two shops, two products at one."""

from __future__ import annotations

import re
import sqlite3
from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.comparing import mistake, prefer
from workalike.town.render import money
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.shop import Shop
from workalike.town.shopkit.shops import KESTREL, MARLOW, SHOPS
from workalike.town.shopkit.tasks.draws import any_variant, asks, draw_hunt, draw_shared, draw_shop, look_at, singular
from workalike.town.shopkit.tasks.make import Case, template
from workalike.town.shopkit.tasks.plan import ShopPlan
from workalike.town.town import Town

M, K = "Marlow & Finch|Marlow", "Kestrel Market|Kestrel"
NAMES = {"marlow": M, "kestrel": K}
BOTH = {"shop1": MARLOW.title, "shop2": KESTREL.title}


def cheaper_where(town: Town, rng: Random) -> Case | None:
    pair = draw_shared(town, rng)
    if pair is None or pair[0]["price"] == pair[1]["price"]:
        return None
    here, there = pair
    low, high = ("marlow", "kestrel") if here["price"] < there["price"] else ("kestrel", "marlow")
    prices = {"marlow": here["price"], "kestrel": there["price"]}
    gap = prices[high] - prices[low]
    cheap, dear = SHOPS[low].title, SHOPS[high].title
    said = (
        f"{cheap} is cheaper by {money(gap)}.",
        f"It is cheaper at {cheap} ({money(prices[low])}) than at {dear} ({money(prices[high])}), by {money(gap)}.",
        f"{dear} charges {money(prices[high])}, while {cheap} only charges {money(prices[low])},"
        f" so {cheap} is {money(gap)} cheaper.",
        f"{cheap}, at {money(prices[low])}, is cheaper than {dear} ({money(prices[high])}) by {money(gap)}.",
        f"{dear} costs {money(gap)} more than {cheap}.",
        *prefer(cheap, dear, "cheaper", "more expensive", f" by {money(gap)}"),
    )
    wrong = {
        "the other shop": f"{dear} is cheaper by {money(gap)}.",
        "wrong difference": f"{cheap} is cheaper by {money(gap + 100)}.",
        "a price as the difference": f"{cheap} is cheaper by {money(prices[low])}.",
        "the other shop, with prices": f"{dear}, at {money(prices[high])}, is cheaper than {cheap} by {money(gap)}.",
        "the other shop costs more": f"{cheap} costs {money(gap)} more than {dear}.",
        **mistake(cheap, dear, "cheaper", "more expensive", f" by {money(gap)}"),
    }
    also = {*prices.values(), *_olds(pair)} - {gap}
    answers = (
        Answer("choice", NAMES[low], among=(M, K), also=_about(pair[0]["name"])),
        Answer("money", gap / 100, also=tuple(sorted(part / 100 for part in also))),
    )
    return _shared(said, wrong, pair, answers)


def both_prices(town: Town, rng: Random) -> Case | None:
    pair = draw_shared(town, rng)
    if pair is None or pair[0]["price"] == pair[1]["price"]:
        return None
    here, there = pair[0]["price"], pair[1]["price"]
    said = (
        f"{MARLOW.title}: {money(here)}, {KESTREL.title}: {money(there)}.",
        f"It costs {money(here)} at {MARLOW.title} and {money(there)} at {KESTREL.title}.",
        f"| Shop | Price |\n| {MARLOW.title} | {money(here)} |\n| {KESTREL.title} | {money(there)} |",
    )
    wrong = {
        "swapped": f"{MARLOW.title}: {money(there)}, {KESTREL.title}: {money(here)}.",
        "only one": f"{MARLOW.title}: {money(here)}.",
        "a neighbour's price": f"{MARLOW.title}: {money(here + 500)}, {KESTREL.title}: {money(there)}.",
    }
    also = (abs(here - there) / 100, *(old / 100 for old in _olds(pair)))
    answers = (Answer("pairs", {M: here / 100, K: there / 100}, of="money", also=also),)
    return _shared(said, wrong, pair, answers)


def delivered_price(town: Town, rng: Random) -> Case | None:
    """With the usual delivery of a single piece, which changes the ranking now and then."""
    pair = draw_shared(town, rng)
    if pair is None:
        return None
    totals = {
        shop.name: row["price"] + _usual(shop, row["price"]) for shop, row in zip(SHOPS.values(), pair, strict=True)
    }
    low, high = sorted(totals, key=lambda name: totals[name])
    if totals[low] == totals[high]:
        return None
    cheap = SHOPS[low].title
    said = (
        f"{cheap}, at {money(totals[low])} with delivery.",
        f"{cheap} is cheaper: {money(totals[low])} delivered, against {money(totals[high])} at {SHOPS[high].title}.",
        *prefer(cheap, SHOPS[high].title, "cheaper", "more expensive", f": {money(totals[low])} delivered"),
    )
    wrong = {
        "the other shop": f"{SHOPS[high].title}, at {money(totals[high])} with delivery.",
        "right shop, other sum": f"{cheap}, at {money(totals[high])} with delivery.",
        "right sum, other shop": f"{SHOPS[high].title}, at {money(totals[low])} with delivery.",
        **mistake(cheap, SHOPS[high].title, "cheaper", "more expensive", f": {money(totals[low])} delivered"),
    }
    parts = {totals[high], *(row["price"] for row in pair), *(shop.deliveries[0].cents for shop in SHOPS.values())}
    parts |= {totals[high] - totals[low], *(shop.free_over for shop in SHOPS.values()), *_olds(pair)}
    also = tuple(sorted(part / 100 for part in parts - {totals[low]}))
    choice = Answer("choice", NAMES[low], among=(M, K), also=_about(pair[0]["name"]))
    answers = (choice, Answer("money", totals[low] / 100, also=also))
    return _shared(said, wrong, pair, answers)


def rated_where(town: Town, rng: Random) -> Case | None:
    pair = draw_shared(town, rng, "reviews > 3")
    if pair is None or pair[0]["rating"] == pair[1]["rating"]:
        return None
    stars = {"marlow": pair[0]["rating"], "kestrel": pair[1]["rating"]}
    count = {"marlow": pair[0]["reviews"], "kestrel": pair[1]["reviews"]}
    high, low = ("marlow", "kestrel") if stars["marlow"] > stars["kestrel"] else ("kestrel", "marlow")
    best, other = SHOPS[high].title, SHOPS[low].title
    said = (
        f"{best} has the better rating: {stars[high]} against {stars[low]} at {other}.",
        f"The rating at {best} is higher ({stars[high]}) than at {other} ({stars[low]}).",
        f"{best}: {stars[high]}\n{other}: {stars[low]}\nThe better one is at {best}.",
        f"{best} rates it {stars[high]}. {other}'s rating is lower at {stars[low]}.",
        f"{best}: {stars[high]} ({count[high]} reviews), {other}: {stars[low]} ({count[low]} reviews). {best} is ahead:"
        " it is rated higher there.",
    )
    wrong = {
        "the other shop": f"{other} has the better rating: {stars[low]} against {stars[high]} at {best}.",
        "no ratings given": f"{best} has the better rating.",
        "swapped": f"{best} has the better rating: {stars[low]} against {stars[high]} at {other}.",
        "right ratings, the other shop": f"{best}: {stars[high]}. {other}: {stars[low]}. {other} has the higher one.",
        "right ratings, turned round": f"{best}: {stars[high]}. {other}: {stars[low]}. At {best} it is lower.",
    }
    also = (5, *count.values(), round(stars[high] - stars[low], 1))
    answers = (
        Answer("choice", NAMES[high], among=(M, K), also=_about(pair[0]["name"]), unit=("higher",)),
        Answer("pairs", {NAMES[high]: stars[high], NAMES[low]: stars[low]}, of="number", also=also),
    )
    return _shared(said, wrong, pair, answers)


def buy_where_cheaper(town: Town, rng: Random) -> Case | None:
    pair = draw_shared(town, rng)
    if pair is None or pair[0]["price"] == pair[1]["price"]:
        return None
    low = "marlow" if pair[0]["price"] < pair[1]["price"] else "kestrel"
    item = any_variant(town, low, pair[0]["slug"])
    if item is None:
        return None
    looks = tuple(look_at(site, row) for site, row in zip(("marlow", "kestrel"), pair, strict=True))
    said = (f"{SHOPS[low].title} is cheaper at {money(item.price)}; it is in the cart there.",)
    return Case(ShopPlan(said, looks=looks, items=(item,)), BOTH | {"product": item.name})


def who_carries(town: Town, rng: Random) -> Case | None:
    """Something only one of the two sells."""
    site = rng.choice(("marlow", "kestrel"))
    other = "kestrel" if site == "marlow" else "marlow"
    row = rng.choice(town.facts[site].execute("SELECT * FROM product WHERE stock > 0 ORDER BY id").fetchall())
    if town.facts[other].execute("SELECT 1 FROM product WHERE slug = ?", (row["slug"],)).fetchone():
        return None
    has, lacks = SHOPS[site].title, SHOPS[other].title
    said = (
        f"Only {has} sells it, for {money(row['price'])}.",
        f"{has} has it for {money(row['price'])}.",
        f"{has} sells it for {money(row['price'])}; {lacks} does not carry it.",
        f"I could not find it at {lacks}, but {has} sells it for {money(row['price'])}.",
    )
    wrong = {
        "the other shop": f"Only {lacks} sells it, for {money(row['price'])}.",
        "another price": f"{has} has it for {money(row['price'] + 300)}.",
        "no price": f"{has} has it.",
        "turned round": f"{lacks} sells it for {money(row['price'])}; {has} does not carry it.",
        "found at the other shop": f"Not to be found at {has}, but {lacks} sells it for {money(row['price'])}.",
    }
    also = (row["was"] / 100,) if row["was"] else ()
    answers = (
        Answer("choice", NAMES[site], among=(M, K), also=_about(row["name"]), unit=("has",)),
        Answer("money", row["price"] / 100, also=also),
    )
    return Case(ShopPlan(said, looks=(look_at(site, row),), wrong=wrong), BOTH | {"product": row["name"]}, answers)


def which_of_two(town: Town, rng: Random) -> Case | None:
    """Two products of one shelf by a detail that can be measured."""
    shop = draw_shop(rng)
    kind = rng.choice([kind for kind in BY_SLUG.values() if "Weight" in kind.specs and kind.department != "Pantry"])
    facts = town.facts[shop.name]
    rows = facts.execute(
        "SELECT product.*, value FROM product JOIN spec ON product = product.id"
        " WHERE category = ? AND spec.name = 'Weight' ORDER BY product.id",
        (kind.slug,),
    ).fetchall()
    one, two = rng.sample(rows, 2)
    if grams(one["value"]) == grams(two["value"]) or one["family"] == two["family"]:
        return None
    light, heavy = (one, two) if grams(one["value"]) < grams(two["value"]) else (two, one)
    said = (
        f"The {light['name']} is lighter ({light['value']} against {heavy['value']}).",
        f"{light['family']}",
        *prefer(light["name"], heavy["name"], "lighter", "heavier"),
    )
    wrong = {
        "the heavier one": f"The {heavy['name']} is lighter.",
        **mistake(light["name"], heavy["name"], "lighter", "heavier"),
        "both": f"{one['name']} or {two['name']}",
        "neither": "They weigh the same.",
    }
    names = {row["slug"]: f"{row['name']}|{row['family']}" for row in (one, two)}
    among = (names[one["slug"]], names[two["slug"]])
    answers = (Answer("choice", names[light["slug"]], among=among, unit=("lighter",)),)
    slots = {"shop": shop.title, "one": one["name"], "two": two["name"]}
    return Case(ShopPlan(said, looks=(look_at(shop.name, one), look_at(shop.name, two)), wrong=wrong), slots, answers)


def by_price(town: Town, rng: Random) -> Case | None:
    """Three products of one shelf, in order."""
    shop = draw_shop(rng)
    kind = rng.choice(list(BY_SLUG.values()))
    rows = (
        town.facts[shop.name].execute("SELECT * FROM product WHERE category = ? ORDER BY id", (kind.slug,)).fetchall()
    )
    drawn = rng.sample(rows, 3)
    ranked = sorted(drawn, key=lambda row: row["price"])
    if len({row["price"] for row in drawn}) < 3 or len({row["family"] for row in drawn}) < 3:
        return None
    names = [row["name"] for row in ranked]
    said = (
        "\n".join(f"{place}. {row['name']} ({money(row['price'])})" for place, row in enumerate(ranked, 1)),
        f"From cheapest to dearest: {', then '.join(row['family'] for row in ranked)}.",
    )
    wrong = {
        "the other way round": "\n".join(reversed(names)),
        "two swapped": "\n".join([names[1], names[0], names[2]]),
        "one missing": "\n".join(names[:2]),
    }
    answers = (Answer("order", [f"{row['name']}|{row['family']}" for row in ranked]),)
    slots = {"shop": shop.title, "products": ", ".join(row["name"] for row in drawn[:-1]) + " and " + drawn[-1]["name"]}
    return Case(ShopPlan(said, looks=tuple(look_at(shop.name, row) for row in drawn), wrong=wrong), slots, answers)


def cheapest_anywhere(town: Town, rng: Random) -> Case | None:
    """The cheapest of a kind with some detail, wherever it is."""
    found = draw_hunt(town, rng, "marlow")
    if found is None:
        return None
    item, hunt = found
    ((name, value),) = hunt.specs.items()
    other = _cheapest(town, "kestrel", hunt.category, name, value)
    if other is None or other["price"] == item.price:
        return None
    site, product, price = (
        ("marlow", item.name, item.price) if item.price < other["price"] else ("kestrel", other["name"], other["price"])
    )
    lost = "kestrel" if site == "marlow" else "marlow"
    beaten = (other["name"], other["price"]) if site == "marlow" else (item.name, item.price)
    said = (
        f"The cheapest is {product} at {SHOPS[site].title} for {money(price)}.",
        f"{SHOPS[site].title} has it: {product}, {money(price)}.",
        *prefer(SHOPS[site].title, SHOPS[lost].title, "cheaper", "dearer", f": {product} for {money(price)}"),
    )
    wrong = {
        "the other shop's cheapest": f"The cheapest is {beaten[0]} at {SHOPS[lost].title} for {money(beaten[1])}.",
        "another price": f"The cheapest is {product} at {SHOPS[site].title} for {money(price + 200)}.",
        "no product": f"{SHOPS[site].title}, {money(price)}.",
        **mistake(SHOPS[site].title, SHOPS[lost].title, "cheaper", "dearer", f": {product} for {money(price)}"),
    }
    here, there = replace(item, hunt=hunt, options={}), any_variant(town, "kestrel", other["slug"])
    if there is None:
        return None
    looks = (here, replace(there, hunt=hunt, options={}))
    answers = (
        Answer("choice", NAMES[site], among=(M, K), also=_about(product, beaten[0])),
        Answer("money", price / 100, also=(beaten[1] / 100, abs(price - beaten[1]) / 100)),
        Answer("name", product),
    )
    slots = BOTH | {"what": singular(BY_SLUG[hunt.category]), "detail": asks(name, value)}
    return Case(ShopPlan(said, looks=looks, wrong=wrong), slots, answers)


def wrapped_prices(town: Town, rng: Random) -> Case | None:
    """With gift wrapping, whose price stands on another page."""
    pair = draw_shared(town, rng)
    if pair is None:
        return None
    here, there = pair[0]["price"] + MARLOW.gift_wrap, pair[1]["price"] + KESTREL.gift_wrap
    if here == there or {here, there} & {row["price"] for row in pair}:
        return None
    said = (
        f"{MARLOW.title}: {money(here)}. {KESTREL.title}: {money(there)}.",
        f"Wrapped, it comes to {money(here)} at {MARLOW.title} and {money(there)} at {KESTREL.title}.",
    )
    wrong = {
        "without wrapping": f"{MARLOW.title}: {money(pair[0]['price'])}. {KESTREL.title}: {money(pair[1]['price'])}.",
        "swapped": f"{MARLOW.title}: {money(there)}. {KESTREL.title}: {money(here)}.",
        "one price": f"{money(here)}",
    }
    parts = {*(row["price"] for row in pair), MARLOW.gift_wrap, KESTREL.gift_wrap, abs(here - there), *_olds(pair)}
    also = tuple(sorted(part / 100 for part in parts - {here, there}))
    answers = (Answer("pairs", {M: here / 100, K: there / 100}, of="money", also=also),)
    case = _shared(said, wrong, pair, answers)
    return replace(case, plan=replace(case.plan, pages=(("marlow", "delivery"), ("kestrel", "delivery"))))


def _shared(
    said: tuple[str, ...], wrong: dict[str, str], pair: tuple[sqlite3.Row, sqlite3.Row], answers: tuple[Answer, ...]
) -> Case:
    looks = (look_at("marlow", pair[0]), look_at("kestrel", pair[1]))
    return Case(ShopPlan(said, looks=looks, wrong=wrong), BOTH | {"product": pair[0]["name"]}, answers)


def _about(*products: str) -> tuple[str, ...]:
    """What the question is about, in full and without what comes after a comma."""
    return tuple(dict.fromkeys(each for name in products for each in (name, name.split(",")[0])))


def _olds(pair: tuple[sqlite3.Row, sqlite3.Row]) -> list[int]:
    """Prices before a sale, which the pages show as well."""
    return [row["was"] for row in pair if row["was"]]


def _usual(shop: Shop, price: int) -> int:
    return 0 if price >= shop.free_over else shop.deliveries[0].cents


def _cheapest(town: Town, site: str, category: str, name: str, value: str) -> sqlite3.Row | None:
    rows = (
        town.facts[site]
        .execute(
            "SELECT * FROM product WHERE category = ? AND id IN (SELECT product FROM spec WHERE name = ? AND value = ?)"
            " ORDER BY price LIMIT 2",
            (category, name, value),
        )
        .fetchall()
    )
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
    template("compare-price", "comparison_shopping", "medium", cheaper_where),
    template("compare-both", "comparison_shopping", "easy", both_prices),
    template("compare-delivered", "comparison_shopping", "hard", delivered_price),
    template("compare-rating", "comparison_shopping", "medium", rated_where),
    template("compare-buy", "comparison_shopping", "hard", buy_where_cheaper),
    template("compare-carries", "comparison_shopping", "easy", who_carries),
    template("compare-weight", "comparison_shopping", "medium", which_of_two),
    template("compare-order", "comparison_shopping", "medium", by_price),
    template("compare-cheapest", "comparison_shopping", "hard", cheapest_anywhere),
    template("compare-wrapped", "comparison_shopping", "hard", wrapped_prices),
)
