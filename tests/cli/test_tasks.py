"""The verbs `tasks` and `town`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workalike.cli import main


def test_tasks_are_listed_as_json_without_their_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "town", "--category", "shopping", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == 56
    assert {"id", "instruction", "category", "benchmark", "start_url"} <= set(listed[0])
    assert not {"plan", "evaluator", "rubric"} & set(listed[0])


def test_only_some_tasks_are_listed_whole_when_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "town", "--limit", "5"]) == 0
    shown = capsys.readouterr()
    firsts = ["shopping_1", "flights_1", "hotels_1", "restaurants_1", "activities_1"]
    assert [line.split()[0] for line in shown.out.splitlines()[1:] if line[1] != " "] == firsts
    assert max(map(len, shown.out.splitlines())) > 120
    assert shown.err.startswith("5 tasks of town")


def test_a_category_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "town", "--category", "groceries"]) == 2
    told = capsys.readouterr().err
    assert "groceries" in told
    assert "shopping_list" in told


def test_the_check_is_for_the_town_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "village", "--check"]) == 2
    assert "village" in capsys.readouterr().err


def test_a_bad_date_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["town", "serve", "--today", "someday"]) == 2
    assert "someday" in capsys.readouterr().err


def test_passed_dates_are_counted_and_listed_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {
            "web_name": "Booking",
            "id": f"Booking--{n}",
            "ques": "Stay 11/24/2024 to 11/26/2024",
            "web": "https://a.example",
        }
        for n in range(30)
    ]
    file = tmp_path / "WebVoyager_data.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["tasks", "webvoyager", "--data", str(file)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "30 tasks name dates that have passed" in told[1]
    assert "--dates lists them" in told[1]
    assert main(["tasks", "webvoyager", "--data", str(file), "--dates"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 32


@pytest.mark.parametrize("verb", [["tasks", "town"], ["run", "town", "--agent", "idle"]])
def test_the_town_reads_no_file(verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("x")
    out = ["--out", str(tmp_path / "run")] if verb[0] == "run" else []
    assert main([*verb, "--data", str(file), *out]) == 2
    assert f"reads none from {file}: leave --data out" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
