"""Tasks about several things at once."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer
from workalike.town.persona import draw_persona
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.shops import KESTREL, MARLOW, SHOPS
from workalike.town.shopkit.tables import customers
from workalike.town.shopkit.tasks.draws import (
    asks,
    draw_hunt,
    draw_item,
    draw_items,
    draw_shop,
    full,
    listed,
    shelf,
    template,
)
from workalike.town.shopkit.tasks.goals import FillCart, SaveProducts, SeeProduct, ShopSignIn
from workalike.town.shopkit.tasks.items import Item
from workalike.town.shopkit.tasks.shopping import gone, walled_cart
from workalike.town.shopkit.tasks.sums import total_shown
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def two_to_checkout(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    return TaskDraft((FillCart(shop.name, tuple(items), until="checkout"),), _slots(items))


def three_with_counts(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = [replace(item, quantity=rng.choice((1, 1, 2, 3))) for item in draw_items(town, rng, shop.name, 3)]
    return TaskDraft((FillCart(shop.name, tuple(items)),), _slots(items))


def two_cheapest(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    found = [draw_hunt(town, rng, shop.name), draw_hunt(town, rng, shop.name)]
    hunts = [each for each in found if each is not None]
    if len(hunts) < 2 or hunts[0][1].category == hunts[1][1].category:
        return None
    items = [replace(item, hunt=hunt) for item, hunt in hunts]
    slots = _slots(items)
    for place, (_, hunt) in enumerate(hunts):
        ((name, value),) = hunt.specs.items()
        slots |= {f"what{place}": shelf(BY_SLUG[hunt.category]), f"detail{place}": asks(name, value)}
    return TaskDraft((FillCart(shop.name, tuple(items)),), slots)


def matching_colour(town: Town, rng: Random) -> TaskDraft | None:
    """Two things of different categories in the same colour."""
    shop, colour = draw_shop(rng), rng.choice(("Black", "Navy", "Sage", "Charcoal", "Sand", "Terracotta"))
    where = "variant.stock > 1 AND first = ? AND category IN (SELECT category FROM product JOIN option ON product = id"
    where += " WHERE option.name = 'Color' AND place = 0) AND second {} ''"
    first = draw_item(town, rng, shop.name, where.format("!="), (colour,))
    second = draw_item(town, rng, shop.name, where.format("="), (colour,))
    if first is None or second is None:
        return None
    sizes = {name: value for name, value in first.options.items() if name != "Color"}
    size = ", ".join(f"{name.lower()} {value}" for name, value in sizes.items())
    slots = _slots([first, second]) | {"colour": colour.lower(), "one": first.name, "size": size, "two": second.name}
    return TaskDraft((FillCart(shop.name, (first, second), until="checkout"),), slots)


def one_missing(town: Town, rng: Random) -> TaskDraft | None:
    """One of the things is sold out: get the rest and say so."""
    shop = draw_shop(rng)
    lost = draw_item(town, rng, shop.name, "variant.stock = 0 AND first != '' AND product.stock > 0")
    items = draw_items(town, rng, shop.name, 2)
    if lost is None or lost.name in {item.name for item in items}:
        return None
    goals = (SeeProduct(lost), FillCart(shop.name, tuple(items)))
    near = {"names the wrong item": {"missing": items[0].name}, "names the other item": {"missing": items[1].name}}
    answers = (ExpectedAnswer("missing", "name", f"{lost.name}|{full(lost)}"),)
    told = _slots([items[0], lost, items[1]])
    return TaskDraft(goals, told, answers, shown=((gone(lost),),), near=near)


def order_list(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    persona, way = draw_persona(rng), rng.choice(shop.deliveries)
    goal = FillCart(shop.name, tuple(items), until="placed", delivery=way.name, persona=persona)
    return TaskDraft((goal,), _slots(items) | {"way": way.name.lower(), "Way": way.name}, persona=persona)


def split_shops(town: Town, rng: Random) -> TaskDraft | None:
    """One thing from each shop, and no checkout."""
    one, two = draw_items(town, rng, "marlow", 1)[0], draw_items(town, rng, "kestrel", 1)[0]
    if one.name == two.name:
        return None
    slots = _slots([one, two]) | {"one": full(one), "two": full(two), "shop1": MARLOW.title, "shop2": KESTREL.title}
    return TaskDraft(tuple(FillCart(item.site, (item,), alone=True) for item in (one, two)), slots)


def what_it_comes_to(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = [replace(item, quantity=rng.choice((1, 1, 2))) for item in draw_items(town, rng, shop.name, 3)]
    goal = FillCart(shop.name, tuple(items), see=True)
    total = goal.sums.total
    dearer = goal.sums.subtotal + shop.deliveries[1].cents
    near = {
        "one item forgotten": total - items[0].price,
        "with the dearer delivery": dearer,
        "one price": items[0].price,
    }
    told = _slots(items) | {"way": shop.deliveries[0].name.lower()}
    return TaskDraft(
        (goal,),
        told,
        (ExpectedAnswer("total", "money", total),),
        shown=total_shown(goal),
        near={label: {"total": cents} for label, cents in near.items()},
    )


def save_list(town: Town, rng: Random) -> TaskDraft | None:
    """Things onto the saved list of an account."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    items = draw_items(town, rng, shop.name, 2)
    held = {
        row["product"] for row in town.begin_rows(f"{shop.name}_saved") if row["account"] == customer.persona["email"]
    }
    if held & {item.slug for item in items}:
        return None
    who = ShopSignIn(shop.name, customer.persona["email"], customer.password)
    plain = [replace(item, options={}, exact=False) for item in items]
    login = {"email": who.email, "password": who.password}
    return TaskDraft((who, SaveProducts(shop.name, tuple(items), who.email)), _slots(plain) | login, persona=login)


def walled_list(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    return walled_cart(tuple(items), _slots(items))


def _slots(items: list[Item]) -> dict[str, str]:
    names = [full(item) for item in items]
    return {
        "shop": SHOPS[items[0].site].title,
        "items": listed(names),
        "lines": "\n".join(f"- {name}" for name in names),
        "short": " + ".join(names),
    }


TEMPLATES = (
    template("list-two", "shopping_list", "easy", two_to_checkout, "train"),
    template("list-three", "shopping_list", "medium", three_with_counts, "train"),
    template("list-cheapest", "shopping_list", "hard", two_cheapest, "train"),
    template("list-colour", "shopping_list", "medium", matching_colour, "train"),
    template("list-one-missing", "shopping_list", "hard", one_missing, "train"),
    template("list-order", "shopping_list", "hard", order_list, "train"),
    template("list-split", "shopping_list", "hard", split_shops, "train"),
    template("list-total", "shopping_list", "medium", what_it_comes_to, "train"),
    template("list-save", "shopping_list", "medium", save_list, "train"),
    template("list-wall", "shopping_list", "medium", walled_list, "train"),
)
