"""Benchmarks by name: filters that list what there is, incompleteness said, dates shown and rolled."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from workalike.bench.benchmarks import LIVE, SEARCH_ENGINE, TaskSet, build, refresh, select, stale, staleness
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task

TODAY = date(2026, 11, 15)


def _benchmark() -> TaskSet:
    tasks = [
        Task(f"{category}_{n}", f"Do {n}", category) for category in ("hotels", "jobs", "Real Estate") for n in range(4)
    ]
    return build("sample", [(task, Key(task.id)) for task in tasks], live=True)


def test_a_live_task_without_a_start_page_begins_at_a_search_engine() -> None:
    assert {task.start_url for task in _benchmark().tasks} == {SEARCH_ENGINE}


def test_a_limit_takes_the_categories_in_turn() -> None:
    assert [task.id for task in select(_benchmark(), limit=4).tasks] == [
        "hotels_0",
        "hotels_1",
        "jobs_0",
        "Real Estate_0",
    ]


@pytest.mark.parametrize("name", ["hotels", "Hotels", "hotels_head"])
def test_a_category_is_found_by_either_name(name: str) -> None:
    chosen = select(_benchmark(), [name])
    assert {task.category for task in chosen.tasks} == {"hotels"}
    assert set(chosen.keys) == {task.id for task in chosen.tasks}


def test_an_unknown_category_lists_those_there_are() -> None:
    with pytest.raises(BadInput, match="no category 'cars'; there are hotels, jobs, Real Estate"):
        select(_benchmark(), ["cars"])


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(BadInput, match="has no task 'hotels_9'"):
        select(_benchmark(), tasks=["hotels_9"])


def test_the_fingerprint_is_that_of_tasks_and_keys() -> None:
    one = _benchmark()
    assert one.fingerprint == _benchmark().fingerprint
    assert one.fingerprint != select(one, limit=3).fingerprint


def test_dates_that_have_passed_are_shown_and_rolled() -> None:
    old = build("b", [(Task("t", "Stay 11/24/2025 to 11/26/2025"), Key("t"))], live=True)
    assert stale(old, TODAY)[0][1] == ["11/24/2025", "11/26/2025"]
    assert staleness(old, TODAY) == (
        "1 task names a date that has passed (t: 11/24/2025); --refresh-dates rolls those forward that are unambiguous"
    )
    new = refresh(old, TODAY)
    assert stale(new, TODAY) == []
    assert staleness(new, TODAY) is None
    assert "1 task were rolled forward" in new.notes[0]


@pytest.mark.parametrize(
    ("name", "folder", "tasks"),
    [
        ("webtailbench@v1", "webtailbench", 110),
        ("online-mind2web", "online-mind2web", 300),
        ("webvoyager", "webvoyager", 595),
    ],
)
def test_the_published_files(fixtures: Path, name: str, folder: str, tasks: int) -> None:
    benchmark = LIVE[name](fixtures / folder)
    assert len(benchmark.tasks) == tasks
    assert bool(benchmark.notes) == (name == "webtailbench@v1")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for name in LIVE:
        with pytest.raises(BadInput, match=str(tmp_path)):
            LIVE[name](tmp_path)
