"""Comparing things that are described: by what a unit costs, with delivery, by days, by what customers say, over both
shops."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.reviews import QUIRKS, quirk_of, spread
from workalike.town.shopkit.shop import Shop
from workalike.town.shopkit.shops import KESTREL, MARLOW, SHOPS
from workalike.town.shopkit.tasks.comparison import NAMES, grams
from workalike.town.shopkit.tasks.described import SAID as BOUGHT_FOR
from workalike.town.shopkit.tasks.described import UNITS, WEIGHED, draw_weighed, number_of, unit_price
from workalike.town.shopkit.tasks.draws import any_variant, draw_shop, look_at, template
from workalike.town.shopkit.tasks.gathering import draw_shared
from workalike.town.shopkit.tasks.goals import FillCart, ReadHelp, SeeProduct
from workalike.town.shopkit.tasks.items import Item, price_of
from workalike.town.shopkit.tasks.reading import ReadReviews, SeeShelf
from workalike.town.shopkit.tasks.sums import GIFT, delivered_shown, delivery_of
from workalike.town.shopkit.tasks.wants import MEANT, Want, draw_want, fitting, tell
from workalike.town.template import TaskDraft
from workalike.town.town import Town

SAID = BOUGHT_FOR | {
    "broke": "stopped working for a customer within a month",
    "incomplete": "reached a customer with one of its parts missing",
}
BOTH = {"shop1": MARLOW.title, "shop2": KESTREL.title}
Near = dict[str, dict[str, Any]]


def delivered(town: Town, rng: Random) -> TaskDraft | None:
    """Where the thing costs less at one's door."""
    found = draw_shared(town, rng)
    if found is None:
        return None
    looks = _looks(found)
    totals = {item.site: item.price + delivery(SHOPS[item.site], item.price) for item in looks}
    low, high = sorted(totals, key=lambda name: totals[name])
    if totals[low] == totals[high]:
        return None
    near: Near = {
        "the other shop": {"shop": NAMES[high], "total": totals[high]},
        "right shop, other sum": {"total": totals[high]},
        "right sum, other shop": {"shop": NAMES[high]},
    }
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        _told(found[0]),
        (ExpectedAnswer("shop", "name", NAMES[low]), ExpectedAnswer("total", "money", totals[low])),
        shown=tuple(group for item in looks for group in delivered_shown(item)),
        near=near,
    )


def by_unit_anywhere(town: Town, rng: Random) -> TaskDraft | None:
    """The lowest price for a unit, of what both shops have with some detail."""
    kind = BY_SLUG[rng.choice(WEIGHED)]
    names = [name for name in kind.specs if name != kind.telling]
    specs = {name: rng.choice(kind.specs[name]) for name in names if name in rng.sample(names, min(2, len(names)))}
    rows = [(site, row) for site in SHOPS for row in fitting(town, site, kind, specs)]
    if not 4 <= len(rows) <= 7 or len({site for site, _ in rows}) < 2:
        return None
    ranked = sorted(rows, key=lambda pair: unit_price(town, *pair))
    costs = [unit_price(town, *pair) for pair in ranked]
    cheapest = min(rows, key=lambda pair: pair[1]["price"])
    if costs[0] > 0.97 * costs[1] or cheapest[1]["slug"] == ranked[0][1]["slug"]:
        return None
    (site, best), (_, second) = ranked[:2]
    looks = [look_at(where, row) for where, row in rows]
    other = "kestrel" if site == "marlow" else "marlow"
    near: Near = {"the other shop": {"shop": NAMES[other]}, "the lowest price": {"product": cheapest[1]["name"]}}
    near |= {"the second": {"product": second["name"]}} if second["name"] != best["name"] else {}
    said = BOTH | {"rest": f"{MEANT[kind.slug]}, {tell(kind, specs)}", "unit": UNITS[kind.slug]}
    answers = (ExpectedAnswer("product", "name", best["name"]), ExpectedAnswer("shop", "name", NAMES[site]))
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        said,
        answers,
        shown=tuple((price_of(item),) for item in looks),
        near=near,
    )


