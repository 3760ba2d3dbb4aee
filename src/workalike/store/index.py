"""The index of a run, `index.sqlite` beside it: what reports, the viewer and resuming need of every attempt, so that a
run of ten thousand is not read whole each time.

The trajectories and transcripts stay the truth. A row is believed as long as both files are, by size and time of
change, those that it was made from, and as long as it is whole by its own checksum; otherwise the attempt is read
again. An index that is missing, broken or of another version is made anew, and one that cannot be written is kept in
memory, so that nobody ever has to look after it.
"""

from __future__ import annotations

import itertools
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import msgspec

from workalike.core.endings import Ending, ending_of
from workalike.core.errors import BadInput
from workalike.core.trajectory import ASKED_AGAIN, UNTOLD, Stop, Trajectory, Usage
from workalike.store.names import safe_name
from workalike.store.runs import ASIDE, ATTEMPTS, TRANSCRIPT, Attempt, Run
from workalike.store.trajectories import FILE
from workalike.store.transcripts import read_books

INDEX = "index.sqlite"
VERSION = 2
"""Counts the forms of the rows and of what is put into them; an index of another is made anew."""
PATIENCE = 1.0
UNSETTLED = 50_000_000
"""Nanoseconds: what was changed so lately may change again within the same tick of the file system's clock, unseen."""
_NO_INDEX = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)
_TABLE = """CREATE TABLE IF NOT EXISTS attempts (
    place TEXT PRIMARY KEY,
    files TEXT NOT NULL,
    summary BLOB NOT NULL,
    sum INTEGER NOT NULL
) WITHOUT ROWID"""


class AttemptSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One try at one repeat of one task, without its steps. `damaged` says why its trajectory cannot be read, `unread`
    the same of its transcript, `aside` that it was set aside for that, `asked_again` whether its answer's line had to
    be asked for once more. Of its models' `replies`, `cached` came out of a cache. Of its `seconds`, models took
    `model_seconds` and the browser `browser_seconds` (None: the steps tell no times)."""

    id: str
    task: str
    repeat: int
    try_: int
    stop: Stop | None = None
    steps: int = 0
    actions: int = 0
    seconds: float = 0.0
    usage: Usage = Usage()
    replies: int = 0
    cached: int = 0
    ending: Ending | None = None
    asked_again: bool = False
    transcribed: bool = False
    aside: bool = False
    damaged: str = ""
    unread: str = ""
    model_seconds: float = 0.0
    browser_seconds: float | None = None

    @property
    def finished(self) -> bool:
        """Whether it need not be run again: ended, and not by infrastructure."""
        return self.stop is not None and self.stop.reason not in ("interrupted", "infrastructure_error")


Row = tuple[str, AttemptSummary]
"""The state of an attempt's files that a summary was made from, and the summary."""
_SUMMARY = msgspec.msgpack.Decoder(AttemptSummary)


class RunIndex:
    """What is known of a run's attempts. `refresh` compares with the disk, `note` adds an attempt that has just ended.

    >>> [each.stop for each in RunIndex(run).refresh()]  # doctest: +SKIP
    """

    def __init__(self, run: Run) -> None:
        self._run, self._path = run, run.folder / INDEX
        self._known: dict[str, Row] = dict(_read(self._path))
        self._fresh: set[str] = set()
        self._gone: set[str] = set()

    def refresh(self) -> list[AttemptSummary]:
        """Every attempt as it is on disk now, in the order of the tasks, repeats and tries, with those that were set
        aside; whatever had to be read is put into the index."""
        found: dict[str, Row] = {}
        for place, files, attempt in _walk(self._run):
            known = self._known.get(place)
            found[place] = known if known and known[0] == files else self._look_at(place, files, attempt())
        self._gone |= self._known.keys() - found.keys()
        self._known = found
        self._save()
        return [summary for _, summary in found.values()]

    def note(self, attempt: Attempt) -> AttemptSummary:
        """An attempt that has ended, read once and for all."""
        place = "/".join(attempt.folder.parts[-3:])
        _, summary = self._known[place] = self._look_at(place, _state(str(attempt.folder)) or "", attempt)
        self._save()
        return summary

    def _look_at(self, place: str, files: str, attempt: Attempt) -> Row:
        self._fresh.add(place)
        return files, summarise(attempt)

    def _save(self) -> None:
        """Write what is new and has settled; the rest when it has. What cannot be written is read again by the next."""
        now = time.time_ns()
        settled = {place for place in self._fresh if _changed(self._known[place][0]) < now - UNSETTLED}
        rows = {place: self._known[place] for place in settled}
        if (rows or self._gone) and _write(self._path, rows, self._gone):
            self._fresh -= settled
            self._gone = set()


