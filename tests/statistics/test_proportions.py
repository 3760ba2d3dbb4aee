"""Shares agree with published examples, stay within bounds, and hold as often as they say."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.statistics.intervals import Estimate
from workalike.statistics.proportions import mean_rate, share, stratified_rate

SCORES = st.lists(st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0]), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_shares_agree_with_newcombes_table(count: int, of: int, low: float, high: float) -> None:
    """Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, the score method."""
    found = share(count, of)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_a_share_of_nothing_is_undefined() -> None:
    assert share(0, 0) == mean_rate([]) == stratified_rate([[], []]) == Estimate(None)
    with pytest.raises(ValueError, match="3 of 2 is no share"):
        share(3, 2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_rate([0.5, 1.5])


def test_with_one_repeat_a_task_it_is_wilsons_interval() -> None:
    found, plain = mean_rate([1.0] * 81 + [0.0] * 182), share(81, 263)
    assert found.low == pytest.approx(plain.low)
    assert found.high == pytest.approx(plain.high)


def test_repeats_that_agree_are_no_further_tasks() -> None:
    """Three repeats that always come out alike tell no more than one; three that have nothing to do with each other
    tell three times as much."""
    alike, apart = mean_rate([1.0] * 20 + [0.0] * 20), mean_rate([1 / 3] * 20 + [2 / 3] * 20)
    assert alike.low is not None
    assert apart.low is not None
    assert alike.low == pytest.approx(share(20, 40).low)
    assert alike.count == 40
    assert apart.low > alike.low + 0.05


def test_the_macro_average_gives_every_category_one_weight() -> None:
    found = stratified_rate([[1.0, 1.0, 1.0, 1.0], [0.0]])
    assert (found.mean, found.count) == (0.5, 5)
    # By hand: 2² / (1/4 + 1/1) = 3.2 answers; Wilson's interval for 1.6 of 3.2.
    assert found.low == pytest.approx(0.1307, abs=1e-4)
    assert found.high == pytest.approx(0.8693, abs=1e-4)


@given(st.lists(SCORES, min_size=1, max_size=6))
def test_intervals_hold_their_mean_and_stay_between_0_and_1(strata: list[list[float]]) -> None:
    found = stratified_rate(strata)
    assert found.mean is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high > found.low


def _run(random: Random, tasks: int, rate: float, repeats: int, alike: float | None) -> list[float]:
    """A simulated run: tasks of different difficulty (the less `alike`, the more they differ), each with repeats."""
    chances = (random.betavariate(rate * alike, (1 - rate) * alike) if alike else rate for _ in range(tasks))
    return [sum(random.random() < chance for _ in range(repeats)) / repeats for chance in chances]


KINDS = [(1, None), (3, None), (3, 2.0), (3, 0.3)]
"""Repeats, and how alike tasks are: one repeat, then three of tasks that are equally hard, differ, differ widely."""


def coverage(tasks: int, rate: float, repeats: int, alike: float | None, runs: int) -> float:
    random, held = Random(f"{tasks} {rate} {repeats} {alike}"), 0
    for _ in range(runs):
        found = mean_rate(_run(random, tasks, rate, repeats, alike))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= rate <= found.high
    return held / runs


@pytest.mark.parametrize(("repeats", "alike"), KINDS)
def test_intervals_hold_about_as_often_as_they_say(repeats: int, alike: float | None) -> None:
    assert 0.92 <= coverage(50, 0.384, repeats, alike, 500) <= 0.985


@pytest.mark.sweep
@pytest.mark.parametrize(("repeats", "alike"), KINDS)
@pytest.mark.parametrize("rate", [0.05, 0.195, 0.384, 0.604, 0.9])
def test_coverage_over_ten_thousand_runs(rate: float, repeats: int, alike: float | None) -> None:
    """Within 1 % of 95 at the card's 609 tasks, at least 92 % at 50."""
    large, small = coverage(609, rate, repeats, alike, 10_000), coverage(50, rate, repeats, alike, 10_000)
    print(f"coverage at rate {rate}, {repeats} repeats, alike {alike}: 609 tasks {large:.4f}, 50 tasks {small:.4f}")
    assert abs(large - 0.95) <= 0.01
    assert small >= 0.92


@pytest.mark.sweep
@pytest.mark.parametrize("sizes", [(56, 51, 52, 52, 80, 57, 48, 50, 51, 57, 55), (5,) * 11, (1, 2, 3, 20, 24)])
@pytest.mark.parametrize(("repeats", "alike"), KINDS)
def test_the_macro_average_is_never_held_too_sure(sizes: tuple[int, ...], repeats: int, alike: float | None) -> None:
    random, held = Random(f"{sizes} {repeats} {alike}"), 0
    rates = [0.2 + 0.6 * place / len(sizes) for place in range(len(sizes))]
    truth = sum(rates) / len(rates)
    for _ in range(2_000):
        runs = [_run(random, tasks, rate, repeats, alike) for tasks, rate in zip(sizes, rates, strict=True)]
        found = stratified_rate(runs)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    print(f"macro coverage, {len(sizes)} categories, {repeats} repeats, alike {alike}: {held / 2_000:.4f}")
    assert held / 2_000 >= 0.935
