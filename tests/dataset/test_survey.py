"""One pass tells everything, with true line numbers, and the same whether one process looks or two."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import msgspec
import pytest

from benchmarks.agentnet_set import write_set
from tests.dataset.rows import CLICK, END, meta, put, row, step
from workalike.core.errors import Infrastructure
from workalike.dataset import survey as module
from workalike.dataset.defects import Defect, row_defects
from workalike.dataset.files import RowFiles, find_files, spans
from workalike.dataset.stats import describe
from workalike.dataset.survey import Survey, survey


def everything(found: RowFiles, **options: bool | int) -> tuple[Survey, list[Defect]]:
    every: list[Defect] = []
    return survey(found, sink=every.append, **options), every  # type: ignore[arg-type]


def places(defects: list[Defect], kind: str) -> list[tuple[int, int | None]]:
    return [(defect.line, defect.step) for defect in defects if defect.kind == kind]


SPOILED = [
    row("a"),
    row("b", [step(0), step(1, "pyautogui.click(x=1.5, y=0.5)"), step(2, END)]),
    "\n",
    "{broken\n",
    row("a"),
    row("c", task_completed=None),
    row("a", 4),
    row("d", [step(0, thought="the red circle")]),
    row("e", [step(0, thought=None), step(1)]),
]


@pytest.fixture
def small_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "spans", lambda file: spans(file, 700))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("small_spans")
def test_defects_stand_where_they_are(tmp_path: Path, jobs: int) -> None:
    put(tmp_path / "rows.jsonl", *SPOILED)
    put(tmp_path / "meta_data_merged.jsonl", *(meta(name) for name in "abce"))
    result, every = everything(find_files([tmp_path]), jobs=jobs)
    assert result.lines == 9
    assert result.tally.rows == 7
    assert places(every, "place off the screen") == [(2, 1)]
    assert places(every, "line form") == [(3, None)]
    assert places(every, "unreadable row") == [(4, None)]
    assert places(every, "duplicate row") == [(5, None)]
    assert places(every, "null") == [(6, None), (9, 0)]
    assert places(every, "duplicate id") == [(7, None)]
    assert places(every, "mentions the marker") == [(8, 0)]
    assert places(every, "system unknown") == [(8, None)]
    assert result.defects["null"] == 2
    assert result.rows_with["null"] == 2
    assert result.examples["duplicate id"][0].task_id == "a"


@pytest.mark.usefixtures("small_spans")
def test_two_processes_and_packed_files_find_the_same(tmp_path: Path) -> None:
    plain = put(tmp_path / "rows.jsonl", *SPOILED, *(row(f"x{number}", 2 + number % 5) for number in range(40)))
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    one, two, three = (everything(RowFiles((file,)), jobs=jobs) for file, jobs in ((plain, 1), (plain, 2), (packed, 1)))
    assert one == two
    assert one[0].tally == three[0].tally
    assert [(defect.kind, defect.line) for defect in one[1]] == [(defect.kind, defect.line) for defect in three[1]]


def test_texts_are_only_looked_at_when_asked(tmp_path: Path) -> None:
    found = find_files([put(tmp_path / "a.jsonl", row("d", [step(0, END, thought="the red circle")]))])
    assert survey(found, texts=False).defects == {}
    assert survey(found).defects == {"mentions the marker": 1}


def test_odd_lines_are_told(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    good = json.dumps(row()).encode()
    file.write_bytes(
        b"\xef\xbb\xbf" + good + b"\n" + good.replace(b"t1", b"t2") + b"\r\n" + b"\xff\n[]\n" + b"[" * 5000
    )
    result, every = everything(find_files([file]))
    assert [(defect.kind, defect.line) for defect in every] == [
        ("line form", 1),
        ("line form", 2),
        ("unreadable row", 3),
        ("unreadable row", 4),
        ("unreadable row", 5),
    ]
    assert result.tally.rows == 2


def test_an_empty_file_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"")
    assert survey(find_files([tmp_path / "a.jsonl"])).lines == 0


def test_counts_of_sound_and_spoiled_rows_agree(tmp_path: Path) -> None:
    """A row counts the same whether it went the quick way or the slow one."""
    sound = row(
        "a", [step(0, last_step_correct=False), step(1, CLICK, last_step_redundant=True), step(2, END)], domain="Work"
    )
    slow = {**sound, "traj": [{**each, "value": {**each["value"]}} for each in sound["traj"]]}
    slow["traj"][0]["index"] = 0.0
    one = survey(find_files([put(tmp_path / "a.jsonl", sound)])).tally
    other = survey(find_files([put(tmp_path / "b.jsonl", slow)])).tally
    assert msgspec.structs.asdict(one) == {**msgspec.structs.asdict(other), "size": one.size}


def test_stats_tell_what_is_there(tmp_path: Path) -> None:
    put(tmp_path / "a.jsonl", row("a", 2), row("b", 4, domain=["Daily", "Work"]), row("c", 3, alignment_score=None))
    put(tmp_path / "meta_data_merged.jsonl", meta("a", "Darwin"), meta("b", "Windows", applications=["Word", "Excel"]))
    stats = describe(survey(find_files([tmp_path])).tally)
    assert (stats.rows, stats.steps) == (3, 9)
    assert stats.tables["systems"] == {"macos": 1, "unknown": 1, "windows": 1}
    assert stats.tables["domains"] == {"Work": 2, "Daily": 1, "unknown": 1}
    assert stats.tables["applications"] == {"Excel": 1, "Files": 1, "Word": 1}
    assert stats.tables["calls"] == {"pyautogui.click": 6, "computer.terminate": 3}
    assert stats.tables["alignment_score"] == {"9": 2, "unknown": 1}
    assert stats.tables["steps_judged"] == {"right": 9, "redundant": 0, "wrong": 0}
    assert (stats.lengths.mean, stats.lengths.median, stats.lengths.largest) == (3, 3, 4)
    assert stats.pictures_measured == 6
    assert stats.picture_tokens == 6 * 69 * 39


@pytest.mark.usefixtures("small_spans")
def test_a_process_that_dies_ends_the_pass_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_files([put(tmp_path / "a.jsonl", *(row(f"t{number}") for number in range(4)))])
    monkeypatch.setattr(module, "_start", os._exit)  # which fails at once: what it is given is no exit code
    with pytest.raises(Infrastructure, match="died"):
        survey(found, jobs=2)


@pytest.mark.sweep
def test_a_set_of_published_shape(tmp_path: Path) -> None:
    """A hundredth of the full set: one process, two, and the slow way for every row find the same."""
    made = write_set(tmp_path, 0.01, seed=7)
    found = find_files([tmp_path])
    one, two = everything(found), everything(found, jobs=2)
    assert one == two
    assert (one[0].tally.rows, one[0].tally.steps, one[0].tally.size) == (made.rows, made.steps, made.bytes)
    slow = [
        defect
        for file in found.rows
        for line in file.read_bytes().splitlines()
        for defect in row_defects(json.loads(line))
    ]
    quick = [defect for defect in one[1] if not defect.kind.startswith(("duplicate", "metadata"))]  # by the row alone
    assert sorted((defect.kind, defect.text) for defect in slow) == sorted(
        (defect.kind, defect.text) for defect in quick
    )