def _walk(run: Run) -> Iterator[tuple[str, str, Callable[[], Attempt]]]:
    """Every attempt, those set aside last: its place, the state of its files, and how to have it; by plain names, which
    takes a third of the time that `run.attempts()` does."""
    ids = [task.id for task in run.tasks()]
    for where, task_id in itertools.product((ATTEMPTS, ASIDE), ids):
        name = safe_name(task_id)
        for repeat, try_ in run.tries(task_id, where):
            place = f"{where}/{name}/{repeat}.{try_}"
            files = _state(f"{run.folder}/{place}")
            if files is not None:
                yield place, files, partial(_attempt, run, task_id, repeat, try_, place)


def _attempt(run: Run, task_id: str, repeat: int, try_: int, place: str) -> Attempt:
    return Attempt(run.info.id, task_id, repeat, try_, run.folder / place)


def _state(folder: str) -> str | None:
    """What tells one state of an attempt's files from the next: size, time of writing and of any change, of trajectory
    and transcript. None where there is no trajectory."""
    try:
        trajectory = os.stat(f"{folder}/{FILE}")
    except OSError:
        return None
    seen = f"{trajectory.st_size} {trajectory.st_mtime_ns} {trajectory.st_ctime_ns}"
    try:
        transcript = os.stat(f"{folder}/{TRANSCRIPT}")
    except OSError:
        return seen
    return f"{seen} {transcript.st_size} {transcript.st_mtime_ns} {transcript.st_ctime_ns}"


def _changed(files: str) -> int:
    """When the last of the files was changed; never, where nobody can tell."""
    return max(map(int, files.split()[2::3]), default=0)


def summaries(run: Run) -> list[AttemptSummary]:
    """Every attempt of a run without its steps: from the index, as far as it is right."""
    return RunIndex(run).refresh()


def summarise(attempt: Attempt) -> AttemptSummary:
    """One attempt, read whole. What is damaged is told, not raised."""
    aside = attempt.folder.parts[-3] == ASIDE
    summary = AttemptSummary(attempt.id, attempt.task_id, attempt.repeat, attempt.try_, aside=aside)
    try:
        trajectory = attempt.read().trajectory
    except BadInput as error:
        return _with_books(msgspec.structs.replace(summary, damaged=str(error)), attempt, Usage())
    summary = msgspec.structs.replace(
        summary,
        stop=trajectory.stop,
        steps=len(trajectory.steps),
        actions=len(trajectory.actions),
        seconds=_seconds(trajectory),
        ending=ending_of(trajectory),
        browser_seconds=_browser_seconds(trajectory),
        asked_again=any(notice.kind == ASKED_AGAIN for step in trajectory.steps for notice in step.notices),
    )
    return _with_books(summary, attempt, trajectory.usage)


