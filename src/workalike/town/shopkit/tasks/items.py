"""What shopping tasks are about, as plain data: variants of products, how they are found, and their neighbours."""

from __future__ import annotations

import sqlite3

import msgspec

from workalike.core.key import FactPattern
from workalike.town.town import Town

_VARIANT = (
    "SELECT variant.sku, first, second, slug, name, price, product.id AS id FROM variant"
    " JOIN product ON product.id = variant.product"
)


class ShopHunt(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an item is found when the task does not name it: a category's shelf, filtered and sorted. `above` and
    `below` bound the price, in dollars, that a price filter may be set to."""

    category: str
    title: str
    department: str
    specs: dict[str, str] = {}
    sort: str = "price-low"
    above: int | None = None
    below: int | None = None


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One variant of a product at a shop. Where `exact` is False any variant of the product will do."""

    site: str
    slug: str
    name: str
    sku: str
    price: int
    options: dict[str, str] = {}
    quantity: int = 1
    exact: bool = True
    hunt: ShopHunt | None = None
    any_of: tuple[str, ...] = ()
    """The SKUs that are all right, where the choice is open."""


def price_of(item: Item) -> FactPattern:
    """The fact of what a product costs at its shop."""
    return FactPattern(item.site, item.slug, "price")


def item_of(facts: sqlite3.Connection, site: str, row: sqlite3.Row, quantity: int = 1) -> Item:
    """A variant's row as an item; the row has sku, first, second, slug, name, price and the product's id."""
    query = "SELECT name FROM option WHERE product = ? ORDER BY place"
    names = [each["name"] for each in facts.execute(query, (row["id"],))]
    options = dict(zip(names, (row["first"], row["second"]), strict=False))
    return Item(site, row["slug"], row["name"], row["sku"], row["price"], options, quantity)


def neighbour(town: Town, item: Item) -> Item:
    """The product of the same shelf next in price that would be wrong, one of its variants that is in stock."""
    facts = town.facts[item.site]
    where = "category = (SELECT category FROM product WHERE slug = ?) AND slug != ? AND variant.stock > 0"
    query = f"{_VARIANT} WHERE {where} ORDER BY abs(price - ?), sku"
    rows = facts.execute(query, (item.slug, item.slug, item.price))
    return item_of(facts, item.site, next(row for row in rows if row["sku"] not in item.any_of))


def elsewhere(town: Town, item: Item) -> Item:
    """Something from quite another shelf."""
    facts = town.facts[item.site]
    where = "department != (SELECT department FROM product WHERE slug = ?) AND variant.stock > 0"
    rows = facts.execute(f"{_VARIANT} WHERE {where} ORDER BY abs(price - ?), sku LIMIT 1", (item.slug, item.price))
    return item_of(facts, item.site, rows.fetchone())


def any_item(town: Town, site: str) -> Item:
    facts = town.facts[site]
    row = facts.execute(f"{_VARIANT} WHERE variant.stock > 0 ORDER BY sku LIMIT 1").fetchone()
    return item_of(facts, site, row)


def other_variant(town: Town, item: Item) -> Item | None:
    facts = town.facts[item.site]
    query = f"{_VARIANT} WHERE slug = ? AND sku != ? AND variant.stock > 0 ORDER BY sku LIMIT 1"
    row = facts.execute(query, (item.slug, item.sku)).fetchone()
    return item_of(facts, item.site, row, item.quantity) if row else None
