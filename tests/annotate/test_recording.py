"""The shared real recording goes the whole way: import, reduce, annotate, and messages at every level."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.annotate.screens import red_on, serving
from tests.dataset.rows import lines
from workalike.annotate.looks import target_of
from workalike.cli import main
from workalike.core.review import DemonstrationReview, SensitiveRegion
from workalike.core.screen import Box
from workalike.dataset.sources import expanded, trajectories
from workalike.store.recordings import Recording
from workalike.store.reviews import revise


def test_a_recording_goes_the_whole_way_to_messages(fixtures: Path, tmp_path: Path) -> None:
    recording, demo = tmp_path / "recording", tmp_path / "demo"
    assert main(["import", "agentnet-tool", str(fixtures / "agentnet-recording"), "--out", str(recording)]) == 0
    assert main(["reduce", str(recording), "--out", str(demo)]) == 0
    assert main(["dataset", "export", str(demo), "--level", "l2", "--out", str(tmp_path / "bare")]) == 1
    with serving() as service:
        assert main(["annotate", str(demo), "--model", service.model, "--out", str(tmp_path / "rows.jsonl")]) == 0
    (made,) = trajectories([demo])
    assert len(service.asked("generator")) == len(made.steps) > 10
    for shown in service.shown:
        if shown.question.role != "generator":
            continue
        target = target_of(made.steps, shown.question.number - 1)
        if target.marked != "point":
            continue
        red = red_on(shown.pictures[1])
        assert red is not None, "the zoom has its ring"
    for level in ("l1", "l2", "l3"):
        out = tmp_path / level
        assert main(["dataset", "export", str(demo), "--redundant", "--level", level, "--out", str(out)]) == 0
        assert len(lines(out / "chat.jsonl")) >= 10
    (row,) = lines(tmp_path / "rows.jsonl")
    assert all(step["value"]["observation"] and step["value"]["reflection"] for step in row["traj"])


def test_the_shared_trajectory_is_marked_where_it_was_clicked(fixtures: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(fixtures / "agentnet-trajectory", folder)
    with serving() as service:
        assert main(["annotate", str(folder), "--model", service.model, "--method", "parallel"]) == 0
    (made,) = trajectories([folder])
    clicks = 0
    for shown in service.shown:
        place = shown.question.number - 1
        if shown.question.role == "generator" and target_of(made.steps, place).marked == "point":
            at = target_of(made.steps, place).places[0]
            wide, high = shown.pictures[0].size
            around = (at.x * wide - 20, at.y * high - 20, at.x * wide + 20, at.y * high + 20)
            assert red_on(shown.pictures[0].crop(tuple(map(round, around)))) is not None  # type: ignore[arg-type]
            clicks += 1
    assert clicks == 13
    assert main(["annotate", str(folder), "--check", "--html", str(tmp_path / "chains.html")]) == 0
    assert json.dumps(made.extra["summary"])


def test_a_recording_as_it_was_taken_is_reduced_on_the_way(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = tmp_path / "recordings" / "display"
    assert main(["import", "agentnet-tool", str(fixtures / "agentnet-recording"), "--out", str(recording)]) == 0
    with serving() as service:
        order = ["annotate", str(recording.parent), "--model", service.model, "--method", "parallel"]
        assert main(order) == 0
        told = capsys.readouterr()
        assert f"{recording} is a recording: its 15 steps lie in {recording / 'reduced'} now" in told.err
        assert "0 of them flagged" in told.out, "what is acted on is known before"
        asked = len(service.shown)
        assert main([*order[:1], str(recording), *order[2:]]) == 0
        assert len(service.shown) == asked > 30, "nothing is paid for twice, however the recording is named"
        for given in (recording, recording.parent, recording / "reduced"):
            out = tmp_path / f"l3-{given.name}"
            assert main(["dataset", "export", str(given), "--redundant", "--level", "l3", "--out", str(out)]) == 0
            assert len(lines(out / "chat.jsonl")) >= 10

        id = Recording(recording).header.id
        revise(recording, id, DemonstrationReview(task="another wording"), "ann", "reworded", 0)
        capsys.readouterr()
        assert main(order) == 2
        assert "was reviewed after it was reduced: move" in capsys.readouterr().err
        revise(recording, id, DemonstrationReview(decision="rejected"), "ann", "rejected", 1)
        assert main(order) == 1
        assert f"{recording} was rejected by ann: it is left out" in capsys.readouterr().err
        assert len(service.shown) == asked


def test_what_was_reduced_counts_as_long_as_the_review_leaves_it(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rejected recording, a region to hide or a cut file never go into a dataset in silence."""
    recording = tmp_path / "recordings" / "display"
    assert main(["import", "agentnet-tool", str(fixtures / "agentnet-recording"), "--out", str(recording)]) == 0
    export = ["dataset", "export", str(recording.parent), "--level", "l1", "--redundant", "--out"]
    assert main([*export, str(tmp_path / "none")]) == 1
    assert f"{recording} is a recording that was not reduced" in capsys.readouterr().err
    with serving() as service:
        annotate = ["annotate", str(recording), "--model", service.model, "--method", "parallel"]
        assert main(annotate) == 0
        id = Recording(recording).header.id

        revise(recording, id, DemonstrationReview(decision="accepted", quality="good"), "ann", "accepted", 0)
        assert main(annotate) == 0, "to be content with it changes no step"
        assert main([*export, str(tmp_path / "accepted")]) == 0

        hidden = SensitiveRegion(Box(0, 0, 1, 1))
        revise(recording, id, DemonstrationReview(regions=(hidden,)), "ann", "hidden", 1)
        file = recording / "reduced" / "trajectory.jsonl"
        named = (recording, recording.parent, tmp_path, file.parent, file)
        to = ["--level", "l1", "--out", str(tmp_path / "hidden")]
        exports = [["dataset", "export", str(each), *to] for each in named]
        for command in (annotate, *exports):
            capsys.readouterr()
            assert main(command) == 2, command
            assert "was reviewed after it was reduced" in capsys.readouterr().err

        revise(recording, id, DemonstrationReview(decision="rejected"), "ann", "rejected", 2)
        assert main([*export, str(tmp_path / "rejected")]) == 1
        assert "was rejected by ann" in capsys.readouterr().err

        revise(recording, id, DemonstrationReview(), "ann", "as it was", 3)
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
        assert main([*export, str(tmp_path / "cut")]) == 2
        assert "was cut off, its end is missing" in capsys.readouterr().err
    assert not (tmp_path / "hidden").exists()


def test_a_recording_without_its_video_leaves_nothing_behind(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = tmp_path / "display"
    assert main(["import", "agentnet-tool", str(fixtures / "agentnet-recording"), "--out", str(recording)]) == 0
    for video in recording.rglob("video.mp4"):
        video.unlink()
    with serving() as service:
        assert main(["annotate", str(recording), "--model", service.model]) == 2
        assert "has no frame of any of its steps" in capsys.readouterr().err
        assert not service.shown
    assert not (recording / "reduced").exists()


def test_beside_recordings_everything_else_is_read_too(fixtures: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    assert main(["import", "agentnet-tool", str(fixtures / "agentnet-recording"), "--out", str(folder / "rec")]) == 0
    assert main(["reduce", str(folder / "rec"), "--out", str(folder / "demos" / "a")]) == 0
    (folder / "run").mkdir()
    (folder / "run" / "run.json").write_text("{}")
    (folder / "notes").mkdir()
    found = [path.relative_to(folder).as_posix() for path in expanded([folder])]
    assert found == ["demos", "rec", "run"]
