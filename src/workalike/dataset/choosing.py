"""Choosing among rows: filter, split, merge, sample. What is kept is written byte for byte as it was read."""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from workalike.core.errors import BadInput
from workalike.dataset.defects import Defect
from workalike.dataset.expressions import Expression, reach
from workalike.dataset.files import BOM, RowFiles, Sink, all_lines, inside_of, is_metadata, read_metadata, telling
from workalike.formats.agentnet import Meta
from workalike.formats.agentnet_trajectories import OURS
from workalike.store.packed import writing

OnDuplicate = Literal["keep", "first", "rename", "refuse"]
EXAMPLES = 5
_NAMED = "fields are those of the rows and their metadata, and `steps` and `system`"
_decode: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class Chosen(msgspec.Struct):
    """How many rows went where. `unreadable` rows are in no output; the first few of whatever was odd are named."""

    read: int = 0
    kept: dict[str, int] = {}
    dropped: int = 0
    undecided: int = 0
    unreadable: int = 0
    notes: list[str] = []
    unread: list[str] = []

    def keep(self, where: Path | str) -> None:
        self.kept[str(where)] = self.kept.get(str(where), 0) + 1

    def note(self, text: str) -> None:
        if len(self.notes) < EXAMPLES:
            self.notes.append(text)

    def tell(self, defect: Defect) -> None:
        """Note what could not be read."""
        telling(self.miss)(defect)

    def miss(self, text: str) -> None:
        """Note one thing that could not be read."""
        self.note(text)
        if len(self.unread) < EXAMPLES:
            self.unread.append(text)


class Read(msgspec.Struct, frozen=True):
    """A row as it was read: where, its bytes without the line end, and decoded."""

    file: Path
    number: int
    line: bytes
    document: dict[str, Any]

    @property
    def task_id(self) -> str:
        return str(self.document.get("task_id", ""))


def rows(found: RowFiles, chosen: Chosen) -> Iterator[Read]:
    """Every row that can be read at all; the others are counted and named."""
    for file, number, line in all_lines(found.rows, chosen.tell):
        chosen.read += 1
        try:
            document = _decode(line.removeprefix(BOM))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            document = str(error)
        file, number = found.place(file, number)
        if isinstance(document, dict):
            yield Read(file, number, line.strip().removeprefix(BOM), document)
        else:
            chosen.unreadable += 1
            chosen.miss(f"{file}, line {number} is no row and was left out")


def fields_of(document: Mapping[str, Any], meta: Meta | None) -> dict[str, Any]:
    """What a filter may ask of a row: its own fields, its metadata, `steps` (their number) and `system`."""
    steps = document.get("traj")
    joined: dict[str, Any] = {"steps": len(steps) if isinstance(steps, list) else 0, "system": None}
    if meta is not None:
        width, height = (meta.screen.width, meta.screen.height) if meta.screen else (None, None)
        joined |= {**meta.rest, "system": meta.system, "applications": list(meta.applications)}
        joined |= {"domains": list(meta.domains), "quality": meta.quality, "step_num": meta.step_num}
        joined |= {"screen_width": width, "screen_height": height}
    return {**joined, **document}


def filter_rows(found: RowFiles, expression: Expression, out: Path) -> Chosen:
    """The rows that pass a filter."""
    chosen = Chosen()
    metadata = read_metadata(found.metadata, chosen.tell, whole=True)
    seen: set[str] = set()
    with writing(out) as file:
        for row in rows(found, chosen):
            fields = fields_of(row.document, metadata.get(row.task_id))
            seen.update(name for name in expression.names if name.split(".")[0] in fields)
            if expression(fields):
                _write(file, row.line)
                chosen.keep(out)
            else:
                chosen.dropped += 1
        unknown = sorted(expression.names - seen)
        if unknown and chosen.read > chosen.unreadable:  # raised in here, so that no file is left behind
            raise BadInput(f"no row has a field {unknown[0]!r}; {_NAMED}")
    chosen.undecided = expression.undecided
    return chosen


def split_rows(
    found: RowFiles, parts: Mapping[str, float], folder: Path, seed: int = 0, by: str = "task", ending: str = ".jsonl"
) -> Chosen:
    """The rows in several files, by the hash of their task: all rows of one task go together, and a row stays where it
    is when others are added."""
    if not parts or any(not weight > 0 for weight in parts.values()):
        raise BadInput("a split needs names with weights above 0, such as train=90 test=10")
    chosen = Chosen()
    total = sum(parts.values())
    bounds = list(itertools.accumulate(weight / total for weight in parts.values()))
    paths = [folder / f"{name}{ending}" for name in parts]
    _need_room(found, folder, paths)
    key_of = _keys(found, by, chosen.tell)
    with ExitStack() as stack:
        files = [stack.enter_context(writing(path)) for path in paths]
        for row in rows(found, chosen):
            place = _fraction(seed, key_of(row))
            index = next((at for at, bound in enumerate(bounds) if place < bound), len(bounds) - 1)
            _write(files[index], row.line)
            chosen.keep(paths[index])
        if isinstance(key_of, _FieldKey) and chosen.kept:
            key_of.field.need_known()
    return chosen


def _need_room(found: RowFiles, folder: Path, paths: Sequence[Path]) -> None:
    """Refuse a folder in which the parts would replace what is read, or lie mixed with other rows."""
    found.refuse(*paths)
    others = [file for file in inside_of(folder) if file not in paths] if folder.is_dir() else []
    other = next((file for file in others if not is_metadata(file)), None)
    if other is not None:
        raise BadInput(
            f"{folder} holds other rows ({other.name}) that the parts would be mixed with; name a new folder"
        )


