"""Runs on a real Ray cluster of three nodes: the same as here, whatever is killed, and no key in what Ray keeps."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.alike import attempts_of, pictures_alike, verdicts_of
from tests.cluster.ray_nodes import add_node, needs_ray, ray_nodes, session_files, worker_processes
from workalike.bench.runner import finished_attempts
from workalike.report.reading import read_results
from workalike.store.index import summaries
from workalike.store.runs import Run

pytestmark = [needs_ray, pytest.mark.sweep]
PLANTED = "planted-0f1e2d3c4b5a69788796a5b4c3d2e1f0"
KILLS, LIMIT = 6, 6
PRICES = {"oracle": {"input": 2.0, "output": 8.0}}


def _start(out: Path, *more: str) -> subprocess.Popen[str]:
    # looks of the train split hold still: where a strip comes in late, what is seen first depends on the machine
    town = ["run", "town", "--split", "train", "--repeats", "1", "--steps", "60", "--jobs", "2", "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "workalike.cli", *town, "--out", str(out), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _ran(out: Path, *more: str) -> dict[str, Any]:
    process = _start(out, *more)
    said, told = process.communicate(timeout=1200)
    assert process.returncode == 0, told[-2000:]
    summary: dict[str, Any] = json.loads(said)
    return summary


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    os.environ["WORKALIKE_API_KEY"] = PLANTED  # the nodes' own, which they are started with
    try:
        with ray_nodes(3) as cluster:
            yield cluster
    finally:
        del os.environ["WORKALIKE_API_KEY"]


@pytest.mark.parametrize("shared", [(), ("--shared",)])
def test_the_oracle_does_the_same_there_as_here(nodes: Any, tmp_path: Path, shared: tuple[str, ...]) -> None:
    _ran(tmp_path / "here", "--agent", "oracle", "--limit", "8")
    summary = _ran(tmp_path / "there", "--agent", "oracle", "--limit", "8", "--ray", nodes.address, *shared)
    assert summary["finished"] == 8
    assert attempts_of(tmp_path / "there") == attempts_of(tmp_path / "here")
    assert verdicts_of(tmp_path / "there") == verdicts_of(tmp_path / "here")
    assert pictures_alike(tmp_path / "there", tmp_path / "here") >= 0.9


def test_no_key_is_in_anything_that_ray_keeps(nodes: Any, tmp_path: Path) -> None:
    """The nodes have the key, and their models are asked with it; Ray's logs, its files and its own database of jobs
    and actors have not."""
    _ran(tmp_path / "run", "--agent", "som", "--model", "oracle", "--limit", "3", "--ray", nodes.address)
    files = list(session_files())
    assert len(files) > 10
    assert [path for path in files if PLANTED.encode() in path.read_bytes()] == []
    assert not any(PLANTED.encode() in path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())


def test_a_wedged_browser_is_noticed(nodes: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = _start(folder, "--agent", "oracle", "--limit", "6", "--ray", nodes.address)
    _wait(lambda: _lines(folder) > 8, process)
    stopped = _browsers()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    assert stopped
    said, told = process.communicate(timeout=1200)
    assert process.returncode == 0, told[-2000:]
    assert json.loads(said)["finished"] == 6
    assert "its browser did not answer within 30 s; its jobs are handed to others" in told
    assert all(each.success for each in read_results(folder).results)


def test_random_kills_lose_and_double_nothing(nodes: Any, tmp_path: Path) -> None:
    """Actors, nodes and the driver are killed at random instants, each once something has been done since the last."""
    folder, prices, chance = tmp_path / "run", tmp_path / "prices.json", random.Random(7)
    prices.write_text(json.dumps(PRICES))
    given: list[str] = ["--agent", "som", "--model", "oracle", "--limit", str(LIMIT), "--ray", nodes.address]
    given += ["--prices", str(prices), "--cap", "1000"]
    killed: dict[str, int] = {"actor": 0, "node": 0, "driver": 0}
    spare = add_node(nodes, 2)
    process = _start(folder, *given)
    seen = 0
    while sum(killed.values()) < KILLS:
        _wait_for_lines(folder, seen, process)
        time.sleep(chance.random() * 2)
        seen = _lines(folder)
        if process.poll() is not None:
            if _is_done(folder):
                break
            process = _start(folder, *given)
            continue
        victim = chance.choice(["actor", "actor", "node", "driver"])
        if victim == "driver":
            process.kill()
            process.wait()
            process = _start(folder, *given)
        elif victim == "node":
            nodes.remove_node(spare, allow_graceful=False)
            spare = add_node(nodes, 2)
        elif workers := worker_processes():
            os.kill(chance.choice(workers), signal.SIGKILL)
        else:
            continue
        killed[victim] += 1
    process.wait(timeout=1800)
    summary = _ran(folder, *given)
    print(f"killed: {killed}")
    _check(folder, summary)


def _check(folder: Path, summary: dict[str, Any]) -> None:
    run = Run(folder)
    finished = [name for name, _ in finished_attempts(run)]
    assert sorted(finished) == sorted(f"{task.id}#1" for task in run.tasks())
    assert len(verdicts_of(folder)) == LIMIT
    known = summaries(run)
    assert not [each for each in known if each.damaged or each.unread]
    for each in known:
        exact = each.usage.input_tokens * 2e-6 + each.usage.output_tokens * 8e-6
        assert each.usage.cost == pytest.approx(exact), each.id
        if each.finished:
            assert (each.usage.unaccounted, each.usage.requests) == (0, each.replies)
    assert summary["spent"] == pytest.approx(sum(each.usage.cost or 0.0 for each in known))
    for stored in run.trajectories():
        assert all(run.pictures.has(ref) for ref in stored.trajectory.pictures)


def _is_done(folder: Path) -> bool:
    return (folder / "run.json").is_file() and len(list(finished_attempts(Run(folder)))) == LIMIT


def _lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("trajectory.jsonl"))


def _wait(holds: Callable[[], bool], process: subprocess.Popen[str], may_end: bool = False) -> None:
    until = time.monotonic() + 600
    while not holds():
        assert may_end or process.poll() is None, "it ended before"
        assert time.monotonic() < until, "nothing happened for ten minutes"
        time.sleep(0.1)


def _wait_for_lines(folder: Path, seen: int, process: subprocess.Popen[str]) -> None:
    _wait(lambda: _lines(folder) > seen or process.poll() is not None, process, may_end=True)


def _browsers() -> list[int]:
    """The browsers of the workers, each with all its processes."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        pid = int(entry.parent.name)
        names[pid], parents[pid] = (
            text[text.index("(") + 1 : text.rindex(")")],
            int(text[text.rindex(")") + 2 :].split()[1]),
        )
    workers, found = set(worker_processes()), []
    for pid, name in names.items():
        above = pid
        while above in parents and above not in workers:
            above = parents[above]
        if above in workers and name.startswith(("chrom", "headless")):
            found.append(pid)
    return found
