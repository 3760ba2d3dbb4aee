"""Drawing targets from the shops' ranges, and wording them as people would."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from random import Random

from workalike.town.kit.make import templates_from
from workalike.town.shopkit.kinds import BY_SLUG, Kind
from workalike.town.shopkit.shop import Shop
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.items import Item, ShopHunt, item_of
from workalike.town.town import Town

_VARIANT = (
    "SELECT variant.sku, first, second, slug, name, price, was, category, product.id AS id, variant.stock AS stock"
    " FROM variant JOIN product ON product.id = variant.product"
)
_PHRASES = {
    "Color": "in {0}",
    "Wash": "in {0}",
    "Size": "size {1}",
    "Waist": "waist {1}",
    "Bed size": "{0} size",
    "Scent": "scent {0}",
    "Strap": "with the {0} strap",
    "Zip": "zip on the {0}",
}
_GRIND = {"Whole bean": "whole beans", "Espresso": "ground for espresso", "Filter": "ground for filter"}


def draw_shop(rng: Random) -> Shop:
    return SHOPS[rng.choice(("marlow", "kestrel"))]


def draw_variant(
    town: Town, rng: Random, site: str, where: str = "variant.stock > 2", values: tuple[object, ...] = ()
) -> sqlite3.Row | None:
    """Some variant that fits, by a fixed order of SKUs."""
    facts = town.facts[site]
    join = "FROM variant JOIN product ON product.id = variant.product"
    count = facts.execute(f"SELECT count(*) {join} WHERE {where}", values).fetchone()[0]
    if not count:
        return None
    at = rng.randrange(count)
    return facts.execute(f"{_VARIANT} WHERE {where} ORDER BY sku LIMIT 1 OFFSET ?", (*values, at)).fetchone()  # type: ignore[no-any-return]


def draw_item(
    town: Town,
    rng: Random,
    site: str,
    where: str = "variant.stock > 2",
    values: tuple[object, ...] = (),
    quantity: int = 1,
) -> Item | None:
    row = draw_variant(town, rng, site, where, values)
    return item_of(town.facts[site], site, row, quantity) if row else None


def draw_items(town: Town, rng: Random, site: str, count: int) -> list[Item]:
    """Several items of different categories."""
    found: dict[str, Item] = {}
    while len(found) < count:
        row = draw_variant(town, rng, site)
        assert row is not None
        found.setdefault(row["category"], item_of(town.facts[site], site, row))
    return list(found.values())


def draw_shared(town: Town, rng: Random, extra: str = "1") -> tuple[sqlite3.Row, sqlite3.Row] | None:
    """A product that both shops carry, as both see it."""
    mine = town.facts["marlow"].execute(f"SELECT * FROM product WHERE stock > 0 AND {extra} ORDER BY id").fetchall()
    row = rng.choice(mine)
    query = f"SELECT * FROM product WHERE slug = ? AND stock > 0 AND {extra}"
    other = town.facts["kestrel"].execute(query, (row["slug"],)).fetchone()
    return (row, other) if other else None


def look_at(site: str, product: sqlite3.Row) -> Item:
    """A product to be looked at, without any choice of options."""
    return Item(site, product["slug"], product["name"], "", product["price"])


def any_variant(town: Town, site: str, slug: str) -> Item | None:
    """The first variant of a product that is in stock, standing for any."""
    facts = town.facts[site]
    row = facts.execute(f"{_VARIANT} WHERE slug = ? AND variant.stock > 0 ORDER BY sku LIMIT 1", (slug,)).fetchone()
    if row is None:
        return None
    item = item_of(facts, site, row)
    return Item(item.site, item.slug, item.name, item.sku, item.price, item.options, exact=False)


def skus_of(town: Town, item: Item) -> list[str]:
    """All variants of a product that are in stock."""
    query = (
        "SELECT sku FROM variant JOIN product ON product.id = product WHERE slug = ? AND variant.stock > 0 ORDER BY 1"
    )
    return [row["sku"] for row in town.facts[item.site].execute(query, (item.slug,))]


def item_by_sku(town: Town, site: str, sku: str) -> Item:
    facts = town.facts[site]
    return item_of(facts, site, facts.execute(f"{_VARIANT} WHERE variant.sku = ?", (sku,)).fetchone())


def draw_hunt(town: Town, rng: Random, site: str, sort: str = "price-low") -> tuple[Item, ShopHunt] | None:
    """A category with one detail asked for, of which one product is clearly the first by price or rating."""
    kind = rng.choice(list(BY_SLUG.values()))
    name = rng.choice(list(kind.specs))
    value = rng.choice(kind.specs[name])
    rows = town.facts[site].execute(
        "SELECT * FROM product WHERE category = ? AND id IN (SELECT product FROM spec WHERE name = ? AND value = ?)",
        (kind.slug, name, value),
    )
    ranked = sorted(rows.fetchall(), key=lambda row: row["price"])
    if len(ranked) < 4 or ranked[0]["price"] == ranked[1]["price"] or not ranked[0]["stock"]:
        return None
    item = any_variant(town, site, ranked[0]["slug"])
    hunt = ShopHunt(kind.slug, kind.title, kind.department, {name: value}, sort)
    return (item, hunt) if item else None


def phrase(item: Item) -> str:
    """The options as one would say them: `in navy, size M`.

    >>> phrase(Item("marlow", "x", "X", "S", 100, {"Color": "Navy", "Size": "M"}))
    'in navy, size M'
    """
    said = []
    for name, value in item.options.items():
        if name == "Grind":
            said.append(_GRIND[value])
        else:
            said.append(_PHRASES[name].format(value.lower(), value))
    return ", ".join(said)


def full(item: Item) -> str:
    """An item with options and count: `2 × Torvald Linden Kettle in black`."""
    options = phrase(item)
    count = f"{item.quantity} × " if item.quantity > 1 else ""
    return f"{count}{item.name}{' ' + options if options else ''}"


def asks(name: str, value: str) -> str:
    """A detail as one would ask for it.

    >>> asks("Capacity", "1.7 L"), asks("Waterproof", "Yes")
    ('capacity 1.7 L', '“Waterproof: Yes”')
    """
    return f"“{name}: {value}”" if value in ("Yes", "No", "None") else f"{name.lower()} {value}"


def shelf(kind: Kind) -> str:
    """Whatever stands on a shelf: names alone would leave open which things are meant.

    >>> shelf(BY_SLUG["kettles"])
    'product under “Kettles”'
    """
    return f"product under “{kind.title}”"


def listed(names: Sequence[str]) -> str:
    """
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return f"{', '.join(names[:-1])} and {names[-1]}"


template = templates_from(Path(__file__).parent / "voices.json", "shop")
