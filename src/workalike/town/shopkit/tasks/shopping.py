"""Tasks about one thing: buying it, finding the right one, seeing to an order."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.persona import draw_persona
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
    shelf,
    template,
)
from workalike.town.shopkit.tasks.goals import CancelOrder, FillCart, SeeProduct, ShopSignIn, TrackOrder
from workalike.town.shopkit.tasks.items import Item, ShopHunt
from workalike.town.shopkit.tasks.sums import total_shown
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def buy_variant(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, "variant.stock > 2 AND second != ''")
    return _to_checkout(item) if item else None


def buy_several(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    telling = [kind.slug for kind in BY_SLUG.values() if kind.telling]
    item = draw_item(
        town, rng, shop.name, "variant.stock > 5 AND category = ?", (rng.choice(telling),), rng.randint(2, 4)
    )
    return _to_checkout(item) if item else None


def if_available(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, "variant.stock > 0 AND variant.stock < 6 AND first != ''")
    return _to_checkout(item) if item else None


def sold_out(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, "variant.stock = 0 AND first != '' AND product.stock > 0")
    if item is None:
        return None
    return TaskDraft((SeeProduct(item),), slots(item), status="unavailable", shown=((gone(item),),))


def gone(item: Item) -> FactPattern:
    """The notice that a variant is sold out."""
    return FactPattern(item.site, item.sku, "stock", value="Sold out")


def cheapest(town: Town, rng: Random) -> TaskDraft | None:
    found = draw_hunt(town, rng, draw_shop(rng).name)
    if found is None:
        return None
    item, hunt = replace(found[0], hunt=found[1]), found[1]
    ((name, value),) = hunt.specs.items()
    told = {"what": shelf(BY_SLUG[hunt.category]), "detail": asks(name, value)}
    return TaskDraft((FillCart(item.site, (item,)),), slots(item) | told)


def best_rated(town: Town, rng: Random) -> TaskDraft | None:
    """The best rated under a price; the bound lies between two products, so that it matters."""
    shop = draw_shop(rng)
    kind = rng.choice(list(BY_SLUG.values()))
    facts = town.facts[shop.name]
    rows = facts.execute("SELECT * FROM product WHERE category = ? ORDER BY price", (kind.slug,)).fetchall()
    bound = rows[len(rows) // 2]["price"] // 100 + rng.randint(0, 9)
    within = sorted((row for row in rows if row["price"] <= bound * 100), key=lambda row: -row["rating"])
    above = max((row["rating"] for row in rows if row["price"] > bound * 100), default=0)
    clear = len(within) >= 5 and within[0]["rating"] > within[1]["rating"] and above >= within[0]["rating"]
    item = any_variant(town, shop.name, within[0]["slug"]) if clear and within[0]["stock"] else None
    if item is None:
        return None
    hunt = ShopHunt(kind.slug, kind.title, kind.department, {}, "rating", -(-item.price // 100), bound)
    item = replace(item, hunt=hunt)
    return TaskDraft((FillCart(shop.name, (item,)),), slots(item) | {"what": shelf(kind), "bound": str(bound)})


def order_for_me(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name, quantity=rng.randint(1, 2))
    if item is None:
        return None
    persona, way = draw_persona(rng), rng.choice(shop.deliveries)
    goal = FillCart(shop.name, (item,), until="placed", delivery=way.name, persona=persona)
    return TaskDraft((goal,), slots(item) | {"way": way.name.lower(), "Way": way.name}, persona=persona)


def code_and_wrapping(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    promo = rng.choice(shop.promos)
    item = draw_item(town, rng, shop.name, "variant.stock > 2 AND price >= ?", (promo.least,))
    if item is None:
        return None
    goal = FillCart(shop.name, (item,), promo.code, rng.random() < 0.6, see=True)
    total, plain = goal.sums.total, replace(goal, promo="").sums.total
    if plain == total or item.price == total:
        return None
    near = {"total without the code": {"total": plain}, "price of the item": {"total": item.price}}
    wrapping = " with gift wrapping" if goal.gift else " without gift wrapping"
    told = {"code": promo.code, "wrapping": wrapping, "way": shop.deliveries[0].name.lower()}
    answers = (ExpectedAnswer("total", "money", total),)
    return TaskDraft((goal,), slots(item) | told, answers, shown=total_shown(goal), near=near)


def cancel_order(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    who = ShopSignIn(shop.name, customer.persona["email"], customer.password)
    mine = [row for row in town.begin_rows(f"{shop.name}_order") if row["account"] == who.email]
    waiting = [str(row["number"]) for row in mine if row["status"] == "Processing"]
    number = rng.choice(waiting) if waiting else ""
    bought = _only_line(town, shop.name, number)
    if bought is None:
        return None
    login = {"email": who.email, "password": who.password}
    told = {"shop": shop.title, "number": number, "product": bought, **login}
    return TaskDraft((who, CancelOrder(shop.name, number)), told, persona=login)


def track_order(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    rows = [row for row in town.begin_rows(f"{shop.name}_order") if row["status"] in ("Shipped", "Processing")]
    order = rng.choice(rows)
    day, placed = str(order["arrives"]), str(order["placed"])
    others = sorted({str(row["arrives"]) for row in rows} - {day, placed})
    near = {"the day it was placed": {"arrival": placed}}
    near |= {"another order's day": {"arrival": others[0]}} if others else {}
    number, zip_code = str(order["number"]), str(order["zip"])
    return TaskDraft(
        (TrackOrder(shop.name, number, zip_code),),
        {"shop": shop.title, "number": number, "zip": zip_code},
        (ExpectedAnswer("arrival", "date", day),),
        shown=((FactPattern(shop.name, number, "arrives"),),),
        near=near,
    )


def behind_wall(town: Town, rng: Random) -> TaskDraft | None:
    """The wall stands before the shop's products."""
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    return TaskDraft(
        (SeeProduct(item),), slots(item), wall={shop.name: "/p/"}, met={"path": f"/p/{item.slug}"}, truth=()
    )