def unit_order(town: Town, rng: Random) -> TaskDraft | None:
    """Several things by what a unit costs."""
    found = draw_weighed(town, rng, draw_shop(rng).name)
    if found is None or len(found[1]) < 4:
        return None
    want, ranked = found
    costs = [unit_price(town, want.item.site, row) for row in ranked]
    if any(one > 0.98 * two for one, two in pairwise(costs)):
        return None
    names = [row["name"] for row in ranked]
    looks = [look_at(want.item.site, row) for row in want.fitting]
    by_price = [row["name"] for row in sorted(ranked, key=lambda row: row["price"])]
    near: Near = {"two swapped": {"products": [names[1], names[0], *names[2:]]}}
    near |= {"by price": {"products": by_price}} if by_price != names else {}
    said = {"shop": SHOPS[want.item.site].title, "rest": f"{want.meant}, {want.details}", "unit": UNITS[want.kind.slug]}
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        said,
        (ExpectedAnswer("products", "names", names, ordered=True),),
        shown=tuple((price_of(item),) for item in looks),
        near=near,
    )


def longer_returns(town: Town, rng: Random) -> TaskDraft | None:
    """Where one may send it back for longer, and what it costs there; the rules stand in prose."""
    found = draw_shared(town, rng)
    if found is None:
        return None
    looks = _looks(found)
    longest = max(SHOPS.values(), key=lambda shop: shop.returns_days)
    here, there = sorted(looks, key=lambda item: item.site != longest.name)
    near: Near = {"the other shop": {"shop": NAMES[there.site]}, "the other price": {"price": there.price}}
    answers = (ExpectedAnswer("shop", "name", NAMES[here.site]), ExpectedAnswer("price", "money", here.price))
    rules = tuple(ReadHelp(site, "returns") for site in SHOPS)
    shown = (*((FactPattern(site, "returns", "days"),) for site in SHOPS), (price_of(here),))
    return TaskDraft((*rules, *(SeeProduct(item) for item in looks)), _told(found[0]), answers, shown=shown, near=near)


def two_at_both(town: Town, rng: Random) -> TaskDraft | None:
    """A basket of two, with delivery, at either shop."""
    pairs = [draw_shared(town, rng) for _ in range(2)]
    if None in pairs or len({pair[0].kind.slug for pair in pairs if pair}) < 2:
        return None
    looks = [item for pair in pairs if pair for item in _looks(pair)]
    bare = {site: sum(item.price for item in looks if item.site == site) for site in SHOPS}
    totals = {site: cents + delivery(SHOPS[site], cents) for site, cents in bare.items()}
    low, high = sorted(totals, key=lambda site: totals[site])
    if totals[low] == totals[high]:
        return None
    near: Near = {
        "the other shop": {"shop": NAMES[high]},
        "the other shop's sum": {"total": totals[high]},
        "one thing alone": {"total": looks[0].price},
    }
    said = BOTH | {"one": pairs[0][0].words if pairs[0] else "", "two": pairs[1][0].words if pairs[1] else ""}
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        said,
        (ExpectedAnswer("shop", "name", NAMES[low]), ExpectedAnswer("total", "money", totals[low])),
        shown=(
            *((price_of(item),) for item in looks),
            *(delivery_of(site, bare[site], next(item for item in looks if item.site == site)) for site in SHOPS),
        ),
        near=near,
    )


