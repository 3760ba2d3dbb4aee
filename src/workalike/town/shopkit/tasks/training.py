"""Tasks of the train split: other templates than those of the test split, on other skins."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.comparing import mistake, prefer
from workalike.town.render import money
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.draws import any_variant, draw_item, draw_items, draw_shop, full, look_at, phrase
from workalike.town.shopkit.tasks.make import Case, template
from workalike.town.shopkit.tasks.misses import neighbour
from workalike.town.shopkit.tasks.plan import ShopPlan
from workalike.town.town import Town

DONE = ("Done; it is in the basket.",)


def add_one(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    return Case(
        ShopPlan(DONE, items=(item,)),
        {"shop": shop.title, "item": full(item), "product": item.name, "options": phrase(item)},
    )


def add_any(town: Town, rng: Random) -> Case | None:
    """Whatever variant there is."""
    shop = draw_shop(rng)
    drawn = draw_item(town, rng, shop.name, "variant.stock > 2 AND first != ''")
    item = any_variant(town, shop.name, drawn.slug) if drawn else None
    if item is None:
        return None
    return Case(ShopPlan(DONE, items=(item,)), {"shop": shop.title, "product": item.name})


def read_price(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    near = neighbour(town, item) if item else None
    if item is None or near is None or near.price == item.price:
        return None
    said = (
        f"It costs {money(item.price)}.",
        f"{item.price / 100:.2f}",
        f"The price is ${item.price / 100:.2f} at the moment.",
    )
    wrong = {
        "the neighbour's price": f"It costs {money(near.price)}.",
        "two prices": f"{money(item.price)} or {money(near.price)}",
        "no price": "It is in stock.",
    }
    row = town.facts[shop.name].execute("SELECT * FROM product WHERE slug = ?", (item.slug,)).fetchone()
    answers = (Answer("money", item.price / 100, also=(row["was"] / 100,) if row["was"] else ()),)
    return Case(
        ShopPlan(said, looks=(look_at(shop.name, row),), wrong=wrong),
        {"shop": shop.title, "product": item.name},
        answers,
    )


def save_one(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    return Case(ShopPlan(("Saved.",), saves=(item,)), {"shop": shop.title, "product": item.name})


def add_two(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    return Case(ShopPlan(DONE, items=tuple(items)), {"shop": shop.title, "one": full(items[0]), "two": full(items[1])})


def add_pair(town: Town, rng: Random) -> Case | None:
    """The same number of two things."""
    shop = draw_shop(rng)
    count = rng.randint(2, 3)
    items = [replace(item, quantity=count) for item in draw_items(town, rng, shop.name, 2)]
    slots = {"shop": shop.title, "count": str(count)}
    for name, item in zip(("one", "two"), items, strict=True):
        slots[name] = full(replace(item, quantity=1))
    return Case(ShopPlan(DONE, items=tuple(items)), slots)


def save_two(town: Town, rng: Random) -> Case | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    return Case(
        ShopPlan(("Saved.",), saves=tuple(items)), {"shop": shop.title, "one": items[0].name, "two": items[1].name}
    )


def cheaper_of_two(town: Town, rng: Random) -> Case | None:
    """Two things of one shelf at one shop."""
    shop = draw_shop(rng)
    facts = town.facts[shop.name]
    one = rng.choice(facts.execute("SELECT * FROM product ORDER BY id").fetchall())
    two = rng.choice(
        facts.execute("SELECT * FROM product WHERE category = ? ORDER BY id", (one["category"],)).fetchall()
    )
    if one["price"] == two["price"] or one["family"] == two["family"]:
        return None
    low, high = sorted((one, two), key=lambda row: row["price"])
    names = {row["slug"]: f"{row['name']}|{row['family']}" for row in (one, two)}
    said = (
        f"The {low['name']} is cheaper.",
        f"{low['family']}: {money(low['price'])} against {money(high['price'])}.",
        *prefer(low["name"], high["name"], "cheaper", "more expensive"),
    )
    wrong = {
        "the dearer one": f"The {high['name']} is cheaper.",
        **mistake(low["name"], high["name"], "cheaper", "more expensive"),
        "both": f"{one['name']}, {two['name']}",
        "neither": "The same.",
    }
    answers = (Answer("choice", names[low["slug"]], among=(names[one["slug"]], names[two["slug"]])),)
    looks = (look_at(shop.name, one), look_at(shop.name, two))
    return Case(
        ShopPlan(said, looks=looks, wrong=wrong), {"shop": shop.title, "one": one["name"], "two": two["name"]}, answers
    )


def is_it_sold(town: Town, rng: Random) -> Case | None:
    """Whether the other shop has what the first has."""
    site = rng.choice(("marlow", "kestrel"))
    other = "kestrel" if site == "marlow" else "marlow"
    row = rng.choice(town.facts[site].execute("SELECT * FROM product ORDER BY id").fetchall())
    there = town.facts[other].execute("SELECT * FROM product WHERE slug = ?", (row["slug"],)).fetchone()
    if there is None:
        return None
    said = ("Yes, they sell it.", f"Yes, for {money(there['price'])}.")
    wrong = {"denied": "No.", "said outright": "No, they do not sell it.", "evasive": "I looked at both shops."}
    slots = {"shop1": SHOPS[site].title, "shop2": SHOPS[other].title, "product": row["name"]}
    return Case(ShopPlan(said, looks=(look_at(other, there),), wrong=wrong), slots, (Answer("yes_no", True),))


TEMPLATES = (
    template("train-add", "shopping", "easy", add_one, "train"),
    template("train-any", "shopping", "easy", add_any, "train"),
    template("train-price", "shopping", "easy", read_price, "train"),
    template("train-save", "shopping", "medium", save_one, "train"),
    template("train-two", "shopping_list", "medium", add_two, "train"),
    template("train-pair", "shopping_list", "medium", add_pair, "train"),
    template("train-save-two", "shopping_list", "medium", save_two, "train"),
    template("train-cheaper", "comparison_shopping", "medium", cheaper_of_two, "train"),
    template("train-sold", "comparison_shopping", "easy", is_it_sold, "train"),
)
