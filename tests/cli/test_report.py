"""`workalike report`: the card's rows in three forms, with what a reader must know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workalike.cli import main
from workalike.core.actions import Click, Terminate
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop, Taken
from workalike.core.verdict import Outcome, Verdict
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.runs import RunInfo, RunWriter

TASKS = [Task(f"hotels_{n}", "Book it", "hotels") for n in range(3)]


def _run(
    folder: Path,
    outcomes: list[Outcome | None],
    benchmark: str = "town@1",
    repeats: int = 1,
    stop: Stop = Stop("terminated"),
    tasks: list[Task] = TASKS,
    **more: Any,
) -> Path:
    """A run of one repeat whose tasks came out like this; None: it never finished."""
    settings = {"benchmark": benchmark, "agent": folder.name, "model": None, "repeats": repeats, "notes": ["a note"]}
    info = RunInfo(folder.name, "2026-11-16T00:00:00+00:00", {**settings, **more})
    with RunWriter(folder, info, tasks) as run, LayerWriter(folder, VERDICTS, "state", Verdict) as verdicts:
        for task, outcome in zip(tasks, outcomes, strict=True):
            attempt, writer = run.begin(task, 1)
            writer.step(Step(Observation(), (Taken(Click(), 0.0, 1.5),)))
            if outcome is None:
                writer.close()
                continue
            writer.step(Step(Observation(), (Taken(Terminate("success")),)))
            writer.finish(stop)
            verdicts.put(attempt.id, Verdict(attempt.id, "state", outcome))
    return folder


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [_run(tmp_path / "mine", ["success", "failure", None]), _run(tmp_path / "other", ["success"] * 3)]
    assert main(["report", *map(str, runs)]) == 0
    shown = capsys.readouterr().out
    assert "33.3" in shown
    assert "100.0" in shown
    assert "1 of 3 attempts did not finish; they count as failures" in shown
    assert "a note" in shown


def test_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--markdown", str(_run(tmp_path / "mine", ["success", "failure", "ungraded"]))]) == 0
    shown = capsys.readouterr().out
    assert "| hotels | 3 | 50.0 |" in shown
    assert "- mine: 1 of 3 attempts are ungraded; they are in no mean" in shown


def test_json_has_the_denominators(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--json", str(_run(tmp_path / "mine", ["success", None, None], repeats=2))]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    hotels = row["accuracy"][0]
    assert (hotels["tasks"], hotels["attempts"], hotels["unfinished"]) == (3, 6, 5)
    assert hotels["score"]["mean"] == pytest.approx(1 / 6)


def test_different_benchmarks_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [_run(tmp_path / "a", [None] * 3), _run(tmp_path / "b", [None] * 3, "webtailbench@v1")]
    assert main(["report", *map(str, runs)]) == 2
    assert "not put in one table: town@1, webtailbench@v1" in capsys.readouterr().err


def test_an_unknown_verifier_lists_those_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--verifier", "uv", str(_run(tmp_path / "a", ["success"] * 3))]) == 2
    assert "no verdicts by 'uv'; it has state" in capsys.readouterr().err


def test_attempts_that_broke_are_told_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = Stop("agent_error", "404 [b]The model `nope`[/b]\x1b[2J does not exist")
    assert main(["report", str(_run(tmp_path / "mine", ["failure"] * 3, stop=broken))]) == 0
    shown = capsys.readouterr().out
    assert "mine: 3 of 3 attempts ended by an error: 404 [b]The model `nope`[/b]\ufffd[2J does not exist" in shown


def test_what_kept_attempts_from_finishing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    down = Stop("infrastructure_error", "no connection")
    assert main(["report", str(_run(tmp_path / "mine", ["failure", "failure", None], stop=down))]) == 0
    assert "3 of 3 attempts did not finish; they count as failures: no connection" in capsys.readouterr().out


def _head(capsys: pytest.CaptureFixture[str], *runs: Path) -> str:
    assert main(["report", "--markdown", *map(str, runs)]) == 0
    return capsys.readouterr().out.splitlines()[2]


def test_runs_alike_are_told_apart_by_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes: list[Outcome | None] = ["success"] * 3
    same: dict[str, Any] = {"agent": "fara", "model": "m"}
    first = _run(tmp_path / "one", outcomes, **same, sampling={"temperature": 0.5})
    second = _run(tmp_path / "two", outcomes, **same, user="persona")
    assert _head(capsys, first, second) == (
        "| category | tasks | fara m (user=nobody, temperature=0.5) | fara m (user=persona) |"
    )
    other = _run(tmp_path / "three", outcomes, **same, user="persona")
    assert _head(capsys, second, other) == "| category | tasks | fara m (two) | fara m (three) |"
    elsewhere = _run(tmp_path / "else" / "two", outcomes, **same, user="persona")
    assert f"fara m ({second}) | fara m ({elsewhere})" in _head(capsys, second, elsewhere)
    assert _head(capsys, second, _run(tmp_path / "idle", outcomes)) == "| category | tasks | fara m | idle |"


def test_runs_of_different_tasks_are_said_not_to_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = [TASKS[0], Task("hotels_9", "Book it", "hotels")]
    mine = _run(tmp_path / "mine", ["success", "failure", "failure"])
    other = _run(tmp_path / "other", ["success", "success"], tasks=others)
    assert main(["report", "--markdown", str(mine), str(other)]) == 0
    shown = capsys.readouterr().out
    assert "| hotels | 3 / 2 | 33.3 | 100.0 |" in shown
    assert "- the runs have different tasks (3, 2; 1 in common: --common compares those alone)" in shown
    assert main(["report", "--markdown", "--common", str(mine), str(other)]) == 0
    shown = capsys.readouterr().out
    assert "| hotels | 1 | 100.0 | 100.0 |" in shown
    assert "different tasks" not in shown


def test_tasks_of_one_name_in_other_words_are_other_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moved = [Task(task.id, "Book it for tomorrow", "hotels") for task in TASKS]
    runs = [_run(tmp_path / "a", ["success"] * 3), _run(tmp_path / "b", ["success"] * 3, tasks=moved)]
    assert main(["report", "--json", *map(str, runs)]) == 0
    notes = [row["notes"][-1] for row in json.loads(capsys.readouterr().out)]
    assert notes == ["the runs have different tasks (3, 3; none in common), so that their scores do not compare"] * 2
    assert main(["report", "--common", *map(str, runs)]) == 2
    assert "have no task in common" in capsys.readouterr().err
