"""The verbs `tasks` and `town`."""

from __future__ import annotations

import json

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
    firsts = ["shopping_1", "shopping_list_1", "comparison_shopping_1", "flights_1", "hotels_1"]
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
