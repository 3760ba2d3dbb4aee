"""A plan that no browser can follow is refused before anything starts; its dates stay those of the day it was made."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from workalike.bench.benchmarks import TaskSet, build
from workalike.bench.config import browser_settings, describe
from workalike.bench.loading import load_benchmark
from workalike.bench.run import run
from workalike.cli import main
from workalike.cli.run import _config, add_arguments
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.store.config import RunConfig, changed_prompts, going_on, read_config, settle
from workalike.store.runs import Run, RunInfo, RunWriter, is_run

MONDAY = date(2026, 11, 16)
TUESDAY = MONDAY + timedelta(days=1)
TOWN = RunConfig(benchmark="town", agent="idle", repeats=1, limit=1, today="now")
HOTELS = RunConfig(benchmark="webvoyager", agent="idle", repeats=1, refresh_dates=True)


def test_a_time_zone_must_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "town", "--agent", "oracle", "--timezone", "Mars/Base", "--out", str(tmp_path / "run")]
    assert main(words) == 2
    assert "there is no time zone 'Mars/Base'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    config = RunConfig(benchmark="town", agent="oracle", timezone="Europe/Paris")
    for zone in ("Mars/Base", "Europe", "../x", ""):
        with pytest.raises(BadInput, match="no time zone"):
            browser_settings(msgspec.structs.replace(config, timezone=zone))


def _hotels(folder: Path) -> Path:
    path = folder / "WebVoyager_data.jsonl"
    texts = ["A room in Rome, December 12-15, 2025", "The paper published on March 3, 2024", "Any room"]
    rows = [
        {"web_name": "Booking", "id": f"Booking--{n}", "ques": text, "web": "https://www.booking.com/"}
        for n, text in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _town(config: RunConfig) -> TaskSet:
    """What tells of the town's date, without drawing the town."""
    note = f"the town's date is moved to {config.today}: scores do not compare with town@1"
    return build("town@1", [(Task("t", f"Today is {config.today}"), Key("t"))], live=False, notes=[note])


def _write(config: RunConfig, folder: Path, today: date, data: Path | None = None) -> RunInfo:
    """Make a run of no attempts on that day, or go on with it, as `run` does."""
    there = Run(folder).info if is_run(folder) else None
    config = settle(config, today, there)
    benchmark = load_benchmark(config, data).task_set if data else _town(config)
    info = describe(config, benchmark, {}, "any")
    with RunWriter(folder, going_on(info, there) if there else info, benchmark.tasks, benchmark.keys.values()):
        return Run(folder).info


def _make_old(folder: Path, **settings: Any) -> None:
    """Let a run look as the first form had it: no dates among its settings."""
    path = folder / "run.json"
    info = json.loads(path.read_bytes())
    info["settings"].update(settings)
    del info["settings"]["now"], info["settings"]["refreshed"]
    path.write_text(json.dumps(info))


@pytest.mark.parametrize("config", [TOWN, HOTELS])
def test_a_run_goes_on_with_the_dates_it_began_with(tmp_path: Path, config: RunConfig) -> None:
    data, folder = _hotels(tmp_path) if config is HOTELS else None, tmp_path / "run"
    made = _write(config, folder, MONDAY, data)
    assert made.settings["today" if config is TOWN else "refreshed"] == "2026-11-16"
    assert _write(config, folder, TUESDAY, data) == made
    repeated = read_config(made)
    assert settle(repeated, TUESDAY) == repeated
    other = _write(repeated, tmp_path / "other", TUESDAY, data)
    assert (other.settings, other.hashes) == (made.settings, made.hashes)
    assert _write(config, tmp_path / "new", TUESDAY, data).settings != made.settings


def test_what_was_asked_otherwise_is_refused(tmp_path: Path) -> None:
    fixed = msgspec.structs.replace(TOWN, today="2026-11-10")
    _write(fixed, tmp_path / "fixed", MONDAY)
    with pytest.raises(BadInput, match='today: "2026-11-10" there, "2026-11-16" now'):
        _write(TOWN, tmp_path / "fixed", MONDAY)
    _write(TOWN, tmp_path / "moving", MONDAY)
    with pytest.raises(BadInput, match="other settings"):
        _write(fixed, tmp_path / "moving", TUESDAY)
    same = msgspec.structs.replace(TOWN, today="2026-11-16")
    assert _write(same, tmp_path / "moving", TUESDAY).settings["now"] is True
    data = _hotels(tmp_path)
    _write(HOTELS, tmp_path / "hotels", MONDAY, data)
    with pytest.raises(BadInput, match="refresh_dates: true there, false now"):
        _write(msgspec.structs.replace(HOTELS, refresh_dates=False), tmp_path / "hotels", MONDAY, data)


