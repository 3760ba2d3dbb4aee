"""The index of a dataset: what is searched for and filtered by is what `dataset filter` would find."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.dataset.rows import put, row, step
from tests.viewer.sample import dataset
from workalike.core.actions import Click, Write
from workalike.core.errors import BadInput
from workalike.core.observation import Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Trajectory
from workalike.dataset.choosing import filter_rows
from workalike.dataset.expressions import Expression
from workalike.dataset.files import find_files
from workalike.store.packed import write_packed
from workalike.viewer.dataset_collection import DatasetCollection
from workalike.viewer.datasets import Choice, command_line
from workalike.viewer.facets import FacetCollector
from workalike.viewer.index import build_index, index_file
from workalike.viewer.search import as_filter, match, terms


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def opened(path: Path) -> DatasetCollection:
    build_index(path)
    return DatasetCollection("key", path.name, path)


def ids(found: DatasetCollection, search: str = "", where: str = "") -> list[str]:
    rows, _ = found.choose(search, where)
    return [entry.id for entry in found.listed(rows)]


def filtered(path: Path, where: str, out: Path) -> list[str]:
    """What the command line keeps."""
    filter_rows(find_files([path]), Expression(where), out)
    return [json.loads(line)["task_id"] for line in out.read_text().splitlines()]


@pytest.mark.parametrize(
    "where",
    [
        "efficiency_score >= 7 and system == 'ubuntu'",
        "system == 'macos' or steps > 3",
        "any(traj, code contains 'number7')",
        "count(traj, last_step_correct == true) == 3 and efficiency_score == 2",
        "verify_feedback.quality == 'good' and applications contains 'Files' and efficiency_score < 1",
    ],
)
def test_a_filter_finds_what_the_command_finds(tmp_path: Path, where: str) -> None:
    path = dataset(tmp_path / "set")
    found = ids(opened(path), where=where)
    assert found == filtered(path, where, tmp_path / "out.jsonl")
    assert found


@pytest.mark.parametrize(
    ("search", "count"),
    [
        ("spreadsheet", 12),
        ("SPREAD", 12),
        ('"letter is open"', 48),
        ('"open letter"', 0),
        ("spreadsheet -day", 0),
        ("thought:spreadsheet", 12),
        ("typed:spreadsheet", 0),
        ("typed:number7 ", 1),
        ("instruction:day hello", 60),
        ("cell: (*", 60),
        ('" OR NEAR( ^ -', 0),
    ],
)
def test_words_phrases_and_columns_are_found(tmp_path: Path, search: str, count: int) -> None:
    path = dataset(tmp_path / "set")
    found = opened(path)
    if search.startswith('" OR'):
        assert ids(found, '" OR') == []
        return
    assert len(ids(found, search)) == count
    if count:  # in the filter language it means the same
        assert filtered(path, as_filter(terms(search)), tmp_path / "out.jsonl") == ids(found, search)


def test_a_search_needs_something_to_find() -> None:
    assert terms("  ( ) ") == ()
    assert match(terms("thought:a -b ")) == '(thought : "a") NOT ("b")'
    with pytest.raises(BadInput, match="besides what is to be left out"):
        terms("-letter")
    with pytest.raises(BadInput, match="too long"):
        terms("x" * 1000)


def test_what_was_chosen_becomes_a_command_line(tmp_path: Path) -> None:
    found = opened(dataset(tmp_path / "set"))
    flagged = command_line(found, Choice(flagged=("t1", "it's"), keep="flagged"))
    assert flagged.endswith("""--where 'task_id in ["t1", "it'"'"'s"]' --out chosen.jsonl""")
    few = command_line(found, Choice(q="typed:number7 "))
    assert 'task_id in ["t7"]' in few
    rest = command_line(found, Choice(where="steps == 3", flagged=("t1",), keep="unflagged"))
    assert '(steps == 3) and (not (task_id in ["t1"]))' in rest
    with pytest.raises(BadInput, match="too long"):
        command_line(found, Choice(flagged=tuple("x" * 50 for _ in range(300)), keep="flagged"))


def test_an_index_is_used_until_a_file_changes(tmp_path: Path) -> None:
    path = dataset(tmp_path / "set", rows=3)
    assert opened(path).about.rows == 3
    made = index_file(path).stat().st_mtime_ns
    again = DatasetCollection("key", "set", path)
    assert again.prepare().ready
    assert index_file(path).stat().st_mtime_ns == made
    put(path / "agentnet.jsonl", row("other"))
    assert not again.prepare().ready
    deadline = time.monotonic() + 60
    while not again.prepare().ready and time.monotonic() < deadline:
        time.sleep(0.01)
    assert ids(again) == ["other"]
    assert sorted(each.name for each in path.iterdir()) == ["agentnet.jsonl", "images", "meta_data_merged.jsonl"]


def test_odd_rows_are_read_as_far_as_they_can_be(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    odd = [row("a", [3, None, step(0, None, thought=7)]), row("a"), row("x" * 5000), row(""), "[1]\n", "{\n"]
    put(path, *odd, {"task_id": "n", "traj": "none", "instruction": 5})
    found = opened(path)
    assert [entry.steps for entry in found.entries()] == [3, 3, 3, 3, 0]
    refs = [entry.ref for entry in found.entries()]
    assert refs[:2] == ["a", "a~2"]
    assert max(map(len, refs)) < 100
    assert found.about.unread == 2
    assert found.neighbours("a~2") == ("a", refs[2])


def test_trajectories_of_ours_are_indexed_like_rows(tmp_path: Path) -> None:
    path = tmp_path / "ours.jsonl.gz"
    steps = (
        Step(Observation(), (ActionResult(Click(Point(0.5, 0.5))),), thought="Look for the teapot"),
        Step(Observation(), (ActionResult(Write("a blue kettle")),)),
    )
    write_packed(path, (Trajectory(f"id/{n}", Task("t", f"Buy thing {n}"), steps) for n in range(5)))
    found = opened(path)
    assert ids(found, "teapot") == [f"id/{n}" for n in range(5)]
    assert ids(found, "typed:kettle", "instruction matches 'thing 3'") == ["id/3"]
    assert found.trajectory("id/3").steps[1].actions[0].action == Write("a blue kettle")


def test_distributions_know_their_filters() -> None:
    collected = FacetCollector()
    for number in range(1, 101):
        fields = {"system": "ubuntu" if number % 4 else "macos", "steps": number, "task_id": f"t{number}"}
        collected.add(number, {**fields, "note": f"free text {number}", "apps": ["a", "b"], "inner": {"ok": True}})
    held = list(collected.facets())
    assert {facet.field for facet in held} == {"system", "steps", "apps", "inner.ok"}
    counts = {facet.where: len(facet.rows) for facet in held}
    assert counts['system == "ubuntu"'] == 75
    assert counts['apps contains "b"'] == 100
    assert counts["inner.ok == true"] == 100
    assert sum(count for where, count in counts.items() if where.startswith("steps")) == 100
    for facet in held:
        if facet.field == "steps":
            assert all(Expression(facet.where)({"steps": number}) for number in facet.rows)
