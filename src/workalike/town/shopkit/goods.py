"""The goods of the world, from which each shop takes its range: families whose siblings differ in one detail."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

import msgspec

from workalike.town.shopkit.kinds import KINDS, MODELS, TONES, Kind
from workalike.town.world import Chance, World

PER_KIND = 50


class Good(msgspec.Struct, frozen=True):
    """One thing that can be bought somewhere, before any shop has put a price on it."""

    number: int
    slug: str
    name: str
    brand: str
    kind: str
    family: str
    cents: int
    specs: dict[str, str]
    options: dict[str, tuple[str, ...]]
    tone: str


@lru_cache(maxsize=4)
def goods(world: World) -> tuple[Good, ...]:
    """Every good of the world, the same for all shops."""
    made: list[Good] = []
    for kind in KINDS:
        made.extend(_range(kind, world.rng("goods", kind.slug), len(made)))
    return tuple(made)


def _range(kind: Kind, rng: Chance, first: int) -> list[Good]:
    families = [(brand, model) for brand in kind.brands for model in rng.share(MODELS)]
    rng.shuffle(families)
    made: list[Good] = []
    for brand, model in families:
        options = {title: _some(values, rng) for title, values in kind.options.items()}
        tone = rng.choice(TONES)
        for name, specs, cents in _siblings(kind, brand, model, rng):
            number, family = first + len(made), f"{brand} {model}"
            made.append(Good(number, slugify(name), name, brand, kind.slug, family, cents, specs, options, tone))
        if len(made) >= PER_KIND:
            break
    return made


def _siblings(kind: Kind, brand: str, model: str, rng: Random) -> list[tuple[str, dict[str, str], int]]:
    """One family: the same make in one to three sizes of its telling detail, the larger the dearer."""
    common = {title: rng.choice(values) for title, values in kind.specs.items()}
    low, high = kind.price
    base = low + (high - low) * rng.random() ** 1.7
    name = f"{brand} {model} {rng.choice(kind.nouns)}"
    if kind.telling is None:
        return [(name, common, _round(base, rng))]
    values = kind.specs[kind.telling]
    chosen = sorted(rng.sample(range(len(values)), min(len(values), rng.choice((1, 2, 2, 3)))))
    return [
        (
            f"{name}, {values[index]}",
            common | {kind.telling: values[index]},
            _round(base * (1 + 0.22 * (index - chosen[0])), rng),
        )
        for index in chosen
    ]


def _some(values: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """Some of the values on offer, in their own order."""
    keep = min(len(values), max(2, rng.randint(len(values) // 2, len(values))))
    dropped = rng.sample(range(len(values)), len(values) - keep)
    return tuple(value for index, value in enumerate(values) if index not in dropped)


def _round(dollars: float, rng: Random) -> int:
    return max(1, int(dollars)) * 100 + rng.choice((99, 99, 95, 50, 0))


def slugify(text: str) -> str:
    """
    >>> slugify("Torvald Linden Kettle, 1.7 L")
    'torvald-linden-kettle-1-7-l'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "").replace("é", "e")).strip("-")