def _with_books(summary: AttemptSummary, attempt: Attempt, told: Usage) -> AttemptSummary:
    """What asking took, how many replies there were, and how many of them came out of a cache, by the books of the
    transcript: they have also what led to no step. An agent of one's own has none; what it told with its steps counts,
    and what it took before it broke is unknown."""
    if not attempt.transcript.is_file():
        broke = summary.stop is not None and summary.stop.reason == "agent_error"
        return msgspec.structs.replace(summary, usage=told + UNTOLD if broke else told)
    try:
        books = read_books(attempt.transcript)
    except BadInput as error:
        return msgspec.structs.replace(summary, usage=UNTOLD, transcribed=True, unread=str(error))
    unread = "" if books.whole else f"{attempt.transcript} lacks a message that it names"
    return msgspec.structs.replace(
        summary,
        usage=books.usage if books.whole else books.usage + UNTOLD,
        replies=books.replies,
        cached=books.cached,
        transcribed=True,
        unread=unread,
        model_seconds=round(books.seconds, 4),
    )


def _seconds(trajectory: Trajectory) -> float:
    """From the beginning to the last look: thinking before the last action and waiting for nothing count too."""
    ends = [taken.end for taken in trajectory.actions if taken.end is not None]
    looks = [seen.time for seen in (*(step.observation for step in trajectory.steps), trajectory.final) if seen]
    return max((*ends, *(time for time in looks if time is not None)), default=0.0)


def _browser_seconds(trajectory: Trajectory) -> float | None:
    """How long pages took: until the first look, while acting, and from the last action of a step until the next look;
    None where that was not written down."""
    last = trajectory.final.time if trajectory.final else None
    looks = [*(step.observation.time for step in trajectory.steps), last]
    if not looks or looks[0] is None:
        return None
    total = looks[0]
    for step, after in zip(trajectory.steps, looks[1:], strict=True):
        times = [(each.start, each.end) for each in step.actions if each.start is not None and each.end is not None]
        total += sum(end - start for start, end in times)
        if times and after is not None:
            total += max(0.0, after - times[-1][1])
    return round(total, 4)


def _read(path: Path) -> Iterator[tuple[str, Row]]:
    """The rows that are whole; of an index that is none, not one."""
    if not path.is_file():
        return
    with suppress(sqlite3.Error, OSError), closing(_open(path, "rw")) as file:
        if _version(file) != VERSION:
            return
        for place, files, summary, sum_ in file.execute("SELECT place, files, summary, sum FROM attempts"):
            try:
                if _sum(place, files, summary) == sum_:
                    yield place, (files, _SUMMARY.decode(summary))
            except (msgspec.MsgspecError, AttributeError, TypeError, ValueError):
                continue  # a row that is none


def _write(path: Path, rows: dict[str, Row], gone: Iterable[str]) -> bool:
    """Put rows into the index, or into a new one where it is none; False when that cannot be."""
    for _ in range(2):
        try:
            with closing(_open(path, "rwc")) as file, file:
                file.execute("BEGIN IMMEDIATE")
                if _version(file) != VERSION:
                    file.execute("DROP TABLE IF EXISTS attempts")
                    file.execute(f"PRAGMA user_version = {VERSION}")
                file.execute(_TABLE)
                file.executemany("DELETE FROM attempts WHERE place = ?", ((place,) for place in gone))
                file.executemany("INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?)", _encoded(rows))
            return True
        except (sqlite3.Error, OSError) as error:
            if not isinstance(error, sqlite3.DatabaseError) or error.sqlite_errorcode not in _NO_INDEX:
                return False  # locked, read-only, full: the next who comes sees what it lacks
            with suppress(OSError):
                path.unlink()
    return False


def _encoded(rows: dict[str, Row]) -> Iterator[tuple[str, str, bytes, int]]:
    for place, (files, summary) in rows.items():
        packed = msgspec.msgpack.encode(summary)
        yield place, files, packed, _sum(place, files, packed)


def _sum(place: str, files: str, summary: bytes) -> int:
    return zlib.crc32(summary, zlib.crc32(f"{place} {files}".encode()))


def _open(path: Path, mode: str) -> sqlite3.Connection:
    # A killed process loses nothing without syncing; a machine that loses power may, which the checksums tell.
    file = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None)
    file.execute("PRAGMA synchronous = OFF")
    return file


def _version(file: sqlite3.Connection) -> int:
    return int(file.execute("PRAGMA user_version").fetchone()[0])