def test_runs_of_the_first_form_are_read_and_go_on(tmp_path: Path) -> None:
    _write(TOWN, tmp_path / "town", MONDAY)
    _make_old(tmp_path / "town", today="now")
    config = read_config(Run(tmp_path / "town").info)
    assert (config.today, config.now) == ("2026-11-16", True)
    assert _write(TOWN, tmp_path / "town", TUESDAY).settings["today"] == "now"
    data = _hotels(tmp_path)
    _write(HOTELS, tmp_path / "hotels", MONDAY, data)
    _make_old(tmp_path / "hotels")
    assert read_config(Run(tmp_path / "hotels").info).refreshed == "2026-11-16"
    _write(HOTELS, tmp_path / "hotels", TUESDAY, data)
    plain = msgspec.structs.replace(TOWN, today=None)
    _write(plain, tmp_path / "plain", MONDAY)
    _make_old(tmp_path / "plain")
    _write(plain, tmp_path / "plain", TUESDAY)


def test_a_refresh_tells_of_the_tasks_that_were_chosen(tmp_path: Path) -> None:
    data = _hotels(tmp_path)
    notes = load_benchmark(HOTELS, data, MONDAY).task_set.notes
    assert notes == (
        "the dates of 1 task were rolled forward from 2026-11-16",
        "Booking--1: March 3, 2024 has passed, but 'published' tells of the past",
    )
    chosen = load_benchmark(msgspec.structs.replace(HOTELS, tasks=("Booking--0",)), data, MONDAY).task_set
    assert chosen.notes == notes[:1]
    assert chosen.tasks[0].instruction == "A room in Rome, December 4-7, 2026"


def test_a_run_on_the_town_goes_on_after_midnight_and_is_repeated(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    run(TOWN, first, today=MONDAY)
    again = run(TOWN, first, today=TUESDAY)
    assert (again.finished, again.skipped) == (0, 1)
    assert main(["run", "--like", str(first), "--out", str(second)]) == 0
    assert Run(second).info.settings == Run(first).info.settings
    assert Run(second).info.hashes == Run(first).info.hashes


def test_like_with_another_date_asks_anew(tmp_path: Path) -> None:
    _write(TOWN, tmp_path / "first", MONDAY)
    parser = ArgumentParser()
    add_arguments(parser)
    for words, today in (
        ([], "2026-11-16"),
        (["--today", "now"], "2026-11-17"),
        (["--today", "2026-05-05"], "2026-05-05"),
    ):
        args = parser.parse_args(["--like", str(tmp_path / "first"), *words])
        config = settle(_config(args), TUESDAY)
        assert (config.today, config.now) == (today, today != "2026-05-05")


def test_dates_that_have_passed_are_told_before_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "webvoyager", "--data", str(_hotels(tmp_path)), "--agent", "idle", "--out", str(tmp_path)]
    assert main(words) == 2  # the folder holds other things, which is found when the run is to be written
    told = capsys.readouterr()
    assert told.out == ""
    assert "2 tasks name dates that have passed (Booking--0: December 12-15, 2025); --refresh-dates rolls" in told.err
    assert main([*words, "--refresh-dates"]) == 2
    told = capsys.readouterr()
    assert "name dates" not in told.err
    assert "the dates of 1 task were rolled forward" in told.err


def test_prompts_are_compared_with_those_of_a_run() -> None:
    hashes = {"tasks": "1", "prompt agents/a": "2", "prompt agents/fara/b": "3"}
    there = RunInfo("r", "2026-11-16", {"agent": "fara"}, hashes)
    same, other = RunConfig(benchmark="town", agent="fara"), RunConfig(benchmark="town", agent="som")
    assert changed_prompts(there, same, {"agents/a": "2", "agents/fara/b": "3"}) == []
    assert changed_prompts(there, same, {"agents/a": "0", "agents/fara/c": "3"}) == [
        "agents/a",
        "agents/fara/b",
        "agents/fara/c",
    ]
    assert changed_prompts(there, other, {"agents/a": "2", "agents/som/b": "4"}) == []
    assert changed_prompts(there, other, {"agents/a": "0", "agents/som/b": "4"}) == ["agents/a"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--viewport", "100000x100000"], "a viewport of 100000x100000 at scale 1 is more than a browser can show"),
        (["--viewport", "9000x9000"], "take at most 16,384 pixels a side and 64 million in all"),
        (["--viewport", "5000x100", "--scale", "4"], "at scale 4 is more than"),
        (["--locale", "zz_foo"], "there is no locale 'zz_foo'; name one such as en-US"),
        (["--locale", ""], "there is no locale ''"),
        (["--locale", "C"], "there is no locale 'C'"),
    ],
)
def test_what_no_browser_can_be_is_refused_before_anything_starts(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "town", "--agent", "idle", "--out", str(tmp_path / "run"), *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("locale", ["de", "en_US", "zh-Hans-CN", "es-419", "de-DE-1996", "en-US-u-ca-buddhist", "tlh"])
def test_locales_that_browsers_know_pass(locale: str) -> None:
    assert browser_settings(RunConfig(benchmark="town", agent="idle", locale=locale)).locale == locale
