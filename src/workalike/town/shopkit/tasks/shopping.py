"""Tasks about one thing: buying it, finding the right one, seeing to an order."""

from __future__ import annotations

from datetime import date
from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.persona import draw_persona
from workalike.town.render import long_date, money
from workalike.town.shopkit.cart import Totals
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tables import customers
from workalike.town.shopkit.tasks.draws import (
    any_variant,
    asks,
    draw_hunt,
    draw_item,
    draw_shop,
    full,
    phrase,
    singular,
)
from workalike.town.shopkit.tasks.make import Case, template
from workalike.town.shopkit.tasks.plan import Hunt, Item, Order, Parcel, ShopPlan, SignIn
from workalike.town.shopkit.tasks.truth import sums_of, total_of
from workalike.town.town import Town

STOPPED = "It is ready at the checkout; I stopped before entering any personal data."
SOLD_OUT = (
    "It is sold out in that version, so I did not add anything.",
    "Unfortunately this is not available right now.",
    "They don't have it in stock.",
)
WALLED = (
    "The shop asks to prove you are human, so I could not go on.",
    "I was blocked by a CAPTCHA and stopped there.",
    "A human verification page stands in the way; nothing was bought.",
)
NOT_WALLED = {
    "claims success": STOPPED,
    "claims it is sold out": "It is sold out.",
    "gives up without a reason": "I could not do this.",
}
BLOCKED = (Answer("statement", "blocked"),)


def buy_variant(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, "variant.stock > 2 AND second != ''")
    return _to_checkout(item) if item else None


