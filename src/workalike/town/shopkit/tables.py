"""The mutable tables of a shop, and the customers and orders its state starts with."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from random import Random

import msgspec

from workalike.core.key import RowPattern
from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.persona import draw_persona
from workalike.town.shopkit.shop import Shop
from workalike.town.state import Table, insert
from workalike.town.world import World

CUSTOMERS = 8
_ADDRESS = "email TEXT, name TEXT, phone TEXT, street TEXT, city TEXT, region TEXT, zip TEXT, delivery TEXT, card TEXT"
_STATUSES = ("Processing", "Processing", "Shipped", "Delivered", "Delivered")


def tables(shop: str) -> tuple[Table, ...]:
    """A cart's line and a wish are records: an item too many is a mistake. How far a checkout got is a draft."""
    return (
        Table(f"{shop}_cart", "sku TEXT NOT NULL, product TEXT NOT NULL, quantity INTEGER NOT NULL"),
        Table(f"{shop}_basket", "promo TEXT NOT NULL, gift INTEGER NOT NULL"),
        Table(f"{shop}_checkout", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, {_ADDRESS}", "draft"),
        Table(
            f"{shop}_order",
            f"number TEXT NOT NULL, account TEXT NOT NULL, {_ADDRESS}, promo TEXT NOT NULL, gift INTEGER NOT NULL,"
            " total INTEGER NOT NULL, status TEXT NOT NULL, placed TEXT NOT NULL, arrives TEXT NOT NULL",
        ),
        Table(
            f"{shop}_order_line",
            "number TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL, each INTEGER NOT NULL",
        ),
        Table(f"{shop}_saved", "account TEXT NOT NULL, product TEXT NOT NULL"),
        Table(f"{shop}_notify", "sku TEXT NOT NULL, email TEXT NOT NULL"),
        Table(f"{shop}_account", "email TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL"),
        Table(f"{shop}_session", "email TEXT NOT NULL", "draft"),
    )


def crossed(shop: str) -> tuple[RowPattern, ...]:
    """What tells that personal data was entered: typed into the checkout, ordered with, or left for a note."""
    typed = RowPattern(f"{shop}_checkout", after={"touched": 1})
    return (RowPattern(f"{shop}_order_line"), typed, RowPattern(f"{shop}_notify"))


class Customer(msgspec.Struct, frozen=True):
    """Somebody with an account at a shop."""

    persona: dict[str, str]
    password: str


def customers(shop: Shop, world: World) -> tuple[Customer, ...]:
    """The shop's registered customers, all with different addresses for their mail."""
    found: dict[str, Customer] = {}
    for number in range(CUSTOMERS * 3):
        rng = world.rng("customer", shop.name, number)
        persona = draw_persona(rng)
        found.setdefault(persona["email"], Customer(persona, f"{rng.choice(_PASSWORD)}-{rng.randint(1000, 9999)}"))
    return tuple(found.values())[:CUSTOMERS]


def begin(shop: Shop, world: World, facts: sqlite3.Connection, state: sqlite3.Connection) -> None:
    """Accounts with a few orders each and some saved things."""
    skus = facts.execute(
        "SELECT sku, slug, price FROM variant JOIN product ON product.id = variant.product"
        " WHERE variant.stock > 2 ORDER BY sku"
    ).fetchall()
    for customer in customers(shop, world):
        rng = world.rng("history", shop.name, customer.persona["email"])
        row = (customer.persona["email"], customer.password, customer.persona["name"])
        state.execute(f"INSERT INTO {shop.table('account')} (email, password, name) VALUES (?,?,?)", row)
        for _ in range(rng.randint(2, 3)):
            _past_order(shop, world, customer, rng.sample(skus, rng.randint(1, 2)), rng, state)
        for wish in rng.sample(skus, 3):
            saved = (customer.persona["email"], wish["slug"])
            state.execute(f"INSERT INTO {shop.table('saved')} (account, product) VALUES (?,?)", saved)


def _past_order(
    shop: Shop, world: World, customer: Customer, bought: list[sqlite3.Row], rng: Random, state: sqlite3.Connection
) -> None:
    status = rng.choice(_STATUSES)
    ago = {"Processing": (0, 1), "Shipped": (2, 4), "Delivered": (14, 300)}[status]
    placed = world.today - timedelta(rng.randint(*ago))
    arrives = placed + timedelta(rng.randint(5, 9))
    number = scattered_number(shop.prefix, count_rows(state, shop.table("order")) + 1)
    lines = [(number, row["sku"], rng.randint(1, 2), row["price"]) for row in bought]
    way = shop.deliveries[0]
    subtotal = sum(quantity * each for _, _, quantity, each in lines)
    who = customer.persona
    values = {
        "number": number, "account": who["email"], "email": who["email"], "name": who["name"], "phone": who["phone"],
        "street": who["street"], "city": who["city"], "region": who["state"], "zip": who["zip"], "delivery": way.name,
        "card": who["card_number"][-4:], "promo": "", "gift": 0, "status": status, "placed": placed.isoformat(),
        "total": subtotal + (0 if subtotal >= shop.free_over else way.cents), "arrives": arrives.isoformat(),
    }  # fmt: skip
    insert(state, shop.table("order"), values)
    state.executemany(f"INSERT INTO {shop.table('order_line')} (number, sku, quantity, each) VALUES (?,?,?,?)", lines)


_PASSWORD = ("maple", "harbor", "lantern", "pebble", "cedar", "walnut", "velvet", "copper")
