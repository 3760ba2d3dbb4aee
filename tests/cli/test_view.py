"""`workalike view` ends quietly, however often it is told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step
from workalike.store.trajectories import FILE, TrajectoryWriter


def test_ctrl_c_twice_ends_it_quietly(tmp_path: Path) -> None:
    with TrajectoryWriter.create(tmp_path / FILE, "t", Task("t", "look")) as writer:
        writer.step(Step(Observation()))
    command = [sys.executable, "-m", "workalike.cli", "view", str(tmp_path), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert "Ctrl-C stops" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=30)
    assert complaint == ""