def merge_rows(found: RowFiles, out: Path, on_duplicate: OnDuplicate = "keep") -> Chosen:
    """Several files as one. A row that is there already is left out; another row under a known id is kept, left out,
    given a name of its own, or refused."""
    chosen = Chosen()
    seen: dict[str, set[bytes]] = {}
    with writing(out) as file:
        for row in rows(found, chosen):
            digest = content_hash(row.document)
            before = seen.setdefault(row.task_id, set())
            if digest in before:
                chosen.dropped += 1
                continue
            line = row.line if not before else _collided(row, len(before), on_duplicate, chosen)
            before.add(digest)
            if line is None:
                chosen.dropped += 1
                continue
            _write(file, line)
            chosen.keep(out)
    return chosen


def sample_rows(
    found: RowFiles,
    out: Path,
    count: int | None = None,
    share: float | None = None,
    seed: int = 0,
    by: str | None = None,
) -> Chosen:
    """Some rows: a number of them (with `by`, of each value of a field), or a share. Which ones depends on their ids
    and the seed alone, not on their order; only rows that share an id are told apart by it."""
    if (count is None) == (share is None):
        raise BadInput("a sample needs either a number of rows (--count) or a share of them (--share)")
    if count is not None and count < 1:
        raise BadInput(f"--count must be at least 1, not {count}")
    if share is not None:
        return _share_of(found, out, share, seed)
    smallest: dict[str, list[tuple[float, int]]] = {}
    odd: list[Defect] = []
    field = _Field(found, by, odd.append) if by is not None else None
    draw = _Draw(seed)
    for place, row in enumerate(rows(found, Chosen())):
        value = field.of(row) if field else None
        heap = smallest.setdefault(msgspec.json.encode(value).decode(), [])
        heapq.heappush(heap, (-draw(row), place))
        if len(heap) > (count or 0):
            heapq.heappop(heap)
    if smallest and field:
        field.need_known()
    wanted = {place for heap in smallest.values() for _, place in heap}
    chosen = _copy(found, out, lambda place, row: place in wanted)
    for defect in odd:
        chosen.tell(defect)
    for value, heap in smallest.items():
        if by and len(heap) < (count or 0):
            chosen.note(f"only {len(heap)} rows have {by} {value}")
    return chosen


def _share_of(found: RowFiles, out: Path, share: float, seed: int) -> Chosen:
    if not 0 < share <= 1:
        raise BadInput(f"a share lies above 0 and at most at 1, not at {share:g}")
    draw = _Draw(seed)
    return _copy(found, out, lambda place, row: draw(row) < share)


def _copy(found: RowFiles, out: Path, wanted: Callable[[int, Read], bool]) -> Chosen:
    chosen = Chosen()
    with writing(out) as file:
        for place, row in enumerate(rows(found, chosen)):
            if wanted(place, row):
                _write(file, row.line)
                chosen.keep(out)
            else:
                chosen.dropped += 1
    return chosen


class _Draw:
    """A number from 0 to 1 for every row, by its id and the seed; the second row of an id gets another."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._met: Counter[str] = Counter()

    def __call__(self, row: Read) -> float:
        self._met[row.task_id] += 1
        return _fraction(self.seed, f"{row.task_id}\0{self._met[row.task_id]}")


class _Field:
    """A field by name, of a row or of its metadata, as filters know it."""

    def __init__(self, found: RowFiles, name: str, sink: Sink) -> None:
        self.name, self.known = name, False
        self._metadata = read_metadata(found.metadata, sink, whole=True)
        self._reach = reach(name.split("."))

    def of(self, row: Read) -> Any:
        fields = fields_of(row.document, self._metadata.get(row.task_id))
        self.known = self.known or self.name.split(".")[0] in fields
        return self._reach(fields)

    def need_known(self) -> None:
        if not self.known:
            raise BadInput(f"no row has a field {self.name!r}; {_NAMED}")


class _FieldKey:
    """Rows with the same value of a field belong together."""

    def __init__(self, field: _Field) -> None:
        self.field = field

    def __call__(self, row: Read) -> str:
        return msgspec.json.encode(self.field.of(row), order="deterministic").decode()


def _keys(found: RowFiles, by: str, sink: Sink) -> Callable[[Read], str]:
    """What rows that belong together share: the task they are attempts at, the words of the task, or any field."""
    if by == "task":
        return lambda row: _task_of(row.document)
    if by == "instruction":
        return lambda row: " ".join(str(row.document.get("instruction")).lower().split())
    return _FieldKey(_Field(found, by, sink))


def _task_of(document: Mapping[str, Any]) -> str:
    ours = document.get(OURS)
    task = ours.get("task") if isinstance(ours, dict) else None
    return str(task.get("id") if isinstance(task, dict) else document.get("task_id"))


def content_hash(document: Mapping[str, Any], without: Sequence[str] = ("task_id",)) -> bytes:
    """A hash of what a row says, its name aside."""
    said = {name: value for name, value in document.items() if name not in without}
    return hashlib.blake2b(msgspec.json.encode(said, order="deterministic"), digest_size=16).digest()


def _collided(row: Read, others: int, on_duplicate: OnDuplicate, chosen: Chosen) -> bytes | None:
    where = f"{row.file}, line {row.number}: another row has the id {row.task_id}"
    if on_duplicate == "refuse":
        raise BadInput(f"{where}; choose what to do with such rows: keep, first or rename")
    chosen.note(where)
    if on_duplicate == "rename":
        return msgspec.json.encode({**row.document, "task_id": f"{row.task_id}~{others + 1}"})
    return row.line if on_duplicate == "keep" else None


def _write(file: BinaryIO, line: bytes) -> None:
    file.write(line)
    file.write(b"\n")


def _fraction(seed: int, key: str) -> float:
    """A number from 0 to 1 that depends on a seed and a key alone."""
    digest = hashlib.blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
