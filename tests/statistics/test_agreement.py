"""Agreement of two judges: known values, and figures over nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.statistics.agreement import agreement, kappa, pairwise_kappa, stability


def test_kappa_is_the_textbook_value() -> None:
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    assert kappa(pairs) == pytest.approx(0.4)
    assert kappa([]) is None
    assert kappa([(True, True)] * 9) is None
    assert kappa([(True, False), (False, True)]) == pytest.approx(-1)


def test_rates_are_over_what_they_speak_of() -> None:
    pairs = [(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] * 1 + [(False, False)] * 9
    figures = agreement(dict(enumerate([pair] for pair in pairs)))
    assert figures.cases == 18
    assert figures.accuracy.mean == pytest.approx(15 / 18)
    assert figures.precision.mean == pytest.approx(6 / 7)
    assert figures.false_positives.mean == pytest.approx(0.1)
    assert figures.false_negatives.mean == pytest.approx(0.25)
    assert (figures.false_positives.count, figures.false_negatives.count) == (10, 8)
    assert figures.kappa.low is not None
    assert figures.kappa.mean is not None
    assert figures.kappa.high is not None
    assert figures.kappa.low < figures.kappa.mean < figures.kappa.high


def test_figures_over_nothing_are_none() -> None:
    figures = agreement({"a": [(True, True)], "b": [(True, True)]})
    assert figures.kappa.mean is None
    assert figures.false_positives.mean is None
    assert agreement({}).accuracy.mean is None


def test_an_interval_knows_that_cases_of_a_task_go_together() -> None:
    said = [(number % 2 == 0, number % 2 == 0 or number % 10 == 1) for number in range(100)]
    alone = agreement(dict(enumerate([pair] for pair in said))).kappa
    same = agreement({number: [pair] * 4 for number, pair in enumerate(said[:25])}).kappa
    assert alone.high is not None
    assert alone.low is not None
    assert same.high is not None
    assert same.low is not None
    assert same.high - same.low > alone.high - alone.low


def test_people_among_themselves_and_votes_among_themselves() -> None:
    labels = {"a": {1: True, 2: False, 3: True}, "b": {1: True, 2: False}, "c": {4: True}}
    assert pairwise_kappa(labels).mean == 1
    assert pairwise_kappa({"a": {1: True}}).mean is None
    assert stability([[True, True, False], [True, True, True], [True]]).mean == pytest.approx((1 / 3 + 1) / 2)
    assert stability([]).mean is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_kappa_lies_within_its_bounds(pairs: list[tuple[bool, bool]]) -> None:
    value = kappa(pairs)
    assert value is None or -1 - 1e-9 <= value <= 1 + 1e-9
    assert value is None or value == pytest.approx(kappa([(said, true) for true, said in pairs]))
