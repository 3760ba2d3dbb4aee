"""Trajectories are read from wherever they lie, streamed, and packed and unpacked without loss."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.test_runs import INFO, TASKS
from tests.store.test_trajectories import SEEN, STEPS, TASK, WHOLE
from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.task import Task
from workalike.core.trajectory import Stop, Trajectory
from workalike.store.names import safe_name
from workalike.store.packed import ENDINGS, write_packed
from workalike.store.reading import home_of, pack, pictures_at, read_trajectories, unpack
from workalike.store.runs import RunWriter
from workalike.store.trajectories import FILE, TrajectoryWriter, write_trajectory


def _ids(path: Path) -> list[str]:
    return [stored.trajectory.id for stored in read_trajectories(path)]


def test_every_kind_of_path_is_read(tmp_path: Path) -> None:
    write_trajectory(tmp_path / "folder" / "a" / FILE, WHOLE)
    write_trajectory(tmp_path / "other.jsonl", WHOLE)
    with RunWriter(tmp_path / "run", INFO, TASKS) as run:
        for task in reversed(TASKS):
            run.begin(task, 1)[1].close()
    write_packed(tmp_path / "packed.jsonl.zst", [WHOLE])
    assert _ids(tmp_path / "folder") == _ids(tmp_path / "folder" / "a" / FILE) == ["demo/1"]
    assert _ids(tmp_path / "packed.jsonl.zst") == ["demo/1"]
    assert [stored.trajectory.task for stored in read_trajectories(tmp_path / "run")] == list(TASKS)
    assert len(_ids(tmp_path)) == 4
    for wrong in (tmp_path / "no", tmp_path / "no.jsonl", tmp_path / "run" / "run.json"):
        with pytest.raises(BadInput, match=r"no\.jsonl|does not exist|is not a file of trajectories"):
            _ids(wrong)


def test_a_folder_of_packed_datasets_is_read_file_by_file(tmp_path: Path) -> None:
    write_packed(tmp_path / "b.jsonl.zst", [WHOLE, WHOLE])
    write_packed(tmp_path / "a.jsonl", [WHOLE])
    (tmp_path / "notes.jsonl").write_text('{"id": 1}\n')
    (tmp_path / "broken.jsonl.gz").write_bytes(b"no gzip")
    found = [(stored.path.name, stored.line) for stored in read_trajectories(tmp_path)]
    assert found == [("a.jsonl", 1), ("b.jsonl.zst", 1), ("b.jsonl.zst", 2)]


def test_what_belongs_to_trajectories_lies_in_their_run_or_beside_them(tmp_path: Path) -> None:
    with RunWriter(tmp_path / "run", INFO, TASKS) as run:
        attempt, writer = run.begin(TASKS[0], 1)
        writer.close()
        kept = run.pictures.put(b"\x89PNG kept")
    for path in (tmp_path / "run", attempt.folder, attempt.path):
        assert home_of(path).samefile(tmp_path / "run")
        assert pictures_at(path).read(kept) == b"\x89PNG kept"
    write_packed(tmp_path / "rows.jsonl", [WHOLE])
    (tmp_path / "images").mkdir()
    for place in (tmp_path / "images" / "a.png", tmp_path / "b.png"):
        place.write_bytes(b"beside")
        assert pictures_at(tmp_path / "rows.jsonl").read(ImageRef(place.name)) == b"beside"
    assert home_of(tmp_path / "rows.jsonl") == home_of(tmp_path) == tmp_path


def test_a_damaged_one_need_not_stop_the_reading(tmp_path: Path) -> None:
    for name in "abc":
        write_trajectory(tmp_path / name / FILE, WHOLE)
    (tmp_path / "b" / FILE).write_bytes(b"{}\n")
    with pytest.raises(Damaged, match="b/trajectory"):
        _ids(tmp_path)
    complaints: list[Damaged] = []
    assert len(list(read_trajectories(tmp_path, complaints.append))) == 2
    assert len(complaints) == 1


@pytest.mark.parametrize("ending", ENDINGS)
def test_packing_and_unpacking_lose_nothing(tmp_path: Path, ending: str) -> None:
    kinds = [
        WHOLE,
        Trajectory("interrupted", TASK, STEPS[:1]),
        Trajectory("begun", TASK),
        Trajectory("4 actions, 5 pictures", TASK, STEPS, SEEN),
        Trajectory("a/b", TASK, STEPS, stop=Stop("timed_out", "after 60 s")),
        Trajectory("A/B", TASK),
        Trajectory("a/b", TASK, extra={"the same id": "other content"}),
    ]
    packed = tmp_path / f"one{ending}"
    write_packed(packed, kinds)
    assert unpack(packed, tmp_path / "folder") == 7
    assert pack(tmp_path / "folder", tmp_path / f"two{ending}") == 7
    stored = list(read_trajectories(tmp_path / f"two{ending}"))
    assert sorted((s.trajectory for s in stored), key=repr) == sorted(kinds, key=repr)
    with pytest.raises(BadInput, match="exists already and is not an empty folder"):
        unpack(packed, tmp_path / "folder")


_MEASURE = """
import sys, tracemalloc
from pathlib import Path
from workalike.store.reading import read_trajectories
next(read_trajectories(Path(sys.argv[1])))  # what is made only once is there before measuring
tracemalloc.start()
count = sum(len(stored.trajectory.steps) == 4 for stored in read_trajectories(Path(sys.argv[1])))
peak = tracemalloc.get_traced_memory()[1]
# Paths are interned strings: 3.12 never lets go of one, and all versions enlarge their table of them now and then.
held = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*pathlib*")])
print(count, peak - sum(trace.size for trace in held.traces))
"""


def _peak(path: Path) -> tuple[int, int]:
    """How many trajectories were read, and the most memory of ours that took, in a process that does nothing else."""
    said = subprocess.run([sys.executable, "-c", _MEASURE, path], capture_output=True, text=True, check=True).stdout
    count, peak = map(int, said.split())
    return count, peak


def _fill(root: Path, count: int) -> dict[str, Path]:
    """The same trajectory many times over in a folder, in a run and packed; as links, since thousands are wanted."""
    one = Trajectory("x", TASK, STEPS * 2, SEEN, stop=Stop("terminated"))
    write_trajectory(root / "one.jsonl", one)
    tasks = [Task(f"task {number}", "Do it") for number in range(count)]
    RunWriter(root / "run", INFO, tasks).close()
    for task in tasks:
        folder = root / "run" / "attempts" / safe_name(task.id) / "1.1"
        os.makedirs(folder)
        os.link(root / "one.jsonl", folder / FILE)
    write_packed(root / "packed.jsonl.zst", itertools.repeat(one, count))
    return {"folder": root / "run" / "attempts", "run": root / "run", "packed": root / "packed.jsonl.zst"}


@pytest.mark.parametrize("number", [300, pytest.param(1_000, marks=pytest.mark.sweep)])
def test_memory_does_not_grow_with_the_number_of_trajectories(tmp_path: Path, number: int) -> None:
    few, many = _fill(tmp_path / "few", number), _fill(tmp_path / "many", 10 * number)
    for kind in few:
        (_, low), (count, high) = _peak(few[kind]), _peak(many[kind])
        assert count == 10 * number
        assert high < low * 1.1 + 100_000, f"{kind}: {low:,} bytes for {number:,} and {high:,} for ten times as many"


def test_an_interrupted_one_says_what_was_dropped(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with TrajectoryWriter.create(path, "x", TASK) as writer:
        writer.step(STEPS[0])
    with open(path, "ab") as file:
        file.write(b'{"line":"step","ind')
    (stored,) = read_trajectories(tmp_path)
    assert (stored.finished, stored.dropped, len(stored.trajectory.steps)) == (False, 19, 1)


def test_what_belongs_to_a_recording_that_was_reduced_lies_with_its_demonstration(tmp_path: Path) -> None:
    (tmp_path / "recording.json").touch()
    assert home_of(tmp_path) == tmp_path
    (tmp_path / "reduced").mkdir()
    assert home_of(tmp_path) == tmp_path, "nothing lies there yet"
    (tmp_path / "reduced" / "trajectory.jsonl").touch()
    assert home_of(tmp_path) == tmp_path / "reduced"
