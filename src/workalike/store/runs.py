"""A run on disk: one agent on one benchmark with one set of settings.

run.json                                  what the run is; written last when it is made, and never again
tasks.jsonl  keys.jsonl                   what is asked, and apart from it what only the judges may see
attempts/TASK/REPEAT.TRY/trajectory.jsonl an attempt, with `transcript.jsonl` and its own files beside it
damaged/TASK/REPEAT.TRY/…                 attempts that could not be read, set aside when they were tried anew
pictures/ab/abcd….png                     every picture once, by content
layers/KIND/NAME-HASH.jsonl               verdicts, labels, edits
questions/TASK/REPEAT.TRY/step-001/       what a person was asked who is the model, and the reply (models/questions.py)
index.sqlite                              what is known of the attempts; made of them, and made anew when it is wrong
lock                                      who writes
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.store.files import clear_temporaries, disk_errors, in_order, make_folder, sync_folder, write_file
from workalike.store.lines import damaged, encode, read_json, whole_lines
from workalike.store.locks import Holder, Lock, holder
from workalike.store.names import safe_name
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import FILE, End, Stored, TrajectoryWriter, read_end, read_header, read_trajectory

FORMAT = 1
INFO, TASKS, KEYS, LOCK, ATTEMPTS, PICTURES = "run.json", "tasks.jsonl", "keys.jsonl", "lock", "attempts", "pictures"
ASIDE, TRANSCRIPT = "damaged", "transcript.jsonl"
State = Literal["finished", "interrupted"]
_ATTEMPT = re.compile(r"(\d+)\.(\d+)")
_NAME = re.compile(r"[a-z0-9-]+")


class RunInfo(msgspec.Struct, frozen=True):
    """What a run is. Going on with it takes the same `settings` and `hashes`: everything that bears on the result
    (agent, model, sampling, seed, limits, network policy, pinned date; hashes of prompts and of the task set).
    `versions` are kept to be shown, and may differ."""

    id: str
    created: str
    settings: dict[str, Any]
    hashes: dict[str, str] = {}
    versions: dict[str, str] = {}
    format: int = FORMAT


class Attempt(msgspec.Struct, frozen=True):
    """One task, one repeat, one try; all counted from 1."""

    run: str
    task_id: str
    repeat: int
    try_: int
    folder: Path

    @property
    def id(self) -> str:
        """The id of its trajectory: one of its kind over all runs, and readable."""
        return f"{self.run}/{safe_name(self.task_id)}/{self.repeat}.{self.try_}"

    @property
    def path(self) -> Path:
        return self.folder / FILE

    @property
    def transcript(self) -> Path:
        """Where the exchanges with a model are kept."""
        return self.folder / TRANSCRIPT

    def end(self) -> End | None:
        """How it ended, read without its steps; None while it goes on and when it was killed."""
        return read_end(self.path)

    @property
    def state(self) -> State:
        """Finished, or interrupted: killed before its end line, or stopped by the user."""
        end = self.end()
        return "finished" if end and not (end.stop and end.stop.reason == "interrupted") else "interrupted"

    def read(self) -> Stored:
        return read_trajectory(self.path)


class Run:
    """A run to read; any number may, also while it is being written."""

    def __init__(self, folder: Path) -> None:
        if not is_run(folder):
            raise BadInput(f"{folder} is not a run: it has no {INFO}; name the folder that `workalike run` wrote")
        self.folder = folder
        self.info = read_json(folder / INFO, RunInfo)
        if self.info.format != FORMAT:
            reason = f"it is of format {self.info.format}, and this Workalike reads format {FORMAT}"
            raise damaged(folder / INFO, reason, "use the one that wrote it")
        self.pictures = PictureStore(folder / PICTURES)

    def tasks(self) -> Iterator[Task]:
        return whole_lines(self.folder / TASKS, Task)

    def keys(self) -> Iterator[Key]:
        return whole_lines(self.folder / KEYS, Key)

    @property
    def writer(self) -> Holder | None:
        """Who is writing this run right now, if anybody is."""
        return holder(self.folder / LOCK)

    def attempts(self, task_id: str | None = None) -> Iterator[Attempt]:
        """Every attempt in the order of the tasks, repeats and tries, or those at one task; streamed."""
        ids = (task.id for task in self.tasks()) if task_id is None else iter([task_id])
        for id in ids:
            yield from self._attempts_at(id)

    def aside(self) -> Iterator[Attempt]:
        """The attempts that could not be read and were set aside; what they took still counts."""
        if (self.folder / ASIDE).is_dir():
            for task in self.tasks():
                yield from self._attempts_at(task.id, ASIDE)

    def trajectories(self) -> Iterator[Stored]:
        """The trajectory of every attempt, one at a time."""
        return (attempt.read() for attempt in self.attempts())

    def place(self, task_id: str, repeat: int, try_: int) -> Attempt:
        """Where an attempt lies, whether it is there or not."""
        folder = self.folder / ATTEMPTS / safe_name(task_id) / f"{repeat}.{try_}"
        return Attempt(self.info.id, task_id, repeat, try_, folder)

    def attempt(self, trajectory: str) -> Attempt | None:
        """The attempt whose trajectory has this id, found by its place."""
        run, _, place = trajectory.rpartition("/")
        run, _, task = run.rpartition("/")
        found = _ATTEMPT.fullmatch(place)
        folder = self.folder / ATTEMPTS / task / place
        if run != self.info.id or not found or not _NAME.fullmatch(task) or not (folder / FILE).is_file():
            return None
        return Attempt(run, read_header(folder / FILE).task.id, int(found[1]), int(found[2]), folder)

    def tries(self, task_id: str, where: str = ATTEMPTS) -> list[tuple[int, int]]:
        """The repeats and tries at a task that there are folders of, in order."""
        try:
            names = os.listdir(self.folder / where / safe_name(task_id))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted((int(found[1]), int(found[2])) for found in map(_ATTEMPT.fullmatch, names) if found)

    def _attempts_at(self, task_id: str, where: str = ATTEMPTS) -> Iterator[Attempt]:
        folder = self.folder / where / safe_name(task_id)
        for repeat, try_ in self.tries(task_id, where):
            attempt = Attempt(self.info.id, task_id, repeat, try_, folder / f"{repeat}.{try_}")
            if attempt.path.is_file():  # a folder alone is what is left of a writer killed before it began
                yield attempt


def is_run(folder: Path) -> bool:
    return (folder / INFO).is_file()


def runs_in(path: Path) -> list[Path]:
    """The run that a path is, or all those below the folder that it is, in the order of their places."""
    if not path.exists():
        raise BadInput(f"there is no {path}; name a folder that `workalike run` wrote, or one that holds several")
    found: list[Path] = []
    for folder, inside, files in os.walk(path):
        if INFO in files:
            found.append(Path(folder))
        inside[:] = [] if INFO in files else sorted(name for name in inside if not name.startswith("."))
    if not found:
        told = f"{path} is no run and holds none"
        raise BadInput(f"{told} (there is no {INFO} in it): name a folder that `workalike run` wrote, or its parent")
    return found


def find_run(path: Path) -> Path | None:
    """The folder of the run that a path is, or lies in."""
    return next(filter(is_run, (path, *path.resolve().parents)), None)


class RunWriter(Run):
    """A run to write: made when the folder has none, gone on with when it has the same, refused when it has another or
    somebody else is writing it.

        with RunWriter(folder, info, tasks, keys) as run:
            attempt, trajectory = run.begin(task, repeat=1)
            picture = run.pictures.put(png)
    """

    def __init__(self, folder: Path, info: RunInfo, tasks: Iterable[Task], keys: Iterable[Key] = ()) -> None:
        _need_own(folder)
        with disk_errors(folder):
            make_folder(folder, private=True)
        self._lock = Lock(folder / LOCK, f"run {info.id}", folder)
        try:
            _make_or_compare(folder, info, list(tasks), list(keys))
            super().__init__(folder)
            self.pictures.tidy()
        except BaseException:
            self.close()
            raise

    @classmethod
    def resume(cls, folder: Path) -> RunWriter:
        """Go on with a run as it stands."""
        run = Run(folder)
        return cls(folder, run.info, run.tasks(), run.keys())

    def begin(
        self, task: Task, repeat: int, provenance: Provenance | None = None, extra: Mapping[str, Any] | None = None
    ) -> tuple[Attempt, TrajectoryWriter]:
        """Begin the next try at a task: its place, and the writer of its trajectory."""
        tries = itertools.chain(self._attempts_at(task.id), self._attempts_at(task.id, ASIDE))
        former = [attempt.try_ for attempt in tries if attempt.repeat == repeat]
        attempt = self.place(task.id, repeat, max(former, default=0) + 1)
        clear_temporaries(attempt.folder)
        return attempt, TrajectoryWriter.create(attempt.path, attempt.id, task, provenance, extra)

    def set_aside(self, attempt: Attempt) -> Path:
        """Keep an attempt that cannot be read out of the way of the next try; where it lies then."""
        target = self.folder / ASIDE / attempt.folder.parent.name / attempt.folder.name
        with disk_errors(target):
            make_folder(target.parent)
            attempt.folder.rename(target)
            sync_folder(target.parent)
            sync_folder(attempt.folder.parent)
        return target

    def close(self) -> None:
        self._lock.release()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _need_own(folder: Path) -> None:
    """Refuse a folder with other things in it; what a run killed as it was laid out left behind is no such thing."""
    if is_run(folder) or not folder.is_dir():
        return
    other = next((name for name in in_order(folder) if name not in (LOCK, TASKS, KEYS, PICTURES)), None)
    if other is not None:
        raise BadInput(f"{folder} is no run, and not empty: it holds {other!r}; choose another folder")


def differences(there: Mapping[str, Any], now: Mapping[str, Any], prefix: str = "") -> list[str]:
    """What differs between two sets of settings, as phrases: `model.name: "a" there, "b" now`."""
    found: list[str] = []
    for name in sorted({*there, *now}):
        one, other = there.get(name), now.get(name)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            found += differences(one, other, f"{prefix}{name}.")
        elif one != other:
            found.append(f"{prefix}{name}: {_shown(one)} there, {_shown(other)} now")
    return found


def _make_or_compare(folder: Path, info: RunInfo, tasks: list[Task], keys: list[Key]) -> None:
    """Lay out a new run, its `run.json` last, or make sure that the one there is the same."""
    _need_distinct(task.id for task in tasks)
    files = {TASKS: b"".join(map(encode, tasks)), KEYS: b"".join(map(encode, keys))}
    if not is_run(folder):
        for name, data in files.items():
            write_file(folder / name, data)
        write_file(folder / INFO, msgspec.json.format(encode(info), indent=2) + b"\n", new=True)
        return
    there, now = Run(folder).info, _as_stored(info)
    found = differences(there.settings, now.settings) + differences(there.hashes, now.hashes, "hash of ")
    found += [text for name, data in files.items() if (text := _file_difference(folder / name, data))]
    if found:
        raise BadInput(f"{folder} holds a run with other settings ({'; '.join(found)}); use those, or another folder")


def _file_difference(path: Path, now: bytes) -> str:
    there = path.read_bytes() if path.is_file() else b""
    if there == now:
        return ""
    counts = f"{len(there.splitlines())} there, {len(now.splitlines())} now"
    return f"{path.stem}: {counts}" if len(there.splitlines()) != len(now.splitlines()) else f"{path.stem}: other ones"


def _need_distinct(ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise BadInput(f"the task {id!r} stands twice in the list of tasks; give each an id of its own")
        seen.add(id)


def _as_stored(info: RunInfo) -> RunInfo:
    """The same as it would come back from disk, so that a tuple and a list compare as equal."""
    return msgspec.json.decode(encode(info), type=RunInfo)


def _shown(value: Any) -> str:
    shown = "nothing" if value is None else msgspec.json.encode(value).decode()
    return shown if len(shown) <= 60 else shown[:59] + "…"
