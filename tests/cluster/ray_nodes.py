"""A Ray cluster of several nodes on this machine, each with processes of its own, for tests that need a real one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install '.[ray]'")


@contextmanager
def ray_nodes(count: int, cpus: int = 2) -> Iterator[Any]:
    """A `ray.cluster_utils.Cluster` with so many nodes."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster: Any = import_module("ray.cluster_utils").Cluster
    nodes = _tried(lambda: cluster(initialize_head=True, head_node_args={"include_dashboard": False, **size_of(cpus)}))
    try:
        for _ in range(count - 1):
            add_node(nodes, cpus)
        nodes.wait_for_nodes(timeout=300)
        yield nodes
    finally:
        nodes.shutdown()


def size_of(cpus: int) -> dict[str, int]:
    return {"num_cpus": cpus, "object_store_memory": 100 * 2**20}


def add_node(nodes: Any, cpus: int) -> Any:
    """One more node."""
    return _tried(lambda: nodes.add_node(**size_of(cpus)))


def _tried(start: Callable[[], Any]) -> Any:
    """Ray gives a node thirty seconds to start, which a busy machine may need more than; then it is tried again."""
    for _ in range(9):
        try:
            return start()
        except Exception as error:
            last = error
    raise last


def worker_processes() -> list[int]:
    """The processes that are workers of ours, under Ray."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if entry.read_bytes().startswith(b"ray::RayWorker"):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def session_files() -> Iterator[Path]:
    """Everything that Ray has written of its latest session."""
    for path in Path("/tmp/ray/session_latest").resolve().rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path
