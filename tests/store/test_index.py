"""The index of a run says what reading everything says, whatever was damaged, deleted or added since, also to it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workalike.core.actions import Click
from workalike.core.observation import Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Usage
from workalike.models.messages import Reply, Text
from workalike.models.transcript import Got, Sent
from workalike.store import index
from workalike.store.index import INDEX, AttemptSummary, RunIndex, summaries, summarise
from workalike.store.lines import encode
from workalike.store.runs import Attempt, Run, RunInfo, RunWriter
from workalike.store.trajectories import TrajectoryWriter

TASKS = (Task("a", "Do a", "one"), Task("b/2", "Do b", "two"))
STEP = Step(Observation(time=2.0), (ActionResult(Click(Point(0.5, 0.5)), 0.0, 1.0),), usage=Usage(1, 10, 5, cost=0.1))


def _begin(run: RunWriter, task: Task, repeat: int, steps: int, stop: Stop | None) -> Attempt:
    attempt, writer = run.begin(task, repeat)
    with writer:
        for _ in range(steps):
            writer.step(STEP)
        if stop:
            writer.finish(stop)
    lines = (Sent("r", 0, 1, "", "m"), Got("r", 0, reply=Reply((Text("so"),)), usage=Usage(1, 100, 7, cost=0.25)))
    if repeat % 2:
        attempt.transcript.write_bytes(b"".join(map(encode, lines)))
    return attempt


def _make(folder: Path) -> None:
    with RunWriter(folder, RunInfo("r", "2026-11-16T00:00:00Z", {"agent": "som", "repeats": 2}), TASKS) as run:
        for task in TASKS:
            _begin(run, task, 1, 2, Stop("terminated"))
            _begin(run, task, 2, 1, None)


def _read_all(folder: Path) -> list[AttemptSummary]:
    run = Run(folder)
    return [summarise(attempt) for attempt in (*run.attempts(), *run.aside())]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    _make(tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def settled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run that is indexed, whose attempts must not be read again."""
    monkeypatch.setattr(index, "UNSETTLED", 0)
    summaries(Run(folder))
    return folder


