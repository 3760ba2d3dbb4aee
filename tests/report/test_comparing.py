"""Runs side by side: names that tell them apart, and tasks that they share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workalike.report.comparing import common_tasks, only, same_tasks, titles, warning
from workalike.report.reading import RunResults
from workalike.report.results import Result


def _run(name: str, tasks: str = "abc", **settings: Any) -> RunResults:
    results = tuple(Result(task, "c", 1) for task in tasks)
    asked = {task: f"hash of {task}" for task in tasks}
    return RunResults(name, "town@1", "fara", "m", None, results, (), settings, asked, Path("runs") / name)


def test_a_run_alone_needs_no_more_than_agent_and_model() -> None:
    assert titles([_run("one", user="persona")]) == ["fara m"]


def test_settings_that_are_not_set_are_not_named() -> None:
    runs = [_run("one", sampling={}, timezone=None), _run("two", sampling={"seed": 1}, timezone="Europe/Paris")]
    assert titles(runs) == ["fara m", "fara m (seed=1, timezone=Europe/Paris)"]


def test_long_differences_give_way_to_the_folder() -> None:
    runs = [_run("one", categories=["y"] * 40), _run("two", categories=["x"] * 40)]
    assert titles(runs) == ["fara m (one)", "fara m (two)"]
    assert titles([_run("one"), _run("one")]) == ["fara m (runs/one)"] * 2


def test_tasks_in_common() -> None:
    runs = [_run("one", "abc"), _run("two", "bcd"), _run("three", "cb")]
    assert common_tasks(runs) == {"b", "c"}
    assert not same_tasks(runs)
    assert "(3, 3, 2; 2 in common: --common compares those alone)" in (warning(runs) or "")
    kept = only(runs, {"b", "c"})
    assert [len(each.results) for each in kept] == [2, 2, 2]
    assert warning(kept) is None
    assert warning([_run("one")]) is None
