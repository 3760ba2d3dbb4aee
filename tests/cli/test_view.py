"""`understudy view` ends quietly, however often it is told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from understudy.core.observation import Observation
from understudy.core.task import Task
from understudy.core.trajectory import Step
from understudy.store.trajectories import FILE, TrajectoryWriter


def test_ctrl_c_twice_ends_it_quietly(tmp_path: Path) -> None:
    with TrajectoryWriter.create(tmp_path / FILE, "t", Task("t", "look")) as writer:
        writer.step(Step(Observation()))
    command = [sys.executable, "-m", "understudy.cli", "view", str(tmp_path), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert "Ctrl-C stops" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=30)
    assert complaint == ""
