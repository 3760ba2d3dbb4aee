"""Duplicates are found exactly and nearly, and the row that stays is the one asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dataset.rows import lines, put, row, step
from workalike.core.errors import BadInput
from workalike.dataset.dedupe import Keep, dedupe_rows, likeness, runs_of
from workalike.dataset.files import find_files

SENTENCE = "open the file menu choose save as pick a folder type name press enter wait until done close window"
WORDS = SENTENCE.split(" ")


def said(task_id: str, words: list[str], **more: Any) -> dict[str, Any]:
    """A row whose words are given, two to a step."""
    steps = [step(place, action=" ".join(words[place * 3 : place * 3 + 3])) for place in range(len(words) // 3)]
    return row(task_id, steps, instruction=" ".join(words), natural_language_task="", **more)


def kept(tmp_path: Path, *rows: Any, **options: Any) -> list[str]:
    out = tmp_path / "out.jsonl"
    dedupe_rows(find_files([put(tmp_path / "in.jsonl", *rows)]), out, **options)
    return [f"{document['task_id']}/{len(document['traj'])}" for document in lines(out)]


def test_the_same_content_under_another_name_is_a_duplicate(tmp_path: Path) -> None:
    again = {**row("a"), "task_id": "b"}
    assert kept(tmp_path, row("a"), again, row("c")) == ["a/3", "c/3"]


@pytest.mark.parametrize(("keep", "stays"), [("first", "a/3"), ("last", "a/2"), ("longest", "a/5"), ("best", "a/4")])
def test_which_one_stays(tmp_path: Path, keep: Keep, stays: str) -> None:
    rows = [row("a", 3), row("a", 5), row("a", 4, alignment_score=10), row("a", 2)]
    assert kept(tmp_path, *rows, same_id=True, keep=keep) == [stays]
    assert len(kept(tmp_path, *rows)) == 4


def test_nearly_the_same_words(tmp_path: Path) -> None:
    other = [*WORDS[:-1], "door"]
    rows = [said("a", WORDS), said("b", other), said("c", list(reversed(WORDS)))]
    assert kept(tmp_path, *rows, near=0.6) == ["a/6", "c/6"]
    assert len(kept(tmp_path, *rows, near=0.99)) == 3


def test_a_chain_of_likenesses_is_one_group(tmp_path: Path) -> None:
    chain = [said(f"t{number}", [*WORDS[: 18 - number], *("x",) * number]) for number in range(4)]
    assert kept(tmp_path, *chain, near=0.5) == ["t0/6"]


def test_what_was_left_out_is_named(tmp_path: Path) -> None:
    found = find_files([put(tmp_path / "in.jsonl", row("a"), {**row("a"), "task_id": "b"})])
    chosen = dedupe_rows(found, tmp_path / "out.jsonl", near=0.9)
    assert chosen.dropped == 1
    assert "line 2 (same content)" in chosen.notes[0]
    assert "line 1 stands for it" in chosen.notes[0]
    with pytest.raises(BadInput, match="near from"):
        dedupe_rows(found, tmp_path / "out.jsonl", near=0)


@given(st.permutations(WORDS), st.integers(0, 17))
@settings(max_examples=15, deadline=None)
def test_whatever_is_near_enough_is_found(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], place: int
) -> None:
    one, other = said("a", words), said("b", [*words[:place], "other", *words[place + 1 :]])
    alike = likeness(*(np.fromiter(runs_of(each), np.uint32) for each in (one, other)))
    folder = tmp_path_factory.mktemp("d")
    assert len(kept(folder, one, other, near=alike * 0.8)) == 1
    assert len(kept(folder, one, other, near=alike * 1.05)) == 2
