"""The demo tells the whole story, and can be told again."""

from __future__ import annotations

from pathlib import Path

import pytest

from workalike.cli import main
from workalike.cli.demo import AGENTS, DEMONSTRATION, MESSAGES, RECORDING, REPORT
from workalike.store.recordings import Recording
from workalike.store.trajectories import read_trajectory
from workalike.viewer.library import Library


@pytest.mark.sweep
def test_three_agents_a_report_and_a_demonstration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "demo"
    assert main(["demo", "--each", "1", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert f"workalike view {out}" in told
    assert "scripted model follows a script" in told
    assert (out / REPORT).read_text().startswith("<!doctype html>")
    recording = Recording(out / RECORDING)
    assert recording.end is not None
    trajectory = read_trajectory(out / DEMONSTRATION / "trajectory.jsonl").trajectory
    assert trajectory.task.instruction == recording.header.task.instruction
    assert (out / MESSAGES / "chat.jsonl").read_text().count("\n") == len(trajectory.steps)
    shown = sorted(each.kind for each in Library(out).collections())
    assert shown == ["dataset", "demo", "recording", *["run"] * (len(AGENTS) + 1)]
    assert main(["demo", "--each", "1", "--out", str(out)]) == 0, "told again, it goes on with what is there"


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["demo", "--out", str(tmp_path)]) == 2
    assert "is no earlier demo: it holds 'mine.txt'" in capsys.readouterr().err
