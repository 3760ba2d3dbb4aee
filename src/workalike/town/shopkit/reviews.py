"""What customers say about a product: drawn from chance that is always the same, and fitting its rating."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from random import Random

import msgspec

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


def reviews_of(product: sqlite3.Row, rng: Random, today: date, most: int = 6) -> list[Review]:
    """The latest few, newest first."""
    shown = []
    for ago in sorted(rng.sample(range(3, 400), min(most, product["reviews"]))):
        stars = max(1, min(5, round(rng.gauss(product["rating"], 0.8))))
        title, text = rng.choice(_SAID[stars])
        shown.append(Review(stars, title, text, rng.choice(_NAMES), today - timedelta(ago)))
    return shown


def spread(product: sqlite3.Row) -> list[tuple[int, int]]:
    """How many of the reviews gave five stars, four, …: adds up to the count, and leans as the rating does."""
    weights = [(stars, 2.0 ** (-1.4 * abs(stars - product["rating"]))) for stars in (5, 4, 3, 2, 1)]
    total = sum(weight for _, weight in weights)
    counts = [(stars, int(product["reviews"] * weight / total)) for stars, weight in weights]
    left = product["reviews"] - sum(count for _, count in counts)
    return [(stars, count + (left if place == 0 else 0)) for place, (stars, count) in enumerate(counts)]
