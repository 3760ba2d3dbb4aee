"""Tasks about several things at once."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.persona import draw_persona
from workalike.town.render import money
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.shops import KESTREL, MARLOW, SHOPS
from workalike.town.shopkit.tables import customers
from workalike.town.shopkit.tasks.draws import asks, draw_hunt, draw_item, draw_items, draw_shop, full, singular
from workalike.town.shopkit.tasks.make import Case, template
from workalike.town.shopkit.tasks.plan import Item, Order, ShopPlan, SignIn
from workalike.town.shopkit.tasks.shopping import BLOCKED, NOT_WALLED, STOPPED, WALLED
from workalike.town.shopkit.tasks.truth import total_of
from workalike.town.town import Town

FILLED = "Everything is in the cart."


def two_to_checkout(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    return Case(ShopPlan((STOPPED,), items=tuple(items), checkout=shop.name), _slots(items))


def three_with_counts(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = [replace(item, quantity=rng.choice((1, 1, 2, 3))) for item in draw_items(town, rng, shop.name, 3)]
    return Case(ShopPlan((FILLED,), items=tuple(items)), _slots(items))


def two_cheapest(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    found = [draw_hunt(town, rng, shop.name), draw_hunt(town, rng, shop.name)]
    hunts = [each for each in found if each is not None]
    if len(hunts) < 2 or hunts[0][1].category == hunts[1][1].category:
        return None
    items = [replace(item, hunt=hunt) for item, hunt in hunts]
    slots = _slots(items)
    for place, (_, hunt) in enumerate(hunts):
        ((name, value),) = hunt.specs.items()
        slots |= {f"what{place}": singular(BY_SLUG[hunt.category]), f"detail{place}": asks(name, value)}
    return Case(ShopPlan((FILLED,), items=tuple(items)), slots)


def matching_colour(town: Town, rng: Random) -> Case | None:
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
    return Case(ShopPlan((FILLED,), items=(first, second), checkout=shop.name), slots)


def one_missing(town: Town, rng: Random) -> Case | None:
    """One of the things is sold out: get the rest and say so."""
    shop = draw_shop(rng)
    gone = draw_item(town, rng, shop.name, "variant.stock = 0 AND first != '' AND product.stock > 0")
    items = draw_items(town, rng, shop.name, 2)
    if gone is None or gone.name in {item.name for item in items}:
        return None
    said = (
        f"{gone.name} is sold out; the other two are in the cart.",
        f"I added the rest, but the {gone.name} {' '.join(gone.options.values())} is not available.",
    )
    wrong = {
        "names no missing item": FILLED,
        "names the wrong item": f"{items[0].name} is sold out; the rest is in the cart.",
    }
    listed = [items[0], gone, items[1]]
    answers = (Answer("statement", "unavailable"), Answer("name", gone.name))
    return Case(ShopPlan(said, looks=(gone,), items=tuple(items), wrong=wrong), _slots(listed), answers)


def order_list(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    persona, way = draw_persona(rng), rng.choice(shop.deliveries)
    plan = ShopPlan(("The order is placed.",), items=tuple(items), order=Order(shop.name, way.name, persona))
    return Case(plan, _slots(items) | {"way": way.name.lower(), "Way": way.name}, persona=persona)


def split_shops(town: Town, rng: Random) -> Case | None:
    """One thing from each shop."""
    one, two = draw_items(town, rng, "marlow", 1)[0], draw_items(town, rng, "kestrel", 1)[0]
    if one.name == two.name:
        return None
    slots = _slots([one, two]) | {"one": full(one), "two": full(two), "shop1": MARLOW.title, "shop2": KESTREL.title}
    return Case(ShopPlan((FILLED,), items=(one, two)), slots)


def what_it_comes_to(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = [replace(item, quantity=rng.choice((1, 1, 2))) for item in draw_items(town, rng, shop.name, 3)]
    plan = ShopPlan((), items=tuple(items))
    total = total_of(plan, shop)
    goods = sum(_sum(item) for item in items)
    said = (
        f"The total is {money(total)}.",
        f"{total / 100:.2f}",
        f"All of it comes to {money(total)}, delivery included.",
        f"{'; '.join(_line(item) for item in items)}; delivery {money(total - goods)}; total {money(total)}",
    )
    wrong = {
        "one item forgotten": f"The total is {money(total - items[0].price)}.",
        "with the dearer delivery": f"The total is {money(goods + shop.deliveries[1].cents)}.",
        "only one price": f"It costs {money(items[0].price)}.",
    }
    parts = {goods, total - goods, shop.free_over, *(each for item in items for each in (item.price, _sum(item)))}
    also = tuple(sorted(part / 100 for part in parts - {total}))
    return Case(replace(plan, said=said, wrong=wrong), _slots(items), (Answer("money", total / 100, also=also),))


def save_list(town: Town, rng: Random) -> Case | None:
    """Things onto the saved list of an account."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    items = draw_items(town, rng, shop.name, 2)
    held = {
        row["product"] for row in town.begin_rows(f"{shop.name}_saved") if row["account"] == customer.persona["email"]
    }
    if held & {item.slug for item in items}:
        return None
    who = SignIn(shop.name, customer.persona["email"], customer.password)
    plain = [replace(item, options={}, exact=False) for item in items]
    login = {"email": who.email, "password": who.password}
    slots = _slots(plain) | login
    return Case(ShopPlan(("Both are saved.",), sign_in=who, saves=tuple(items)), slots, persona=login)


def walled_list(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    plan = ShopPlan(WALLED, items=tuple(items), checkout=shop.name, wrong=NOT_WALLED, walled=True)
    return Case(plan, _slots(items), BLOCKED, wall={shop.name: "/checkout"})


def _sum(item: Item) -> int:
    return item.price * item.quantity


def _line(item: Item) -> str:
    """A line of the cart with its sum."""
    return f"{item.quantity} × {money(item.price)} = {money(_sum(item))}"


def _slots(items: list[Item]) -> dict[str, str]:
    names = [full(item) for item in items]
    return {
        "shop": SHOPS[items[0].site].title,
        "items": ", ".join(names[:-1]) + " and " + names[-1],
        "lines": "\n".join(f"- {name}" for name in names),
        "short": " + ".join(names),
    }


TEMPLATES = (
    template("list-two", "shopping_list", "easy", two_to_checkout),
    template("list-three", "shopping_list", "medium", three_with_counts),
    template("list-cheapest", "shopping_list", "hard", two_cheapest),
    template("list-colour", "shopping_list", "medium", matching_colour),
    template("list-one-missing", "shopping_list", "hard", one_missing),
    template("list-order", "shopping_list", "hard", order_list),
    template("list-split", "shopping_list", "hard", split_shops),
    template("list-total", "shopping_list", "medium", what_it_comes_to),
    template("list-save", "shopping_list", "medium", save_list),
    template("list-wall", "shopping_list", "medium", walled_list),
)
