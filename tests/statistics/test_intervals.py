"""Intervals agree with tables, stay within bounds, and say nothing about nothing."""

from __future__ import annotations

import pytest

from workalike.statistics.intervals import Estimate, clustered_mean, student_t


@pytest.mark.parametrize(
    ("freedom", "critical"), [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (99, 1.984)]
)
def test_student_t_agrees_with_the_table(freedom: int, critical: float) -> None:
    assert student_t(freedom) == pytest.approx(critical, abs=5e-4)


def test_nothing_is_undefined_not_zero() -> None:
    assert clustered_mean({}) == clustered_mean({"a": []}) == Estimate(None, None, None, 0)


def test_one_cluster_tells_no_spread() -> None:
    assert clustered_mean({"a": [0.0, 1.0]}) == Estimate(0.5, None, None, 2)


def test_values_that_go_together_widen_the_interval() -> None:
    alone = clustered_mean({index: [index % 2] for index in range(20)})
    together = clustered_mean({index: [index % 2] * 5 for index in range(4)})
    assert alone.low is not None
    assert together.low is not None
    assert together.low < alone.low


def test_independent_values_give_the_textbook_interval() -> None:
    found = clustered_mean({value: [value] for value in (1.0, 2.0, 3.0, 4.0, 5.0)})
    assert found.mean == 3
    assert found.high == pytest.approx(3 + 2.776445 * (2.5 / 5) ** 0.5, abs=1e-5)
