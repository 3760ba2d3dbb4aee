"""What a comparison of two agents on the same tasks can tell: how many tasks a difference takes, how small a difference
some tasks can show. By the normal distribution, with Guenther's correction for not knowing the deviation."""

from __future__ import annotations

import math
from statistics import NormalDist

from workalike.statistics.intervals import LEVEL

POWER = 0.8


def tasks_needed(difference: float, deviation: float, power: float = POWER, level: float = LEVEL) -> int | None:
    """How many tasks it takes to find such a difference with this power, where the tasks' differences deviate so much;
    None where there is no difference to find.

    >>> tasks_needed(0.05, 0.5)
    787
    """
    if difference == 0:
        return None
    sought, sure = _quantile((1 + level) / 2), _quantile(power)
    needed = ((sought + sure) * deviation / difference) ** 2 + sought * sought / 2
    return max(2, math.ceil(needed - 1e-9))


def detectable(tasks: int, deviation: float, power: float = POWER, level: float = LEVEL) -> float | None:
    """The smallest difference that so many tasks find with this power; None where they are too few for any."""
    sought, sure = _quantile((1 + level) / 2), _quantile(power)
    left = tasks - sought * sought / 2
    return (sought + sure) * deviation / math.sqrt(left) if left > 0 else None


def _quantile(share: float) -> float:
    if not 0 < share < 1:
        raise ValueError(f"{share} is no chance between 0 and 1")
    return NormalDist().inv_cdf(share)
