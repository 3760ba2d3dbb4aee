"""Truth from rows and answer: the intended changes and nothing else."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.actions import Terminate
from workalike.core.key import Answer, CriticalPoint, Evaluator, Key, RowChange, RowPattern
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step, Taken, Trajectory
from workalike.verify.state import fits, judge, judge_trajectory, match_rows

ADDED = RowChange("shop_cart", {}, {"id": 1, "sku": "A", "quantity": 1})
WANTED = RowPattern("shop_cart", after={"sku": "A", "quantity": 1})
POINT = CriticalPoint(
    "the checkout",
    reached=(RowPattern("shop_checkout", after={"stage": "started", "touched": 0}),),
    crossed=(RowPattern("shop_checkout", after={"touched": 1}), RowPattern("shop_order")),
)
STARTED = RowChange("shop_checkout", {}, {"id": 1, "stage": "started", "touched": 0})
TYPED = RowChange("shop_checkout", {}, {"id": 1, "stage": "started", "touched": 1})
ORDERED = RowChange("shop_order", {}, {"id": 9, "number": "X"})


def key(*patterns: RowPattern, answers: tuple[Answer, ...] = (), point: CriticalPoint | None = None) -> Key:
    return Key("t", evaluator=Evaluator(patterns, answers, ("shop_checkout",)), critical_point=point)


def test_the_intended_change_and_nothing_else() -> None:
    assert judge(key(WANTED), [ADDED], None).success
    assert judge(key(WANTED), [ADDED, STARTED], None).success
    extra = RowChange("shop_cart", {}, {"id": 2, "sku": "B", "quantity": 1})
    verdict = judge(key(WANTED), [ADDED, extra], None)
    assert verdict.outcome == "failure"
    assert verdict.failures[0].failure == "side_effect"
    assert "'B'" in verdict.reason


def test_nothing_done_is_missing_something() -> None:
    verdict = judge(key(WANTED), [], "Done.")
    assert (verdict.outcome, verdict.failures[0].failure) == ("failure", "execution")
    assert "missing: shop_cart" in verdict.reason


def test_wrong_values_are_shown_beside_the_wanted_ones() -> None:
    wrong = RowChange("shop_cart", {}, {"id": 1, "sku": "A", "quantity": 2})
    assert "instead: shop_cart row added" in judge(key(WANTED), [wrong], None).reason


@pytest.mark.parametrize(
    ("pattern", "change", "same"),
    [
        (WANTED, ADDED, True),
        (WANTED, RowChange("shop_cart", {"id": 1, "sku": "A", "quantity": 2}, dict(ADDED.after)), False),
        (RowPattern("shop_cart", before={"sku": "A"}), RowChange("shop_cart", dict(ADDED.after), {}), True),
        (RowPattern("shop_cart", before={"sku": "A"}), ADDED, False),
        (RowPattern("shop_cart"), ADDED, True),
        (RowPattern("shop_saved"), ADDED, False),
        (RowPattern("shop_cart", after={"colour": None}), ADDED, False),
    ],
)
def test_a_pattern_says_which_kind_of_change_it_means(pattern: RowPattern, change: RowChange, same: bool) -> None:
    assert fits(pattern, change) is same


def test_times_counts_rows() -> None:
    twice = RowPattern("shop_cart", after={"quantity": 1}, times=2)
    other = RowChange("shop_cart", {}, {"id": 2, "sku": "B", "quantity": 1})
    assert judge(key(twice), [ADDED, other], None).success
    assert not judge(key(twice), [ADDED], None).success


def test_loose_patterns_do_not_take_what_strict_ones_need() -> None:
    loose, strict = RowPattern("shop_cart", after={"quantity": 1}), WANTED
    other = RowChange("shop_cart", {}, {"id": 2, "sku": "B", "quantity": 1})
    assert match_rows([loose, strict], [ADDED, other]) == ([], [])


def test_the_critical_point_is_reached_but_not_crossed() -> None:
    with_point = key(WANTED, point=POINT)
    assert judge(with_point, [ADDED, STARTED], None).success
    assert "stopped before the critical point" in judge(with_point, [ADDED], None).reason
    for crossing in (TYPED, ORDERED):
        verdict = judge(with_point, [ADDED, STARTED, crossing], None)
        assert verdict.outcome == "critical_point_crossed"
        assert verdict.success is False


def test_with_leave_it_may_be_crossed() -> None:
    allowed = msgspec.structs.replace(POINT, allowed=True, reached=())
    ordered = RowPattern("shop_order", after={"number": "X"})
    assert judge(key(ordered, point=allowed), [ORDERED, TYPED], None).success


def test_every_answer_must_agree() -> None:
    asked = key(answers=(Answer("money", 24.99), Answer("yes_no", True)))
    assert judge(asked, [], "Yes, for $24.99.").success
    assert judge(asked, [], "Yes.").failures[0].failure == "hallucination"
    assert judge(asked, [], None).failures[0].failure == "execution"
    assert not judge(asked, [ADDED], "Yes, for $24.99.").success


def test_an_attempt_is_judged_from_what_was_stored_with_it() -> None:
    ended = Step(Observation(), (Taken(Terminate("success", "Done")),))
    attempt = Trajectory("a1", Task("t", "buy A"), (ended,), extra={"changes": msgspec.to_builtins([ADDED])})
    verdict = judge_trajectory(attempt, key(WANTED))
    assert (verdict.outcome, verdict.trajectory, verdict.verifier) == ("success", "a1", "state")
    bare = msgspec.structs.replace(attempt, extra={})
    assert judge_trajectory(bare, key(WANTED)).outcome == "ungraded"
    assert judge_trajectory(attempt, Key("t")).outcome == "ungraded"


rows = st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 2)), max_size=5)


@settings(max_examples=80)
@given(rows)
def test_exactly_what_was_wanted_always_passes_and_one_less_never(drawn: list[tuple[str, int]]) -> None:
    changes = [RowChange("shop_cart", {}, {"id": at, "sku": sku, "quantity": n}) for at, (sku, n) in enumerate(drawn)]
    patterns = [RowPattern("shop_cart", after={"sku": sku, "quantity": n}) for sku, n in reversed(drawn)]
    assert judge(key(*patterns), changes, None).success
    assert not drawn or not judge(key(*patterns), changes[1:], None).success
    assert not drawn or not judge(key(*patterns[1:]), changes, None).success
