"""How many tasks a difference takes: published tables, and what simulation says of them."""

from __future__ import annotations

from random import Random

import pytest

from workalike.statistics.paired import sign_flip
from workalike.statistics.power import detectable, tasks_needed


@pytest.mark.parametrize(
    ("effect", "power", "pairs"), [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.5, 0.9, 44)]
)
def test_agrees_with_the_tables_for_paired_comparisons(effect: float, power: float, pairs: int) -> None:
    """Cohen's small, medium and large effects: 199, 34 and 15 pairs for 80 % power, 44 for 90 % at a medium one."""
    assert tasks_needed(effect, 1.0, power) == pairs


def test_there_and_back() -> None:
    needed = tasks_needed(0.05, 0.4)
    assert needed is not None
    assert detectable(needed, 0.4) == pytest.approx(0.05, rel=0.01)


def test_what_cannot_be_found() -> None:
    assert tasks_needed(0.0, 0.5) is None
    assert detectable(1, 0.5) is None
    with pytest.raises(ValueError, match="no chance"):
        tasks_needed(0.1, 0.5, power=1.0)


def test_so_many_tasks_do_find_it() -> None:
    """Differences in thirds with a mean of 0.18: about 80 of 100 simulated comparisons find it with the tasks named.
    (With single answers the exact test is coarser, and finds it a little less often.)"""
    random, sizes, chances = Random(8), [-2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1], [0.05, 0.15, 0.3, 0.3, 0.1, 0.1]
    mean = sum(map(float.__mul__, map(float, sizes), chances))
    deviation = (sum(chance * (size - mean) ** 2 for size, chance in zip(sizes, chances, strict=True))) ** 0.5
    needed = tasks_needed(mean, deviation)
    assert needed is not None
    found = sum(sign_flip(random.choices(sizes, chances, k=needed)) < 0.05 for _ in range(1000))
    assert 0.75 <= found / 1000 <= 0.85
