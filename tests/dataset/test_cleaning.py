"""A cleaned set holds what can be used; sound rows come through byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dataset.rows import END, lines, put, row, step
from workalike.core.errors import BadInput
from workalike.dataset.cleaning import clean
from workalike.dataset.files import find_files
from workalike.dataset.survey import survey

TRIPLE = "computer.triple_click(x=0.1, y=0.2)"


def test_what_can_be_mended_is_and_what_cannot_be_used_is_set_aside(tmp_path: Path) -> None:
    file = put(
        tmp_path / "in.jsonl",
        row("a"),
        row("b", [step(0, TRIPLE), step(1, END)]),
        "{oops\n",
        row("c", []),
        row("a"),
        row("d", task_completed=None),
    )
    out, bad = tmp_path / "out.jsonl", tmp_path / "bad.jsonl"
    cleaned = clean(find_files([file]), out, bad, fix=True)
    assert [document["task_id"] for document in lines(out)] == ["a", "b", "d"]
    assert out.read_bytes().splitlines()[0] == file.read_bytes().splitlines()[0]
    assert "computer.tripleClick" in out.read_text()
    assert len(bad.read_text().splitlines()) == 2
    assert (cleaned.written, cleaned.rejected, cleaned.dropped) == (3, 2, 1)
    assert cleaned.mended == {"triple-click spelling": 1, "duplicate row": 1}
    assert survey(find_files([out])).defects == {"null": 1}


def test_without_fix_nothing_is_changed(tmp_path: Path) -> None:
    file = put(
        tmp_path / "in.jsonl", row("b", [step(0, TRIPLE), step(1, END)]), row("b", [step(0, TRIPLE), step(1, END)])
    )
    clean(find_files([file]), tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == file.read_bytes()


def test_strict_sets_aside_whatever_is_left(tmp_path: Path) -> None:
    file = put(
        tmp_path / "in.jsonl", row("a"), row("b", [step(0, TRIPLE), step(1, END)]), row("c", task_completed=None)
    )
    out, bad = tmp_path / "out.jsonl", tmp_path / "bad.jsonl"
    cleaned = clean(find_files([file]), out, bad, fix=True, strict=True)
    assert [document["task_id"] for document in lines(out)] == ["a", "b"]
    assert [document["task_id"] for document in lines(bad)] == ["c"]
    assert cleaned.rejected == 1


def test_the_form_of_lines_is_mended(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_bytes(
        b"\xef\xbb\xbf" + json.dumps(row("a")).encode() + b"\r\n\n" + json.dumps(row("b")).encode() + b"\r\n"
    )
    cleaned = clean(find_files([file]), tmp_path / "out.jsonl", fix=True)
    assert cleaned.mended == {"line form": 2}
    assert survey(find_files([tmp_path / "out.jsonl"])).defects == {}


def test_the_input_is_never_written_over(tmp_path: Path) -> None:
    file = put(tmp_path / "in.jsonl", row("a"))
    with pytest.raises(BadInput, match="one of the files that are read"):
        clean(find_files([file]), file, fix=True)


@pytest.mark.parametrize("fix", [False, True])
def test_strict_sees_ids_that_stand_twice(tmp_path: Path, fix: bool) -> None:
    file = put(tmp_path / "in.jsonl", row("a"), row("a", 4), row("a"), row("b"))
    out, bad = tmp_path / "out.jsonl", tmp_path / "bad.jsonl"
    cleaned = clean(find_files([file]), out, bad, fix=fix, strict=True)
    assert [document["task_id"] for document in lines(out)] == ["a", "b"]
    assert [len(document["traj"]) for document in lines(bad)] == ([4] if fix else [4, 3])
    assert (cleaned.rejected, cleaned.dropped) == ((1, 1) if fix else (2, 0))
    assert survey(find_files([out])).defects == {}


def test_strict_sets_aside_every_row_with_an_unusable_picture(tmp_path: Path) -> None:
    file = put(
        tmp_path / "in.jsonl",
        row("a", [step(0, END)]),
        row("b", [step(0), step(1, END)]),
        row("c", [step(0, END, image="1.png")]),
    )
    out = tmp_path / "out.jsonl"
    assert clean(find_files([file]), out, strict=True, unusable={"1.png"}).rejected == 2
    assert [document["task_id"] for document in lines(out)] == ["a"]
    assert clean(find_files([file]), out, unusable={"1.png"}).rejected == 0