def fewer_complaints(town: Town, rng: Random) -> TaskDraft | None:
    """Of the cheapest and the dearest, the one with fewer one-star reviews, and how many those are."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, order="price-low")
    if want is None:
        return None
    rows = (want.fitting[0], want.fitting[-1])
    counts = {row["slug"]: dict(spread(row))[1] for row in rows}
    low, high = sorted(rows, key=lambda row: counts[row["slug"]])
    if counts[low["slug"]] == counts[high["slug"]] or want.fitting[-2]["price"] == rows[1]["price"]:
        return None
    near: Near = {
        "the other one": {"product": high["name"]},
        "the other's count": {"one-star reviews": counts[high["slug"]]},
    }
    answers = (
        ExpectedAnswer("product", "name", low["name"]),
        ExpectedAnswer("one-star reviews", "number", counts[low["slug"]]),
    )
    return TaskDraft(
        tuple(ReadReviews(look_at(shop.name, row)) for row in rows),
        {"shop": shop.title, "rest": f"{want.meant}, {want.details}"},
        answers,
        shown=tuple((FactPattern(shop.name, row["slug"], "1 stars"),) for row in rows),
        near=near,
    )


def most_saved(town: Town, rng: Random) -> TaskDraft | None:
    """Of what is reduced, the one that comes down by most dollars."""
    shop, kind = draw_shop(rng), rng.choice(list(BY_SLUG.values()))
    name = rng.choice([name for name in kind.specs if name != kind.telling])
    value = rng.choice(kind.specs[name])
    rows = fitting(town, shop.name, kind, {name: value}, "was IS NOT NULL")
    ranked = sorted(rows, key=lambda row: row["price"] - row["was"])
    saved = [row["was"] - row["price"] for row in ranked]
    if not 3 <= len(rows) <= 5 or saved[0] == saved[1]:
        return None
    near: Near = {
        "the second": {"product": ranked[1]["name"], "saving": saved[1]},
        "the price": {"saving": ranked[0]["price"]},
        "the old price": {"saving": ranked[0]["was"]},
    }
    answers = (ExpectedAnswer("product", "name", ranked[0]["name"]), ExpectedAnswer("saving", "money", saved[0]))
    return TaskDraft(
        tuple(SeeProduct(look_at(shop.name, row)) for row in rows),
        {"shop": shop.title, "rest": f"{MEANT[kind.slug]}, {name.lower()} {value}"},
        answers,
        shown=tuple((FactPattern(shop.name, row["slug"], name),) for row in rows for name in ("was", "price")),
        near=near,
    )


def both_numbers(town: Town, rng: Random) -> TaskDraft | None:
    """What both shops call the same thing on an order."""
    found = draw_shared(town, rng)
    if found is None:
        return None
    looks = _looks(found)
    here, there = (number_of(SHOPS[item.site].prefix, found[0].fitting[0]) for item in looks)
    fields = [f"item number at {shop.title}" for shop in (MARLOW, KESTREL)]
    near: Near = {"the two swapped": {fields[0]: there, fields[1]: here}, "one for both": {fields[1]: here}}
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        _told(found[0]),
        (ExpectedAnswer(fields[0], "name", here), ExpectedAnswer(fields[1], "name", there)),
        shown=tuple((FactPattern(item.site, item.slug, "item number"),) for item in looks),
        near=near,
    )


def buy_delivered(town: Town, rng: Random) -> TaskDraft | None:
    """Into the cart where it costs less at one's door."""
    found = draw_shared(town, rng)
    if found is None:
        return None
    looks = _looks(found)
    totals = {item.site: item.price + delivery(SHOPS[item.site], item.price) for item in looks}
    low = min(totals, key=lambda site: totals[site])
    item = any_variant(town, low, looks[0].slug)
    if item is None or len(set(totals.values())) < 2:
        return None
    rules = tuple(ReadHelp(site, "delivery") for site in SHOPS)
    goals = (*(SeeProduct(look) for look in looks), *rules, FillCart(low, (item,), alone=True))
    return TaskDraft(goals, _told(found[0]), shown=tuple((price_of(look),) for look in looks))


def sooner(town: Town, rng: Random) -> TaskDraft | None:
    """Which shop gets it here first, and on which day."""
    found = draw_shared(town, rng)
    if found is None:
        return None
    looks = _looks(found)
    days = {item.site: _row(town, item)["days"] for item in looks}
    low, high = sorted(days, key=lambda site: days[site])
    if days[low] == days[high]:
        return None
    first, last = ((town.world.today + timedelta(days[site])).isoformat() for site in (low, high))
    near: Near = {"the other shop": {"shop": NAMES[high]}, "the other day": {"day": last}}
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        _told(found[0]),
        (ExpectedAnswer("shop", "name", NAMES[low]), ExpectedAnswer("day", "date", first)),
        shown=tuple((FactPattern(item.site, item.slug, "arrives"),) for item in looks),
        near=near,
    )


def as_a_present(town: Town, rng: Random) -> TaskDraft | None:
    """With wrapping and delivery, whose prices stand on other pages."""
    found = draw_shared(town, rng)
    if found is None:
        return None
    looks = _looks(found)
    shops = [SHOPS[item.site] for item in looks]
    sums = [item.price + shop.gift_wrap + delivery(shop, item.price) for item, shop in zip(looks, shops, strict=True)]
    fields = [f"total at {shop.title}" for shop in shops]
    bare = {field: item.price for field, item in zip(fields, looks, strict=True)}
    plain = {field: cents - shop.gift_wrap for field, cents, shop in zip(fields, sums, shops, strict=True)}
    pages = tuple(ReadHelp(site, "delivery") for site in SHOPS)
    shown = (
        *(group for item in looks for group in delivered_shown(item)),
        *((FactPattern(site, *GIFT),) for site in SHOPS),
    )
    return TaskDraft(
        (*(SeeProduct(item) for item in looks), *pages),
        _told(found[0]),
        (ExpectedAnswer(fields[0], "money", sums[0]), ExpectedAnswer(fields[1], "money", sums[1])),
        shown=shown,
        near={"the prices": bare, "without wrapping": plain},
    )


