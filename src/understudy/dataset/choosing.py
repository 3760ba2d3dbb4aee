"""Choosing among rows: filter, split, merge, sample. What is kept is written byte for byte as it was read."""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from understudy.core.errors import BadInput
from understudy.dataset.expressions import Expression
from understudy.dataset.files import BOM, Found, all_lines, read_metadata
from understudy.formats.agentnet import Meta
from understudy.formats.agentnet_trajectories import OURS
from understudy.store.packed import writing

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

    def keep(self, where: Path | str) -> None:
        self.kept[str(where)] = self.kept.get(str(where), 0) + 1

    def note(self, text: str) -> None:
        if len(self.notes) < EXAMPLES:
            self.notes.append(text)


class Read(msgspec.Struct, frozen=True):
    """A row as it was read: where, its bytes without the line end, and decoded."""

    file: Path
    number: int
    line: bytes
    document: dict[str, Any]

    @property
    def task_id(self) -> str:
        return str(self.document.get("task_id", ""))


def rows(found: Found, chosen: Chosen) -> Iterator[Read]:
    """Every row that can be read at all; the others are counted and named."""
    for file, number, line in all_lines(found.rows):
        chosen.read += 1
        try:
            document = _decode(line.removeprefix(BOM))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            document = str(error)
        if isinstance(document, dict):
            yield Read(file, number, line.strip().removeprefix(BOM), document)
        else:
            chosen.unreadable += 1
            chosen.note(f"{file}, line {number} is no row and was left out")


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


def filter_rows(found: Found, expression: Expression, out: Path) -> Chosen:
    """The rows that pass a filter."""
    metadata = read_metadata(found.metadata, whole=True)
    chosen = Chosen()
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
    found: Found, parts: Mapping[str, float], folder: Path, seed: int = 0, by: str = "task", ending: str = ".jsonl"
) -> Chosen:
    """The rows in several files, by the hash of their task: all rows of one task go together, and a row stays where it
    is when others are added."""
    if not parts or any(not weight > 0 for weight in parts.values()):
        raise BadInput("a split needs names with weights above 0, such as train=90 test=10")
    chosen = Chosen()
    total = sum(parts.values())
    bounds = list(itertools.accumulate(weight / total for weight in parts.values()))
    paths = [folder / f"{name}{ending}" for name in parts]
    with ExitStack() as stack:
        files = [stack.enter_context(writing(path)) for path in paths]
        for row in rows(found, chosen):
            place = _fraction(seed, key_of(row.document, by))
            index = next((at for at, bound in enumerate(bounds) if place < bound), len(bounds) - 1)
            _write(files[index], row.line)
            chosen.keep(paths[index])
    return chosen


def merge_rows(found: Found, out: Path, on_duplicate: OnDuplicate = "keep") -> Chosen:
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
    found: Found, out: Path, count: int | None = None, share: float | None = None, seed: int = 0, by: str | None = None
) -> Chosen:
    """Some rows: a number of them (with `by`, of each value of a field), or a share. Which ones depends on their ids
    and the seed alone, not on their order."""
    if (count is None) == (share is None):
        raise BadInput("a sample needs either a number of rows or a share of them")
    if share is not None:
        return _share_of(found, out, share, seed)
    metadata = read_metadata(found.metadata, whole=True)
    smallest: dict[str, list[tuple[float, int]]] = {}
    known = by is None
    for place, row in enumerate(rows(found, Chosen())):
        fields = fields_of(row.document, metadata.get(row.task_id)) if by else {}
        known = known or by in fields
        value = fields.get(by) if by else None
        heap = smallest.setdefault(msgspec.json.encode(value).decode(), [])
        heapq.heappush(heap, (-_fraction(seed, f"{row.task_id}\0{row.number}"), place))
        if len(heap) > (count or 0):
            heapq.heappop(heap)
    if smallest and not known:
        raise BadInput(f"no row has a field {by!r}; {_NAMED}")
    wanted = {place for heap in smallest.values() for _, place in heap}
    chosen = _copy(found, out, lambda place, row: place in wanted)
    for value, heap in smallest.items():
        if by and len(heap) < (count or 0):
            chosen.note(f"only {len(heap)} rows have {by} {value}")
    return chosen


def _share_of(found: Found, out: Path, share: float, seed: int) -> Chosen:
    if not 0 < share <= 1:
        raise BadInput(f"a share lies above 0 and at most at 1, not at {share:g}")
    return _copy(found, out, lambda place, row: _fraction(seed, f"{row.task_id}\0{row.number}") < share)


def _copy(found: Found, out: Path, wanted: Callable[[int, Read], bool]) -> Chosen:
    chosen = Chosen()
    with writing(out) as file:
        for place, row in enumerate(rows(found, chosen)):
            if wanted(place, row):
                _write(file, row.line)
                chosen.keep(out)
            else:
                chosen.dropped += 1
    return chosen


def key_of(document: Mapping[str, Any], by: str) -> str:
    """What rows that belong together share: the task they are attempts at, the words of the task, or any field."""
    if by == "task":
        ours = document.get(OURS)
        task = ours.get("task") if isinstance(ours, dict) else None
        return str(task.get("id") if isinstance(task, dict) else document.get("task_id"))
    if by == "instruction":
        return " ".join(str(document.get("instruction")).lower().split())
    return msgspec.json.encode(document.get(by), order="deterministic").decode()


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
