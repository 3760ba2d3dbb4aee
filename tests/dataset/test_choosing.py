"""What is chosen is copied byte for byte, by rules that do not depend on what else is in the set."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.dataset.rows import lines, meta, put, row
from workalike.core.errors import BadInput
from workalike.dataset.choosing import filter_rows, merge_rows, sample_rows, split_rows
from workalike.dataset.expressions import Expression
from workalike.dataset.files import RowFiles, find_files


@pytest.fixture
def found(tmp_path: Path) -> RowFiles:
    systems = ("Ubuntu", "Windows", "Darwin")
    put(tmp_path / "in.jsonl", *(row(f"t{number}", 2 + number % 4, efficiency_score=number) for number in range(10)))
    put(tmp_path / "meta_data_merged.jsonl", *(meta(f"t{number}", systems[number % 3]) for number in range(10)))
    return find_files([tmp_path / "in.jsonl"])


def ids(path: Path) -> list[str]:
    return [document["task_id"] for document in lines(path)]


def test_filter_by_fields_metadata_and_steps(found: RowFiles, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    chosen = filter_rows(found, Expression("efficiency_score >= 3 and system == 'ubuntu' and steps < 5"), out)
    assert ids(out) == ["t6", "t9"]
    assert (chosen.read, chosen.kept, chosen.dropped) == (10, {str(out): 2}, 8)
    source = found.rows[0].read_bytes().splitlines()
    assert out.read_bytes().splitlines() == [source[6], source[9]]


def test_filter_tells_of_fields_nobody_has(found: RowFiles, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(BadInput, match="no row has a field 'typo'"):
        filter_rows(found, Expression("typo > 3 or steps == 2"), out)
    with pytest.raises(BadInput, match="no row has a field 'typo'"):
        sample_rows(found, out, count=2, by="typo")
    with pytest.raises(BadInput, match="equal is written =="):
        Expression("steps = 3")
    assert not out.exists()


def test_unreadable_rows_are_counted_and_named(tmp_path: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a"), "{oops\n", "[]\n", row("b"))
    chosen = filter_rows(find_files([file]), Expression("true"), tmp_path / "out.jsonl.gz")
    assert (chosen.unreadable, chosen.read) == (2, 4)
    assert "line 2" in chosen.notes[0]
    assert len(gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).splitlines()) == 2


def test_a_failing_filter_leaves_no_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    with pytest.raises(BadInput):
        merge_rows(find_files([put(tmp_path / "a.jsonl", row("a"), row("a", 5))]), out, "refuse")
    assert out.read_text() == "old"
    assert {file.name for file in tmp_path.iterdir()} == {"out.jsonl", "a.jsonl"}


def test_split_is_stable_under_additions(found: RowFiles, tmp_path: Path) -> None:
    split_rows(found, {"train": 80, "test": 20}, tmp_path / "one")
    put(tmp_path / "more.jsonl", *(row(f"u{number}") for number in range(200)))
    more = RowFiles((*found.rows, tmp_path / "more.jsonl"))
    split_rows(more, {"train": 80, "test": 20}, tmp_path / "two")
    for name in ("train", "test"):
        one, two = set(ids(tmp_path / "one" / f"{name}.jsonl")), set(ids(tmp_path / "two" / f"{name}.jsonl"))
        assert one == {task_id for task_id in two if task_id.startswith("t")}
    assert 20 < len(ids(tmp_path / "two" / "test.jsonl")) < 65


def test_rows_of_one_task_stay_together(tmp_path: Path) -> None:
    rows = [row(f"{task}{attempt}", workalike={"task": {"id": task}}) for task in "abcdefgh" for attempt in range(3)]
    split_rows(find_files([put(tmp_path / "a.jsonl", *rows)]), {"x": 1, "y": 1}, tmp_path / "parts")
    tasks = [{name[0] for name in ids(tmp_path / "parts" / f"{part}.jsonl")} for part in "xy"]
    assert tasks[0] | tasks[1] == set("abcdefgh")
    assert not tasks[0] & tasks[1]


def test_split_by_words_and_by_field(tmp_path: Path) -> None:
    rows = [row(f"t{number}", instruction=f"Do  {'THIS' if number % 2 else 'that'}", domain="W") for number in range(8)]
    found = find_files([put(tmp_path / "a.jsonl", *rows)])
    for by in ("instruction", "domain"):
        chosen = split_rows(found, {"x": 1, "y": 1, "z": 1}, tmp_path / by, by=by)
        assert set(chosen.kept.values()) <= {4, 8}
    with pytest.raises(BadInput, match="weights above 0"):
        split_rows(found, {"x": 0}, tmp_path / "none")


def test_merge_drops_what_is_there_and_tells_collisions(tmp_path: Path) -> None:
    one = put(tmp_path / "a.jsonl", row("a"), row("b"))
    two = put(tmp_path / "b.jsonl", row("a"), row("b", 5), row("c"))
    found, out = find_files([one, two]), tmp_path / "out.jsonl"
    kept = merge_rows(found, out)
    assert ids(out) == ["a", "b", "b", "c"]
    assert (kept.dropped, len(kept.notes)) == (1, 1)
    merge_rows(found, out, "first")
    assert ids(out) == ["a", "b", "c"]
    merge_rows(found, out, "rename")
    assert ids(out) == ["a", "b", "b~2", "c"]
    with pytest.raises(BadInput, match="line 2: another row has the id b"):
        merge_rows(found, out, "refuse")


def test_samples_do_not_depend_on_order(found: RowFiles, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert sum(sample_rows(found, out, count=4).kept.values()) == 4
    first = ids(out)
    sample_rows(found, out, count=4)
    assert ids(out) == first
    sample_rows(found, out, count=4, seed=1)
    assert ids(out) != first
    chosen = sample_rows(found, out, count=2, by="system")
    assert sum(chosen.kept.values()) == 6
    assert "only 3 rows" in sample_rows(found, out, count=4, by="system").notes[0]


def test_a_share_is_about_that_share(tmp_path: Path) -> None:
    found = find_files([put(tmp_path / "a.jsonl", *(row(f"t{number}", 1) for number in range(300)))])
    chosen = sample_rows(found, tmp_path / "out.jsonl", share=0.3)
    assert 60 < sum(chosen.kept.values()) < 120
    for wrong in ({}, {"count": 1, "share": 0.5}, {"share": 1.5}):
        with pytest.raises(BadInput, match=r"share|sample"):
            sample_rows(found, tmp_path / "out.jsonl", **wrong)  # type: ignore[arg-type]


def test_a_byte_order_mark_is_not_copied_along(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(row()).encode() + b"\r\n")
    merge_rows(find_files([file]), tmp_path / "out.jsonl")
    assert ids(tmp_path / "out.jsonl") == ["t1"]


def test_split_by_a_field_of_the_metadata(found: RowFiles, tmp_path: Path) -> None:
    split_rows(found, {"x": 1, "y": 1, "z": 1}, tmp_path / "parts", by="system")
    parts = [{int(name[1:]) % 3 for name in ids(tmp_path / "parts" / f"{part}.jsonl")} for part in "xyz"]
    assert sorted(system for part in parts for system in part) == [0, 1, 2]
    assert max(map(len, parts)) < 3
    with pytest.raises(BadInput, match="no row has a field 'typo'"):
        split_rows(found, {"x": 1, "y": 1}, tmp_path / "none", by="typo")
    assert not list((tmp_path / "none").iterdir())


def test_split_never_replaces_what_it_reads(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    train = put(folder / "train.jsonl", *(row(f"t{number}", 1) for number in range(9)))
    before = train.read_bytes()
    with pytest.raises(BadInput, match="one of the files that are read"):
        split_rows(find_files([train]), {"train": 50, "val": 50}, folder)
    assert [file.name for file in folder.iterdir()] == ["train.jsonl"]
    assert train.read_bytes() == before
    with pytest.raises(BadInput, match=r"other rows \(train\.jsonl\)"):
        split_rows(find_files([train]), {"a": 50, "b": 50}, folder)
    other = tmp_path / "again"
    for _ in range(2):  # the same split again takes the former one's place
        split_rows(find_files([train]), {"a": 50, "b": 50}, other)


@pytest.mark.parametrize("how", [{"count": 20}, {"share": 0.4}])
def test_a_sample_is_by_ids_whatever_else_is_there(tmp_path: Path, how: dict[str, Any]) -> None:
    rows = [row(f"t{number}", 1) for number in range(50)]
    one, two = put(tmp_path / "a.jsonl", *rows), put(tmp_path / "b.jsonl", *reversed(rows))
    drawn = []
    for file in (one, two):
        sample_rows(find_files([file]), tmp_path / "out.jsonl", **how)
        drawn.append(sorted(ids(tmp_path / "out.jsonl")))
    assert drawn[0] == drawn[1]
    twice = put(tmp_path / "c.jsonl", *(row("same", 1, reason=str(number)) for number in range(200)))
    chosen = sample_rows(find_files([twice]), tmp_path / "out.jsonl", share=0.5)
    assert 60 < sum(chosen.kept.values()) < 140
