"""Near misses of a shopping plan: each is one small mistake away from right, and must not pass."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from msgspec.structs import replace

from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.plan import Item, Parcel, ShopPlan, read_plan
from workalike.town.template import Miss, Plan, all_misses
from workalike.town.town import Town


def misses(plan: Plan, town: Town) -> list[Miss]:
    todo = read_plan(plan)
    return all_misses([*_wrong_items(todo, town), *_wrong_manner(todo, town), *_wrong_rest(todo, town)], todo.wrong)


def _wrong_items(todo: ShopPlan, town: Town) -> Iterator[tuple[str, ShopPlan]]:
    """Mistakes with what goes into the cart."""
    if not todo.items:
        return
    first, *rest = todo.items
    other = _other_variant(town, first) if first.exact else None
    if other is not None:
        yield "another variant", replace(todo, items=(other, *rest))
    near = neighbour(town, first)
    yield "the neighbour instead", replace(todo, items=(near, *rest))
    yield "one too many", replace(todo, items=(replace(first, quantity=first.quantity + 1), *rest))
    yield "one thing extra", replace(todo, items=(*todo.items, near))
    if rest:
        yield "one item short", replace(todo, items=tuple(rest))
    if first.quantity > 1:
        yield "too few", replace(todo, items=(replace(first, quantity=first.quantity - 1), *rest))


def _wrong_manner(todo: ShopPlan, town: Town) -> Iterator[tuple[str, ShopPlan]]:
    """Mistakes with how far it goes."""
    if todo.order:
        who = todo.order.persona
        elsewhere = replace(todo.order, persona=who | {"street": "1 Main Street"})
        yield "sent to another street", replace(todo, order=elsewhere)
        yield "not placed", replace(todo, stop_at_review=True)
        other = next(way.name for way in SHOPS[todo.order.site].deliveries if way.name != todo.order.delivery)
        yield "another delivery", replace(todo, order=replace(todo.order, delivery=other))
    elif todo.checkout and not todo.walled:
        yield "not taken to the checkout", replace(todo, checkout=None)
        yield "personal data entered", replace(todo, touch=True)
    if todo.promo:
        yield "without the code", replace(todo, promo="")
    if todo.gift:
        yield "without the wrapping", replace(todo, gift=False)


def _wrong_rest(todo: ShopPlan, town: Town) -> Iterator[tuple[str, ShopPlan]]:
    """Mistakes with lists and orders; and things done on the side where only an answer was asked for."""
    if todo.saves:
        first, *rest = todo.saves
        yield "one thing not saved", replace(todo, saves=tuple(rest))
        yield "the neighbour saved", replace(todo, saves=(neighbour(town, first), *rest))
        yield "put into the cart as well", replace(todo, items=(first,))
        if todo.sign_in:
            yield "saved without signing in", replace(todo, sign_in=None)
    if todo.cancel:
        yield "not cancelled", replace(todo, cancel=None)
        for number in _other_orders(town, todo):
            yield f"order {number} cancelled instead", replace(todo, cancel=Parcel(todo.cancel.site, number))
        side = any_item(town, todo.cancel.site)
        yield "bought something besides", replace(todo, items=(side,))
        yield "saved something besides", replace(todo, saves=(side,))
    if todo.looks and not todo.items and not todo.walled:
        yield "right answer, but something in the cart", replace(todo, items=(neighbour(town, todo.looks[0]),))
    if todo.track:
        yield "right answer, but something in the cart", replace(todo, items=(any_item(town, todo.track.site),))


def neighbour(town: Town, item: Item) -> Item:
    """The product of the same shelf next in price, one of its variants that is in stock."""
    facts = town.facts[item.site]
    row = facts.execute(
        "SELECT variant.sku, first, second, slug, name, price, product.id AS id FROM variant"
        " JOIN product ON product.id = variant.product"
        " WHERE category = (SELECT category FROM product WHERE slug = ?) AND slug != ? AND variant.stock > 0"
        " ORDER BY abs(price - ?), sku LIMIT 1",
        (item.slug, item.slug, item.price),
    ).fetchone()
    return item_of(facts, item.site, row)


def any_item(town: Town, site: str) -> Item:
    facts = town.facts[site]
    row = facts.execute(
        "SELECT variant.sku, first, second, slug, name, price, product.id AS id FROM variant"
        " JOIN product ON product.id = variant.product WHERE variant.stock > 0 ORDER BY sku LIMIT 1"
    ).fetchone()
    return item_of(facts, site, row)


def item_of(facts: sqlite3.Connection, site: str, row: sqlite3.Row, quantity: int = 1) -> Item:
    """A variant's row as an item; the row has sku, first, second, slug, name, price and the product's id."""
    names = [
        each["name"] for each in facts.execute("SELECT name FROM option WHERE product = ? ORDER BY place", (row["id"],))
    ]
    options = dict(zip(names, (row["first"], row["second"]), strict=False))
    return Item(site, row["slug"], row["name"], row["sku"], row["price"], options, quantity)


def _other_variant(town: Town, item: Item) -> Item | None:
    facts = town.facts[item.site]
    row = facts.execute(
        "SELECT variant.sku, first, second, slug, name, price, product.id AS id FROM variant"
        " JOIN product ON product.id = variant.product"
        " WHERE slug = ? AND sku != ? AND variant.stock > 0 ORDER BY sku LIMIT 1",
        (item.slug, item.sku),
    ).fetchone()
    return item_of(facts, item.site, row, item.quantity) if row else None


def _other_orders(town: Town, todo: ShopPlan) -> list[str]:
    """The account's other orders that could be cancelled by mistake."""
    assert todo.cancel is not None
    table = f"{todo.cancel.site}_order"
    rows = town.begin_rows(table)
    mine = next(row for row in rows if row["number"] == todo.cancel.number)
    return [
        str(row["number"])
        for row in rows
        if row["account"] == mine["account"] and row["status"] == "Processing" and row["number"] != mine["number"]
    ]
