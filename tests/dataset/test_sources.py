"""Rows and trajectories of ours are read alike, from wherever they lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.dataset.browsing import trajectory
from tests.dataset.rows import lines, meta, put, row
from workalike.core.actions import Click, Visit
from workalike.core.errors import BadInput
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult
from workalike.core.verdict import Verdict
from workalike.dataset.defects import Defect
from workalike.dataset.sources import SourceChoice, input_files, is_rows, row_files, rows_of, trajectories
from workalike.dataset.survey import survey
from workalike.store.layers import LayerWriter, StepTexts, find_layers
from workalike.store.packed import write_packed
from workalike.store.trajectories import write_trajectory


def test_which_is_which(tmp_path: Path) -> None:
    packed = tmp_path / "ours.jsonl"
    write_packed(packed, [trajectory()])
    theirs = put(tmp_path / "theirs.jsonl", row())
    assert (is_rows(packed), is_rows(theirs)) == (False, True)
    (tmp_path / "folder").mkdir()
    put(tmp_path / "folder" / "x.jsonl", row())
    assert is_rows(tmp_path / "folder")
    assert is_rows(put(tmp_path / "broken.jsonl", "{oops\n"))


def test_rows_with_their_metadata(tmp_path: Path) -> None:
    put(tmp_path / "meta_data_merged.jsonl", meta("a", "Darwin"))
    file = put(tmp_path / "a.jsonl", row("a"), "{oops\n", row("b"))
    told: list[str] = []
    read = list(trajectories([file], tell=told.append))
    assert [each.id for each in read] == ["a", "b"]
    assert read[0].task.extra["system"] == "macos"
    assert read[0].steps[0].observation.size is not None
    assert "line 2" in told[0]


def test_ours_become_rows_and_come_back(tmp_path: Path) -> None:
    packed = tmp_path / "ours.jsonl"
    visiting = replace(trajectory().steps[0], actions=(ActionResult(Visit("https://a")),))
    write_packed(packed, [trajectory(), replace(trajectory(), id="other", steps=(visiting,))])
    told: list[str] = []
    with row_files([packed], tell=told.append) as found:
        (document,) = lines(found.rows[0])
        assert document["task_id"] == "run1/task"
        assert "pyautogui.scroll(-3)" in document["traj"][2]["value"]["code"]
        assert list(trajectories(found.rows)) == [trajectory()]
    assert not found.rows[0].exists()
    assert [text.partition(": ")[0] for text in told] == ["other is left out"]


def test_plain_rows_have_no_field_of_ours() -> None:
    (line,) = rows_of([trajectory()], plain=True)
    assert b'"workalike"' not in line


def test_verdicts_choose_and_annotations_are_laid_over(tmp_path: Path) -> None:
    for name in ("good", "bad", "unjudged"):
        write_trajectory(tmp_path / name / "trajectory.jsonl", replace(trajectory(), id=name))
    with LayerWriter(tmp_path, "verdicts", "state", Verdict) as verdicts:
        verdicts.put("good", Verdict("good", "state", "success"))
        verdicts.put("bad", Verdict("bad", "state", "failure"))
    with LayerWriter(tmp_path, "annotations", "me", StepTexts) as texts:
        texts.put("good", StepTexts(thought="Better.", correct=False), 0)
    (only,) = trajectories([tmp_path], choice=SourceChoice("success"))
    assert only.id == "good"
    assert (only.steps[0].thought, only.steps[0].correct) == ("Better.", False)
    assert len(list(trajectories([tmp_path], choice=SourceChoice("success", "state")))) == 1
    assert len(list(trajectories([tmp_path]))) == 3
    with pytest.raises(BadInput, match="no verdicts by 'nobody'; it has state"):
        list(trajectories([tmp_path], choice=SourceChoice("success", "nobody")))


def packed(path: Path, *ids: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    write_packed(path, [replace(trajectory(), id=name) for name in ids])
    return path


def test_a_folder_or_pattern_of_packed_files_is_read_as_what_it_holds(tmp_path: Path) -> None:
    packed(tmp_path / "set" / "a.jsonl", "a1", "a2")
    packed(tmp_path / "set" / "b.jsonl.zst", "b1")
    for given in ([tmp_path / "set"], [f"{tmp_path}/set/*.jsonl*"]):
        assert [each.id for each in trajectories(given)] == ["a1", "a2", "b1"]
        with row_files(given) as found:
            assert [each["task_id"] for file in found.rows for each in lines(file)] == ["a1", "a2", "b1"]
    put(tmp_path / "set" / "rows.jsonl", row("r"))
    assert [each.id for each in trajectories([tmp_path / "set"])] == ["a1", "a2", "b1", "r"]
    with row_files([tmp_path / "set"]) as found:
        assert [each["task_id"] for file in found.rows for each in lines(file)] == ["a1", "a2", "b1", "r"]


def test_defects_of_ours_are_named_where_they_lie(tmp_path: Path) -> None:
    off = replace(
        trajectory(), id="off", steps=(replace(trajectory().steps[0], actions=(ActionResult(Click(Point(1.5, 0.5))),)),)
    )
    visiting = replace(off, id="visit", steps=(replace(off.steps[0], actions=(ActionResult(Visit("https://a")),)),))
    write_packed(tmp_path / "ours.jsonl", [visiting, trajectory(), off, off])
    write_trajectory(tmp_path / "demo" / "x" / "trajectory.jsonl", off)
    defects: list[Defect] = []
    with row_files([tmp_path / "ours.jsonl", tmp_path / "demo"]) as found:
        result = survey(found, texts=False, sink=defects.append)
        with pytest.raises(BadInput, match="one of the files that are read"):
            found.refuse(tmp_path / "ours.jsonl")
    assert result.files == [str(tmp_path / "ours.jsonl"), str(tmp_path / "demo")]
    places = [(defect.file, defect.line) for defect in defects if defect.kind == "place off the screen"]
    assert places == [
        (str(tmp_path / "ours.jsonl"), 3),
        (str(tmp_path / "ours.jsonl"), 4),
        (str(tmp_path / "demo" / "x" / "trajectory.jsonl"), 1),
    ]
    assert {defect.text for defect in defects if defect.kind == "duplicate row"} == {
        f"the same row in {tmp_path / 'ours.jsonl'}, line 3"
    }


def test_what_was_read_is_listed_by_name(tmp_path: Path) -> None:
    one = packed(tmp_path / "set" / "a.jsonl", "a1")
    write_trajectory(tmp_path / "demo" / "x" / "trajectory.jsonl", trajectory())
    with LayerWriter(tmp_path / "demo", "annotations", "me", StepTexts) as texts:
        texts.put("run1/task", StepTexts(thought="Better."), 0)
    (layer,) = find_layers(tmp_path / "demo", "annotations")
    assert input_files([tmp_path / "set", tmp_path / "demo"]) == [
        ("set/a.jsonl", one),
        ("demo/x/trajectory.jsonl", tmp_path / "demo" / "x" / "trajectory.jsonl"),
        (f"demo/layers/annotations/{layer.name}", layer),
    ]
    assert input_files([one]) == [("a.jsonl", one)]
