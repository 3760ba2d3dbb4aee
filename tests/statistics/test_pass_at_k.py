"""pass@k and pass^k: by hand, by enumerating every draw, and unbiased where the plain powers are not."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from workalike.statistics.pass_at_k import mean_pass_all, mean_pass_at, pass_all, pass_at


def test_worked_by_hand() -> None:
    """Two of five attempts succeeded. Of the 10 ways to draw two, 3 have no success and 1 has two."""
    assert pass_at(2, 5, 2) == pytest.approx(0.7)
    assert pass_all(2, 5, 2) == pytest.approx(0.1)


def test_agrees_with_the_published_formula() -> None:
    """Chen et al. 2021 (arXiv 2107.03374): 1 - prod over i from n-c+1 to n of (1 - k/i)."""
    for n, c, k in ((200, 13, 10), (10, 3, 5), (100, 1, 100), (5, 5, 1)):
        product = 1.0
        for i in range(n - c + 1, n + 1):
            product *= 1 - k / i
        assert pass_at(c, n, k) == pytest.approx(1 - product)


@pytest.mark.parametrize("successes", range(6))
@pytest.mark.parametrize("k", range(1, 6))
def test_is_the_share_of_all_draws(successes: int, k: int) -> None:
    draws = list(combinations([True] * successes + [False] * (5 - successes), k))
    assert pass_at(successes, 5, k) == pytest.approx(fmean(map(any, draws)))
    assert pass_all(successes, 5, k) == pytest.approx(fmean(map(all, draws)))


def test_unbiased_where_the_power_of_the_mean_is_not() -> None:
    """Tasks with a chance of 0.1 or 0.9: the true pass^3 is the mean of the cubes, 0.365."""
    random = Random(3)
    chances = [random.choice((0.1, 0.9)) for _ in range(20_000)]
    tasks = [(sum(random.random() < chance for _ in range(5)), 5) for chance in chances]
    truth = fmean(chance**3 for chance in chances)
    assert mean_pass_all(tasks, 3).mean == pytest.approx(truth, abs=0.01)
    assert mean_pass_at(tasks, 3).mean == pytest.approx(1 - fmean((1 - chance) ** 3 for chance in chances), abs=0.01)
    assert abs(fmean(successes / 5 for successes, _ in tasks) ** 3 - truth) > 0.2
    assert abs(fmean((successes / 5) ** 3 for successes, _ in tasks) - truth) > 0.015


def test_tasks_with_too_few_attempts_tell_nothing() -> None:
    found = mean_pass_at([(1, 3), (0, 1), (3, 3)], 2)
    assert found.count == 2
    assert found.mean == pytest.approx((2 / 3 + 1) / 2)
    assert mean_pass_at([(1, 1)], 2).mean is None
    with pytest.raises(ValueError, match="cannot be drawn"):
        pass_at(1, 2, 3)
