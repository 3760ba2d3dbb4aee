"""The world of the town: a seed and a date, from which every site, page and task follows byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from random import Random
from typing import Literal
from zlib import crc32

import msgspec

from workalike.core.errors import BadInput

PINNED = {1: date(2026, 5, 4)}
"""The editions of the town: `town@1` is seed 1 on this date, for ever."""


Split = Literal["train", "test"]
TRAIN_SEEDS = 1000
"""How far the seed of an edition's train split lies from its own."""


class Chance(Random):
    """A source of chance that knows from which names it may draw: those of its world's split."""

    split: Split = "test"

    def share(self, names: Iterable[str]) -> tuple[str, ...]:
        """The half of some names that belongs to the split; the halves have nothing in common, and keep their order.

        >>> [len(World(split=split).rng().share(("Ash", "Birch", "Cedar", "Elm"))) for split in ("train", "test")]
        [2, 2]
        """
        known = tuple(names)
        half = sorted(known, key=lambda name: crc32(name.encode()))[self.split == "train" :: 2]
        return tuple(name for name in known if name in half)


class World(msgspec.Struct, frozen=True):
    """What everything is drawn from. The sites believe that it is `today`. Worlds to train in have seeds and names of
    their own, so that nothing learnt by heart there is of any use elsewhere."""

    seed: int | str = 1
    today: date = PINNED[1]
    split: Split = "test"

    def rng(self, *names: object) -> Chance:
        """A source of chance of its own for each name, so that one thing more here moves nothing elsewhere."""
        made = Chance("|".join(map(str, (self.seed, *names))))
        made.split = self.split
        return made

    def share(self, names: Iterable[str]) -> tuple[str, ...]:
        """The half of some names that may occur in this world."""
        return self.rng().share(names)

    def of(self, split: Split) -> World:
        """The world that tasks of a split are drawn from."""
        if split == self.split:
            return self
        seed = self.seed + TRAIN_SEEDS if isinstance(self.seed, int) else f"{self.seed}|train"
        return World(seed, self.today, split)

    @property
    def number(self) -> int | None:
        """The number of the edition that it is of, whatever the split and the date; None where its seed is a secret."""
        if isinstance(self.seed, str):
            return None
        return self.seed - (TRAIN_SEEDS if self.split == "train" else 0)

    @property
    def pinned(self) -> bool:
        return self.number is not None and PINNED.get(self.number) == self.today

    @property
    def label(self) -> str:
        """How scores on this world are labelled; a secret seed is not told."""
        if self.number is None:
            return f"town, a private edition, {self.today.isoformat()}"
        return f"town@{self.number}" if self.pinned else f"town@{self.number}, {self.today.isoformat()}"


def world_of(number: int) -> World:
    """The world of a pinned edition."""
    return World(number, PINNED[number])


def edition(name: str = "town@1", today: str | None = None) -> World:
    """The world of a benchmark's name; `today` moves its date (a date, or `now`).

    >>> edition("town").today.isoformat()
    '2026-05-04'
    """
    match = re.fullmatch(r"town(?:@(\d+))?", name)
    seed = int(match[1] or 1) if match else None
    if seed not in PINNED:
        raise BadInput(f"there is no edition {name!r} of the town; there are {', '.join(f'town@{n}' for n in PINNED)}")
    return World(seed, PINNED[seed] if today is None else _read_date(today))


def _read_date(text: str) -> date:
    if text == "now":
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"--today takes a date like 2026-05-04 or `now`, not {text!r}") from None
