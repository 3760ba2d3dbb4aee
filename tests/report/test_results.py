"""The card's rows: unfinished attempts are failures, the ungraded are in no mean, a mean over nothing is undefined."""

from __future__ import annotations

import pytest

from workalike.core.trajectory import Usage
from workalike.report.results import Result, accuracy, costs


def _result(task: str, repeat: int, outcome: str | None, category: str = "hotels", **more: object) -> Result:
    return Result(task, category, repeat, "terminated", outcome, **more)  # type: ignore[arg-type]


def test_a_category_is_the_mean_over_tasks_of_the_share_of_repeats() -> None:
    results = [_result("a", n, "success") for n in range(3)] + [_result("b", n, "failure") for n in range(3)]
    results += [_result("c", 0, "success", "jobs")]
    hotels, jobs, macro, micro = accuracy(results)
    assert (hotels.tasks, hotels.attempts, hotels.score.mean) == (2, 6, 0.5)
    assert (jobs.score.mean, jobs.score.deviation) == (1.0, None)
    assert macro.score.mean == 0.75
    assert micro.score.mean == pytest.approx(2 / 3)


def test_unfinished_is_a_failure_and_listed() -> None:
    results = [_result("a", 0, "success"), Result("b", "hotels", 0), Result("c", "hotels", 0, "interrupted")]
    row = accuracy(results)[0]
    assert row.score.mean == pytest.approx(1 / 3)
    assert row.unfinished == 2


def test_ungraded_is_in_no_mean_and_counted() -> None:
    row = accuracy([_result("a", 0, "success"), _result("b", 0, "ungraded"), _result("c", 0, None)])[0]
    assert (row.score.mean, row.score.count, row.ungraded) == (1.0, 1, 2)


def test_a_mean_over_nothing_is_undefined() -> None:
    row = accuracy([_result("a", 0, None)])[0]
    assert row.score.mean is None
    assert [row.score.mean for row in accuracy([])] == [None, None]
    assert costs([]).dollars.mean is None


@pytest.mark.parametrize("outcome", ["failure", "refused", "blocked", "critical_point_crossed", "invalid_task"])
def test_only_success_is_success(outcome: str) -> None:
    assert accuracy([_result("a", 0, outcome)])[0].score.mean == 0.0


@pytest.mark.parametrize("outcome", ["blocked", "unavailable", "refused", "invalid_task"])
def test_what_counts_as_solved_is_the_benchmarks_rule(outcome: str) -> None:
    def score(benchmark: str, walled: bool) -> float | None:
        return accuracy([_result("a", 0, outcome, benchmark=benchmark, walled=walled)])[0].score.mean

    assert score("town@1", walled=True) == 1.0
    assert score("town@1", walled=False) == 0.0
    assert score("webtailbench@v2", walled=False) == 0.0


def test_failures_of_form_are_counted_beside_the_accuracy() -> None:
    results = [_result("a", 0, "success"), _result("b", 0, "failure", unreadable=True), _result("c", 0, "failure")]
    rows = accuracy(results)
    assert [row.unreadable for row in rows] == [1, 1, 1]
    assert rows[0].score.mean == pytest.approx(1 / 3)


def test_deviation_is_from_run_to_run() -> None:
    results = [_result("a", 0, "success"), _result("a", 1, "failure"), _result("a", 2, "failure")]
    assert accuracy(results)[0].score.deviation == pytest.approx(0.57735, abs=1e-4)


def test_unknown_cost_is_counted_not_zero() -> None:
    paid = _result("a", 0, "success", usage=Usage(3, 1000, 50, 0, 0.25), actions=7)
    unknown = _result("b", 0, "success", usage=Usage(3, 2000, 50, 0, None), actions=9)
    table = costs([paid, unknown])
    assert (table.dollars.mean, table.dollars.count, table.unknown_cost) == (0.25, 1, 1)
    assert table.input_tokens.mean == 1500
    assert table.actions.mean == 8


def test_what_was_never_begun_is_in_no_mean_of_costs() -> None:
    paid = [_result(f"a{n}", 0, "success", usage=Usage(1, 100, 10, 0, 0.5), actions=4, seconds=9.0) for n in range(5)]
    begun = Result("b", "hotels", 0, usage=Usage(1, 100, 0, 0, 0.1, unaccounted=2), tries=1)
    table = costs([*paid, begun, *(Result(f"c{n}", "hotels", 0) for n in range(5))])
    assert (table.dollars.count, table.actions.count) == (6, 6)
    assert table.dollars.mean == pytest.approx(2.6 / 6)
    assert (table.total.requests, table.total.input_tokens, table.total.unaccounted) == (6, 600, 2)
    assert table.total.cost == pytest.approx(2.6)
