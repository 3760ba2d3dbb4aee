"""How far two judges agree on yes and no: Cohen's kappa, accuracy, precision, wrong alarms and misses, with intervals
that know that cases of one task go together."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from workalike.statistics.intervals import LEVEL, Estimate, clustered_rate

DRAWS = 1000
Pair = tuple[bool, bool]
"""What is true, and what was said."""


class Agreement(msgspec.Struct, frozen=True):
    """How far what was said agrees with what is true. `false_positives` is the share of what is wrong that was called
    right, `false_negatives` the share of what is right that was called wrong. A figure over nothing is None."""

    cases: int
    right: int
    kappa: Estimate
    accuracy: Estimate
    precision: Estimate
    false_positives: Estimate
    false_negatives: Estimate


def agreement(clusters: Mapping[Any, Sequence[Pair]]) -> Agreement:
    """The figures over cases in clusters (those of one task).

    >>> agreement({"a": [(True, True)], "b": [(False, False)], "c": [(False, False)]}).kappa.mean
    1.0
    """
    pairs = [pair for cluster in clusters.values() for pair in cluster]
    return Agreement(
        len(pairs),
        sum(true for true, _ in pairs),
        _kappa_interval(clusters),
        _rate(clusters, lambda true, said: true == said),
        _rate(clusters, lambda true, said: true if said else None),
        _rate(clusters, lambda true, said: said if not true else None),
        _rate(clusters, lambda true, said: not said if true else None),
    )


def kappa(pairs: Iterable[Pair]) -> float | None:
    """Cohen's kappa: agreement beyond what chance would give. None where one of the two answers never occurs.

    >>> kappa([(True, True), (True, False), (False, False), (False, False)])
    0.5
    """
    listed = list(pairs)
    count = len(listed)
    if not count:
        return None
    same = sum(true == said for true, said in listed) / count
    yes, said_yes = (sum(pair[place] for pair in listed) / count for place in (0, 1))
    chance = yes * said_yes + (1 - yes) * (1 - said_yes)
    return None if chance == 1 else (same - chance) / (1 - chance)


def pairwise_kappa(labels: Mapping[str, Mapping[Any, bool]]) -> Estimate:
    """The mean kappa of all pairs of labellers over what both have labelled. `labels` are by labeller, then case."""
    found: list[float] = []
    shared = 0
    for one, other in combinations(sorted(labels), 2):
        both = labels[one].keys() & labels[other].keys()
        value = kappa((labels[one][case], labels[other][case]) for case in both)
        shared += len(both)
        if value is not None:
            found.append(value)
    return Estimate(sum(found) / len(found) if found else None, count=shared)


def stability(votes: Iterable[Sequence[bool]]) -> Estimate:
    """The chance that two independent judgements of one case agree, over the cases with several."""
    shares = [_same(cast) for cast in votes if len(cast) > 1]
    return Estimate(sum(shares) / len(shares) if shares else None, count=len(shares))


def _same(cast: Sequence[bool]) -> float:
    pairs = list(combinations(cast, 2))
    return sum(one == other for one, other in pairs) / len(pairs)


def _rate(clusters: Mapping[Any, Sequence[Pair]], counts: Callable[[bool, bool], bool | None]) -> Estimate:
    """A share over the cases that count for it; those for which `counts` gives None do not."""
    values = {
        name: [float(value) for true, said in cluster if (value := counts(true, said)) is not None]
        for name, cluster in clusters.items()
    }
    return clustered_rate({name: each for name, each in values.items() if each})


def _kappa_interval(clusters: Mapping[Any, Sequence[Pair]], level: float = LEVEL) -> Estimate:
    """Kappa with an interval from drawing whole clusters anew, always by the same chance."""
    groups = [list(cluster) for cluster in clusters.values() if cluster]
    pairs = [pair for group in groups for pair in group]
    value = kappa(pairs)
    if value is None or len(groups) < 2:
        return Estimate(value, count=len(pairs))
    rng = random.Random(0)
    drawn = sorted(
        found
        for _ in range(DRAWS)
        if (found := kappa(pair for group in rng.choices(groups, k=len(groups)) for pair in group)) is not None
    )
    if not drawn:
        return Estimate(value, count=len(pairs))
    tail = (1 - level) / 2
    low, high = drawn[int(tail * len(drawn))], drawn[min(len(drawn) - 1, int((1 - tail) * len(drawn)))]
    return Estimate(value, min(low, value), max(high, value), len(pairs))