def told_by_customers(town: Town, rng: Random) -> TaskDraft | None:
    """Of the two cheapest at each shop, the one that a customer says something about, and where."""
    kind = rng.choice(list(BY_SLUG.values()))
    name = rng.choice([name for name in kind.specs if name != kind.telling])
    value = rng.choice(kind.specs[name])
    rows: list[tuple[Shop, sqlite3.Row]] = []
    for shop in SHOPS.values():
        found = sorted(fitting(town, shop.name, kind, {name: value}), key=lambda row: row["price"])
        if len(found) < 3 or len({row["price"] for row in found[:3]}) < 3:
            return None
        rows += [(shop, row) for row in found[:2]]
    quirks = [quirk_of(town.world, *pair) for pair in rows]
    once = [quirk for quirk in QUIRKS if quirks.count(quirk) == 1 and quirk.name in SAID]
    if not once:
        return None
    quirk = rng.choice(once)
    shop, row = rows[quirks.index(quirk)]
    others = [each for _, each in rows if each["name"] != row["name"]]
    wrong = next(each for each in SHOPS if each != shop.name)
    near: Near = {"another product": {"product": others[0]["name"]}, "the other shop": {"shop": NAMES[wrong]}}
    said = BOTH | {"rest": f"{MEANT[kind.slug]}, {name.lower()} {value}", "quirk": SAID[quirk.name]}
    return TaskDraft(
        tuple(ReadReviews(look_at(where.name, each)) for where, each in rows),
        said,
        (ExpectedAnswer("product", "name", row["name"]), ExpectedAnswer("shop", "name", NAMES[shop.name])),
        shown=((FactPattern(shop.name, row["slug"], "review", value=quirk.title),),),
        near=near,
    )


def how_much_lighter(town: Town, rng: Random) -> TaskDraft | None:
    """By how many grams two described things differ."""
    kinds = [kind for kind in BY_SLUG.values() if "Weight" in kind.specs and kind.telling != "Weight"]
    kinds = [kind for kind in kinds if "/" not in kind.specs["Weight"][0]]
    shop = draw_shop(rng)
    one = draw_want(town, rng, shop.name, 1, "price-low", kinds)
    if one is None or "Weight" in one.specs:
        return None
    rows = (one.fitting[0], one.fitting[-1])
    weights = [grams(_spec(town, shop.name, row, "Weight")) for row in rows]
    gap = round(abs(weights[0] - weights[1]))
    if not gap or one.fitting[-2]["price"] == rows[1]["price"]:
        return None
    near: Near = {"one weight": {"difference in grams": round(weights[0])}}
    near |= {"in kilograms": {"difference in grams": gap / 1000}}
    return TaskDraft(
        tuple(SeeProduct(look_at(shop.name, row)) for row in rows),
        {"shop": shop.title, "rest": f"{one.meant}, {one.details}"},
        (ExpectedAnswer("difference in grams", "number", gap),),
        shown=tuple((FactPattern(shop.name, row["slug"], "Weight"),) for row in rows),
        near={label: value for label, value in near.items() if value["difference in grams"] != gap},
    )


def cheapest_anywhere(town: Town, rng: Random) -> TaskDraft | None:
    """The lowest price of what has some details, wherever it is."""
    here = draw_want(town, rng, "marlow", order="price-low")
    if here is None:
        return None
    rows = sorted(fitting(town, "kestrel", here.kind, here.specs), key=lambda row: row["price"])
    if len(rows) < 2 or rows[0]["price"] == rows[1]["price"] or rows[0]["price"] == here.item.price:
        return None
    looks = (replace(here.item, options={}), replace(look_at("kestrel", rows[0]), hunt=here.item.hunt))
    best, beaten = sorted(looks, key=lambda item: item.price)
    near: Near = {
        "the other shop's": {"product": beaten.name, "shop": NAMES[beaten.site], "price": beaten.price},
        "the other shop": {"shop": NAMES[beaten.site]},
        "the other price": {"price": beaten.price},
    }
    answers = (
        ExpectedAnswer("product", "name", best.name),
        ExpectedAnswer("shop", "name", NAMES[best.site]),
        ExpectedAnswer("price", "money", best.price),
    )
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        BOTH | {"rest": f"{here.meant}, {here.details}"},
        answers,
        shown=tuple((price_of(item),) for item in looks),
        near=near,
    )


