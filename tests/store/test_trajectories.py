"""A trajectory is written step by step, comes back as it was, and no damage to its file does worse than be named."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from tests.store.spoiling import spoilt
from tests.strategies import trajectories
from workalike.core.actions import Click, Scroll, Terminate
from workalike.core.errors import BadInput, Damaged, InUse
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop, Trajectory
from workalike.store.trajectories import (
    End,
    Header,
    StepLine,
    TrajectoryWriter,
    find_trajectories,
    read_end,
    read_header,
    read_lines,
    read_trajectory,
    write_trajectory,
)  # fmt: skip

TASK = Task("hotels/17", "Book a room", "hotels")
SEEN = Observation(ImageRef("a.png"), Size(1440, 900), url="https://inn.town.localhost/")
STEPS = (
    Step(SEEN, (ActionResult(Click(Point(0.5, 0.25)), 0.1, 0.2),), reply="click it", thought="The button."),
    Step(SEEN, (ActionResult(Scroll(dy=3)), ActionResult(Terminate(answer="done — “ok” 图")))),
)
NOTICES = (Notice("download", "ticket.pdf"),)
WHOLE = Trajectory("demo/1", TASK, STEPS, SEEN, NOTICES, Stop("terminated"), extra={"rows": [1, 2]})


def _write(path: Path) -> bytes:
    with TrajectoryWriter.create(path, WHOLE.id, TASK, extra={"rows": [0]}) as writer:
        assert [writer.step(step) for step in STEPS] == [0, 1]
        writer.finish(WHOLE.stop, WHOLE.final, NOTICES, {"rows": [1, 2]})
    return path.read_bytes()


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "trajectory.jsonl"
    data = _write(path)
    stored = read_trajectory(path)
    assert stored.trajectory == WHOLE
    assert (stored.finished, stored.dropped, stored.path) == (True, 0, path)
    assert read_end(path) == End(2, WHOLE.stop, WHOLE.final, NOTICES, {"rows": [1, 2]})
    assert read_header(path).task == TASK
    assert [msgspec.json.decode(line)["line"] for line in data.splitlines()] == ["header", "step", "step", "end"]


@given(trajectories)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_trajectory_comes_back(tmp_path: Path, trajectory: Trajectory) -> None:
    path = tmp_path / "t.jsonl"
    path.unlink(missing_ok=True)
    write_trajectory(path, trajectory)
    assert read_trajectory(path).trajectory == trajectory
    assert len(list(read_lines(path))) == 1 + len(trajectory.steps) + read_trajectory(path).finished


def test_a_step_is_there_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    with TrajectoryWriter.create(path, "x", TASK) as writer:
        assert read_trajectory(path).trajectory == Trajectory("x", TASK)
        for number, step in enumerate(STEPS):
            writer.step(step)
            stored = read_trajectory(path)
            assert stored.trajectory.steps == STEPS[: number + 1]
            assert not stored.finished
            assert read_end(path) is None


def test_cut_at_every_byte_it_has_every_finished_step(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    data = _write(path)
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    for size in range(len(data)):
        path.write_bytes(data[:size])
        finished = sum(size >= end - 1 for end in ends)  # a line that lacks its line end only is whole
        if not finished:
            with pytest.raises(Damaged, match="it has no whole header line; remove it"):
                read_trajectory(path)
            continue
        stored = read_trajectory(path)
        assert stored.trajectory.steps == STEPS[: finished - 1]
        assert stored.finished == (finished == 4)
        assert stored.dropped == (0 if size in ends or size + 1 in ends else size - max(e for e in ends if e <= size))


def test_cut_at_every_byte_it_can_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    data = _write(path)
    header, last = data.index(b"\n") + 1, data.rindex(b"\n", 0, -1) + 1
    for size in range(header, last + 1):
        path.write_bytes(data[:size])
        with TrajectoryWriter.reopen(path) as writer:
            for step in STEPS[writer.steps :]:
                writer.step(step)
            writer.finish(WHOLE.stop, WHOLE.final, NOTICES, {"rows": [1, 2]})
        assert path.read_bytes() == data


def _fuzz(path: Path, times: int) -> tuple[int, int]:
    data = _write(path)
    read = named = 0
    for seed in range(times):
        path.write_bytes(spoilt(data, random.Random(seed)))
        try:
            read_trajectory(path)
            read_end(path)
            read += 1
        except Damaged as error:
            assert str(path) in str(error)
            named += 1
    return read, named


def test_no_damage_crashes_the_reader(tmp_path: Path) -> None:
    read, named = _fuzz(tmp_path / "trajectory.jsonl", 3_000)
    assert read > 10
    assert named > 1_000


@pytest.mark.sweep
def test_no_damage_crashes_the_reader_at_length(tmp_path: Path) -> None:
    assert sum(_fuzz(tmp_path / "trajectory.jsonl", 100_000)) == 100_000


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([StepLine(0, STEPS[0])], "line 1: the first line is not a header"),
        ([End(0)], "line 1: the first line is not a header"),
        ([Header(1, "x", TASK), Header(1, "x", TASK)], "line 2: there is a second header"),
        ([Header(1, "x", TASK), StepLine(1, STEPS[0])], "line 2: step 0 was expected, not 1"),
        ([Header(1, "x", TASK), StepLine(0, STEPS[0]), StepLine(0, STEPS[0])], "line 3: step 1 was expected, not 0"),
        ([Header(1, "x", TASK), End(3)], "line 2: the end speaks of 3 steps, but there are 0"),
        ([Header(1, "x", TASK), End(0), StepLine(0, STEPS[0])], "line 3: there is more after the end line"),
        ([Header(9, "x", TASK)], "line 1: it is of format 9, and this Workalike reads format 1"),
    ],
)
def test_lines_out_of_place_are_named(tmp_path: Path, lines: list[msgspec.Struct], complaint: str) -> None:
    path = tmp_path / "trajectory.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)) + b"\n")
    with pytest.raises(Damaged, match=complaint):
        read_trajectory(path)


def test_a_trajectory_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    data = _write(path)
    with pytest.raises(BadInput, match="exists already"):
        TrajectoryWriter.create(path, "x", TASK)
    with pytest.raises(BadInput, match="exists already"):
        write_trajectory(path, WHOLE)
    with pytest.raises(BadInput, match=r"has ended \(terminated\)"):
        TrajectoryWriter.reopen(path)
    with pytest.raises(BadInput, match="there is no file"):
        TrajectoryWriter.reopen(tmp_path / "no.jsonl")
    assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir()] == ["trajectory.jsonl"]


def test_two_writers_of_one_trajectory_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    with TrajectoryWriter.create(path, "x", TASK) as writer:
        with pytest.raises(InUse, match="is being written by another process"):
            TrajectoryWriter.reopen(path)
        writer.step(STEPS[0])
    with TrajectoryWriter.reopen(path) as writer:
        assert writer.steps == 1


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    with TrajectoryWriter.create(path, "x", TASK) as writer:
        before = path.read_bytes()
        with pytest.raises(BadInput, match="this stepline cannot be stored: Expected `float`, got `null`"):
            writer.step(Step(SEEN, (ActionResult(Scroll(dy=float("nan"))),)))
        with pytest.raises(BadInput, match="cannot be written as JSON"):
            writer.step(Step(SEEN, extra={"a": object()}))
        assert path.read_bytes() == before
        assert writer.step(STEPS[0]) == 0
        writer.step(Step(SEEN, reply="half an emoji: \ud83d"))
    assert read_trajectory(path).trajectory.steps[1].reply == "half an emoji: \ufffd"


def test_trajectories_in_a_folder_are_found_in_order(tmp_path: Path) -> None:
    for name in ("b", "a/2", "a/1", "c/deep/er", ""):
        write_trajectory(tmp_path / name / "trajectory.jsonl", WHOLE)
    (tmp_path / "other.jsonl").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = [str(path.parent.relative_to(tmp_path)) for path in find_trajectories(tmp_path)]
    assert found == [".", "a/1", "a/2", "b", "c/deep/er"]
