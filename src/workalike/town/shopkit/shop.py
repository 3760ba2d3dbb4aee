"""What makes one shop differ from another: its range, prices, deliveries and promises; and its immutable rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from random import Random

import msgspec

from workalike.town.shopkit.goods import Good, goods
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.site import IndexEntry
from workalike.town.world import World

SCHEMA = """
CREATE TABLE product (
  id INTEGER PRIMARY KEY, slug TEXT UNIQUE, name TEXT, brand TEXT, department TEXT, category TEXT, price INTEGER,
  was INTEGER, rating REAL, reviews INTEGER, days INTEGER, rank INTEGER, shape TEXT, tone TEXT, family TEXT,
  stock INTEGER
);
CREATE TABLE spec (product INTEGER, place INTEGER, name TEXT, value TEXT);
CREATE TABLE variant (
  sku TEXT PRIMARY KEY, product INTEGER, first TEXT NOT NULL, second TEXT NOT NULL, stock INTEGER
);
CREATE TABLE option (product INTEGER, place INTEGER, name TEXT);
CREATE VIRTUAL TABLE words USING fts5(name, brand, category, details, content='', tokenize='porter unicode61');
"""
INDEXES = """
CREATE INDEX by_category ON product (category);
CREATE INDEX spec_of ON spec (product);
CREATE INDEX variant_of ON variant (product);
CREATE INDEX option_of ON option (product);
"""


class DeliveryWay(msgspec.Struct, frozen=True):
    """A way of delivery: what it costs, and how many days sooner or later than usual it arrives."""

    name: str
    cents: int
    days: int


class Promo(msgspec.Struct, frozen=True):
    """A code that takes some per cent off from a sum on."""

    code: str
    percent: int
    least: int


class Shop(msgspec.Struct, frozen=True):
    """One shop's way. `share` is how much of the world's goods it carries, `level` how dear it is, `sale` how often
    something is reduced. The first delivery is the usual one, and free from `free_over` on."""

    name: str
    title: str
    prefix: str
    share: float
    level: float
    sale: float
    deliveries: tuple[DeliveryWay, ...]
    free_over: int
    returns_days: int
    gift_wrap: int
    promos: tuple[Promo, ...]
    phone: str
    hours: str

    def table(self, name: str) -> str:
        return f"{self.name}_{name}"

    def delivery(self, name: str) -> DeliveryWay | None:
        return next((way for way in self.deliveries if way.name == name), None)

    def promo(self, code: str) -> Promo | None:
        return next((promo for promo in self.promos if promo.code == code.strip().upper()), None)


def build(shop: Shop, world: World, facts: sqlite3.Connection) -> None:
    """Put the shop's range on its shelves."""
    facts.executescript(SCHEMA)
    for good in goods(world):
        rng = world.rng("shop", shop.name, good.slug)
        if rng.random() < shop.share:
            _stock(shop, good, rng, facts)
    facts.executescript(INDEXES)


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """What the search engine knows of a shop."""
    for kind in BY_SLUG.values():
        yield IndexEntry(f"/c/{kind.slug}", kind.title, f"Shop {kind.title.lower()} in {kind.department}.")
    for row in facts.execute("SELECT slug, name, brand, category FROM product ORDER BY id"):
        pitch = " ".join(BY_SLUG[row["category"]].pitch)
        yield IndexEntry(
            f"/p/{row['slug']}", row["name"], f"{BY_SLUG[row['category']].title} by {row['brand']}. {pitch}"
        )


def _stock(shop: Shop, good: Good, rng: Random, facts: sqlite3.Connection) -> None:
    kind = BY_SLUG[good.kind]
    price = _price(good.cents * shop.level * rng.uniform(0.88, 1.14), rng)
    was = _price(price * rng.uniform(1.15, 1.6), rng) if rng.random() < shop.sale else None
    reviews = min(int(rng.paretovariate(0.7)) + rng.randint(0, 40), 3800)
    rating = round(rng.triangular(3.1, 5.0, 4.4), 1)
    variants = _variants(shop, good, rng)
    row = (
        good.number, good.slug, good.name, good.brand, kind.department, good.kind, price, was, rating, reviews,
        rng.choice((2, 3, 3, 4, 6)), rng.randint(1, 10**6), kind.shape, good.tone, good.family,
        sum(variant[-1] for variant in variants),
    )  # fmt: skip
    facts.execute(f"INSERT INTO product VALUES ({','.join('?' * len(row))})", row)
    specs = [(good.number, place, *pair) for place, pair in enumerate(good.specs.items())]
    facts.executemany("INSERT INTO spec VALUES (?,?,?,?)", specs)
    facts.executemany(
        "INSERT INTO option VALUES (?,?,?)", [(good.number, i, name) for i, name in enumerate(good.options)]
    )
    facts.executemany("INSERT INTO variant VALUES (?,?,?,?,?)", variants)
    words = (good.number, good.name, good.brand, f"{kind.title} {kind.department}", " ".join(good.specs.values()))
    facts.execute("INSERT INTO words (rowid, name, brand, category, details) VALUES (?,?,?,?,?)", words)


def _variants(shop: Shop, good: Good, rng: Random) -> list[tuple[str, int, str, str, int]]:
    values = list(good.options.values())
    firsts = values[0] if values else ("",)
    seconds = values[1] if len(values) > 1 else ("",)
    pairs = [(first, second) for first in firsts for second in seconds]
    return [
        (f"{shop.prefix}-{good.number:04d}-{index:02d}", good.number, *pair, _left(rng, len(pairs)))
        for index, pair in enumerate(pairs)
    ]


def _left(rng: Random, variants: int) -> int:
    """How many are in stock; a thing without variants is seldom sold out."""
    return 0 if rng.random() < (0.14 if variants > 1 else 0.03) else rng.randint(1, 24)


def _price(cents: float, rng: Random) -> int:
    return max(199, int(cents // 100) * 100 + rng.choice((99, 99, 95, 49, 0)))
