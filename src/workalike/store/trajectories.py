"""One trajectory in a file, `trajectory.jsonl`: a header line, a line a step, an end line.

A step is on disk before the next begins. A file without an end line is a trajectory that was interrupted (or is still
going on); everything in it up to the last finished line is valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.core.errors import BadInput
from workalike.core.observation import Observation
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Step, Stop, Trajectory
from workalike.store.append import LineWriter, last_line
from workalike.store.files import in_order, write_file
from workalike.store.lines import Lines, damaged, decode, readable

FORMAT = 1
FILE = "trajectory.jsonl"


class Header(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="line", tag="header"):
    """The first line: what the trajectory is of."""

    format: int
    id: str
    task: Task
    provenance: Provenance | None = None
    extra: dict[str, Any] = {}


class StepLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="line", tag="step"):
    """One step, numbered from 0."""

    index: int
    step: Step


class End(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="line", tag="end"):
    """The last line: how many steps there were, why it ended, the last look, what happened after the last step.
    `extra` adds to the header's."""

    steps: int
    stop: Stop | None = None
    final: Observation | None = None
    notices: tuple[Notice, ...] = ()
    extra: dict[str, Any] = {}


TrajectoryLine = Header | StepLine | End
_LINES: msgspec.json.Decoder[TrajectoryLine] = msgspec.json.Decoder(TrajectoryLine)


class Stored(msgspec.Struct, frozen=True):
    """A trajectory as it was found. `finished` says whether it has its end line, `dropped` how many bytes of an
    unfinished last line were left out, `line` where it begins in its file."""

    path: Path
    trajectory: Trajectory
    finished: bool = True
    dropped: int = 0
    line: int = 1


