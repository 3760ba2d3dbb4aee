"""Every breakdown has its denominators, folds nothing in, and says nothing where there is nothing."""

from __future__ import annotations

from typing import Any

import pytest

from workalike.core.key import Evaluator, Key
from workalike.core.label import Label
from workalike.core.verdict import FailureClass, FailurePoint, Outcome
from workalike.report import breakdowns, safety
from workalike.report.results import Result
from workalike.verify.state import judge


def result(task: str, outcome: Outcome | None = "failure", repeat: int = 1, **more: Any) -> Result:
    filled = {"stop": "terminated", "steps": 10, "attempt": f"r/{task}/{repeat}.1", "tries": 1, **more}
    return Result(task, "c", repeat, outcome=outcome, **filled)


def points(*places: tuple[int | None, FailureClass]) -> tuple[FailurePoint, ...]:
    return tuple(FailurePoint(step, failure) for step, failure in places)


def test_all_attempts_are_in_one_kind_each() -> None:
    results = [
        result("a", "success"),
        result("b", "refused"),
        result("c", "blocked"),
        result("d", "ungraded"),
        result("e", None),
        result("f", None, stop="interrupted"),
        result("g", None, stop=None),
        result("h", None, stop=None, tries=0),
        result("i", None, damaged=True),
    ]
    judged = {"success": 1, "refused": 1, "blocked": 1, "ungraded": 1, "not judged": 1}
    assert breakdowns.outcomes(results) == {**judged, "did not finish": 3, "cannot be read": 1}
    ended = {"terminated": 5, "interrupted": 1, "cut off": 1, "not begun": 1, "cannot be read": 1}
    assert breakdowns.stops(results) == ended


def test_levels_come_from_easy_to_hard_and_tell_when_they_are_not_in_order() -> None:
    results = [
        result("a", "success", level="hard"),
        result("b", "failure", level="easy"),
        result("c", "success", level="easy"),
        result("d", "failure", level="odd"),
        result("e", "failure"),
    ]
    levels = breakdowns.by_level(results)
    assert [(part.name, part.score.mean, part.tasks) for part in levels] == [
        ("easy", 0.5, 2),
        ("hard", 1.0, 1),
        ("odd", 0.0, 1),
    ]
    assert breakdowns.disorder(levels) == [("hard", "easy")]
    assert breakdowns.by_level([result("e")]) == []


def test_a_task_with_several_demands_counts_in_each() -> None:
    results = [result("a", "success", demands=("filter", "compare")), result("b", demands=("filter",))]
    found = {part.name: (part.tasks, part.successes) for part in breakdowns.by_demand(results)}
    assert found == {"compare": (1, 1), "filter": (2, 1)}


def test_lengths_leave_out_what_did_not_finish() -> None:
    results = [
        result("a", "success", steps=5),
        result("b", "failure", steps=6),
        result("c", "failure", steps=300),
        result("d", None, steps=6, stop="interrupted"),
    ]
    found = {part.name: (part.successes, part.attempts) for part in breakdowns.by_length(results)}
    assert found == {"1–5": (1, 1), "6–10": (0, 1), "81 or more": (0, 1)}


def test_repeats() -> None:
    results = [result("a", "failure" if n == 1 else "success", n) for n in range(3)]
    results += [result("b", "success", n) for n in range(3)]
    found = breakdowns.repeats(results)
    assert found is not None
    assert found.at_least_one[2].mean == 1.0
    assert found.all_of[2].mean == pytest.approx((1 / 3 + 1) / 2)
    assert found.all_of[3].mean == 0.5
    assert (found.varying.mean, found.varying.count) == (0.5, 2)
    assert breakdowns.repeats([result("a")]) is None


def test_the_first_failure_is_the_earliest_one() -> None:
    results = [
        result("a", failures=points((None, "execution"), (7, "selection"), (2, "hallucination"))),
        result("b", failures=points((9, "side_effect"))),
        result("c", failures=points((None, "execution"))),
        result("d"),
        result("e", "success", failures=points((0, "selection"))),
    ]
    assert breakdowns.failure_classes(results) == {"execution": 1, "hallucination": 1, "side_effect": 1}
    assert breakdowns.failed(results) == 4
    first = breakdowns.first_failure(results)
    assert first is not None
    assert (first.failed, first.known, first.median_step, first.thirds) == (4, 2, 6.5, (1, 0, 1))
    assert first.median_share == pytest.approx((0.3 + 1.0) / 2)
    assert breakdowns.first_failure([result("c", failures=points((None, "execution")))]) is None


def judged(task: str, said: str, **key: Any) -> Result:
    """An attempt at a task that nothing has to be done for, as the town's own judge finds it by its last words."""
    refuse = bool(key.get("refuse"))
    verdict = judge(Key(task, evaluators=(Evaluator(status="refused" if refuse else "done"),), **key), (), said)
    known: dict[str, Any] = {"benchmark": "town@1", "refuse": refuse, "pair": str(key.get("pair", ""))}
    return result(task, verdict.outcome, failures=verdict.failures, **known)


def test_harmless_tasks_that_were_refused_are_over_refusals_with_and_without_a_twin() -> None:
    paired = [judged(f"a{n}", "ANSWER: refused", refuse=True, pair=f"p{n}") for n in range(10)]
    paired += [judged(f"b{n}", "ANSWER: refused", pair=f"p{n}") for n in range(10)]
    found = breakdowns.refusals(paired)
    assert found is not None
    assert (found.refused.mean, found.refused.count) == (1.0, 10)
    assert (found.over_refused.mean, found.over_refused.count) == (1.0, 10)
    assert safety.pair_rates(paired)[-1].twins["refused_twin"].mean == found.over_refused.mean
    plain = breakdowns.refusals([judged("c", "ANSWER: refused"), judged("d", "ANSWER: done")])
    assert plain is not None
    assert (plain.over_refused.mean, plain.over_refused.count) == (0.5, 2)
    assert breakdowns.refusals([judged("d", "ANSWER: done"), judged("e", "ANSWER: blocked")]) is None


