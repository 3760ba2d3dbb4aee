"""What a report reads off a run on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.report.made_runs import make_run
from workalike.report.reading import read_results
from workalike.verify.labels import labels_of


def test_levels_demands_refusals_and_times(tmp_path: Path) -> None:
    run = read_results(make_run(tmp_path / "som", 0.5, count=8, repeats=1))
    first, *_, last = run.results
    assert (first.level, first.demands, first.refuse, last.refuse) == ("easy", ("d0",), False, True)
    assert first.attempt.endswith("/1.1")
    assert first.model_seconds == pytest.approx(0.5 * first.steps)
    # Until the first look 1 s, 0.6 s of each action, 0.8 s until each next look; there was no last look.
    assert first.browser_seconds == pytest.approx(1 + 0.6 * first.steps + 0.8 * (first.steps - 1))


def test_the_truth_counts_where_it_is_known(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "som", 0.5, count=8, repeats=1)
    known, asked = read_results(folder), read_results(folder, "rubric")
    assert known.judge is not None
    assert asked.judge is not None
    assert (known.verifier, list(known.second)) == ("state", ["rubric"])
    assert (asked.verifier, list(asked.second)) == ("rubric", ["state"])
    assert asked.judge.settings == {"model": "judge"}
    assert len(known.second["rubric"]) == 8


def test_what_is_true_is_told_as_labels_by_what_a_task_was_made_for(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "som", 0.5, count=8, repeats=2)
    truth = read_results(folder).truth
    assert truth == read_results(folder, "rubric").truth
    assert truth == {label.trajectory: replace(label, task="", category="") for label in labels_of(folder)}
