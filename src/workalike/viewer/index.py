"""The index of a dataset: where each row lies, what filters may ask of it, and its words for searching (SQLite with
FTS5). It is made once, in the user's cache and never beside the data, and made anew when a file has changed."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Write
from workalike.core.errors import BadInput, DialectError
from workalike.core.trajectory import Trajectory
from workalike.dataset.choosing import fields_of
from workalike.dataset.files import BOM, find_files, line_at, read_metadata, span_lines, spans, telling
from workalike.dataset.sources import is_rows, rows_of
from workalike.dialects import pyautogui
from workalike.formats.agentnet import Meta
from workalike.formats.agentnet_trajectories import decode_trajectory
from workalike.store.lines import NOT_READABLE
from workalike.store.names import safe_name
from workalike.store.reading import packed_in, trajectory_files
from workalike.store.trajectories import FILE, read_trajectory
from workalike.viewer.facets import Facet, FacetCollector

VERSION = 1
EXAMPLES, LONGEST_REF, LONGEST_WORDS, TOGETHER = 5, 200, 300, 64
Told = Callable[[int, int], object]
"""Who is told how many bytes of how many have been read."""
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rows (
    number INTEGER PRIMARY KEY,
    ref TEXT NOT NULL,
    id TEXT NOT NULL,
    file INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    instruction TEXT NOT NULL,
    steps INTEGER NOT NULL,
    meta BLOB
);
CREATE TABLE fields (number INTEGER PRIMARY KEY, document BLOB NOT NULL);
CREATE TABLE facets (field TEXT NOT NULL, name TEXT NOT NULL, filter TEXT NOT NULL, rows BLOB NOT NULL);
CREATE TABLE numbers (field TEXT PRIMARY KEY, column BLOB NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE texts USING fts5(
    instruction, thought, typed, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2'
);
"""
_PACKED = msgspec.json.Decoder(Trajectory)
_RAW = msgspec.json.Decoder(dict[str, msgspec.Raw])
_decode: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class _Value(msgspec.Struct, frozen=True, gc=False):
    thought: Any = None
    code: Any = None


class _Step(msgspec.Struct, frozen=True, gc=False):
    value: _Value = _Value()


_STEPS = msgspec.json.Decoder(list[_Step])


class SourceFile(msgspec.Struct, frozen=True):
    """A file that an index was made from, as it was then."""

    path: str
    size: int
    time: int


class About(msgspec.Struct, frozen=True):
    """What an index is of, and what could not be read for it."""

    version: int
    files: tuple[SourceFile, ...]
    metadata: tuple[SourceFile, ...]
    ours: bool
    rows: int = 0
    unread: int = 0
    examples: tuple[str, ...] = ()


class RowSpan(NamedTuple):
    """Where a row lies."""

    file: Path
    start: int
    length: int


class _Row(NamedTuple):
    place: RowSpan
    line: bytes


def source_files(path: Path) -> About:
    """What an index of a path would be made from now."""
    if is_rows(path):
        found = find_files([path])
        return About(VERSION, _states(found.rows), _states(found.metadata), ours=False)
    files = [*trajectory_files(path)] if path.is_dir() else [path]
    return About(VERSION, _states(files or packed_in(path)), (), ours=True)


