"""AgentNet files at full size: one pass against plain `json.loads`, exports, memory. The set is made up, then deleted.

Rates of one process are told in processor time, which a busy machine distorts least; the whole set by the clock.
`WORKALIKE_BENCH_SHARE=0.1` measures on a tenth of the set.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import Figure
from benchmarks.agentnet_set import MadeUp, write_set
from workalike.dataset.examples import Recipe
from workalike.dataset.export import FORMATS, ExportConfig, export
from workalike.dataset.files import RowFiles, find_files
from workalike.dataset.sources import trajectories
from workalike.dataset.survey import survey

SHARE = float(os.environ.get("WORKALIKE_BENCH_SHARE", "1"))
PART = 150 << 20


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="workalike-bench-") as folder:
        root = Path(folder)
        (root / "set").mkdir()
        made = write_set(root / "set", SHARE)
        part = _part(root, made)
        return [*_pass(part), *_whole(made, root), *_exports(part, root)]


def _pass(part: RowFiles) -> Iterator[Figure]:
    """Rates as ratios, on a part of the set, in turns."""
    taken = _processor_seconds(
        {
            "json": lambda: _json(part),
            "plain": lambda: survey(part, texts=False),
            "texts": lambda: survey(part, texts=True),
        }
    )
    size = sum(file.stat().st_size for file in part.rows) / 1e6
    detail = f"{size / taken['plain']:,.0f} MB/s against {size / taken['json']:,.0f} MB/s"
    yield Figure("validate + stats against json.loads", taken["json"] / taken["plain"], "×", "at least 2", detail)
    detail = f"{size / taken['texts']:,.0f} MB/s"
    yield Figure("the same with what texts give away", taken["json"] / taken["texts"], "×", "at least 0.5", detail)


def _processor_seconds(works: dict[str, Callable[[], object]], times: int = 4) -> dict[str, float]:
    """The least processor time each of several works takes, in turns."""
    taken = dict.fromkeys(works, float("inf"))
    for _ in range(times):
        for name, work in works.items():
            start = time.process_time()
            work()
            taken[name] = min(taken[name], time.process_time() - start)
    return taken


def _whole(made: MadeUp, root: Path) -> Iterator[Figure]:
    """The whole set by the command line, with its peak memory."""
    words = ["dataset", "validate", str(made.folder), "--stats", "--json"]
    what = f"{made.rows:,} rows, {made.steps:,} steps, {made.bytes / 1e9:.2f} GB"
    taken = []
    for name, more in (("", ["--no-texts"]), (" and texts", []), (" and texts, two processes", ["--jobs", "2"])):
        seconds, peak = _command([*words, *more], root)
        taken.append(seconds)
        yield Figure(f"the whole set: validate + stats{name}", seconds, "s", "", what)
        yield Figure("  peak memory of the largest process", peak, "MB", "under 400")
    busy = f"on {os.cpu_count()} cores, with {os.getloadavg()[0]:.1f} processes waiting for them"
    yield Figure("two processes against one, by the clock", taken[1] / taken[2], "×", "nearly 2", busy)


def _exports(part: RowFiles, root: Path) -> Iterator[Figure]:
    for form in FORMATS[:3]:
        out = root / form
        start = time.process_time()
        manifest = export(trajectories(part.rows, part.metadata), out, ExportConfig(form))
        seconds = time.process_time() - start
        rate = manifest.outputs[0].size / 1e6 / seconds
        yield Figure(
            f"export to {form}, without pictures", rate, "MB/s", "", f"{manifest.counts['examples']:,} examples"
        )
        shutil.rmtree(out)
    yield from _families(part, root)
    small, large = (_export_memory(part, root, rows) for rows in (200, 2_000))
    yield Figure("memory of an export: ten times the trajectories", large / small, "×", "about 1", f"{large:.0f} MB")


def _families(part: RowFiles, root: Path) -> Iterator[Figure]:
    """Examples in the words of families, which are replayed through the prompts that their agents ask with."""
    some = list(itertools.islice(trajectories(part.rows, part.metadata), 500))
    for name in ("opencua-relative", "opencua", "fara", "uitars", "qwen"):
        start = time.process_time()
        manifest = export(some, root / name, ExportConfig("chat", Recipe(family=name)))
        rate = manifest.counts["examples"] / (time.process_time() - start)
        yield Figure(f"examples of {name}, without pictures", rate, "a second", "at least 5,000")
        shutil.rmtree(root / name)


def _export_memory(part: RowFiles, root: Path, rows: int) -> float:
    few = root / f"few-{rows}.jsonl"
    with open(part.rows[0], "rb") as file, open(few, "wb") as out:
        out.writelines(line for _, line in zip(range(rows), file, strict=False))
    _, peak = _command(["dataset", "export", str(few), "--out", str(root / f"few-{rows}"), "--json"], root)
    return peak


def _json(part: RowFiles) -> None:
    for name in part.rows:
        with open(name, "rb") as file:
            for line in file:
                json.loads(line)


def _part(root: Path, made: MadeUp) -> RowFiles:
    """The head of the larger file, with its share of the metadata."""
    folder = root / "part"
    folder.mkdir()
    ids = set()
    with open(made.folder / "agentnet_win_mac_18k.jsonl", "rb") as source, open(folder / "part.jsonl", "wb") as out:
        for line in source:
            if out.tell() >= PART:
                break
            out.write(line)
            ids.add(json.loads(line)["task_id"])
    with open(made.folder / "meta_data_merged.jsonl", "rb") as source, open(folder / "metadata.jsonl", "wb") as out:
        out.writelines(line for line in source if json.loads(line)["task_id"] in ids)
    return find_files([folder / "part.jsonl"], [folder / "metadata.jsonl"])


def _command(words: list[str], root: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of a command in a process of its own."""
    measured = (
        "import re, resource, sys, time; from workalike.cli import main; start = time.perf_counter();"
        "code = main(sys.argv[1:]); took = time.perf_counter() - start;"
        "own = int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]);"
        "peak = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss);"
        "print(took, peak / 1024, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", measured, *words],
        cwd=root,
        capture_output=True,
        text=True,
        env=dict(os.environ),
    )
    if done.returncode > 1:  # the set has defects by intent, and 1 says so
        raise RuntimeError(done.stderr)
    seconds, peak = map(float, done.stderr.splitlines()[-1].split())
    return seconds, peak
