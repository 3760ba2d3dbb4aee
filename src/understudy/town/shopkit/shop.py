"""What makes one shop differ from another, and the tables and immutable rows every shop has."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from random import Random

import msgspec

from understudy.town.shopkit.goods import Good, goods
from understudy.town.shopkit.kinds import BY_SLUG
from understudy.town.site import Entry
from understudy.town.state import Table
from understudy.town.world import World

SCHEMA = """
CREATE TABLE product (
  id INTEGER PRIMARY KEY, slug TEXT UNIQUE, name TEXT, brand TEXT, department TEXT, category TEXT, price INTEGER,
  was INTEGER, rating REAL, reviews INTEGER, days INTEGER, rank INTEGER, shape TEXT, tone TEXT, family TEXT, stock INTEGER
);
CREATE TABLE spec (product INTEGER, name TEXT, value TEXT);
CREATE TABLE variant (
  sku TEXT PRIMARY KEY, product INTEGER, first TEXT NOT NULL, second TEXT NOT NULL, price INTEGER, stock INTEGER
);
CREATE TABLE option (product INTEGER, place INTEGER, name TEXT);
CREATE INDEX by_category ON product (category);
CREATE INDEX spec_of ON spec (product);
CREATE INDEX variant_of ON variant (product);
CREATE INDEX option_of ON option (product);
CREATE VIRTUAL TABLE words USING fts5(name, brand, category, details, content='', tokenize='porter unicode61');
"""


class Shop(msgspec.Struct, frozen=True):
    """One shop's way: how much of the world's goods it carries, how it prices them, what delivery costs."""

    name: str
    prefix: str
    share: float
    level: float
    sale: float
    deliveries: dict[str, tuple[int, int]]
    free_over: int

    def table(self, name: str) -> str:
        return f"{self.name}_{name}"


def tables(shop: str) -> tuple[Table, ...]:
    """The mutable tables of a shop."""
    return (
        Table(f"{shop}_cart", "sku TEXT NOT NULL, product TEXT NOT NULL, quantity INTEGER NOT NULL"),
        Table(
            f"{shop}_checkout",
            "stage TEXT NOT NULL, touched INTEGER NOT NULL DEFAULT 0, email TEXT, name TEXT, phone TEXT, street TEXT,"
            " city TEXT, region TEXT, zip TEXT, delivery TEXT, card TEXT",
            "draft",
        ),
        Table(
            f"{shop}_order",
            "number TEXT NOT NULL, email TEXT, name TEXT, phone TEXT, street TEXT, city TEXT, region TEXT, zip TEXT,"
            " delivery TEXT, card TEXT, total INTEGER NOT NULL, placed TEXT NOT NULL",
        ),
        Table(f"{shop}_order_line", "number TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL"),
    )


def build(shop: Shop, world: World, facts: sqlite3.Connection) -> None:
    """Put the shop's range on its shelves."""
    facts.executescript(SCHEMA)
    for good in goods(world):
        rng = world.rng("shop", shop.name, good.slug)
        if rng.random() < shop.share:
            _stock(shop, good, rng, facts)
    facts.execute("UPDATE product SET stock = (SELECT sum(stock) FROM variant WHERE variant.product = product.id)")


def entries(world: World, facts: sqlite3.Connection) -> Iterable[Entry]:
    """What the search engine knows of a shop."""
    for row in facts.execute("SELECT slug, name, brand, category, price FROM product ORDER BY id"):
        title = BY_SLUG[row["category"]].title
        yield Entry(f"/p/{row['slug']}", row["name"], f"{title} by {row['brand']}")


def _stock(shop: Shop, good: Good, rng: Random, facts: sqlite3.Connection) -> None:
    kind = BY_SLUG[good.kind]
    price = _price(good.cents * shop.level * rng.uniform(0.9, 1.12), rng)
    was = _price(price * rng.uniform(1.15, 1.6), rng) if rng.random() < shop.sale else None
    reviews = int(rng.paretovariate(0.7)) + rng.randint(0, 40)
    facts.execute(
        "INSERT INTO product VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,0)",
        (
            good.number, good.slug, good.name, good.brand, kind.department, good.kind, price, was,
            round(rng.triangular(3.1, 5.0, 4.5), 1), min(reviews, 4000), rng.choice((2, 3, 3, 4, 6)), rng.randint(1, 10**6),
            kind.shape, good.tone, good.family,
        ),
    )  # fmt: skip
    facts.executemany("INSERT INTO spec VALUES (?,?,?)", [(good.number, *pair) for pair in good.specs.items()])
    names = list(good.options)
    facts.executemany("INSERT INTO option VALUES (?,?,?)", [(good.number, i, name) for i, name in enumerate(names)])
    firsts = good.options[names[0]] if names else ("",)
    seconds = good.options[names[1]] if len(names) > 1 else ("",)
    for index, (first, second) in enumerate((first, second) for first in firsts for second in seconds):
        sku = f"{shop.prefix}-{good.number:04d}-{index:02d}"
        stock = 0 if rng.random() < 0.12 else rng.randint(1, 24)
        facts.execute("INSERT INTO variant VALUES (?,?,?,?,?,?)", (sku, good.number, first, second, price, stock))
    details = " ".join(good.specs.values())
    facts.execute(
        "INSERT INTO words (rowid, name, brand, category, details) VALUES (?,?,?,?,?)",
        (good.number, good.name, good.brand, f"{kind.title} {kind.department}", details),
    )


def _price(cents: float, rng: Random) -> int:
    return max(199, int(cents // 100) * 100 + rng.choice((99, 99, 95, 49, 0)))
