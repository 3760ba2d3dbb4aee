"""The viewer on a set of AgentNet's size: time to index, to the first page, to search, and memory, against the public
viewer's way, which reads all rows into memory (with pandas where it is installed, into plain lists else).

Aims are held against the viewer's processor time, which a busy machine distorts least; the clock's is told beside it.
`WORKALIKE_BENCH_SHARE=0.1` measures on a tenth of the set.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from benchmarks import Figure
from benchmarks.agentnet_set import PICTURE, write_pictures, write_set

SHARE = float(os.environ.get("WORKALIKE_BENCH_SHARE", "1"))
SEARCHES = (
    "spreadsheet",
    "save button",
    '"save the"',
    "typed:calendar",
    "keyboard shortcut -video",
    "instruction:chart",
)
FILTER = "efficiency_score >= 7 and system == 'ubuntu' and steps < 30"
ROUNDS = 3
PUBLIC_WAY = """
import json, sys, time
from pathlib import Path
start = time.perf_counter()
rows = []
for file in sorted(Path(sys.argv[1]).glob("agentnet*.jsonl")):
    with open(file) as lines:
        rows += [json.loads(line) for line in lines]
try:
    import pandas
    table = pandas.DataFrame(rows)
    first = table.head(50)["instruction"].tolist()
except ImportError:
    first = [row["instruction"] for row in rows[:50]]
loaded = time.perf_counter() - start
start = time.perf_counter()
wanted = "save button"
found = [
    row["task_id"] for row in rows
    if wanted in row["instruction"] or any(wanted in (step["value"].get("thought") or "") for step in row["traj"])
]
searched = time.perf_counter() - start
(peak,) = [int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(json.dumps([loaded, searched, peak / 1024, "pandas" in sys.modules]))
"""


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="workalike-bench-") as folder:
        root = Path(folder)
        (root / "set").mkdir()
        made = write_set(root / "set", SHARE)
        pictures = write_pictures(root / "set")
        detail = f"{made.rows:,} trajectories, {made.bytes / 1e6:,.0f} MB, {pictures:,} pictures in split archives"
        with _viewing(root) as viewer:
            indexed, indexed_cpu = viewer.until_ready(), viewer.cpu()
            building = viewer.peak()
        kept = sum(file.stat().st_size for file in (root / "cache").rglob("*.sqlite")) / 1e6
        start = time.perf_counter()
        with _viewing(root) as viewer:
            viewer.ask("rows")
            started, started_cpu = time.perf_counter() - start, viewer.cpu()
            first = min(_timed(viewer, "rows") for _ in range(ROUNDS))
            searches, searches_cpu = _searched(viewer)
            facets, filtered = _timed(viewer, "facets", q=SEARCHES[0]), _timed(viewer, "rows", where=FILTER)
            shown = _timed(viewer, "trajectory", ref=viewer.ask("rows")["rows"][0]["ref"])
            bare = viewer.peak()
            seen = _pictures(viewer)
            memory = viewer.peak()
        words = [sys.executable, "-c", PUBLIC_WAY, str(root / "set")]
        loaded, scanned, public, pandas = msgspec.json.decode(subprocess.check_output(words))
    way = "all rows into pandas" if pandas else "all rows into lists (no pandas here)"
    return [
        Figure(
            "time to index, once",
            indexed_cpu,
            "s",
            "",
            f"{indexed:.1f} s by the clock; {detail}; the index takes {kept:,.0f} MB",
        ),
        Figure("… memory meanwhile", building, "MB", "< 300"),
        Figure("from the command to the first page, indexed", started_cpu, "s", "< 1", f"{started:.2f} s by the clock"),
        Figure("… against the public viewer's way", loaded / started, "×", "", f"{loaded:.1f} s; {way}"),
        Figure("the first page, when the viewer runs", 1000 * first, "ms"),
        Figure(
            "the slowest of some searches", 1000 * searches_cpu, "ms", "< 200", f"{1000 * searches:.0f} ms by the clock"
        ),
        Figure("… against the public viewer's way", scanned / searches, "×", "", f"{1000 * scanned:.0f} ms there"),
        Figure("a filter over three fields", 1000 * filtered, "ms"),
        Figure("distributions of what was found", 1000 * facets, "ms"),
        Figure("a trajectory", 1000 * shown, "ms"),
        *seen,
        Figure("memory of the viewer after all that", memory, "MB", "< 300", f"{bare:.0f} MB before the first picture"),
        Figure("… of the public viewer's way", public, "MB"),
    ]


class _Viewer:
    def __init__(self, url: str, key: str, process: int) -> None:
        self._url, self._key, self._process = url, key, process

    def ask(self, name: str, **asked: str) -> Any:
        query = urllib.parse.urlencode(asked)
        with urllib.request.urlopen(f"{self._url}api/{name}/{self._key}?{query}") as answer:
            return msgspec.json.decode(answer.read())

    def picture(self, ref: str, name: str) -> float:
        """How long a picture takes, by the clock."""
        start = time.perf_counter()
        query = urllib.parse.urlencode({"ref": ref, "name": name})
        with urllib.request.urlopen(f"{self._url}picture/{self._key}?{query}") as answer:
            assert answer.read() == PICTURE
        return time.perf_counter() - start

    def until_ready(self) -> float:
        start = time.perf_counter()
        while not self.ask("dataset")["index"].get("ready"):
            time.sleep(0.1)
        return time.perf_counter() - start

    def cpu(self) -> float:
        """Processor seconds so far."""
        fields = Path(f"/proc/{self._process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> float:
        status = Path(f"/proc/{self._process}/status").read_text()
        return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


def _timed(viewer: _Viewer, name: str, **asked: str) -> float:
    start = time.perf_counter()
    viewer.ask(name, **asked)
    return time.perf_counter() - start


def _searched(viewer: _Viewer) -> tuple[float, float]:
    """The slowest search by the clock, and the one that took most processor time."""
    clocks, processors = [], []
    for text in SEARCHES:
        before = viewer.cpu()
        clocks.append(_timed(viewer, "rows", q=text))
        processors.append(viewer.cpu() - before)
    return max(clocks), max(processors)


def _pictures(viewer: _Viewer) -> list[Figure]:
    """A trajectory's pictures out of the archives: for the first one their tables of contents are read."""
    ref = viewer.ask("rows")["rows"][0]["ref"]
    steps = viewer.ask("trajectory", ref=ref)["trajectory"]["steps"]
    first_name, *names = [step["observation"]["picture"]["name"] for step in steps]
    before = viewer.cpu()
    first, first_cpu = viewer.picture(ref, first_name), viewer.cpu() - before
    others = [viewer.picture(ref, name) for name in names]
    return [
        Figure("the first picture out of the split archives", first_cpu, "s", "", f"{first:.2f} s by the clock"),
        Figure("each picture after it", 1000 * sum(others) / len(others), "ms", "", f"of {len(others)}, by the clock"),
    ]


@contextmanager
def _viewing(root: Path) -> Iterator[_Viewer]:
    words = [sys.executable, "-m", "workalike.cli", "view", str(root / "set"), "--port", "0"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as viewing:
        assert viewing.stdout is not None
        try:
            url, _, place = viewing.stdout.readline().split()[0].partition("#")
            yield _Viewer(url, place.rpartition("/")[2], viewing.pid)
        finally:
            viewing.terminate()