def wall_at_checkout(town: Town, rng: Random) -> TaskDraft | None:
    """The wall comes late: the cart is filled, the checkout cannot be opened."""
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    return walled_cart((item,), slots(item)) if item else None


def walled_cart(items: tuple[Item, ...], told: dict[str, str]) -> TaskDraft:
    """Things that are to go to a checkout behind a wall."""
    goal = FillCart(items[0].site, items, until="checkout")
    return TaskDraft((goal,), told, wall={goal.site: "/checkout"}, truth=(replace(goal, until="cart"),))


def _to_checkout(item: Item) -> TaskDraft:
    return TaskDraft((FillCart(item.site, (item,), until="checkout"),), slots(item))


def slots(item: Item) -> dict[str, str]:
    """How an item is told."""
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
    query = "SELECT name FROM variant JOIN product ON product.id = variant.product WHERE sku = ?"
    return str(town.facts[site].execute(query, (lines[0]["sku"],)).fetchone()["name"])


TEMPLATES = (
    template("buy-variant", "shopping", "easy", buy_variant, "train"),
    template("buy-several", "shopping", "medium", buy_several, "train"),
    template("if-available", "shopping", "medium", if_available, "train"),
    template("sold-out", "shopping", "medium", sold_out, "train"),
    template("cheapest", "shopping", "hard", cheapest, "train"),
    template("best-rated", "shopping", "hard", best_rated, "train"),
    template("order-for-me", "shopping", "hard", order_for_me, "train"),
    template("code-and-wrapping", "shopping", "medium", code_and_wrapping, "train"),
    template("cancel-order", "shopping", "medium", cancel_order, "train"),
    template("track-order", "shopping", "easy", track_order, "train"),
    template("wall", "shopping", "medium", behind_wall, "train"),
    template("wall-at-checkout", "shopping", "medium", wall_at_checkout, "train"),
)
