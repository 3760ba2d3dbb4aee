"""Two agents on the same tasks: how far apart, how surely, and whether chance alone would do it.

Tasks are the unit: the repeats of a task are its score. What both find hard falls out of the difference, so that the
same tasks tell far more than two runs on tasks of their own would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev

import msgspec

from workalike.statistics.intervals import LEVEL
from workalike.statistics.proportions import mean_rate

DRAWS = 20_000
EXACT_BITS = 50_000_000
"""How large the exact distribution of a permutation test may become: some milliseconds."""


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first agent's mean score less the second's, over `tasks` that both have; how many of them are better, worse
    and alike with the first; `p` of the permutation test, `deviation` of the tasks' differences."""

    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    tasks: int = 0
    better: int = 0
    worse: int = 0
    alike: int = 0
    deviation: float | None = None


def compare(pairs: Sequence[tuple[float, float]], level: float = LEVEL) -> Comparison:
    """Compare two agents by their scores (0 to 1) at each task.

    >>> compare([(1, 0), (1, 1), (0.5, 0), (1, 0)]).better
    3
    """
    if not pairs:
        return Comparison(None)
    differences = [first - second for first, second in pairs]
    low, high = difference_interval(pairs, level)
    return Comparison(
        fmean(differences),
        low,
        high,
        sign_flip(differences),
        len(pairs),
        sum(each > _ALIKE for each in differences),
        sum(each < -_ALIKE for each in differences),
        sum(abs(each) <= _ALIKE for each in differences),
        stdev(differences) if len(differences) > 1 else None,
    )


def difference_interval(
    pairs: Sequence[tuple[float, float]], level: float = LEVEL
) -> tuple[float | None, float | None]:
    """Newcombe's interval for a difference of paired rates (his tenth method), which never leaves -1 to 1: both means'
    own intervals put together with the correlation between them."""
    first, second = mean_rate([a for a, _ in pairs], level), mean_rate([b for _, b in pairs], level)
    if first.mean is None or first.low is None or first.high is None:
        return None, None
    assert second.mean is not None
    assert second.low is not None
    assert second.high is not None
    along = correlation(pairs)
    below = _together(first.mean - first.low, second.high - second.mean, along)
    above = _together(first.high - first.mean, second.mean - second.low, along)
    difference = first.mean - second.mean
    return max(-1.0, difference - below), min(1.0, difference + above)


def sign_flip(differences: Sequence[float]) -> float:
    """The two-sided p of the permutation test: how often a difference as large comes about when, task by task, a coin
    says which agent is which. Exact where scores are fractions with small denominators, as shares of repeats are;
    otherwise by drawing, with the one that was seen counted in, so that it is never 0.

    >>> sign_flip([1, 1, 1, 1, 1])
    0.0625
    """
    moved = [abs(each) for each in differences if abs(each) > _ALIKE]
    seen = abs(math.fsum(differences))
    if not moved:
        return 1.0
    whole = _whole(moved)
    if whole is None or (sum(whole) + 1) * (len(whole) + 1) > EXACT_BITS:
        return _drawn(moved, seen)
    scale = whole[0] / moved[0]
    return _exact(whole, round(seen * scale))


def holm(chances: Sequence[float]) -> list[float]:
    """p of several comparisons made at once, each as large as it must be so that all together err as seldom as one.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    adjusted, largest = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, chances[place] * (len(chances) - rank)))
        adjusted[place] = largest
    return adjusted


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Pearson's, 0 where one of the two does not vary."""
    mean_a, mean_b = fmean(a for a, _ in pairs), fmean(b for _, b in pairs)
    both = math.fsum((a - mean_a) * (b - mean_b) for a, b in pairs)
    alone = math.fsum((a - mean_a) ** 2 for a, _ in pairs) * math.fsum((b - mean_b) ** 2 for _, b in pairs)
    return max(-1.0, min(1.0, both / math.sqrt(alone))) if alone > 0 else 0.0


_ALIKE = 1e-9
_LARGEST = 5040
"""The smallest number that all counts of repeats up to 10 divide, doubled: the denominators that are tried."""


def _together(one: float, other: float, along: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * along * one * other + other * other))


def _whole(sizes: Sequence[float]) -> list[int] | None:
    """The same sizes as whole numbers, by the smallest scale that makes them so; None where there is none."""
    for scale in range(1, _LARGEST + 1):
        if all(abs(size * scale - round(size * scale)) < 1e-6 for size in sizes):
            return [round(size * scale) for size in sizes]
    return None


def _exact(sizes: Sequence[int], seen: int) -> float:
    """Over all 2^n ways to sign the sizes. The number of ways to each sum stands in one large integer, a field a sum:
    a further size is a shift and an addition."""
    if seen == 0:
        return 1.0
    width, ways = len(sizes) + 1, 1
    for size in sizes:
        ways += ways << (size * width)
    # Field j holds the ways to the sum 2j - total; the distribution is the same on both sides.
    tail = ways & ((1 << (width * ((sum(sizes) - seen) // 2 + 1))) - 1)
    extreme, mask = 0, (1 << width) - 1
    while tail:
        extreme += tail & mask
        tail >>= width
    return min(1.0, 2 * extreme / (1 << len(sizes)))


def _drawn(sizes: Sequence[float], seen: float, draws: int = DRAWS) -> float:
    random = Random(len(sizes))
    reached = 1
    for _ in range(draws):
        bits = random.getrandbits(len(sizes))
        total = math.fsum(size if bits >> place & 1 else -size for place, size in enumerate(sizes))
        reached += abs(total) >= seen - _ALIKE
    return reached / (draws + 1)
