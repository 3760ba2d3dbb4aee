"""How sure a share is: of attempts that came out so, of tasks solved, of categories taken together. Every interval
stays between 0 and 1, and is undefined (None) where there is nothing to tell it from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean

from workalike.statistics.intervals import LEVEL, Estimate, wilson

DOUBT = 0.5
"""How many answers' worth of doubt there is that a task's repeats tell more than one answer: without it, a handful of
tasks that happen to agree would make the interval too narrow (simulated: 91 % instead of 95 at 50 tasks)."""


def share(count: int, of: int, level: float = LEVEL) -> Estimate:
    """A share of independent things, with Wilson's score interval.

    >>> found = share(0, 10)
    >>> found.low, round(found.high, 4)
    (0.0, 0.2775)
    """
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of} is no share")
    return _around(count / of, of, of, level) if of else Estimate(None)


def mean_rate(scores: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of tasks' scores between 0 and 1, one a task: a task's repeats go together, so that they make its score
    surer and are not counted as further tasks.

    It is Wilson's interval for the number of independent answers that would spread as much as the tasks do; with one
    repeat a task, and where all repeats of each agree, that is the number of tasks.
    """
    return stratified_rate([scores], level)


def stratified_rate(strata: Sequence[Sequence[float]], level: float = LEVEL) -> Estimate:
    """The mean of the means of strata, all of one weight (the macro average over categories), from tasks' scores."""
    filled = [scores for scores in strata if scores]
    if not filled:
        return Estimate(None)
    if any(not 0 <= score <= 1 for scores in filled for score in scores):
        raise ValueError("a rate is the mean of values between 0 and 1")
    rate = fmean(map(fmean, filled))
    worth = len(filled) ** 2 / math.fsum(1 / len(scores) for scores in filled)
    return _around(rate, worth / _spread(filled, rate, worth), sum(map(len, filled)), level)


def _spread(strata: Sequence[Sequence[float]], rate: float, worth: float) -> float:
    """How much tasks spread, against answers of yes or no: 1 where they are such answers, 1/3 where each is the mean of
    three that have nothing to do with each other. `worth` is how many tasks the mean of means is worth."""
    known = worth * min(rate, 1 - rate)
    if known == 0:
        return 1.0
    seen = fmean(fmean((score - rate) ** 2 for score in scores) for scores in strata)
    return (seen / (rate * (1 - rate)) * known + DOUBT) / (known + DOUBT)


def _around(rate: float, answers: float, count: int, level: float) -> Estimate:
    low, high = wilson(rate, answers, NormalDist().inv_cdf((1 + level) / 2))
    return Estimate(rate, min(low, rate), max(high, rate), count)
