"""A report on ten thousand attempts: reading them, all its tables, two runs compared, and the page with its figures."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import Figure, median_seconds
from benchmarks.bench_index import ATTEMPTS, make_run
from workalike.report.build import of
from workalike.report.reading import read_results
from workalike.store.index import UNSETTLED, summaries
from workalike.store.runs import Run


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        make_run(run, ATTEMPTS)
        time.sleep(UNSETTLED / 1e9)
        summaries(Run(run))
        read = median_seconds(lambda: read_results(run), 3)
        results = read_results(run)
        alone = median_seconds(lambda: of([results]).text(), 3)
        both = median_seconds(lambda: of([results, results]).text(), 3)
        command = median_seconds(lambda: _call(str(run)), 3)
        page = median_seconds(lambda: of([results]).html(Path(folder) / "report.html"), 1)
    return [
        Figure("a run out of its index, with its verdicts", read, "s", "", f"{len(results.results):,} attempts"),
        Figure("… all tables of it", alone, "s"),
        Figure("… all tables of two such runs, compared", both, "s"),
        Figure("`workalike report` on it, as a process", command, "s", "< 2"),
        Figure("the HTML page with figures and samples", page, "s"),
    ]


def _call(run: str) -> None:
    words = [sys.executable, "-m", "workalike.cli", "report", run]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
