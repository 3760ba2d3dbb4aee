"""Nodes that are machines of their own to each other: `ray start` in network namespaces, with nothing but a wire
between them. The wire of one is pulled in the middle of a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex

import pytest

from tests.bench.playing import STEPS
from tests.cluster.ray_nodes import needs_ray
from workalike.bench.runner import finished_attempts
from workalike.store.index import summaries
from workalike.store.runs import Run

pytestmark = [needs_ray, pytest.mark.sweep]
NODES, TASKS = 3, 90
TOKEN = token_hex(32)
SWITCH = "wl-switch"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _name(number: int) -> str:
    return f"wl-node{number}"


def _address(number: int) -> str:
    return f"10.77.0.{number}"


def _said(number: int) -> Path:
    return Path(f"/tmp/wl-ray-{os.getpid()}-node{number}.txt")


def _inside(number: int, *command: str) -> list[str]:
    return ["ip", "netns", "exec", _name(number), *command]


def _env() -> dict[str, str]:
    """What everything in this cluster is started with: a token of its own. Left alone, a head asks for one as soon as
    the machine has one, which whoever joins then lacks."""
    return {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN}


@pytest.fixture
def namespaces() -> Iterator[None]:
    """Namespaces on one switch, which is in a namespace itself: nothing leads out."""
    if os.geteuid() != 0 or subprocess.run(["ip", "netns", "add", SWITCH], capture_output=True).returncode:
        pytest.skip("network namespaces need root, and a kernel that has them")
    try:
        _ip("-n", SWITCH, "link", "add", "switch", "type", "bridge")
        _ip("-n", SWITCH, "link", "set", "switch", "up")
        for number in range(1, NODES + 1):
            _ip("netns", "add", _name(number))
            _ip("link", "add", f"port{number}", "netns", SWITCH, "type", "veth", "peer", "wire", "netns", _name(number))
            _ip("-n", SWITCH, "link", "set", f"port{number}", "master", "switch", "up")
            _ip("-n", _name(number), "addr", "add", f"{_address(number)}/24", "dev", "wire")
            for device in ("lo", "wire"):
                _ip("-n", _name(number), "link", "set", device, "up")
        yield
    finally:
        for name in (SWITCH, *map(_name, range(1, NODES + 1))):
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


@contextmanager
def _node(number: int, scratch: Path) -> Iterator[None]:
    """A node, started as one is on a machine of its own."""
    ray = [str(Path(sys.executable).with_name("ray")), "start", "--block", f"--node-ip-address={_address(number)}"]
    ray += ["--num-cpus=1", "--object-store-memory=100000000", "--disable-usage-stats"]
    head = ["--head", "--port=6379", "--include-dashboard=false", f"--temp-dir={scratch}"]
    ray += head if number == 1 else [f"--address={_address(1)}:6379"]
    process = _started(number, ray)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=120)


def _started(number: int, command: list[str]) -> subprocess.Popen[bytes]:
    """A process that is a node by now. Ray gives one thirty seconds, which a busy machine may need more than; then it
    is tried again."""
    for _ in range(9):
        with open(_said(number), "w", encoding="utf-8") as said:
            process = subprocess.Popen(
                _inside(number, *command), stdout=said, stderr=said, start_new_session=True, env=_env()
            )
        while process.poll() is None:
            if "Ray runtime started" in _said(number).read_text():
                return process
            time.sleep(0.2)
    raise AssertionError(_said(number).read_text()[-2000:])


def test_a_run_goes_on_when_a_node_s_wire_is_pulled(namespaces: None, tmp_path: Path) -> None:
    folder, scratch = tmp_path / "run", Path(f"/tmp/wl-ray-{os.getpid()}")
    with ExitStack() as stack:
        for number in range(1, NODES + 1):
            stack.enter_context(_node(number, scratch))
        command = [sys.executable, "-m", "tests.bench.playing", f"{_address(1)}:6379", str(folder), str(TASKS)]
        with open(tmp_path / "said.txt", "w", encoding="utf-8") as said:
            process = subprocess.Popen(_inside(1, *command), stdout=subprocess.PIPE, stderr=said, text=True, env=_env())
        _wait(lambda: process.poll() is not None or _has_worked(NODES, folder))
        assert process.poll() is None, "it was through before its last node had worked: give it more tasks"
        _ip("-n", _name(NODES), "link", "set", "wire", "down")
        summary = json.loads(process.communicate(timeout=1800)[0])
    assert summary["finished"] == TASKS
    assert summary["retried"] >= 1
    run = Run(folder)
    assert len({name for name, _ in finished_attempts(run)}) == TASKS == len(list(finished_attempts(run)))
    assert all(each.steps == STEPS for each in summaries(run) if each.finished)
    assert "its jobs are handed to others" in (tmp_path / "said.txt").read_text()


def _has_worked(number: int, folder: Path) -> bool:
    """Whether some attempt has got a step from that node, which then holds others: there are more than enough."""
    return any(_address(number) in path.read_text() for path in folder.rglob("trajectory.jsonl"))


def _wait(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 900
    while not holds():
        assert time.monotonic() < until, "nothing happened for a quarter of an hour"
        time.sleep(0.2)
