"""A tally told: totals, tables by field, and how long and how many tokens trajectories are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from workalike.dataset.tally import CHARACTERS_A_TOKEN, TEXTS, TOKEN_BIN, UNKNOWN, Tally

TABLES = {
    "systems": "system",
    "domains": "domain",
    "applications": "application",
    "calls": "action",
    "completed": "task completed",
    "qualities": "quality",
    "alignment_score": "alignment score",
    "efficiency_score": "efficiency score",
    "task_difficulty": "difficulty",
    "steps_judged": "step judged",
}
SCORES = ("alignment_score", "efficiency_score", "task_difficulty")


class NumberSpread(msgspec.Struct, frozen=True):
    """How a number is spread over trajectories; all None where there are none."""

    mean: float | None
    median: float | None
    ninetieth: float | None
    largest: float | None


class Stats(msgspec.Struct, frozen=True):
    """What is in a set. Tokens are estimated at four characters each; picture tokens are those of a Qwen2.5-VL model,
    for the pictures whose size the metadata tells."""

    rows: int
    steps: int
    bytes: int
    lengths: NumberSpread
    tokens: NumberSpread
    tokens_by_text: dict[str, int]
    picture_tokens: int
    pictures_measured: int
    tables: dict[str, dict[str, int]]
    length_counts: dict[int, int]


def describe(tally: Tally) -> Stats:
    """The stats of a tally; tables in the order of their counts, scores in their own."""
    tables = {name: _ordered(name, getattr(tally, name)) for name in TABLES}
    judged = sum(tables["steps_judged"].get(name, 0) for name in ("right", "wrong"))
    if tally.steps > judged:
        tables["steps_judged"][UNKNOWN] = tally.steps - judged
    return Stats(
        tally.rows,
        tally.steps,
        tally.size,
        spread(tally.lengths),
        spread({(bin_ + 0.5) * TOKEN_BIN: count for bin_, count in tally.token_bins.items()}),
        {name: tally.characters.get(name, 0) // CHARACTERS_A_TOKEN for name in TEXTS},
        tally.picture_tokens,
        tally.pictures_measured,
        tables,
        dict(sorted(tally.lengths.items())),
    )


def spread(counts: Mapping[Any, int]) -> NumberSpread:
    """Mean, median, ninetieth percentile and maximum of counted values.

    >>> spread({1: 1, 2: 1, 9: 1})
    Spread(mean=4.0, median=2, ninetieth=9, largest=9)
    """
    total = sum(counts.values())
    if not total:
        return NumberSpread(None, None, None, None)
    mean = sum(value * count for value, count in counts.items()) / total
    return NumberSpread(mean, _quantile(counts, total, 0.5), _quantile(counts, total, 0.9), max(counts))


def _quantile(counts: Mapping[Any, int], total: int, share: float) -> float:
    """The smallest value with at least this share of all values at or below it."""
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= share * total:
            return float(value) if isinstance(value, float) else value
    raise AssertionError("the counts add up to their total")


def _ordered(name: str, counts: Mapping[str, int]) -> dict[str, int]:
    if name in SCORES:
        return dict(sorted(counts.items(), key=lambda item: (item[0] == UNKNOWN, _number(item[0]))))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
