"""`understudy report`: the card's rows in three forms, with what a reader must know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from understudy.cli import main
from understudy.core.actions import Click, Terminate
from understudy.core.observation import Observation
from understudy.core.task import Task
from understudy.core.trajectory import Step, Stop, Taken
from understudy.core.verdict import Outcome, Verdict
from understudy.store.layers import VERDICTS, LayerWriter
from understudy.store.runs import RunInfo, RunWriter

TASKS = [Task(f"hotels_{n}", "Book it", "hotels") for n in range(3)]


def _run(folder: Path, outcomes: list[Outcome | None], benchmark: str = "town@1", repeats: int = 1) -> Path:
    """A run of one repeat whose tasks came out like this; None: it never finished."""
    settings = {"benchmark": benchmark, "agent": folder.name, "model": None, "repeats": repeats, "notes": ["a note"]}
    with (
        RunWriter(folder, RunInfo(folder.name, "", settings), TASKS) as run,
        LayerWriter(folder, VERDICTS, "state", Verdict) as verdicts,
    ):
        for task, outcome in zip(TASKS, outcomes, strict=True):
            attempt, writer = run.begin(task, 1)
            writer.step(Step(Observation(), (Taken(Click(), 0.0, 1.5),)))
            if outcome is None:
                writer.close()
                continue
            writer.step(Step(Observation(), (Taken(Terminate("success")),)))
            writer.finish(Stop("terminated"))
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
