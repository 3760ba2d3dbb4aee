"""How long the command line takes to start, against a bare interpreter; and how large an installation is."""

from __future__ import annotations

import subprocess
import sys

from benchmarks import Figure, interleaved


def measure() -> list[Figure]:
    works = {
        "bare": _start("-c", "pass"),
        "--version": _start("-m", "workalike.cli", "--version"),
        "--help": _start("-m", "workalike.cli", "--help"),
        "import": _start("-c", "import workalike"),
    }
    seconds = interleaved(works, times=15)
    bare = seconds["bare"]
    return [
        Figure("workalike --version / bare interpreter", seconds["--version"] / bare, aim="≤ 4"),
        Figure("workalike --help / bare interpreter", seconds["--help"] / bare, aim="≤ 4"),
        Figure("import workalike / bare interpreter", seconds["import"] / bare),
        Figure("bare interpreter", bare * 1000, "ms"),
    ]


def _start(*words: str):  # type: ignore[no-untyped-def]
    return lambda: subprocess.run([sys.executable, *words], capture_output=True, check=True)
