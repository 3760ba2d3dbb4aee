"""Tasks about one thing that is described and not named: which it is has to be found out from shelves, details,
reviews, size guides, earlier orders, and now and then by a sum."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.render import long_date, money
from workalike.town.shopkit.kinds import BY_SLUG, Kind
from workalike.town.shopkit.reviews import QUIRKS, quirk_of
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.sizes import CLOTHES, SHOES
from workalike.town.shopkit.tables import customers
from workalike.town.shopkit.tasks.draws import (
    any_variant,
    draw_shop,
    item_by_sku,
    look_at,
    phrase,
    template,
)
from workalike.town.shopkit.tasks.goals import CancelOrder, FillCart, ReadHelp, SeeProduct, ShopSignIn, TrackOrder
from workalike.town.shopkit.tasks.items import Item, item_of, price_of
from workalike.town.shopkit.tasks.reading import ReadReviews, ReadSizes, SeeOrder, SeeShelf
from workalike.town.shopkit.tasks.shopping import gone
from workalike.town.shopkit.tasks.sums import total_shown
from workalike.town.shopkit.tasks.wants import MEANT, Want, amount, draw_choice, draw_want, fitting, tell
from workalike.town.template import TaskDraft
from workalike.town.town import Town

CLEAR = 0.97
"""How much lower the best price for a unit is than the next at most, so that rounding decides nothing."""
WEIGHED = ("coffee-beans", "chocolate", "teas", "candles", "storage-jars", "power-banks", "garden-hoses", "puzzles")
UNITS = {
    "coffee-beans": "kilogram",
    "chocolate": "100 g",
    "teas": "bag",
    "candles": "hour of burning",
    "storage-jars": "litre",
    "power-banks": "mAh",
    "garden-hoses": "metre",
    "puzzles": "piece",
}
"""What a price is told for on shelves where sizes differ."""
SHOD = ("trail-shoes", "sneakers", "boots")
SIZED = tuple(BY_SLUG[slug] for slug in ("jackets", "sweaters", "t-shirts", "dresses", *SHOD))


def open_choice(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    want = draw_choice(town, rng, shop.name, rng.randint(1, 2))
    return TaskDraft((FillCart(shop.name, (want.item,)),), told(want)) if want else None


def described(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name)
    return TaskDraft((FillCart(shop.name, (want.item,), until="checkout"),), told(want)) if want else None


def rough_size(town: Town, rng: Random) -> TaskDraft | None:
    """The size is told in other units than the shop's."""
    shop, count = draw_shop(rng), rng.randint(2, 3)
    want = draw_want(town, rng, shop.name, rough=True)
    if want is None:
        return None
    item = replace(want.item, quantity=count)
    return TaskDraft((FillCart(shop.name, (item,), alone=True),), told(want) | {"count": str(count)})


