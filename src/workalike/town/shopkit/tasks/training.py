"""Tasks of the train split: other templates than those of the test split, on other skins."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.draws import (
    any_variant,
    draw_item,
    draw_items,
    draw_shop,
    full,
    look_at,
    phrase,
    template,
)
from workalike.town.shopkit.tasks.goals import FillCart, SaveProducts, SeeProduct
from workalike.town.shopkit.tasks.items import neighbour, price_of
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def add_one(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    told = {"shop": shop.title, "item": full(item), "product": item.name, "options": phrase(item)}
    return TaskDraft((FillCart(shop.name, (item,)),), told)


def add_any(town: Town, rng: Random) -> TaskDraft | None:
    """Whatever variant there is."""
    shop = draw_shop(rng)
    drawn = draw_item(town, rng, shop.name, "variant.stock > 2 AND first != ''")
    item = any_variant(town, shop.name, drawn.slug) if drawn else None
    if item is None:
        return None
    return TaskDraft((FillCart(shop.name, (item,)),), {"shop": shop.title, "product": item.name})


def read_price(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    near = neighbour(town, item) if item else None
    if item is None or near is None or near.price == item.price:
        return None
    bare = replace(item, options={}, sku="")
    return TaskDraft(
        (SeeProduct(bare),),
        {"shop": shop.title, "product": item.name},
        (ExpectedAnswer("price", "money", item.price),),
        shown=((price_of(item),),),
        near={"the neighbour's price": {"price": near.price}},
    )


def save_one(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    item = draw_item(town, rng, shop.name)
    if item is None:
        return None
    return TaskDraft((SaveProducts(shop.name, (item,)),), {"shop": shop.title, "product": item.name})


def add_two(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    told = {"shop": shop.title, "one": full(items[0]), "two": full(items[1])}
    return TaskDraft((FillCart(shop.name, tuple(items)),), told)


def add_pair(town: Town, rng: Random) -> TaskDraft | None:
    """The same number of two things."""
    shop = draw_shop(rng)
    count = rng.randint(2, 3)
    items = [replace(item, quantity=count) for item in draw_items(town, rng, shop.name, 2)]
    told = {"shop": shop.title, "count": str(count)}
    for name, item in zip(("one", "two"), items, strict=True):
        told[name] = full(replace(item, quantity=1))
    return TaskDraft((FillCart(shop.name, tuple(items)),), told)


def save_two(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    items = draw_items(town, rng, shop.name, 2)
    told = {"shop": shop.title, "one": items[0].name, "two": items[1].name}
    return TaskDraft((SaveProducts(shop.name, tuple(items)),), told)


def cheaper_of_two(town: Town, rng: Random) -> TaskDraft | None:
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
    looks = (look_at(shop.name, one), look_at(shop.name, two))
    return TaskDraft(
        tuple(SeeProduct(item) for item in looks),
        {"shop": shop.title, "one": one["name"], "two": two["name"]},
        (ExpectedAnswer("product", "name", f"{low['name']}|{low['family']}"),),
        shown=tuple((price_of(item),) for item in looks),
        near={"the dearer one": {"product": high["name"]}},
    )


def is_it_sold(town: Town, rng: Random) -> TaskDraft | None:
    """Whether the other shop has what the first has."""
    site = rng.choice(("marlow", "kestrel"))
    other = "kestrel" if site == "marlow" else "marlow"
    row = rng.choice(town.facts[site].execute("SELECT * FROM product ORDER BY id").fetchall())
    there = town.facts[other].execute("SELECT * FROM product WHERE slug = ?", (row["slug"],)).fetchone()
    if there is None:
        return None
    item = look_at(other, there)
    told = {"shop1": SHOPS[site].title, "shop2": SHOPS[other].title, "product": row["name"]}
    answers = (ExpectedAnswer("sold", "yes_no", True),)
    return TaskDraft((SeeProduct(item),), told, answers, shown=((price_of(item),),))


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
