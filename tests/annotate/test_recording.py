"""The shared real recording goes the whole way: import, reduce, annotate, and messages at every level."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.annotate.screens import red_on, serving
from tests.dataset.rows import lines
from workalike.annotate.looks import target_of
from workalike.cli import main
from workalike.dataset.sources import trajectories


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
