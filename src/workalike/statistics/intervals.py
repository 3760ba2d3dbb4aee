"""Intervals around means. A mean over nothing is undefined, not zero: it is None here."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

LEVEL = 0.95


class Estimate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mean with the interval that holds it at the given level, and over how many it was taken. All three numbers
    are None where there was nothing to take a mean over; the bounds alone where one value tells no spread."""

    mean: float | None
    low: float | None = None
    high: float | None = None
    count: int = 0


def clustered_mean(values: Mapping[Any, Sequence[float]], level: float = LEVEL) -> Estimate:
    """The mean over all values with an interval that respects that values of one cluster go together (steps of one
    task, repeats of one task): the cluster-robust standard error of a ratio, with Student's t for few clusters."""
    clusters = [cluster for cluster in values.values() if cluster]
    count = sum(map(len, clusters))
    if count == 0:
        return Estimate(None)
    mean = math.fsum(map(math.fsum, clusters)) / count
    groups = len(clusters)
    if groups < 2:
        return Estimate(mean, None, None, count)
    spread = math.fsum((math.fsum(cluster) - mean * len(cluster)) ** 2 for cluster in clusters)
    error = math.sqrt(groups / (groups - 1) * spread) / count
    half = student_t(groups - 1, level) * error
    return Estimate(mean, mean - half, mean + half, count)


def clustered_rate(values: Mapping[Any, Sequence[float]], level: float = LEVEL) -> Estimate:
    """The mean of values between 0 and 1, with an interval that stays between them and knows the clusters, too.

    It is Wilson's interval with the number of independent answers that would spread as much as the clusters do. Where
    all values are 0 or all are 1 nothing spreads: then every cluster counts as one answer, so that ten tasks that were
    all right still leave room for doubt.
    """
    plain = clustered_mean(values, level)
    if plain.mean is None or plain.low is None:
        return plain
    rate, clusters = plain.mean, sum(1 for cluster in values.values() if cluster)
    if any(not 0 <= value <= 1 for cluster in values.values() for value in cluster):
        raise ValueError("a rate is the mean of values between 0 and 1")
    critical = student_t(clusters - 1, level)
    error = (rate - plain.low) / critical
    if error == 0 and 0 < rate < 1:
        return plain
    low, high = wilson(rate, rate * (1 - rate) / error**2 if error else clusters, critical)
    return Estimate(rate, min(low, rate), max(high, rate), plain.count)


def interval_told(estimate: Estimate, shown: Callable[[float], str]) -> str:
    """A value with its interval in words, or a dash where there is none.

    >>> interval_told(Estimate(0.5, 0.25, 0.75), lambda value: f"{value:.2f}")
    '0.50 [0.25, 0.75]'
    """
    if estimate.mean is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return shown(estimate.mean)
    return f"{shown(estimate.mean)} [{shown(estimate.low)}, {shown(estimate.high)}]"


def wilson(rate: float, answers: float, critical: float) -> tuple[float, float]:
    """Wilson's interval around a rate over some number of independent answers, which never leaves 0 to 1."""
    square = critical * critical / answers
    middle = (rate + square / 2) / (1 + square)
    half = math.sqrt(square * (rate * (1 - rate) + square / 4)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


@functools.cache
def student_t(freedom: int, level: float = LEVEL) -> float:
    """The two-sided critical value of Student's t, by bisection on its distribution."""
    if freedom < 1:
        raise ValueError("Student's t needs at least one degree of freedom")
    target = (1 + level) / 2
    low, high = 0.0, 1.0
    while _t_below(high, freedom) < target:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_below(middle, freedom) < target else (low, middle)
    return high


def _t_below(t: float, freedom: int) -> float:
    """The probability that Student's t lies below a positive value."""
    return 1 - 0.5 * _beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """Lentz's evaluation of the fraction's terms until they no longer matter."""
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    value = d
    for m in range(1, 400):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d, tiny)
            c = _away(1 + term / c, tiny)
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def _away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
