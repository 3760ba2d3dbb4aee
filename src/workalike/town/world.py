"""The world of the town: a seed and a date, from which every site, page and task follows byte for byte."""

from __future__ import annotations

import re
from datetime import date
from random import Random

import msgspec

from workalike.core.errors import BadInput

PINNED = {1: date(2026, 5, 4)}
"""The editions of the town: `town@1` is seed 1 on this date, for ever."""


class World(msgspec.Struct, frozen=True):
    """What everything is drawn from. The sites believe that it is `today`."""

    seed: int = 1
    today: date = PINNED[1]

    def rng(self, *names: object) -> Random:
        """A source of chance of its own for each name, so that one thing more here moves nothing elsewhere."""
        return Random("|".join(map(str, (self.seed, *names))))

    @property
    def pinned(self) -> bool:
        return PINNED.get(self.seed) == self.today

    @property
    def label(self) -> str:
        """How scores on this world are labelled."""
        return f"town@{self.seed}" if self.pinned else f"town@{self.seed}, {self.today.isoformat()}"


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
