"""Two agents on the same tasks: published examples, exactness against enumeration, and what chance alone does."""

from __future__ import annotations

from itertools import product
from math import comb, fsum
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.statistics import paired
from workalike.statistics.paired import Comparison, compare, correlation, difference_interval, holm, sign_flip

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
APPROVAL = [(1.0, 1.0)] * 794 + [(1.0, 0.0)] * 150 + [(0.0, 1.0)] * 86 + [(0.0, 0.0)] * 570


def test_fishers_permutation_of_darwins_plants() -> None:
    """Fisher 1935, "The Design of Experiments", section 21: 863 of 2^15 signings reach the sum of 314, on each side."""
    assert sum(DARWIN) == 314
    assert sign_flip(DARWIN) == 2 * 863 / 2**15


def test_ratings_of_a_prime_minister() -> None:
    """Agresti, "Categorical Data Analysis", section 10.1: 59 % and 55 % approve, the difference 0.04 with an interval
    from 0.02 to 0.06, and McNemar's test far beyond chance."""
    found = compare(APPROVAL)
    assert found.difference == pytest.approx(0.04)
    assert found.tasks == 1600
    assert (found.better, found.worse, found.alike) == (150, 86, 1364)
    assert found.low == pytest.approx(0.02, abs=0.002)
    assert found.high == pytest.approx(0.06, abs=0.002)
    exact = 2 * sum(comb(236, n) for n in range(87)) / 2**236
    assert found.p == pytest.approx(exact, rel=1e-9)
    assert exact < 1e-4


def test_with_one_repeat_it_is_mcnemars_exact_test() -> None:
    pairs = [(1.0, 0.0)] * 9 + [(0.0, 1.0)] * 2 + [(1.0, 1.0)] * 30
    assert compare(pairs).p == pytest.approx(2 * (1 + 11 + 55) / 2**11)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=10))
def test_exact_is_what_counting_all_signings_gives(thirds: list[int]) -> None:
    sizes = [abs(each) for each in thirds]
    seen = abs(sum(thirds))
    reached = sum(abs(sum(map(int.__mul__, sizes, signs))) >= seen for signs in product((1, -1), repeat=len(sizes)))
    assert sign_flip([each / 3 for each in thirds]) == pytest.approx(reached / 2 ** len(sizes))


def test_what_has_no_small_denominator_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    thirds = [Random(5).choice([-1 / 3, 1 / 3, 2 / 3]) for _ in range(60)]
    exact = sign_flip(thirds)
    monkeypatch.setattr(paired, "EXACT_BITS", 0)
    assert sign_flip(thirds) == pytest.approx(exact, abs=0.01)
    assert sign_flip([2**0.5, 3**0.5, -(5**0.5)]) == pytest.approx(1.0, abs=0.3)
    assert 0 < sign_flip([1 + n**0.5 for n in range(40)]) < 0.001


def test_no_difference_and_nothing() -> None:
    assert compare([]) == Comparison(None)
    same = compare([(0.5, 0.5), (1.0, 1.0)])
    assert (same.difference, same.p, same.alike) == (0.0, 1.0, 2)
    assert same.low is not None
    assert same.high is not None
    assert same.low <= 0 <= same.high


@given(st.lists(st.tuples(st.sampled_from([0, 0.5, 1.0]), st.sampled_from([0, 0.5, 1.0])), min_size=1, max_size=25))
def test_intervals_of_differences_stay_within_bounds(pairs: list[tuple[float, float]]) -> None:
    low, high = difference_interval(pairs)
    assert low is not None
    assert high is not None
    difference = fsum(a - b for a, b in pairs) / len(pairs)
    assert -1 <= low <= difference + 1e-12
    assert difference - 1e-12 <= high <= 1


def test_correlation() -> None:
    assert correlation([(0, 0), (1, 1), (0.5, 0.5)]) == pytest.approx(1)
    assert correlation([(0, 1), (1, 0)]) == pytest.approx(-1)
    assert correlation([(1, 0), (1, 1)]) == 0


def test_holms_own_rule() -> None:
    """The smallest is multiplied by how many there are, the next by one fewer, and none falls below the one before."""
    assert holm([0.005, 0.011, 0.02, 0.04, 0.13]) == pytest.approx([0.025, 0.044, 0.06, 0.08, 0.13])
    assert holm([0.8, 0.9]) == [1.0, 1.0]


def _two_alike(random: Random, tasks: int, first: float, second: float) -> list[tuple[float, float]]:
    pairs = []
    for _ in range(tasks):
        hard = random.betavariate(0.5, 0.5) - 0.5
        chances = [min(1.0, max(0.0, rate + 2 * hard * min(rate, 1 - rate))) for rate in (first, second)]
        one, other = (sum(random.random() < chance for _ in range(3)) / 3 for chance in chances)
        pairs.append((one, other))
    return pairs


def _held(tasks: int, first: float, second: float, runs: int) -> tuple[float, float]:
    """How often the interval holds the true difference, and how often p is below 0.05."""
    random, held, found = Random(f"{tasks} {first} {second}"), 0, 0
    for _ in range(runs):
        seen = compare(_two_alike(random, tasks, first, second))
        assert seen.low is not None
        assert seen.high is not None
        assert seen.p is not None
        held += seen.low <= first - second <= seen.high
        found += seen.p < 0.05
    return held / runs, found / runs


def test_agents_alike_seldom_look_different() -> None:
    held, found = _held(50, 0.4, 0.4, 400)
    assert held >= 0.92
    assert found <= 0.08


@pytest.mark.sweep
@pytest.mark.parametrize(("first", "second"), [(0.4, 0.4), (0.5, 0.4), (0.1, 0.05), (0.95, 0.9), (0.9, 0.2)])
def test_coverage_of_differences(first: float, second: float) -> None:
    small, found = _held(50, first, second, 10_000)
    large, _ = _held(609, first, second, 2_000)
    print(f"difference {first} - {second}: 50 tasks {small:.4f}, 609 tasks {large:.4f}, p < 0.05 in {found:.4f}")
    assert small >= 0.92
    assert abs(large - 0.95) <= 0.02
    if first == second:
        assert found <= 0.05
