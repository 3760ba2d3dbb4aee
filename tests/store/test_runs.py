"""A run is made once, gone on with only as it was, written by one process at a time, and can be listed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from workalike.core.errors import BadInput, Damaged, InUse
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop, Usage
from workalike.store.append import LineWriter
from workalike.store.runs import Run, RunInfo, RunWriter, differences

TASKS = (Task("hotels/2", "Book a room"), Task("hotels/10", "Book two"), Task("../Flights?", "Fly"))
KEYS = (Key("hotels/2"), Key("hotels/10", refuse=True))
INFO = RunInfo(
    "town-idle-1",
    "2025-11-15T20:00:00Z",
    {"agent": "idle", "model": {"name": "m", "temperature": 0.0}, "viewport": (1440, 900)},
    {"prompts": "abc"},
    {"workalike": "0.1.0"},
)
STEP = Step(Observation(), usage=Usage(1, 100, 10, cost=0.01))


def _run(folder: Path) -> RunWriter:
    return RunWriter(folder, INFO, TASKS, KEYS)


def test_a_new_run_lies_as_described(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    with _run(folder) as run:
        attempt, writer = run.begin(TASKS[0], 1)
        with writer:
            writer.step(STEP)
            writer.finish(Stop("terminated"))
        assert attempt.folder == folder / "attempts" / attempt.folder.parent.name / "1.1"
        assert attempt.folder.parent.name.startswith("hotels-2-")
        assert attempt.transcript == attempt.folder / "transcript.jsonl"
    assert {path.name for path in folder.iterdir()} >= {"run.json", "tasks.jsonl", "keys.jsonl", "attempts", "lock"}
    read = Run(folder)
    assert list(read.tasks()) == list(TASKS)
    assert list(read.keys()) == list(KEYS)
    assert read.info.settings["viewport"] == [1440, 900]
    assert b"refuse" not in (folder / "tasks.jsonl").read_bytes()
    assert msgspec.json.decode((folder / "run.json").read_bytes())["format"] == 1


def test_attempts_are_listed_in_the_order_of_the_tasks_with_their_state(tmp_path: Path) -> None:
    with _run(tmp_path) as run:
        for task, repeat, stop in [
            (TASKS[2], 1, Stop("out_of_steps")),
            (TASKS[0], 2, None),
            (TASKS[0], 2, Stop("infrastructure_error")),
            (TASKS[0], 2, Stop("terminated")),
            (TASKS[0], 1, Stop("interrupted")),
            (TASKS[0], 10, Stop("terminated")),
        ]:
            _, writer = run.begin(task, repeat)
            with writer:
                writer.step(STEP)
                if stop:
                    writer.finish(stop)
        listed = [(a.task_id, a.repeat, a.try_, a.state) for a in run.attempts()]
    assert listed == [
        ("hotels/2", 1, 1, "interrupted"),
        ("hotels/2", 2, 1, "interrupted"),
        ("hotels/2", 2, 2, "finished"),
        ("hotels/2", 2, 3, "finished"),
        ("hotels/2", 10, 1, "finished"),
        ("../Flights?", 1, 1, "finished"),
    ]
    read = Run(tmp_path)
    assert len(list(read.attempts("hotels/2"))) == 5
    assert list(read.attempts("hotels/10")) == []
    assert {stored.trajectory.id for stored in read.trajectories()} == {attempt.id for attempt in read.attempts()}
    interrupted = next(a for a in read.attempts() if a.end() is None)
    assert interrupted.read().trajectory.usage.cost == 0.01
    for attempt in read.attempts():
        assert read.attempt(attempt.id) == attempt


@pytest.mark.parametrize(
    "id", ["", "x", "a/b", "town-idle-1/../1.1", "town-idle-1/hotels-2/1.1", "other/hotels-2/1.1", "town-idle-1/x/1.x"]
)
def test_an_id_of_no_attempt_finds_none(tmp_path: Path, id: str) -> None:
    with _run(tmp_path) as run:
        run.begin(TASKS[0], 1)[1].close()
        assert run.attempt(id) is None


def test_what_is_left_of_a_writer_killed_before_it_began_is_no_attempt(tmp_path: Path) -> None:
    with _run(tmp_path) as run:
        attempt, writer = run.begin(TASKS[0], 1)
        writer.close()
        (attempt.folder.parent / "1.2").mkdir()
        (attempt.folder.parent / "notes").mkdir()
        assert [a.try_ for a in run.attempts()] == [1]
        again, writer = run.begin(TASKS[0], 1)
        writer.close()
        assert again.try_ == 2


def test_the_same_settings_go_on_and_keep_what_the_run_is(tmp_path: Path) -> None:
    with _run(tmp_path) as run:
        run.begin(TASKS[0], 1)[1].close()
    before = (tmp_path / "run.json").read_bytes()
    later = RunInfo("another-id", "2026-01-01T00:00:00Z", INFO.settings, INFO.hashes, {"workalike": "0.2.0"})
    with RunWriter(tmp_path, later, TASKS, KEYS) as run:
        assert run.info.id == "town-idle-1"
        assert run.begin(TASKS[0], 1)[0].try_ == 2
    with RunWriter.resume(tmp_path) as run:
        assert len(list(run.attempts())) == 2
    assert (tmp_path / "run.json").read_bytes() == before


def test_other_settings_are_refused_and_the_difference_named(tmp_path: Path) -> None:
    _run(tmp_path).close()
    other = {**INFO.settings, "model": {"name": "m", "temperature": 0.7}, "seed": 1}
    with pytest.raises(BadInput) as caught:
        RunWriter(tmp_path, RunInfo("x", "y", other, {"prompts": "xyz"}), TASKS[:1], KEYS[::-1])
    assert str(caught.value) == (
        f"{tmp_path} holds a run with other settings (model.temperature: 0.0 there, 0.7 now; seed: nothing there, 1 "
        'now; hash of prompts: "abc" there, "xyz" now; tasks: 3 there, 1 now; keys: other ones); '
        "use those, or another folder"
    )
    _run(tmp_path).close()  # the refusal let go of the lock


def test_differences_are_shortened() -> None:
    assert differences({"a": "x" * 100}, {})[0] == f'a: "{"x" * 58}… there, nothing now'


def test_two_writers_on_one_run_are_refused_and_readers_are_not(tmp_path: Path) -> None:
    with _run(tmp_path) as run:
        with pytest.raises(InUse, match=rf"{tmp_path} is being written by process \d+ on .* \(run town-idle-1, since"):
            _run(tmp_path)
        reader = Run(tmp_path)
        assert reader.writer is not None
        run.begin(TASKS[0], 1)[1].close()
        assert len(list(reader.attempts())) == 1
    assert reader.writer is None


def test_a_task_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the task 'hotels/2' stands twice"):
        RunWriter(tmp_path, INFO, (*TASKS, TASKS[0]))


def test_a_run_killed_while_it_was_made_is_made_again(tmp_path: Path) -> None:
    _run(tmp_path).close()
    (tmp_path / "run.json").unlink()
    (tmp_path / "keys.jsonl").unlink()
    with _run(tmp_path) as run:
        assert list(run.keys()) == list(KEYS)


def test_what_is_no_run_or_damaged_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"is not a run: it has no run\.json"):
        Run(tmp_path)
    _run(tmp_path).close()
    whole = (tmp_path / "run.json").read_bytes()
    for size in range(len(whole) - 2):
        (tmp_path / "run.json").write_bytes(whole[:size])
        with pytest.raises(Damaged, match=r"run\.json: "):
            Run(tmp_path)
    (tmp_path / "run.json").write_bytes(whole.replace(b'"format": 1', b'"format": 2'))
    with pytest.raises(Damaged, match="it is of format 2"):
        Run(tmp_path)
    (tmp_path / "run.json").write_bytes(whole)
    (tmp_path / "tasks.jsonl").write_bytes((tmp_path / "tasks.jsonl").read_bytes()[:-5])
    with pytest.raises(Damaged, match="its last line is cut short"):
        list(Run(tmp_path).tasks())


_WRITE_AND_HANG = """
import sys
from pathlib import Path
from tests.store.test_runs import INFO, KEYS, STEP, TASKS
from workalike.store.runs import RunWriter
run = RunWriter(Path(sys.argv[1]), INFO, TASKS, KEYS)
_, writer = run.begin(TASKS[0], 1)
writer.step(STEP)
(run.pictures.root / "incoming").mkdir()
(run.pictures.root / "incoming" / ".half.tmp").write_bytes(b"x")
print("written", flush=True)
sys.stdin.read()
"""


def test_a_killed_writer_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITE_AND_HANG, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "written\n"
    with pytest.raises(InUse, match=f"process {child.pid} "):
        _run(tmp_path)
    child.kill()
    child.communicate()
    with _run(tmp_path) as run:
        assert list((run.pictures.root / "incoming").iterdir()) == []
        (attempt,) = run.attempts()
        assert (attempt.state, len(attempt.read().trajectory.steps)) == ("interrupted", 1)
        again, writer = run.begin(TASKS[0], 1)
        writer.close()
        assert (again.repeat, again.try_) == (1, 2)


def test_a_transcript_is_kept_beside_the_trajectory(tmp_path: Path) -> None:
    with _run(tmp_path) as run:
        attempt, writer = run.begin(TASKS[0], 1)
        with writer, LineWriter(attempt.transcript) as transcript:
            transcript.append({"request": 1})
        assert [stored.trajectory.id for stored in run.trajectories()] == [attempt.id]


def test_a_run_can_be_moved(tmp_path: Path) -> None:
    with _run(tmp_path / "one") as run:
        run.begin(TASKS[0], 1)[1].close()
        ref = run.pictures.put(b"\x89PNG picture")
    shutil.move(tmp_path / "one", tmp_path / "two")
    moved = Run(tmp_path / "two")
    assert moved.pictures.read(ref) == b"\x89PNG picture"
    assert len(list(moved.attempts())) == 1
