"""Speed and memory, measured as ratios within one run because machines are noisy. `make bench` runs all of them.

A measurement is a module `bench_NAME.py` here with `measure() -> list[Figure]`.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """One measured number: what it is, how much, in which unit, and what we aim for (as text, may be empty)."""

    name: str
    value: float
    unit: str = "×"
    aim: str = ""
    detail: str = ""


def median_seconds(work: Callable[[], object], times: int = 5) -> float:
    """The median wall time of calling something several times."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def interleaved(
    works: Mapping[str, Callable[[], object]], times: int = 5, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Median seconds of several works run in turns, so that noise falls on all of them alike."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times):
        for name, work in works.items():
            start = clock()
            work()
            taken[name].append(clock() - start)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def resident() -> int:
    """Resident bytes of this process and all it started."""
    children: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(entry.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        sizes[pid] = int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    total, waiting = 0, [os.getpid()]
    while waiting:
        pid = waiting.pop()
        total += sizes.get(pid, 0)
        waiting += children.get(pid, [])
    return total
