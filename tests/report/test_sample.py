"""Which trajectories a report shows, and how much of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.report.made_runs import make_run
from workalike.core.verdict import FailurePoint, Outcome
from workalike.report.reading import read_results
from workalike.report.results import Result
from workalike.report.sample import FIRST, LAST, chosen, samples


def _result(task: str, outcome: Outcome | None, steps: int = 5, **more: Any) -> Result:
    return Result(task, "c", 1, "terminated", outcome, steps=steps, **more)


def test_failures_of_different_kinds_and_a_success() -> None:
    wrong = (FailurePoint(1, "selection"),)
    results = [
        _result("a", "success", 3),
        _result("b", "failure", 9, failures=wrong),
        _result("c", "failure", 4, failures=wrong),
        _result("d", "failure", 6, failures=wrong),
        _result("e", "blocked"),
        _result("f", "blocked"),
        _result("g", "failure", failures=(FailurePoint(None, "execution"),)),
        _result("h", "ungraded"),
        _result("i", None),
        _result("j", "failure", steps=0),
    ]
    assert [result.task for result in chosen(results, 3)] == ["d", "e", "a"]
    assert [result.task for result in chosen(results, 1)] == ["d"]
    assert [result.task for result in chosen(results[:1], 3)] == ["a"]
    assert [result.task for result in chosen(results[1:7], 2)] == ["d", "e"]


def test_long_trajectories_are_cut_in_the_middle_and_say_so(tmp_path: Path) -> None:
    run = read_results(make_run(tmp_path / "som", 0.4, count=8, pictures=True))
    for each in samples(run, 3):
        assert len(each.first) + each.left_out + len(each.last) == each.steps
        assert len(each.first) + len(each.last) <= FIRST + LAST + 1
        numbers = [step.number for step in (*each.first, *each.last)]
        assert numbers == sorted(numbers)
        assert numbers[-1] == each.steps
        assert all(step.picture.startswith("data:image/jpeg;base64,") for step in each.first)


def test_where_it_went_wrong_is_marked_at_its_step(tmp_path: Path) -> None:
    run = read_results(make_run(tmp_path / "som", 0.03, count=8, repeats=3))
    marked = [step.failures for each in samples(run, 8) for step in (*each.first, *each.last) if step.failures]
    assert marked
    assert all("it took the wrong one" in words for words, *_ in marked)


def test_a_trajectory_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "som", 0.4, count=8)
    run = read_results(folder)
    for path in folder.rglob("trajectory.jsonl"):
        path.unlink()
    assert samples(run, 3) == []
