"""What Ray costs: CPU for an attempt against the pool in one process, with equal numbers of browsers; and what a step
costs the driver."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from importlib.util import find_spec

from benchmarks import Figure

FEW, MANY, BROWSERS = 4, 16, 2
# Everything that is started becomes this process's child when its own parent is gone, so that all of it is counted.
COUNTED = """
import ctypes, os, resource, subprocess, sys
ctypes.CDLL(None).prctl(36, 1)
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""


def measure() -> list[Figure]:
    if find_spec("ray") is None:
        return [Figure("Ray is not installed: pip install '.[ray]'", 0.0, "")]
    taken = {how: {count: _cpu(count, how) for count in (FEW, MANY)} for how in ((), ("--ray", "local"))}
    each = {how: (of[MANY] - of[FEW]) / (MANY - FEW) for how, of in taken.items()}
    here, there = each[()], each["--ray", "local"]
    from benchmarks.scale import measure as measure_costs

    costs = asyncio.run(measure_costs())
    return [
        Figure("CPU for an attempt of the oracle, in one process", here, "s", detail=f"{BROWSERS} browsers"),
        Figure("… on Ray, with as many browsers, against that", there / here, "×", "≤ 1.1", f"{there:.2f} s"),
        Figure("a step with its picture, of the driver's time", costs.streamed * 1000, "ms"),
        Figure("… whose picture lies in a shared folder", costs.shared * 1000, "ms"),
        Figure("money for a request, of the driver's time", costs.money * 1000, "ms"),
    ]


def _cpu(count: int, how: tuple[str, ...]) -> float:
    """Seconds of CPU of a run of so many attempts, with everything that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        run = [sys.executable, "-m", "workalike.cli", "run", "town", "--agent", "oracle", "--repeats", "1"]
        run += [
            "--limit",
            str(count),
            "--jobs",
            str(2 * BROWSERS),
            "--browsers",
            str(BROWSERS),
            "--out",
            f"{folder}/run",
        ]
        said = subprocess.run([sys.executable, "-c", COUNTED, *run, *how], check=True, capture_output=True, text=True)
        return float(said.stdout)
