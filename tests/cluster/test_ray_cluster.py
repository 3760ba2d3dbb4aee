"""The line that Ray carries: real actors on a real cluster, an address that answers nobody, and no browser."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.plain import ErrandKind
from tests.cluster.ray_nodes import needs_ray, ray_nodes, worker_processes
from workalike.cli import main
from workalike.cluster.nodes import ClusterLimits
from workalike.cluster.ray_cluster import RayChoice, on_ray
from workalike.core.contracts import Job
from workalike.core.errors import Infrastructure

pytestmark = needs_ray


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with ray_nodes(2, cpus=1) as cluster:
        yield cluster


async def test_actors_do_jobs_on_every_node_and_one_that_is_killed_is_replaced(nodes: Any, tmp_path: Path) -> None:
    kind, said = ErrandKind(tmp_path), list[str]()
    limits = ClusterLimits(look_seconds=0.2)
    async with on_ray(RayChoice(nodes.address), kind, said.append, limits) as workers:
        async with asyncio.timeout(120):
            while workers.places < 4:
                await asyncio.sleep(0.05)
            tasks = [asyncio.create_task(workers.do(Job(f"job{n}", {"items": 2, "seconds": 60}), 1)) for n in range(4)]
            while sum(map(len, kind.told.values())) < 8:
                await asyncio.sleep(0.05)
            os.kill(worker_processes()[0], signal.SIGKILL)
            while sum(task.done() for task in tasks) < 2:
                await asyncio.sleep(0.05)
            assert all(isinstance(task.exception(), Infrastructure) for task in tasks if task.done())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            while workers.places < 4:
                await asyncio.sleep(0.05)
            assert await workers.do(Job("again", {"items": 1}), 2) == {"node": "", "try": 2}
    assert said[0] == f"on the Ray cluster at {nodes.address}: 2 nodes"
    assert "a worker there was lost (actor died); its jobs are handed to others" in said[1]


@pytest.mark.parametrize("listens", [False, True])
def test_an_address_that_answers_nobody_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], listens: bool
) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        if listens:  # something else than Ray
            taken.listen()
            threading.Thread(target=_greet, args=[taken], daemon=True).start()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code = main(["run", "town", "--agent", "idle", "--ray", address, "--out", str(tmp_path / "run")])
    said = capsys.readouterr().err
    assert code == 2
    assert f"no Ray cluster answers at {address}: " in said
    assert ("something else listens there" in said) == listens
    assert not (tmp_path / "run").exists()


def _greet(taken: socket.socket) -> None:
    line, _ = taken.accept()
    line.sendall(b"220 mail.example ready\r\n")
    line.close()


def test_an_address_of_another_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "town", "--agent", "idle", "--ray", "ray://a:1", "--out", str(tmp_path / "run")]) == 2
    assert "run this on a node of the cluster, and name it as HOST:6379" in capsys.readouterr().err