def index_file(path: Path) -> Path:
    """Where the index of a path is kept: in the user's cache, or where that cannot be written, among temporary
    files."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "workalike" / "viewer"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    return (folder if usable else Path(_scratch().name)) / f"{safe_name(str(path.resolve()))}.sqlite"


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="workalike-viewer-")


def open_index(path: Path) -> sqlite3.Connection | None:
    """The index of a path, if there is one and it is of the files as they are now."""
    file = index_file(path)
    if not file.is_file():
        return None
    opened = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, check_same_thread=False)
    opened.execute("PRAGMA cache_size = -8000")
    with suppress(sqlite3.Error, msgspec.MsgspecError, TypeError):
        if is_of_now(about_of(opened), path):
            return opened
    opened.close()
    return None


def is_of_now(about: About, path: Path) -> bool:
    """Whether an index was made from the files at a path as they are now."""
    now = source_files(path)
    return (about.version, about.files, about.metadata) == (now.version, now.files, now.metadata)


def about_of(opened: sqlite3.Connection) -> About:
    (told,) = opened.execute("SELECT value FROM about WHERE name = 'about'").fetchone()
    return msgspec.json.decode(told, type=About)


def build_index(path: Path, tell: Told = lambda done, total: None) -> Path:
    """Make the index of a path; it takes its place when it is whole."""
    target = index_file(path)
    unfinished = target.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as opened:
            for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -16000", "page_size = 8192"):
                opened.execute(f"PRAGMA {setting}")
            opened.executescript(_SCHEMA)
            _Builder(opened, source_files(path)).build(tell)
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target


class _Builder:
    """Reads every row once and puts down what is known of it."""

    def __init__(self, opened: sqlite3.Connection, about: About) -> None:
        self._opened, self._about = opened, about
        self._facets = FacetCollector()
        self._met: dict[str, int] = {}
        self._unread: list[str] = []
        self._count = 0

    def build(self, tell: Told) -> None:
        metadata = read_metadata((Path(each.path) for each in self._about.metadata), telling(self._miss), whole=True)
        total, done = sum(each.size for each in self._about.files), 0
        number = 0
        batch: list[tuple[tuple[Any, ...], bytes, tuple[str, str, str]]] = []
        self._opened.execute("BEGIN")
        for file, source in enumerate(self._about.files):
            for row in self._rows(Path(source.path)):
                made = self._made(row, metadata, number + 1, file)
                if made is not None:
                    number += 1
                    batch.append(made)
                if len(batch) >= TOGETHER:
                    self._write(batch)
                    tell(done + row.place.start + row.place.length, total)
                    batch = []
            done += source.size
        self._write(batch)
        self._finish(number)
        tell(total, total)

    def _rows(self, file: Path) -> Iterator[_Row]:
        """The rows of a file, those of ours as AgentNet would write them."""
        if file.name == FILE:
            with _Telling(self._miss):
                yield from self._ours(read_trajectory(file).trajectory, RowSpan(file, 0, -1))
            return
        with _Telling(self._miss):
            for span in spans(file):
                for start, held in span_lines(span):
                    line, place = bytes(held), RowSpan(file, start, len(held))
                    if line.isspace():
                        continue
                    if not self._about.ours:
                        yield _Row(place, line.removeprefix(BOM))
                        continue
                    try:
                        yield from self._ours(_PACKED.decode(line), place)
                    except NOT_READABLE as error:
                        self._miss(f"{file}, at byte {start}: {error}")

    def _ours(self, trajectory: Trajectory, place: RowSpan) -> Iterator[_Row]:
        line = next(rows_of([trajectory]), None)
        if line is None:  # the published code has no words for what was done; what was asked can be found all the same
            line = msgspec.json.encode({"task_id": trajectory.id, "instruction": trajectory.task.instruction})
        yield _Row(place, line)

    def _miss(self, text: str) -> None:
        self._count += 1
        if len(self._unread) < EXAMPLES:
            self._unread.append(text[:500])

    def _made(
        self, row: _Row, metadata: Mapping[str, Meta], number: int, file: int
    ) -> tuple[tuple[Any, ...], bytes, tuple[str, str, str]] | None:
        try:
            parts = _RAW.decode(row.line)
            steps = _steps(bytes(parts.pop("traj", b"[]")))
            document = {name: _decode(bytes(raw)) for name, raw in parts.items()}
        except NOT_READABLE as error:
            self._miss(f"{row.place.file}, at byte {row.place.start}: {error}")
            return None
        id = str(document.get("task_id", ""))
        meta = metadata.get(id)
        fields = fields_of({**document, "traj": steps}, meta)
        del fields["traj"]
        self._facets.add(number, fields)
        instruction = document.get("instruction")
        words = instruction if isinstance(instruction, str) else ""
        kept = msgspec.msgpack.encode(replace(meta, rest={})) if meta else None
        place = row.place
        head = (number, self._ref(id), id, file, place.start, place.length, words[:LONGEST_WORDS], len(steps), kept)
        return head, msgspec.msgpack.encode(fields), (words, _thoughts(steps), _typed(steps))

    def _ref(self, id: str) -> str:
        """How addresses name a row: by its id; another with the same id gets a number."""
        name = id if 0 < len(id) <= LONGEST_REF else safe_name(id)
        self._met[name] = self._met.get(name, 0) + 1
        return name if self._met[name] == 1 else f"{name}~{self._met[name]}"

    def _write(self, batch: list[tuple[tuple[Any, ...], bytes, tuple[str, str, str]]]) -> None:
        execute = self._opened.executemany
        execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [head for head, _, _ in batch])
        execute("INSERT INTO fields VALUES (?, ?)", [(head[0], fields) for head, fields, _ in batch])
        words = [(head[0], *texts) for head, _, texts in batch]
        execute("INSERT INTO texts (rowid, instruction, thought, typed) VALUES (?, ?, ?, ?)", words)

    def _finish(self, rows: int) -> None:
        execute = self._opened.execute
        execute("CREATE INDEX by_ref ON rows (ref)")
        execute("CREATE INDEX by_id ON rows (id)")
        for facet in self._facets.facets():
            values = (facet.field, facet.name, facet.where, facet.rows.tobytes())
            execute("INSERT INTO facets VALUES (?, ?, ?, ?)", values)
        for field, column in self._facets.numbers().items():
            execute("INSERT INTO numbers VALUES (?, ?)", (field, column.tobytes()))
        about = replace(self._about, rows=rows, unread=self._count, examples=tuple(self._unread))
        execute("INSERT INTO about VALUES ('about', ?)", (msgspec.json.encode(about).decode(),))
        execute("COMMIT")


class _Telling(suppress):
    """Lets a file go that cannot be read (further), and tells why."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(BadInput)
        self._tell = tell

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if isinstance(error, BadInput):
            self._tell(str(error))
        return bool(super().__exit__(kind, error, trace))


