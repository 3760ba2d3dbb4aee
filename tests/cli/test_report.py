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
from workalike.core.trajectory import ActionResult, Step, Stop
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
            writer.step(Step(Observation(), (ActionResult(Click(), 0.0, 1.5),)))
            if outcome is None:
                writer.close()
                continue
            writer.step(Step(Observation(), (ActionResult(Terminate("success")),)))
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


def test_a_damaged_attempt_is_named_and_in_no_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(tmp_path / "mine", ["success", "success", "failure"])
    (damaged,) = (run / "attempts").glob("hotels-1-*/1.1/trajectory.jsonl")
    damaged.write_bytes(damaged.read_bytes().replace(b'"step"', b'"stop"', 1))
    assert main(["report", "--json", str(run)]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    (micro,) = (row for row in told["accuracy"] if row["name"] == "Micro avg.")
    assert (micro["score"]["mean"], micro["score"]["count"], micro["unfinished"]) == (0.5, 2, 0)
    assert any(f"{damaged}, line 2" in note for note in told["notes"])
    assert "1 of 3 attempts cannot be read; they are in no mean" in told["notes"]
    assert told["costs"]["actions"]["count"] == 2


def test_a_damaged_transcript_costs_an_unknown_amount_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = _run(tmp_path / "mine", ["success", "success", "failure"])
    (first,) = (run / "attempts").glob("hotels-1-*/1.1")
    (first / "transcript.jsonl").write_bytes(b"no line of ours\n")
    assert main(["report", str(run)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{first / 'transcript.jsonl'}, line 1" in shown
    assert "66.7" in shown
    assert "unknown" in shown


def test_a_long_list_of_notes_is_cut_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(tmp_path / "mine", ["success"] * 3, notes=[f"task {n} was left alone" for n in range(40)])
    assert main(["report", str(run)]) == 0
    shown = capsys.readouterr().out
    assert "task 4 was left alone" in shown
    assert "task 5 was left alone" not in shown
    assert "… and 35 more: " in shown


def test_a_report_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [_run(tmp_path / "mine", ["success", "failure", None]), _run(tmp_path / "other", ["success"] * 3)]
    page, figures = tmp_path / "out" / "report.html", tmp_path / "figures"
    assert main(["report", *map(str, runs), "--html", str(page), "--plots", str(figures)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert str(page) in told.err
    assert "Content-Security-Policy" in page.read_text(encoding="utf-8")
    assert (figures / "accuracy.png").is_file()


def test_latex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--latex", str(_run(tmp_path / "mine", ["success", "failure", "failure"]))]) == 0
    assert r"hotels & 3 & 33.3 \\" in capsys.readouterr().out


def test_one_form_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--latex", "--json", str(tmp_path)]) == 2
    assert "--json: not allowed with argument --latex" in capsys.readouterr().err


def test_what_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(tmp_path / "mine", ["success", "failure", None])
    assert main(["report", str(run), "--html", str(run / "run.json" / "report.html")]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert main(["report", str(run), "--html", str(run)]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_intervals_stay_between_0_and_100(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--json", str(_run(tmp_path / "mine", ["success"] * 3))]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    interval = told["accuracy"][0]["interval"]
    assert interval["low"] == pytest.approx(0.4385, abs=1e-4)
    assert interval["high"] == 1.0


def test_a_person_is_told_from_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(_run(tmp_path / "mine", ["success"] * 3, model="by-hand"))]) == 0
    assert "mine by-hand: a person acted here, not a model" in capsys.readouterr().out
