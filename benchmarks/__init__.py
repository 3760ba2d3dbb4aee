"""Speed and memory, measured as ratios within one run because machines are noisy. `make bench` runs all of them.

A measurement is a module `bench_NAME.py` here with `measure() -> list[Figure]`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

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


def interleaved(works: dict[str, Callable[[], object]], times: int = 5) -> dict[str, float]:
    """Median seconds of several works run in turns, so that noise falls on all of them alike."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