def more_to_choose(town: Town, rng: Random) -> TaskDraft | None:
    """Which shop has more of what has some details, and how many."""
    here = draw_want(town, rng, "marlow", rng.randint(1, 2))
    if here is None:
        return None
    counts = {"marlow": len(here.fitting), "kestrel": len(fitting(town, "kestrel", here.kind, here.specs))}
    low, high = sorted(counts, key=lambda site: counts[site])
    if counts[low] == counts[high]:
        return None
    kind = here.kind
    near: Near = {"the other shop": {"shop": NAMES[low]}, "the other count": {"number": counts[low]}}
    seen = tuple(SeeShelf(site, kind.slug, kind.title, kind.department, here.specs) for site in SHOPS)
    return TaskDraft(
        seen,
        BOTH | {"rest": f"{here.meant}, {here.details}"},
        (ExpectedAnswer("shop", "name", NAMES[high]), ExpectedAnswer("number", "number", counts[high])),
        shown=tuple((FactPattern(site, kind.slug, "found", dict(here.specs)),) for site in SHOPS),
        near=near,
    )


def delivery(shop: Shop, price: int) -> int:
    return 0 if price >= shop.free_over else shop.deliveries[0].cents


def _looks(found: tuple[Want, Item]) -> tuple[Item, Item]:
    return replace(found[0].item, options={}, sku="", exact=True), replace(found[1], sku="", exact=True)


def _told(want: Want) -> dict[str, str]:
    ways = {"way1": MARLOW.deliveries[0].name.lower(), "way2": KESTREL.deliveries[0].name.lower()}
    return BOTH | ways | {"want": want.words}


def _row(town: Town, item: Item) -> sqlite3.Row:
    return town.facts[item.site].execute("SELECT * FROM product WHERE slug = ?", (item.slug,)).fetchone()  # type: ignore[no-any-return]


def _spec(town: Town, site: str, row: sqlite3.Row, name: str) -> str:
    query = "SELECT value FROM spec WHERE product = ? AND name = ?"
    return str(town.facts[site].execute(query, (row["id"], name)).fetchone()["value"])


CATEGORY = "comparison_shopping"
TEMPLATES = (
    template("weigh-delivered", CATEGORY, "medium", delivered, demands=("chain over sites", "arithmetic")),
    template("weigh-unit", CATEGORY, "hard", by_unit_anywhere, demands=("per unit", "chain over sites", "arithmetic")),
    template("weigh-numbers", CATEGORY, "easy", both_numbers, demands=("evidence", "described not named")),
    template("weigh-returns", CATEGORY, "hard", longer_returns, demands=("prose", "chain over sites")),
    template("weigh-saved", CATEGORY, "medium", most_saved, demands=("arithmetic", "described not named")),
    template("weigh-basket", CATEGORY, "hard", two_at_both, demands=("chain over sites", "arithmetic")),
    template("weigh-choice", CATEGORY, "easy", more_to_choose, demands=("described not named", "many criteria")),
    template("weigh-order", CATEGORY, "hard", unit_order, demands=("per unit", "arithmetic")),
    template("weigh-sooner", CATEGORY, "medium", sooner, demands=("chain over sites", "described not named")),
    template("weigh-buy", CATEGORY, "hard", buy_delivered, demands=("chain over sites", "budget and fallback")),
    template("weigh-complaints", CATEGORY, "medium", fewer_complaints, demands=("prose", "described not named")),
    template("weigh-present", CATEGORY, "hard", as_a_present, demands=("prose", "arithmetic", "chain over sites")),
    template("weigh-anywhere", CATEGORY, "easy", cheapest_anywhere, demands=("many criteria", "chain over sites")),
    template("weigh-customers", CATEGORY, "hard", told_by_customers, demands=("prose", "chain over sites")),
    template("weigh-lighter", CATEGORY, "medium", how_much_lighter, demands=("arithmetic", "described not named")),
)