def test_a_run_that_has_no_index_gets_one_and_is_read_once(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = _read_all(settled)
    monkeypatch.setattr(index, "summarise", lambda attempt: pytest.fail(f"{attempt.path} is read again"))
    assert summaries(Run(settled)) == expected
    assert [each.usage.cost for each in expected] == [0.25, 0.1, 0.25, 0.1]


@pytest.mark.parametrize("data", [b"", b"no index at all" * 100, b"SQLite format 3\0" + bytes(4000)])
def test_what_is_no_index_is_replaced_by_one(settled: Path, data: bytes) -> None:
    (settled / INDEX).write_bytes(data)
    assert summaries(Run(settled)) == _read_all(settled)
    with sqlite3.connect(settled / INDEX) as file:
        assert file.execute("SELECT count(*) FROM attempts").fetchone() == (4,)


@pytest.mark.parametrize(
    "harm",
    [
        "PRAGMA user_version = 99",
        "DROP TABLE attempts",
        "UPDATE attempts SET summary = replace(summary, 'terminated', 'interrupted')",
        "UPDATE attempts SET place = 'attempts/x/1.1' WHERE place LIKE 'attempts/a%1.1'",
        "UPDATE attempts SET sum = sum + 1",
        "UPDATE attempts SET files = NULL, summary = 7",
        "ALTER TABLE attempts ADD COLUMN more NOT NULL DEFAULT 1",
    ],
)
def test_an_index_that_says_something_else_is_not_believed(settled: Path, harm: str) -> None:
    with sqlite3.connect(settled / INDEX) as file:
        try:
            file.execute(harm)
        except sqlite3.IntegrityError:
            file.execute("DELETE FROM attempts")
    assert summaries(Run(settled)) == _read_all(settled)
    assert summaries(Run(settled)) == _read_all(settled)


def test_a_folder_that_cannot_be_written_is_read_all_the_same(folder: Path) -> None:
    expected = _read_all(folder)
    code = (
        "import os, sys; from pathlib import Path; Path('/').as_uri()\n"  # loads what nobody else may read here
        "from workalike.store.index import summaries; from workalike.store.runs import Run\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "print(len(summaries(Run(Path(sys.argv[1])))), os.access(sys.argv[1], os.W_OK))"
    )
    if os.geteuid() != 0:
        pytest.skip("to be somebody else needs the rights of root")
    open_to_all = Path(tempfile.mkdtemp()) / "run"
    shutil.copytree(folder, open_to_all)
    for path in (open_to_all.parent, open_to_all, *open_to_all.rglob("*")):  # a run is its user's alone otherwise
        path.chmod(0o755 if path.is_dir() else 0o644)
    said = subprocess.run([sys.executable, "-c", code, str(open_to_all)], capture_output=True, text=True)
    shutil.rmtree(open_to_all.parent)
    assert said.stdout == f"{len(expected)} False\n", said.stderr


def test_what_changed_just_now_is_not_trusted_to_stay(folder: Path) -> None:
    """Within one tick of the file system's clock a file can change and look the same."""
    now = time.time()
    for path in folder.rglob("trajectory.jsonl"):
        os.utime(path, (now, now))
    summaries(Run(folder))
    kept = (
        sqlite3.connect(folder / INDEX).execute("SELECT count(*) FROM attempts") if (folder / INDEX).exists() else None
    )
    assert kept is None or kept.fetchone() == (0,)


def test_an_attempt_that_ends_is_noted_and_saved_with_the_next(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "UNSETTLED", 0)
    with RunWriter.resume(folder) as run:
        known = RunIndex(run)
        known.refresh()
        noted = known.note(_begin(run, TASKS[0], 3, 4, Stop("out_of_steps", "4 steps")))
    assert (noted.steps, noted.stop, noted.finished) == (4, Stop("out_of_steps", "4 steps"), True)
    monkeypatch.setattr(index, "summarise", lambda attempt: pytest.fail("it was noted"))
    assert noted in summaries(Run(folder))


def _some(folder: Path, chance: random.Random, name: str = "trajectory.jsonl") -> Path | None:
    found = sorted(folder.rglob(name))
    return chance.choice(found) if found else None


def _spoil(path: Path | None, chance: random.Random) -> None:
    """Change a byte in place and set the times back, as a bad disk or a bad tool would."""
    if path is None or not path.stat().st_size:
        return
    before = path.stat()
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _change(folder: Path, what: str, chance: random.Random) -> None:
    path = _some(folder, chance)
    match what:
        case "append" if path:
            try:
                with TrajectoryWriter.reopen(path) as writer:
                    writer.step(STEP)
                    if chance.random() < 0.5:
                        writer.finish(Stop("terminated"))
            except Exception:  # it has ended, or is damaged
                path.write_bytes(path.read_bytes() + b'{"line":"step"')
        case "spoil":
            _spoil(path, chance)
        case "spoil transcript":
            _spoil(_some(folder, chance, "transcript.jsonl"), chance)
        case "spoil index":
            _spoil(_some(folder, chance, INDEX), chance)
        case "cut" if path:
            os.truncate(path, chance.randrange(path.stat().st_size + 1))
        case "delete" if path:
            shutil.rmtree(path.parent)
        case "delete index":
            (folder / INDEX).unlink(missing_ok=True)
        case "begin":
            with RunWriter.resume(folder) as run:
                _begin(run, chance.choice(TASKS), chance.randint(1, 3), 1, chance.choice([None, Stop("asked")]))
        case "set aside" if path and "attempts" in path.parts:
            with RunWriter.resume(folder) as run:
                run.set_aside(next(each for each in run.attempts() if each.path == path))


CHANGES = ["append", "spoil", "spoil transcript", "spoil index", "cut", "delete", "delete index", "begin", "set aside"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.lists(st.sampled_from(CHANGES), max_size=4), min_size=1, max_size=5),
    # a seed, not draws on the way: how large an index is depends on the time, which hypothesis must not see
    st.integers(0, 2**32).map(random.Random),
)
def test_the_index_says_what_reading_everything_says(rounds: list[list[str]], chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "run"
        _make(folder)
        for changes in rounds:
            summaries(Run(folder))
            for what in changes:
                _change(folder, what, chance)
            assert summaries(Run(folder)) == _read_all(folder)


@pytest.mark.parametrize("trial", range(4))
def test_killed_at_any_instant_it_is_right_or_noticed_to_be_wrong(folder: Path, trial: int) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from workalike.store import index; from workalike.store.runs import Run\n"
        "index.UNSETTLED = 0\n"
        "folder = Path(sys.argv[1])\n"
        "print('begun', flush=True)\n"
        "while True:\n"
        "    for path in folder.rglob('trajectory.jsonl'): path.touch()\n"
        "    index.summaries(Run(folder))\n"
    )
    for _ in range(3):
        busy = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE)
        assert busy.stdout is not None
        busy.stdout.readline()
        time.sleep(random.Random(trial).uniform(0.0, 0.2))  # the instant of the kill
        busy.send_signal(signal.SIGKILL)
        busy.wait()
        assert summaries(Run(folder)) == _read_all(folder)
