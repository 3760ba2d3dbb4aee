"""What customers say about a product: drawn from chance that is always the same, and fitting its rating."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from random import Random

import msgspec

from workalike.town.shopkit.shop import Shop
from workalike.town.world import World

FEW, MOST = 6, 12
"""How many reviews a product's page shows, and how many there are to be read."""
_NAMES = (
    "Hannah P.",
    "J. Mercer",
    "Tilda",
    "R. Osei",
    "Bea K.",
    "Martin L.",
    "Yuki",
    "Sam W.",
    "D. Ferreira",
    "Lotte",
    "Ada N.",
    "Colin",
)
_SAID = {
    5: (
        ("Exactly right", "Arrived quickly and does what it should. I have since bought a second one for my sister."),
        ("Worth every cent", "Well made, and it feels like it will last. Looks better than in the pictures."),
        ("Happy", "Have used it every day for two months and would not change a thing."),
    ),
    4: (
        ("Very good", "Nearly perfect. One small scratch on arrival, otherwise lovely."),
        ("Good quality", "A little bigger than I had pictured, but I have grown fond of it."),
        ("Would buy again", "Does the job nicely. The packaging could be simpler."),
    ),
    3: (
        ("Fine", "It is all right for the price. I expected slightly more from this brand."),
        ("Mixed feelings", "Looks good, but the colour is duller than on my screen."),
    ),
    2: (("Not for me", "Sent it back after a week. Customer service was friendly about it."),),
    1: (("Disappointed", "Broke within a month. The replacement is better so far."),),
}  # fmt: skip


class Review(msgspec.Struct, frozen=True):
    """One customer's word."""

    stars: int
    title: str
    text: str
    by: str
    when: date


class Quirk(msgspec.Struct, frozen=True):
    """Something about a product that only its customers tell: one of them, in words that stand nowhere else."""

    name: str
    stars: int
    title: str
    text: str


QUIRKS = (
    Quirk("broke", 1, "Gave up early", "Stopped working after three weeks of normal use, and nobody had dropped it."),
    Quirk("smell", 2, "My nose says no", "Smelled so strongly of chemicals that it spent a fortnight on the balcony."),
    Quirk("incomplete", 2, "Something missing", "Came without one of its parts; I had to write three times to get it."),
    Quirk("small", 3, "Doll's house", "A good deal tinier than the photographs make you believe."),
    Quirk("present", 5, "She cried", "Gave it to my mother for her seventieth, and it was the present of the evening."),
    Quirk("lasting", 5, "Five years on", "Mine has survived two house moves and a toddler, and still looks new."),
)


def quirk_of(world: World, shop: Shop, product: sqlite3.Row) -> Quirk | None:
    """What customers of a shop have noticed about a product; about many, nothing."""
    rng = world.rng("quirk", shop.name, product["slug"])
    return rng.choice(QUIRKS) if product["reviews"] > FEW and rng.random() < 0.6 else None


def reviews_of(product: sqlite3.Row, rng: Random, today: date, quirk: Quirk | None = None) -> list[Review]:
    """The latest, newest first. What is peculiar about a product is told once, and not at the very top."""
    days = sorted(rng.sample(range(3, 400), min(MOST, product["reviews"])))
    told = rng.randrange(2, len(days)) if quirk and len(days) > 2 else None
    shown = []
    for place, ago in enumerate(days):
        stars = max(1, min(5, round(rng.gauss(product["rating"], 0.8))))
        title, text = rng.choice(_SAID[stars])
        if quirk is not None and place == told:
            stars, title, text = quirk.stars, quirk.title, quirk.text
        shown.append(Review(stars, title, text, rng.choice(_NAMES), today - timedelta(ago)))
    return shown


def spread(product: sqlite3.Row) -> list[tuple[int, int]]:
    """How many of the reviews gave five stars, four, …: adds up to the count, and leans as the rating does."""
    weights = [(stars, 2.0 ** (-1.4 * abs(stars - product["rating"]))) for stars in (5, 4, 3, 2, 1)]
    total = sum(weight for _, weight in weights)
    counts = [(stars, int(product["reviews"] * weight / total)) for stars, weight in weights]
    left = product["reviews"] - sum(count for _, count in counts)
    return [(stars, count + (left if place == 0 else 0)) for place, (stars, count) in enumerate(counts)]