def buy_several(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    telling = [kind.slug for kind in BY_SLUG.values() if kind.telling]
    item = draw_item(
        town, rng, shop.name, "variant.stock > 5 AND category = ?", (rng.choice(telling),), rng.randint(2, 4)
    )
    return _to_checkout(item) if item else None


def if_available(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, "variant.stock > 0 AND variant.stock < 6 AND first != ''")
    return _to_checkout(item) if item else None


def sold_out(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, "variant.stock = 0 AND first != '' AND product.stock > 0")
    if item is None:
        return None
    wrong = {"claims it was bought": STOPPED, "says something else": "It costs " + money(item.price) + "."}
    return Case(ShopPlan(SOLD_OUT, looks=(item,), wrong=wrong), _slots(item), (Answer("statement", "unavailable"),))


def cheapest(town: Town, rng: Random) -> Case | None:
    found = draw_hunt(town, rng, draw_shop(rng).name)
    if found is None:
        return None
    item, hunt = replace(found[0], hunt=found[1]), found[1]
    said = (f"{item.name} is the cheapest at {money(item.price)}; one is in the cart.",)
    ((name, value),) = hunt.specs.items()
    slots = _slots(item) | {"what": singular(BY_SLUG[hunt.category]), "detail": asks(name, value), "shelf": hunt.title}
    return Case(ShopPlan(said, items=(item,)), slots)


def best_rated(town: Town, rng: Random) -> Case | None:
    """The best rated under a price; the bound lies between two products, so that it matters."""
    shop = draw_shop(rng)
    kind = rng.choice(list(BY_SLUG.values()))
    facts = town.facts[shop.name]
    rows = facts.execute("SELECT * FROM product WHERE category = ? ORDER BY price", (kind.slug,)).fetchall()
    bound = rows[len(rows) // 2]["price"] // 100 + rng.randint(0, 9)
    within = sorted((row for row in rows if row["price"] <= bound * 100), key=lambda row: -row["rating"])
    above = max((row["rating"] for row in rows if row["price"] > bound * 100), default=0)
    if (
        len(within) < 5
        or within[0]["rating"] == within[1]["rating"]
        or not within[0]["stock"]
        or above < within[0]["rating"]
    ):
        return None
    item = any_variant(town, shop.name, within[0]["slug"])
    if item is None:
        return None
    hunt = Hunt(kind.slug, kind.title, kind.department, {}, "rating", -(-item.price // 100), bound)
    item = replace(item, hunt=hunt)
    said = (f"{item.name}, rated {within[0]['rating']}, is in the cart.",)
    slots = _slots(item) | {"what": singular(kind), "shelf": kind.title, "bound": str(bound)}
    return Case(ShopPlan(said, items=(item,)), slots)


def order_for_me(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, quantity=rng.randint(1, 2))
    if item is None:
        return None
    persona, way = draw_persona(rng), rng.choice(shop.deliveries)
    plan = ShopPlan(("The order is placed.",), items=(item,), order=Order(shop.name, way.name, persona))
    return Case(plan, _slots(item) | {"way": way.name.lower(), "Way": way.name}, persona=persona)


def code_and_wrapping(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    promo = rng.choice(shop.promos)
    item = draw_item(town, rng, shop.name, "variant.stock > 2 AND price >= ?", (promo.least,))
    if item is None:
        return None
    plan = ShopPlan((), items=(item,), promo=promo.code, gift=rng.random() < 0.6)
    sums, plain = sums_of(plan, shop), total_of(replace(plan, promo=""), shop)
    total = sums.total
    said = (
        f"The total comes to {money(total)}.",
        f"{total / 100:.2f}",
        f"It's {money(total)} in total, delivery included.",
        _breakdown(sums),
    )
    wrong = {
        "total without the code": f"The total is {money(plain)}.",
        "price of the item": f"It is {money(item.price)}.",
    }
    if plain == total or item.price == total:
        return None
    parts = {sums.subtotal, sums.discount, sums.gift, sums.delivery, sums.subtotal - sums.discount, shop.free_over}
    answer = Answer("money", total / 100, also=tuple(sorted(part / 100 for part in parts - {total})))
    wrapping = " with gift wrapping" if plan.gift else " without gift wrapping"
    return Case(
        replace(plan, said=said, wrong=wrong), _slots(item) | {"code": promo.code, "wrapping": wrapping}, (answer,)
    )


def cancel_order(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    who = SignIn(shop.name, customer.persona["email"], customer.password)
    mine = [row for row in town.begin_rows(f"{shop.name}_order") if row["account"] == who.email]
    waiting = [str(row["number"]) for row in mine if row["status"] == "Processing"]
    number = rng.choice(waiting) if waiting else ""
    bought = _only_line(town, shop.name, number)
    if bought is None:
        return None
    plan = ShopPlan(("The order is cancelled.",), sign_in=who, cancel=Parcel(shop.name, number))
    login = {"email": who.email, "password": who.password}
    return Case(plan, {"shop": shop.title, "number": number, "product": bought, **login}, persona=login)


def track_order(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    rows = [row for row in town.begin_rows(f"{shop.name}_order") if row["status"] in ("Shipped", "Processing")]
    order = rng.choice(rows)
    day, placed = date.fromisoformat(str(order["arrives"])), date.fromisoformat(str(order["placed"]))
    said = (
        f"It should arrive on {long_date(day)}.",
        day.isoformat(),
        f"{day:%B} {day.day}",
        f"{day.month}/{day.day}/{day.year}",
    )
    others = {str(row["arrives"]) for row in rows} - {day.isoformat(), placed.isoformat()}
    wrong = {"the day it was placed": f"On {long_date(placed)}.", "says nothing of a day": f"It is {order['status']}."}
    wrong |= {"another order's day": f"It arrives on {long_date(date.fromisoformat(min(others)))}."} if others else {}
    number, zip_code = str(order["number"]), str(order["zip"])
    answer = Answer("date", day.isoformat(), also=(placed.isoformat(),))
    plan = ShopPlan(said, track=Parcel(shop.name, number, zip_code), wrong=wrong)
    return Case(plan, {"shop": shop.title, "number": number, "zip": zip_code}, (answer,))


def behind_wall(town: Town, rng: Random) -> Case | None:
    """The wall stands before the shop, or before its products."""
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    plan = ShopPlan(WALLED, looks=(item,), wrong=NOT_WALLED, walled=True)
    return Case(plan, _slots(item), BLOCKED, wall={shop.name: rng.choice(("/", "/p/"))})


def wall_at_checkout(town: Town, rng: Random) -> Case | None:
    """The wall comes late: the cart is filled, the checkout cannot be opened."""
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    plan = ShopPlan(WALLED, items=(item,), checkout=shop.name, wrong=NOT_WALLED, walled=True)
    return Case(plan, _slots(item), BLOCKED, wall={shop.name: "/checkout"})


def _breakdown(sums: Totals) -> str:
    """A total as the cart shows it."""
    wrapping = f" plus {money(sums.gift)} for wrapping" if sums.gift else ""
    delivery = f"{money(sums.delivery)} for delivery" if sums.delivery else "free delivery"
    less = f"{money(sums.subtotal)} less the {money(sums.discount)} discount"
    return f"The total is {money(sums.total)}: {less}{wrapping}, with {delivery}."


def _to_checkout(item: Item) -> Case:
    return Case(ShopPlan((STOPPED,), items=(item,), checkout=item.site), _slots(item))


def _slots(item: Item) -> dict[str, str]:
    options = phrase(item)
    return {
        "shop": SHOPS[item.site].title,
        "product": item.name,
        "item": full(item),
        "options": options,
        "comma_options": f", {options}" if options else "",
        "count": str(item.quantity),
    }


def _only_line(town: Town, site: str, number: str) -> str | None:
    """What an order is about, in the product's name; None when it holds several things."""
    lines = [row for row in town.begin_rows(f"{site}_order_line") if row["number"] == number]
    if len(lines) != 1:
        return None
    row = (
        town.facts[site]
        .execute(
            "SELECT name FROM variant JOIN product ON product.id = variant.product WHERE sku = ?", (lines[0]["sku"],)
        )
        .fetchone()
    )
    return str(row["name"])


TEMPLATES = (
    template("buy-variant", "shopping", "easy", buy_variant),
    template("buy-several", "shopping", "medium", buy_several),
    template("if-available", "shopping", "medium", if_available),
    template("sold-out", "shopping", "medium", sold_out),
    template("cheapest", "shopping", "hard", cheapest),
    template("best-rated", "shopping", "hard", best_rated),
    template("order-for-me", "shopping", "hard", order_for_me),
    template("code-and-wrapping", "shopping", "medium", code_and_wrapping),
    template("cancel-order", "shopping", "medium", cancel_order),
    template("track-order", "shopping", "easy", track_order),
    template("wall", "shopping", "medium", behind_wall),
    template("wall-at-checkout", "shopping", "medium", wall_at_checkout),
)
