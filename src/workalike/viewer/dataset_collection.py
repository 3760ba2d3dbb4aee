"""A dataset to look at, of AgentNet rows or trajectories of ours, however large: everything is found through its index,
and only what is looked at is read."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from workalike.core.errors import BadInput
from workalike.dataset.expressions import Expression
from workalike.models.transcript import Exchange
from workalike.store.pictures import PictureSource
from workalike.store.trajectories import FILE
from workalike.viewer.collection import Entry, Found, Kind, TrajectoryCollection, file_state
from workalike.viewer.facets import Facet
from workalike.viewer.index import (
    About,
    RowSpan,
    about_of,
    build_index,
    is_of_now,
    open_index,
    read_facets,
    read_ours,
    read_row,
    read_theirs,
    source_files,
)
from workalike.viewer.search import match, terms

Rows = NDArray[np.uint32]
"""Numbers of rows, from 1, in the order of the dataset."""
_KEPT = 32
_ENTRY = "number, ref, id, instruction, steps"


class IndexProgress(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far an index has come, in bytes; `failed` says why it will not be made."""

    ready: bool = False
    done: int = 0
    total: int = 0
    failed: str = ""


class DatasetCollection(TrajectoryCollection):
    kind: Kind = "dataset"

    def __init__(self, key: str, place: str, path: Path, pictures: PictureSource | None = None) -> None:
        super().__init__(key, place, path, pictures)
        self._opened: sqlite3.Connection | None = None
        self._about: About | None = None
        self._facets: list[Facet] = []
        self._numbers: dict[str, NDArray[np.float64]] = {}
        self._progress = IndexProgress()
        self._building: threading.Thread | None = None
        self._chosen: OrderedDict[tuple[str, str], tuple[Rows, int]] = OrderedDict()
        self._using = threading.RLock()

    def brief(self) -> dict[str, Any]:
        """What the first page tells of it, which takes no reading."""
        about = self._about or source_files(self.path)
        size = sum(each.size for each in about.files)
        return {"rows": self._about.rows if self._about else None, "files": len(about.files), "size": size}

    def prepare(self) -> IndexProgress:
        """Open the index, or have it made in the background, anew where a file has changed; how far that has come."""
        with self._using:
            if self._opened is not None and not is_of_now(self.about, self.path):
                self._opened.close()
                self._opened, self._progress = None, IndexProgress()
                self._chosen.clear()
            if self._opened is not None or self._progress.failed:
                return self._progress
            if self._building is None or not self._building.is_alive():
                if self._open():
                    return self._progress
                self._building = threading.Thread(target=self._build, daemon=True)
                self._building.start()
            return self._progress

    @property
    def about(self) -> About:
        self._need()
        assert self._about is not None
        return self._about

    @property
    def facets(self) -> list[Facet]:
        self._need()
        return self._facets

    def choose(self, search: str = "", where: str = "") -> tuple[Rows, int]:
        """The rows that have what is searched for and pass a filter, and how many the filter could not decide."""
        asked = search, where.strip()
        with self._using:
            if asked in self._chosen:
                return self._chosen[asked]
        rows = self._search(search)
        found = self._filter(rows, asked[1]) if asked[1] else (rows, 0)
        with self._using:
            self._chosen[asked] = found
            while len(self._chosen) > _KEPT:
                self._chosen.popitem(last=False)
        return found

    def in_order(self, rows: Rows, field: str, down: bool) -> Rows:
        """Rows sorted by a field of numbers; those that have none come last."""
        self._need()
        if field not in self._numbers:
            raise BadInput(f"no row has a number called {field[:60]!r} to sort by")
        values = self._numbers[field][rows - 1]
        return rows[np.argsort(-values if down else values, kind="stable")]

    def sortable(self) -> list[str]:
        self._need()
        return list(self._numbers)

    def listed(self, rows: Rows) -> list[Entry]:
        """Some rows in brief, in the order given."""
        marks = ", ".join("?" * len(rows))
        found = self._ask(f"SELECT {_ENTRY} FROM rows WHERE number IN ({marks})", [int(row) for row in rows])
        entries = {number: Entry(ref, id, words, steps=steps) for number, ref, id, words, steps in found}
        return [entries[int(row)] for row in rows]

    def document(self, ref: str) -> dict[str, Any]:
        """A row whole, as the filter language knows it."""
        place, _, _ = self._place(ref)
        return read_row(place, self.about.ours)

    def entries(self) -> Iterator[Entry]:
        outcomes = self.layers.outcomes()
        for _, ref, id, words, steps in self._ask(f"SELECT {_ENTRY} FROM rows ORDER BY number"):
            yield Entry(ref, id, words, steps=steps, outcome=outcomes.get(id))

    def exchanges(self, ref: str) -> Iterator[Exchange]:
        """Only a trajectory in a folder of its own has its transcript beside it."""
        return super().exchanges(ref) if self.file(ref).name == FILE else iter(())

    def neighbours(self, ref: str) -> tuple[str | None, str | None]:
        found = self._ask("SELECT number FROM rows WHERE ref = ?", [ref])
        number = found[0][0] if found else 0
        near = dict(self._ask("SELECT number, ref FROM rows WHERE number IN (?, ?)", [number - 1, number + 1]))
        return (near.get(number - 1), near.get(number + 1)) if number else (None, None)

    def _read(self, ref: str) -> Found:
        place, id, meta = self._place(ref)
        state = file_state(place.file)
        return Found(read_ours(place) if self.about.ours else read_theirs(place, id, meta), place.file, state)

    def _place(self, ref: str) -> tuple[RowSpan, str, bytes | None]:
        found = self._ask("SELECT file, start, length, id, meta FROM rows WHERE ref = ?", [ref])
        if not found:
            raise BadInput(f"the dataset has no row {ref[:200]!r}")
        file, start, length, id, meta = found[0]
        return RowSpan(Path(self.about.files[file].path), start, length), id, meta

    def _search(self, text: str) -> Rows:
        wanted = terms(text)
        if not wanted:
            return np.arange(1, self.about.rows + 1, dtype=np.uint32)
        found = self._ask("SELECT rowid FROM texts WHERE texts MATCH ?", [match(wanted)])
        return np.fromiter((number for (number,) in found), np.uint32, len(found))

    def _filter(self, rows: Rows, where: str) -> tuple[Rows, int]:
        """The rows that pass. What the fields alone tell comes out of the index; what a filter asks of steps takes
        reading the rows themselves."""
        known = next((facet.rows for facet in self.facets if facet.where == where), None)
        if known is not None:
            return np.intersect1d(rows, np.frombuffer(known, np.uint32), assume_unique=True), 0
        expression = Expression(where)
        names = {name.split(".")[0] for name in expression.names}
        wanted = np.zeros(self.about.rows + 1, dtype=bool)
        wanted[rows] = True
        passed: list[int] = []
        seen: set[str] = set()
        for number, fields in self._whole_fields(wanted) if "traj" in names else self._fields(wanted, names):
            seen.update(name for name in expression.names if name.split(".")[0] in fields)
            if expression(fields):
                passed.append(number)
        unknown = sorted(expression.names - seen)
        if unknown and len(rows):
            raise BadInput(f"no row here has a field {unknown[0]!r}")
        return np.array(passed, dtype=np.uint32), expression.undecided

    def _fields(self, wanted: NDArray[np.bool_], names: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Of each row that is wanted, the fields that are asked for; the others are not even decoded."""
        shape = msgspec.defstruct("Fields", [(name, Any, msgspec.UNSET) for name in names], gc=False)
        decode, of = msgspec.msgpack.Decoder(shape).decode, msgspec.structs.asdict
        for number, document in self._need().execute("SELECT number, document FROM fields ORDER BY number"):
            if wanted[number]:
                found = of(decode(document))
                yield number, {name: value for name, value in found.items() if value is not msgspec.UNSET}

    def _whole_fields(self, wanted: NDArray[np.bool_]) -> Iterator[tuple[int, dict[str, Any]]]:
        files = [Path(each.path) for each in self.about.files]
        places = {
            number: RowSpan(files[file], start, length)
            for number, file, start, length in self._ask("SELECT number, file, start, length FROM rows")
        }
        decode = msgspec.msgpack.Decoder(dict[str, Any]).decode
        for number, document in self._need().execute("SELECT number, document FROM fields ORDER BY number"):
            if wanted[number]:
                yield number, {**decode(document), **read_row(places[number], self.about.ours)}

    def _ask(self, question: str, given: list[Any] | None = None) -> list[tuple[Any, ...]]:
        with self._using:
            return self._need().execute(question, given or []).fetchall()

    def _need(self) -> sqlite3.Connection:
        """The index; a dataset that has none yet says so."""
        if self._opened is None and not self.prepare().ready:
            raise BadInput(f"{self.place} is still being read; wait until its index is made")
        assert self._opened is not None
        return self._opened

    def _open(self) -> bool:
        opened = open_index(self.path)
        if opened is None:
            return False
        self._about, self._facets = about_of(opened), read_facets(opened)
        columns = opened.execute("SELECT field, column FROM numbers ORDER BY field")
        self._numbers = {field: np.frombuffer(data, np.float64) for field, data in columns}
        self._opened, self._progress = opened, IndexProgress(ready=True)
        return True

    def _build(self) -> None:
        def tell(done: int, total: int) -> None:
            self._progress = IndexProgress(done=done, total=total)

        try:
            build_index(self.path, tell)
        except (BadInput, OSError, sqlite3.Error) as error:
            self._progress = IndexProgress(failed=f"the index cannot be made: {error}")
            return
        with self._using:
            self._open()
