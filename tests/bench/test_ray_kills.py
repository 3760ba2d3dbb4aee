"""Thirty random kills of actors, nodes and the driver of a run on a real Ray cluster: nothing is lost or doubled, and
the books are right. No browser, so that kills come often; `test_ray.py` has some with one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench.playing import EACH, STEPS, picture_of
from tests.cluster.ray_nodes import add_node, needs_ray, ray_nodes, worker_processes
from workalike.bench.runner import finished_attempts
from workalike.core.observation import ImageRef
from workalike.store.index import summaries
from workalike.store.runs import Run

pytestmark = [needs_ray, pytest.mark.sweep]
KILLS, TASKS = 30, 150


def test_random_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    folder, chance = tmp_path / "run", random.Random(18)
    killed = dict.fromkeys(("actor", "node", "driver"), 0)
    with ray_nodes(2, cpus=1) as nodes:
        spare = add_node(nodes, 1)
        process, seen = _start(nodes.address, folder), 0
        while sum(killed.values()) < KILLS:
            _wait_for_steps(folder, seen, process)
            time.sleep(chance.random() * 0.5)  # any instant will do
            seen = _steps(folder)
            assert process.poll() is None, "it was through before all kills: give it more tasks"
            victim = chance.choice(["actor", "actor", "node", "driver"])
            if victim == "driver":
                process.kill()
                process.wait()
                process = _start(nodes.address, folder)
            elif victim == "node":
                nodes.remove_node(spare, allow_graceful=False)
                spare = add_node(nodes, 1)
            elif workers := worker_processes():
                os.kill(chance.choice(workers), signal.SIGKILL)
            else:
                continue
            killed[victim] += 1
        process.wait(timeout=3600)
        summary = json.loads(_start(nodes.address, folder).communicate(timeout=3600)[0])
    print(f"killed {killed}, {len(summaries(Run(folder)))} tries at {TASKS} attempts")
    _check(folder, summary)


def _check(folder: Path, summary: dict[str, float]) -> None:
    run = Run(folder)
    finished = dict(finished_attempts(run))
    assert len(finished) == len(list(finished_attempts(run))) == TASKS
    for place in finished.values():
        stored = place.read().trajectory
        names = [ImageRef.of(picture_of(place.task_id, number)).name for number in range(STEPS)]
        assert [ref.name for ref in stored.pictures] == [*names, names[-1]]
        log = (place.folder / "log.txt").read_text()
        assert log == "".join(f"{place.try_} {number}\n" for number in range(STEPS))
    known = summaries(run)
    assert not [each for each in known if each.damaged]
    assert all(run.pictures.has(ref) for stored in run.trajectories() for ref in stored.trajectory.pictures)
    steps = sum(each.steps for each in known)
    assert summary["spent"] == pytest.approx(steps * EACH)
    assert summary["booked"] == pytest.approx(steps * EACH)
    assert (summary["finished"], summary["skipped"]) == (0, TASKS)


def _start(address: str, folder: Path) -> subprocess.Popen[str]:
    with open(folder.parent / "said.txt", "a", encoding="utf-8") as said:
        command = [sys.executable, "-m", "tests.bench.playing", address, str(folder), str(TASKS)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)


def _steps(folder: Path) -> int:
    return sum(max(0, path.read_bytes().count(b"\n") - 1) for path in folder.rglob("trajectory.jsonl"))


def _wait_for_steps(folder: Path, seen: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 900
    while _steps(folder) <= seen and process.poll() is None:
        assert time.monotonic() < until, "nothing happened for a quarter of an hour"
        time.sleep(0.05)