def test_refusals_and_over_refusals_by_a_model_that_judges() -> None:
    results = [
        result("a", "refused", refuse=True),
        result("b", "failure", refuse=True),
        result("c", "refused"),
        result("d", "success"),
        result("e", "ungraded", refuse=True),
        result("f", "refused", attack=("buy", "review", "shown")),
    ]
    found = breakdowns.refusals(results)
    assert found is not None
    assert (found.refused.mean, found.refused.count) == (0.5, 2)
    assert (found.over_refused.mean, found.over_refused.count) == (0.5, 2)
    assert breakdowns.refusals([result("d", "success")]) is None


def test_process_against_outcome() -> None:
    results = [
        result("a", "success", process=0.9),
        result("b", "blocked", process=0.8),
        result("c", "success", process=0.5),
        result("d", "failure", process=0.1),
        result("e", "failure"),
    ]
    found = breakdowns.process_against_outcome(results)
    assert found is not None
    counts = (found.good_and_success, found.good_and_failure, found.poor_and_success, found.poor_and_failure)
    assert (found.both, *counts) == (4, 1, 1, 1, 1)
    assert found.mean_of_successes == pytest.approx(0.7)
    assert breakdowns.process_against_outcome([result("e")]) is None


def test_times_are_split_over_the_steps_that_tell() -> None:
    told = result("a", steps=4, seconds=12.0, model_seconds=4.0, browser_seconds=6.0)
    found = breakdowns.step_times([told, result("b", seconds=99.0)])
    assert found is not None
    assert (found.attempts, found.steps, found.model, found.browser, found.rest, found.total) == (
        1,
        4,
        1.0,
        1.5,
        0.5,
        3,
    )
    assert breakdowns.step_times([result("b")]) is None


def test_answers_strict_unreadable_and_recovered_are_three_numbers() -> None:
    unread = (FailurePoint(None, "unreadable_answer"),)
    results = [result("a", "success"), result("b", failures=unread), result("c", failures=unread), result("d")]
    found = breakdowns.answers(results, {"r/b/1.1": "success", "r/d/1.1": "success"})
    assert found is not None
    assert found.strict.mean == 0.25
    assert (found.format_failures.mean, found.format_failures.count) == (0.5, 4)
    assert found.recovered is not None
    assert found.recovered.mean == 0.5  # d was readable, and wrong
    alone = breakdowns.answers(results)
    assert alone is not None
    assert alone.recovered is None
    assert breakdowns.answers([result("a", "success")]) is None


def test_who_was_asked_again_is_counted_where_nothing_failed_by_it() -> None:
    found = breakdowns.answers([result("a", "success", asked_again=True), result("b", "success")])
    assert found is not None
    assert (found.asked_again.mean, found.asked_again.count) == (0.5, 2)
    assert found.format_failures.mean == 0


def test_what_was_recovered_counts_by_the_rule_of_all_verdicts() -> None:
    unread = (FailurePoint(None, "unreadable_answer"),)
    made_so, not_so = (result(name, failures=unread, walled=name == "a", benchmark="town@1") for name in "ab")
    found = breakdowns.answers([made_so, not_so], {"r/a/1.1": "unavailable", "r/b/1.1": "unavailable"})
    assert found is not None
    assert found.recovered is not None
    assert (found.strict.mean, found.recovered.mean) == (0.0, 0.5)


def test_agreement_with_the_truth() -> None:
    truth = {name: Label(name, name in "ab") for name in "abcd"}
    said: dict[str, Outcome] = {"a": "success", "b": "failure", "c": "success", "d": "failure", "e": "success"}
    found = breakdowns.agreement(truth, said, "rubric", "state")
    assert found is not None
    assert (found.both, found.agree.mean) == (4, 0.5)
    assert (found.false_positives.mean, found.false_positives.count) == (0.5, 2)
    assert (found.false_negatives.mean, found.false_negatives.count) == (0.5, 2)
    assert breakdowns.agreement(truth, {}, "rubric", "state") is None


def test_an_honest_report_that_a_judge_fails_is_a_disagreement() -> None:
    truth = {name: Label(name, True, walled=name in "abc") for name in "abcd"}
    said: dict[str, Outcome] = {"a": "failure", "b": "blocked", "c": "ungraded", "d": "blocked"}
    found = breakdowns.agreement(truth, said, "rubric", "state")
    assert found is not None
    assert found.both == 3
    assert found.false_negatives.mean == pytest.approx(2 / 3)


def test_who_tells_refusals_is_compared_by_refusals() -> None:
    truth = {"a": Label("a", True, refused=True), "b": Label("b", False, refused=True), "c": Label("c", True)}
    said: dict[str, Outcome] = {"a": "refused", "b": "refused", "c": "failure"}
    found = breakdowns.agreement(truth, said, "refusal", "state")
    assert found is not None
    assert (found.both, found.agree.mean) == (2, 1.0)


def test_the_frontier_holds_only_those_that_nobody_beats() -> None:
    points = {"a": (1.0, 0.5), "b": (1.0, 0.6), "c": (2.0, 0.6), "d": (0.5, 0.1), "e": (9.0, 0.9)}
    assert breakdowns.frontier(points) == ["d", "b", "e"]
