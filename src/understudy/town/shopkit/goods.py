"""The goods of the world, from which each shop takes its range: families of siblings that differ in one telling detail."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

import msgspec

from understudy.town.shopkit.kinds import KINDS, MODELS, Kind
from understudy.town.world import World

PER_KIND = 66


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
    """Every good of the world, the same for both shops."""
    made: list[Good] = []
    for kind in KINDS:
        rng = world.rng("goods", kind.slug)
        made.extend(_range(kind, rng, len(made)))
    return tuple(made)


def _range(kind: Kind, rng: Random, first: int) -> list[Good]:
    families = [(brand, model) for brand in kind.brands for model in MODELS]
    rng.shuffle(families)
    made: list[Good] = []
    for brand, model in families:
        siblings = _siblings(kind, brand, model, rng)
        for name, specs, cents in siblings:
            number = first + len(made)
            options = {title: _some(values, rng) for title, values in kind.options.items()}
            family = f"{brand} {model}"
            made.append(
                Good(
                    number, slugify(name), name, brand, kind.slug, family, cents, specs, options, rng.choice(kind.tones)
                )
            )
        if len(made) >= PER_KIND:
            break
    return made


def _siblings(kind: Kind, brand: str, model: str, rng: Random) -> list[tuple[str, dict[str, str], int]]:
    """One family: the same make in one to three sizes of its telling detail."""
    common = {title: rng.choice(values) for title, values in kind.specs.items()}
    low, high = kind.price
    base = low + (high - low) * rng.random() ** 1.7
    noun = rng.choice(kind.nouns)
    if kind.telling is None:
        return [(f"{brand} {model} {noun}", common, _round(base, rng))]
    values = kind.specs[kind.telling]
    wanted = min(len(values), rng.choice((1, 2, 2, 3)))
    chosen = sorted(rng.sample(range(len(values)), wanted))
    return [
        (
            f"{brand} {model} {noun}, {values[index]}",
            common | {kind.telling: values[index]},
            _round(base * (1 + 0.22 * (index - chosen[0])), rng),
        )
        for index in chosen
    ]


def _some(values: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """A run of the values on offer, in their own order."""
    keep = max(2, rng.randint(len(values) // 2, len(values)))
    dropped = set(rng.sample(range(len(values)), len(values) - min(keep, len(values))))
    return tuple(value for index, value in enumerate(values) if index not in dropped)


def _round(dollars: float, rng: Random) -> int:
    ending = rng.choice((99, 99, 95, 50, 0))
    return max(1, int(dollars)) * 100 + ending


def slugify(text: str) -> str:
    """
    >>> slugify("Torvald Linden Kettle, 1.7 L")
    'torvald-linden-kettle-1-7-l'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
