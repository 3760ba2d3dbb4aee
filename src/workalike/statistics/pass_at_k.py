"""Several tries at one task: the chance that at least one of k succeeds (pass@k), and that all k do (pass^k).

Both are the unbiased estimators: over all ways to draw k of the n attempts there are, of which c succeeded. `1 - (1 -
c/n)^k` and `(c/n)^k` are not: they are wrong by as much as the chance varies from task to task.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from workalike.statistics.intervals import Estimate
from workalike.statistics.proportions import mean_rate


def pass_at(successes: int, attempts: int, k: int) -> float:
    """The chance that at least one of k attempts succeeds.

    >>> pass_at(2, 4, 1)
    0.5
    """
    _need(successes, attempts, k)
    return 1 - comb(attempts - successes, k) / comb(attempts, k)


def pass_all(successes: int, attempts: int, k: int) -> float:
    """The chance that all of k attempts succeed.

    >>> pass_all(2, 3, 2)
    0.3333333333333333
    """
    _need(successes, attempts, k)
    return comb(successes, k) / comb(attempts, k)


def mean_pass_at(tasks: Iterable[tuple[int, int]], k: int) -> Estimate:
    """pass@k over tasks, given as (successes, attempts); those with fewer than k attempts tell nothing."""
    return mean_rate([pass_at(successes, attempts, k) for successes, attempts in tasks if attempts >= k])


def mean_pass_all(tasks: Iterable[tuple[int, int]], k: int) -> Estimate:
    """pass^k over tasks, likewise."""
    return mean_rate([pass_all(successes, attempts, k) for successes, attempts in tasks if attempts >= k])


def _need(successes: int, attempts: int, k: int) -> None:
    if not (0 <= successes <= attempts and 1 <= k <= attempts):
        raise ValueError(f"{k} of {attempts} attempts with {successes} successes cannot be drawn")