def read_facets(opened: sqlite3.Connection) -> list[Facet]:
    """The distributions of an index."""
    found = []
    for field, name, where, data in opened.execute("SELECT field, name, filter, rows FROM facets ORDER BY rowid"):
        rows = array("I")
        rows.frombytes(data)
        found.append(Facet(field, name, where, rows))
    return found


def read_row(place: RowSpan, ours: bool) -> dict[str, Any]:
    """A row whole, as the filter language knows it."""
    if ours:
        line = next(rows_of([read_ours(place)]), b"{}")
    else:
        line = line_at(*place).removeprefix(BOM)
    document = _decode(line)
    return document if isinstance(document, dict) else {}


def read_ours(place: RowSpan) -> Trajectory:
    """A trajectory of ours, out of a file of its own or a packed one."""
    if place.length < 0:
        return read_trajectory(place.file).trajectory
    return _PACKED.decode(line_at(*place))


def read_theirs(place: RowSpan, id: str, meta: bytes | None) -> Trajectory:
    """The trajectory of an AgentNet row with its metadata."""
    known = {id: msgspec.msgpack.decode(meta, type=Meta)} if meta else {}
    return decode_trajectory(line_at(*place).removeprefix(BOM), known)


def _steps(raw: bytes) -> list[_Step]:
    try:
        return _STEPS.decode(raw)
    except NOT_READABLE:  # not the published form: as far as it can be read
        steps = _decode(raw)
        return [_Step(_value(step)) for step in steps] if isinstance(steps, list) else []


def _value(step: Any) -> _Value:
    value = step.get("value") if isinstance(step, dict) else None
    return _Value(value.get("thought"), value.get("code")) if isinstance(value, dict) else _Value()


def _thoughts(steps: list[_Step]) -> str:
    return "\n".join([step.value.thought for step in steps if isinstance(step.value.thought, str)])


def _typed(steps: list[_Step]) -> str:
    """What was typed. Only code that types is read, for reading takes long."""
    found: list[str] = []
    for step in steps:
        code = step.value.code
        if isinstance(code, str) and "write(" in code:
            try:
                found += [action.text for action in pyautogui.parse(code) if isinstance(action, Write)]
            except DialectError:
                found.append(code)
    return "\n".join(found)


def _states(files: Any) -> tuple[SourceFile, ...]:
    seen = [(file, file.stat()) for file in files]
    return tuple(SourceFile(str(file), each.st_size, each.st_mtime_ns) for file, each in seen)