def many_criteria(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    want = draw_choice(town, rng, shop.name, 2, colour=True)
    if want is None:
        return None
    return TaskDraft((FillCart(shop.name, (want.item,), gift=True, until="checkout"),), told(want))


def fallback(town: Town, rng: Random) -> TaskDraft | None:
    """The wanted variant is sold out, another one is not."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, 1, kinds=[kind for kind in BY_SLUG.values() if len(kind.options) == 2])
    if want is None:
        return None
    lost, left = variants_of(town, want, "stock = 0"), variants_of(town, want, "stock > 1")
    pairs = [(gone_one, other) for gone_one in lost for other in left if _differ(gone_one, other) == 1]
    if not pairs:
        return None
    missing, instead = rng.choice(pairs)
    goals = (SeeProduct(missing), FillCart(shop.name, (instead,)))
    said = told(want) | {"options": phrase(missing), "instead": phrase(instead)}
    return TaskDraft(goals, said, shown=((gone(missing),),))


def gone_for_good(town: Town, rng: Random) -> TaskDraft | None:
    """The wanted variant is sold out, and nothing else will do."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, 1, kinds=[kind for kind in BY_SLUG.values() if len(kind.options) == 2])
    lost = variants_of(town, want, "stock = 0") if want else []
    if want is None or not lost:
        return None
    missing = rng.choice(lost)
    said = told(want) | {"options": phrase(missing)}
    return TaskDraft((SeeProduct(missing),), said, status="unavailable", shown=((gone(missing),),))


def measured(town: Town, rng: Random) -> TaskDraft | None:
    """A size from a measure, by the shop's own guide."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, 1, kinds=SIZED)
    if want is None:
        return None
    found = measure(rng, want.kind)
    items = [item for item in variants_of(town, want, "stock > 0") if item.options.get("Size") == found[0]]
    if not items:
        return None
    item = rng.choice(items)
    goals = (ReadSizes(replace(item, options={})), FillCart(shop.name, (item,), until="checkout"))
    said = told(want) | {"measure": found[1], "colour": item.options["Color"].lower()}
    return TaskDraft(goals, said, shown=((FactPattern(shop.name, "size guide", found[0]),),))


def measure(rng: Random, kind: Kind) -> tuple[str, str]:
    """A size, and the measure of somebody whom it is the smallest to fit."""
    if kind.slug in SHOD:
        place = rng.randrange(1, len(SHOES) - 1)
        low, high = SHOES[place - 1][1], SHOES[place][1]
        return SHOES[place][0], f"feet {round(low + 0.1 + (high - low - 0.2) * rng.random(), 1)} cm long"
    place = rng.randrange(1, len(CLOTHES) - 1)
    return CLOTHES[place][0], f"a chest of {rng.randint(CLOTHES[place - 1][1] + 1, CLOTHES[place][1])} cm"


def by_unit(town: Town, rng: Random) -> TaskDraft | None:
    """The least expensive for what is in it, of several sizes and makes."""
    found = draw_weighed(town, rng, draw_shop(rng).name)
    if found is None:
        return None
    want, ranked = found
    looks = [look_at(want.item.site, row) for row in want.fitting]
    best = any_variant(town, want.item.site, ranked[0]["slug"])
    if best is None:
        return None
    goals = (*(SeeProduct(item) for item in looks), FillCart(best.site, (best,)))
    shown = tuple((price_of(item),) for item in looks)
    return TaskDraft(goals, told(want) | {"unit": UNITS[want.kind.slug]}, shown=shown)


def draw_weighed(town: Town, rng: Random, site: str) -> tuple[Want, list[sqlite3.Row]] | None:
    """A few things of different sizes, and the same by what a unit costs; the first is clearly first."""
    want = draw_want(town, rng, site, 2, "price-low", [BY_SLUG[slug] for slug in WEIGHED], least=3)
    if want is None or len(want.fitting) > 6 or not all(row["stock"] for row in want.fitting):
        return None
    ranked = sorted(want.fitting, key=lambda row: unit_price(town, site, row))
    costs = [unit_price(town, site, row) for row in ranked]
    if costs[0] > CLEAR * costs[1] or ranked[0]["slug"] == want.item.slug:
        return None
    return want, ranked


def unit_price(town: Town, site: str, row: sqlite3.Row) -> float:
    telling = BY_SLUG[row["category"]].telling
    query = "SELECT value FROM spec WHERE product = ? AND name = ?"
    held = amount(town.facts[site].execute(query, (row["id"], telling)).fetchone()["value"])
    assert held
    return float(row["price"] / held)


def by_reviews(town: Town, rng: Random) -> TaskDraft | None:
    """One of several, told by what a customer says about it alone."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, 1, "price-low", least=4)
    if want is None:
        return None
    rows = want.fitting[:4]
    quirks = [quirk_of(town.world, shop, row) for row in rows]
    once = [quirk for quirk in QUIRKS if quirks.count(quirk) == 1 and quirk.name in SAID]
    if not once:
        return None
    quirk = rng.choice(once)
    row = rows[quirks.index(quirk)]
    item = any_variant(town, shop.name, row["slug"])
    if item is None or row is rows[0]:
        return None
    reads = tuple(ReadReviews(look_at(shop.name, each)) for each in rows)
    said = told(want) | {"rest": f"{want.meant}, {want.details}", "quirk": SAID[quirk.name]}
    shown = ((FactPattern(shop.name, row["slug"], "review", value=quirk.title),),)
    return TaskDraft((*reads, FillCart(shop.name, (item,))), said, shown=shown)


SAID = {
    "present": "somebody gave to their mother on a big birthday",
    "lasting": "has stood up to small children and moving house",
    "small": "a customer found much smaller than in the pictures",
}
"""What customers say, in other words than theirs."""


def order_again(town: Town, rng: Random) -> TaskDraft | None:
    """The same once more, to the address that stands on the order, by the way of delivery that costs least."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    who, way = customer.persona, min(shop.deliveries, key=lambda each: each.cents)
    orders = [row for row in town.begin_rows(f"{shop.name}_order") if row["account"] == who["email"]]
    order = rng.choice(orders)
    if sum(row["placed"] == order["placed"] for row in orders) > 1:
        return None
    items = bought(town, shop.name, str(order["number"]))
    login = {"email": who["email"], "password": customer.password}
    given = login | {name: who[name] for name in ("phone", "card_number", "card_expiry", "card_code")}
    cart = FillCart(shop.name, tuple(items), until="placed", delivery=way.name, persona=who, account=who["email"])
    goals = (ShopSignIn(shop.name, **login), SeeOrder(shop.name, str(order["number"])), ReadHelp(shop.name, "delivery"))
    said = {"shop": shop.title, "placed": long_date(date.fromisoformat(str(order["placed"])))} | login
    return TaskDraft((*goals, cart), said, persona=given)


def what_is_left(town: Town, rng: Random) -> TaskDraft | None:
    """What remains of a budget once the thing is in the cart, delivered and wrapped."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name)
    if want is None:
        return None
    goal = FillCart(shop.name, (want.item,), gift=True, see=True)
    total = goal.sums.total
    budget = (total // 1000 + rng.randint(2, 5)) * 1000
    near = {"the total": total, "without wrapping": budget - total + shop.gift_wrap, "the price": want.item.price}
    return TaskDraft(
        (goal,),
        told(want) | {"budget": money(budget), "way": shop.deliveries[0].name.lower()},
        (ExpectedAnswer("left over", "money", budget - total),),
        shown=total_shown(goal),
        near={label: {"left over": cents} for label, cents in near.items() if cents != budget - total},
    )


def best_code(town: Town, rng: Random) -> TaskDraft | None:
    """The code that takes most off, of those that the shop tells about and the sum allows; wrapped, too."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, order="price-high")
    usable = [promo for promo in shop.promos if want and want.item.price >= promo.least]
    if want is None or len(usable) < 1:
        return None
    best = max(usable, key=lambda promo: promo.percent)
    goal = FillCart(shop.name, (want.item,), best.code, gift=True, see=True)
    total, plain = goal.sums.total, replace(goal, promo="").sums.total
    near = {"without the code": {"total": plain}, "the price": {"total": want.item.price}}
    pages = (ReadHelp(shop.name, "offers"), ReadHelp(shop.name, "delivery"))
    return TaskDraft(
        (*pages, SeeProduct(replace(want.item, options={})), goal),
        told(want) | {"way": shop.deliveries[0].name.lower()},
        (ExpectedAnswer("total", "money", total),),
        shown=total_shown(goal),
        near={label: value for label, value in near.items() if value["total"] != total},
    )


def item_number(town: Town, rng: Random) -> TaskDraft | None:
    """The number to order it by, and its price, as evidence that it was found."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name)
    if want is None:
        return None
    item = replace(want.item, options={})
    near: dict[str, dict[str, Any]] = {
        "the next one's number": {"item number": number_of(shop.prefix, want.fitting[1])},
        "the next one's price": {"price": want.fitting[1]["price"]},
        "the next one": {
            "item number": number_of(shop.prefix, want.fitting[1]),
            "price": want.fitting[1]["price"],
        },
    }
    near = {label: value for label, value in near.items() if value.get("price") != item.price or len(value) > 1}
    answers = (
        ExpectedAnswer("item number", "name", number_of(shop.prefix, want.fitting[0])),
        ExpectedAnswer("price", "money", item.price),
    )
    shown = ((FactPattern(shop.name, item.slug, "item number"),), (price_of(item),))
    return TaskDraft((SeeProduct(item),), told(want), answers, shown=shown, near=near)


def number_of(prefix: str, row: sqlite3.Row) -> str:
    return f"{prefix}-{row['id']:04d}"


def send_back_by(town: Town, rng: Random) -> TaskDraft | None:
    """The last day for sending an order back: when it comes, and how long one has from then."""
    shop = draw_shop(rng)
    rows = [row for row in town.begin_rows(f"{shop.name}_order") if row["status"] in ("Shipped", "Processing")]
    order = rng.choice(rows)
    arrives = date.fromisoformat(str(order["arrives"]))
    last = (arrives + timedelta(shop.returns_days)).isoformat()
    near = {
        "counted from the order": (date.fromisoformat(str(order["placed"])) + timedelta(shop.returns_days)).isoformat(),
        "the day it arrives": arrives.isoformat(),
    }
    number, zip_code = str(order["number"]), str(order["zip"])
    return TaskDraft(
        (TrackOrder(shop.name, number, zip_code), ReadHelp(shop.name, "returns")),
        {"shop": shop.title, "number": number, "zip": zip_code},
        (ExpectedAnswer("last day", "date", last),),
        shown=((FactPattern(shop.name, number, "arrives"),), (FactPattern(shop.name, "returns", "days"),)),
        near={label: {"last day": day} for label, day in near.items()},
    )


def none_fits(town: Town, rng: Random) -> TaskDraft | None:
    """Details that each occur, but nowhere together."""
    shop, kind = draw_shop(rng), rng.choice([kind for kind in BY_SLUG.values() if len(kind.specs) > 2])
    one, two = rng.sample([name for name in kind.specs if name != kind.telling], 2)
    specs = {one: rng.choice(kind.specs[one]), two: rng.choice(kind.specs[two])}
    rows = fitting(town, shop.name, kind, {one: specs[one]})
    if fitting(town, shop.name, kind, specs) or not 0 < len(rows) < 9:
        return None
    shelf = SeeShelf(shop.name, kind.slug, kind.title, kind.department, specs)
    empty = FactPattern(shop.name, kind.slug, "found", dict(specs), "0")
    shown = tuple((empty, FactPattern(shop.name, row["slug"], two)) for row in rows)
    said = {"shop": shop.title, "want": f"any {MEANT[kind.slug]}, {tell(kind, specs)}"}
    return TaskDraft((shelf,), said, status="unavailable", shown=shown)


def to_match(town: Town, rng: Random) -> TaskDraft | None:
    """Something in the colour of what was bought before; the colour stands on the order alone."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    had_before = _coloured(town, shop.name, customer.persona["email"], rng)
    kinds = [kind for kind in BY_SLUG.values() if tuple(kind.options) == ("Color",)]
    want = draw_want(town, rng, shop.name, 1, kinds=kinds)
    if had_before is None or want is None:
        return None
    number, had = had_before
    items = [item for item in variants_of(town, want, "stock > 0") if item.options["Color"] == had.options["Color"]]
    if not items:
        return None
    login = {"email": customer.persona["email"], "password": customer.password}
    goals = (
        ShopSignIn(shop.name, **login),
        SeeOrder(shop.name, number),
        SeeProduct(replace(items[0], options={})),
        FillCart(shop.name, (items[0],), account=login["email"]),
    )
    said = told(want) | {"had": MEANT[_category(town, had)]} | login
    return TaskDraft(goals, said, persona=login, shown=((FactPattern(shop.name, number, "line"),),))


def in_time(town: Town, rng: Random) -> TaskDraft | None:
    """The cheapest that comes soon enough; when things come stands on their own pages."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name, rng.randint(1, 2), "price-low", least=3)
    if want is None or len(want.fitting) > 6:
        return None
    soonest = min(row["days"] for row in want.fitting if row["stock"])
    soon = [row for row in want.fitting if row["days"] == soonest and row["stock"]]
    if want.fitting[0]["days"] == soonest or len({row["price"] for row in soon}) < len(soon):
        return None
    item = any_variant(town, shop.name, soon[0]["slug"])
    looks = [look_at(shop.name, row) for row in want.fitting[: want.fitting.index(soon[0]) + 1]]
    if item is None or len(looks) < 3:
        return None
    by = long_date(town.world.today + timedelta(soonest))
    goals = (*(SeeProduct(look) for look in looks), FillCart(shop.name, (item,), until="checkout"))
    said = told(want) | {"rest": f"{want.meant}, {want.details}", "by": by, "way": shop.deliveries[0].name.lower()}
    return TaskDraft(goals, said, shown=((FactPattern(shop.name, item.slug, "arrives"),),))


def wrong_order(town: Town, rng: Random) -> TaskDraft | None:
    """Cancel the one that holds something, which is only described."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    rows = [row for row in town.begin_rows(f"{shop.name}_order") if row["account"] == customer.persona["email"]]
    waiting = [str(row["number"]) for row in rows if row["status"] == "Processing"]
    held = {number: _held(town, shop.name, number) for number in waiting}
    if len(waiting) < 1:
        return None
    number = rng.choice(waiting)
    mine = [kind for kind in held[number] if sum(kind in kinds for kinds in held.values()) == 1]
    if not mine:
        return None
    login = {"email": customer.persona["email"], "password": customer.password}
    goals = (ShopSignIn(shop.name, **login), SeeOrder(shop.name, number), CancelOrder(shop.name, number))
    said = {"shop": shop.title, "had": MEANT[rng.choice(mine)]} | login
    return TaskDraft(goals, said, persona=login)


def behind_wall(town: Town, rng: Random) -> TaskDraft | None:
    """The wall stands before the checkout."""
    shop = draw_shop(rng)
    want = draw_want(town, rng, shop.name)
    if want is None:
        return None
    goal = FillCart(shop.name, (want.item,), until="checkout")
    return TaskDraft((goal,), told(want), wall={shop.name: "/checkout"}, truth=(replace(goal, until="cart"),))


def told(want: Want) -> dict[str, str]:
    return {"shop": SHOPS[want.item.site].title, "want": want.words}


def variants_of(town: Town, want: Want, where: str) -> list[Item]:
    """The variants of what is meant that are as asked."""
    facts = town.facts[want.item.site]
    query = (
        "SELECT variant.sku, first, second, slug, name, price, product.id AS id FROM variant"
        f" JOIN product ON product.id = variant.product WHERE slug = ? AND variant.{where} ORDER BY sku"
    )
    rows: Sequence[sqlite3.Row] = facts.execute(query, (want.item.slug,)).fetchall()
    return [replace(item_of(facts, want.item.site, row), hunt=want.item.hunt) for row in rows]


def _differ(one: Item, other: Item) -> int:
    return sum(one.options[name] != other.options[name] for name in one.options)


def bought(town: Town, site: str, number: str) -> list[Item]:
    """What an order holds, in the numbers that were ordered."""
    lines = [row for row in town.begin_rows(f"{site}_order_line") if row["number"] == number]
    return [replace(item_by_sku(town, site, str(row["sku"])), quantity=int(str(row["quantity"]))) for row in lines]


def _held(town: Town, site: str, number: str) -> list[str]:
    """What kinds of things an order is about."""
    return [_category(town, item) for item in bought(town, site, number)]


def _category(town: Town, item: Item) -> str:
    query = "SELECT category FROM product WHERE slug = ?"
    return str(town.facts[item.site].execute(query, (item.slug,)).fetchone()["category"])


def _coloured(town: Town, site: str, email: str, rng: Random) -> tuple[str, Item] | None:
    """An order of somebody that holds one thing in a colour, the only one of its kind that they bought."""
    orders = [str(row["number"]) for row in town.begin_rows(f"{site}_order") if row["account"] == email]
    lines = [row for row in town.begin_rows(f"{site}_order_line") if row["number"] in orders]
    items = [(str(row["number"]), item_by_sku(town, site, str(row["sku"]))) for row in lines]
    kinds = [_category(town, item) for _, item in items]
    found = [pair for pair in items if "Color" in pair[1].options and kinds.count(_category(town, pair[1])) == 1]
    return rng.choice(found) if found else None


TEMPLATES = (
    template("any", "shopping", "easy", open_choice, demands=("open choice", "described not named", "many criteria")),
    template("by-unit", "shopping", "hard", by_unit, demands=("described not named", "per unit", "arithmetic")),
    template("described", "shopping", "easy", described, demands=("described not named",)),
    template("fallback", "shopping", "medium", fallback, demands=("described not named", "budget and fallback")),
    template("by-reviews", "shopping", "hard", by_reviews, demands=("described not named", "prose")),
    template("number", "shopping", "easy", item_number, demands=("described not named", "evidence")),
    template("measured", "shopping", "medium", measured, demands=("described not named", "fuzzy size")),
    template("again", "shopping", "hard", order_again, demands=("form from a document", "described not named")),
    template("left-over", "shopping", "medium", what_is_left, demands=("budget and fallback", "arithmetic")),
    template("in-time", "shopping", "hard", in_time, demands=("described not named", "many criteria", "arithmetic")),
    template("rough", "shopping", "medium", rough_size, demands=("described not named", "fuzzy size")),
    template("to-match", "shopping", "hard", to_match, demands=("described not named", "form from a document")),
    template("criteria", "shopping", "medium", many_criteria, demands=("open choice", "many criteria")),
    template("send-back", "shopping", "medium", send_back_by, demands=("prose", "arithmetic")),
    template("best-code", "shopping", "hard", best_code, demands=("described not named", "prose", "arithmetic")),
    template("none-fits", "shopping", "medium", none_fits, demands=("described not named", "budget and fallback")),
    template("wrong-order", "shopping", "medium", wrong_order, demands=("described not named",)),
    template("gone", "shopping", "medium", gone_for_good, "train"),
    template("walled", "shopping", "medium", behind_wall, demands=("described not named",)),
)