class TrajectoryWriter:
    """Writes one trajectory, step by step. Leaving it without `finish` leaves an interrupted trajectory.

    with TrajectoryWriter.create(path, "demo-1", task) as writer:
        writer.step(Step(observation, actions))
        writer.finish(Stop("terminated"), final)
    """

    def __init__(self, path: Path, lines: LineWriter, steps: int) -> None:
        """Use `create` or `reopen`."""
        self.path, self.steps = path, steps
        self._lines = lines

    @classmethod
    def create(
        cls,
        path: Path,
        id: str,
        task: Task,
        provenance: Provenance | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> TrajectoryWriter:
        """Begin a trajectory in a new file. The header is there from the first instant on."""
        header = _line(Header(FORMAT, id, task, provenance, dict(extra or {})))
        try:
            write_file(path, header, new=True, private=True)
        except FileExistsError:
            raise BadInput(f"{path} exists already; reopen it to go on, or choose another folder") from None
        return cls(path, LineWriter(path), 0)

    @classmethod
    def reopen(cls, path: Path) -> TrajectoryWriter:
        """Go on with an interrupted trajectory after its last finished step; an unfinished line is cut off."""
        last_line(path)  # a file that is not there is not to be made here
        lines = LineWriter(path)
        try:
            steps = 0
            for line in read_lines(path):
                if isinstance(line, End):
                    raise BadInput(f"{path} has ended ({line.stop.reason if line.stop else 'with no reason'})")
                steps += isinstance(line, StepLine)
        except Exception:
            lines.close()
            raise
        return cls(path, lines, steps)

    @property
    def dropped(self) -> int:
        """How many bytes of an unfinished line were cut off on reopening."""
        return self._lines.dropped

    def step(self, step: Step) -> int:
        """Add a step; it is on disk when this returns its number. Its pictures must be on disk already."""
        self._lines.append_line(_line(StepLine(self.steps, step)))
        self.steps += 1
        return self.steps - 1

    def finish(
        self,
        stop: Stop | None,
        final: Observation | None = None,
        notices: tuple[Notice, ...] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the end line and let go of the file."""
        self._lines.append_line(_line(End(self.steps, stop, final, notices, dict(extra or {}))))
        self.close()

    def close(self) -> None:
        self._lines.close()

    def __enter__(self) -> TrajectoryWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_trajectory(path: Path, trajectory: Trajectory) -> None:
    """Write a whole trajectory at once, in a new file."""
    lines: list[TrajectoryLine] = [
        Header(FORMAT, trajectory.id, trajectory.task, trajectory.provenance, trajectory.extra),
        *(StepLine(index, step) for index, step in enumerate(trajectory.steps)),
    ]
    if trajectory.stop is not None or trajectory.final is not None or trajectory.notices:
        lines.append(End(len(trajectory.steps), trajectory.stop, trajectory.final, trajectory.notices))
    try:
        write_file(path, b"".join(map(_line, lines)), new=True)
    except FileExistsError:
        raise BadInput(f"{path} exists already; choose another folder") from None


def read_trajectory(path: Path) -> Stored:
    """Read one trajectory; what is damaged raises `Damaged` with file, line and remedy."""
    lines = Lines[TrajectoryLine](path, _LINES)
    header: Header | None = None
    end: End | None = None
    steps: list[Step] = []
    for line in _in_sequence(lines):
        match line:
            case Header():
                header = line
            case StepLine():
                steps.append(line.step)
            case End():
                end = line
    assert header is not None, "an empty file is damaged"
    trajectory = Trajectory(header.id, header.task, tuple(steps), provenance=header.provenance, extra=header.extra)
    if end is not None:
        extra = {**header.extra, **end.extra}
        trajectory = replace(trajectory, final=end.final, notices=end.notices, stop=end.stop, extra=extra)
    return Stored(path, trajectory, end is not None, lines.dropped)


def read_lines(path: Path) -> Iterator[TrajectoryLine]:
    """The header, the steps and the end of a trajectory one by one, for who does not want all of it in memory."""
    return _in_sequence(Lines[TrajectoryLine](path, _LINES))


def read_end(path: Path) -> End | None:
    """The end line alone, found without reading the steps; None for a trajectory that was interrupted."""
    tail = last_line(path)
    if not tail:
        return None
    line = decode(tail, _LINES, path)
    return line if isinstance(line, End) else None


def read_header(path: Path) -> Header:
    """The header line alone."""
    header = next(read_lines(path))
    assert isinstance(header, Header), "the first line is a header"
    return header


def find_trajectories(root: Path) -> Iterator[Path]:
    """Every `trajectory.jsonl` in a folder and the folders in it, in the order of their names, streamed."""
    if (root / FILE).is_file():
        yield root / FILE
    for name in in_order(root, folders=True):
        yield from find_trajectories(root / name)


def _in_sequence(lines: Lines[TrajectoryLine]) -> Iterator[TrajectoryLine]:
    """The lines, once it is certain that each stands where it belongs."""
    expected, ended = -1, False
    number = 0
    for number, line in lines:
        wrong = _out_of_place(line, expected, ended)
        if wrong:
            raise damaged(lines.path, wrong, "restore the file from a copy", number)
        expected, ended = expected + 1, isinstance(line, End)
        yield line
    if expected < 0:
        raise damaged(lines.path, "it has no whole header line", "remove it; nothing of the trajectory is left")


def _out_of_place(line: TrajectoryLine, expected: int, ended: bool) -> str:
    match line:
        case _ if ended:
            return "there is more after the end line"
        case Header() if expected >= 0:
            return "there is a second header"
        case StepLine() | End() if expected < 0:
            return "the first line is not a header"
        case Header(format=form) if form != FORMAT:
            return f"it is of format {form}, and this Workalike reads format {FORMAT}; use the one that wrote it"
        case StepLine(index=index) if index != expected:
            return f"step {expected} was expected, not {index}"
        case End(steps=steps) if steps != expected:
            return f"the end speaks of {steps} steps, but there are {expected}"
        case _:
            return ""


def _line(line: TrajectoryLine) -> bytes:
    return readable(line, _LINES, f"this {type(line).__name__.lower()}")
