"""Intervals agree with tables, stay within bounds, and say nothing about nothing."""

from __future__ import annotations

from random import Random

import pytest

from workalike.statistics.intervals import Estimate, clustered_mean, clustered_rate, student_t


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


def test_a_rate_stays_between_0_and_1() -> None:
    """Nine tasks all right and one nearly so: around the mean alone the interval would reach beyond 1."""
    nearly = {task: [1.0, 1.0, 1.0 if task else 0.4] for task in range(10)}
    beyond, within = clustered_mean(nearly), clustered_rate(nearly)
    assert beyond.high is not None
    assert beyond.high > 1
    assert within.low is not None
    assert within.high is not None
    assert within.mean == beyond.mean
    assert 0.8 < within.low < 0.98 < within.high <= 1


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_where_nothing_spreads_there_is_room_for_doubt(value: float) -> None:
    few, many = (clustered_rate({task: [value] for task in range(tasks)}) for tasks in (5, 500))
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    assert few.high - few.low > 0.2 > 0.01 > many.high - many.low > 0
    assert value in (few.low, few.high)


def test_far_from_the_ends_a_rate_has_the_interval_of_a_mean() -> None:
    random = Random(4)
    values = {task: [float(random.random() < 0.5) for _ in range(5)] for task in range(400)}
    plain, rate = clustered_mean(values), clustered_rate(values)
    assert plain.low is not None
    assert rate.low is not None
    assert rate.low == pytest.approx(plain.low, abs=0.002)


def test_intervals_of_rates_hold_as_often_as_they_say() -> None:
    """Near the end, where it is hardest: at least 90 of 100 hold the truth, and none leaves 0 to 1."""
    random, held = Random(11), 0
    for _ in range(400):
        tasks = {task: [float(random.random() < 0.95) for _ in range(4)] for task in range(20)}
        found = clustered_rate(tasks)
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 1
        held += found.low <= 0.95 <= found.high
    assert held >= 360


def test_what_is_no_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        clustered_rate({"a": [3.0], "b": [0.0]})
    assert clustered_rate({}) == Estimate(None)
