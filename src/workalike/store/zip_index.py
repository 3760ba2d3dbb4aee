"""The index that is kept beside an archive: its table of contents sorted for searching, so that opening 180 GB of
pictures takes no time and no memory.

The file `images.zip.index` is a line of JSON, columns of 8-byte numbers, and the names; it is mapped into memory and
searched by bisection over hashes of the names. It is made again whenever the archive's size or time differs.
"""

from __future__ import annotations

import mmap
import sys
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path

import msgspec

from workalike.core.errors import Damaged, WorkalikeError
from workalike.store.files import write_file
from workalike.store.volumes import Volumes
from workalike.store.zip_directory import Columns, find_directory, read_directory

FORMAT = 1
_COLUMNS = 8


class ZipEntry(msgspec.Struct, frozen=True):
    """One file in an archive."""

    name: str
    volume: int
    offset: int
    packed: int
    size: int
    method: int
    crc: int


class _Head(msgspec.Struct, frozen=True):
    """What an index is of. `made_from` are the volumes with the table of contents: name, size, time."""

    format: int
    byte_order: str
    entries: int
    volumes: int
    made_from: tuple[tuple[str, int, int], ...]


class Index:
    """Files of an archive by name. A name may also be given by its end (`a.png` for `images/a.png`), or with more in
    front than the archive has, where that leaves no doubt."""

    def __init__(self, data: bytes | mmap.mmap, head: _Head, start: int, where: Path) -> None:
        self.volumes, self.entries, self.where = head.volumes, head.entries, where
        self._data = data
        n, self._names_at = head.entries, start + 8 * ((_COLUMNS + 1) * head.entries + 1)
        numbers = memoryview(data)[start : self._names_at].cast("Q")
        columns = [numbers[at * n : (at + 1) * n] for at in range(_COLUMNS)]
        self._keys, self._end_keys, self._end_rows, *self._numbers = columns
        self._name_starts = numbers[_COLUMNS * n :]

    def find(self, name: str) -> ZipEntry | None:
        """The file of this name, or None. Where a name stands twice, the later file counts, as with every unzipper."""
        wanted = name.encode("utf-8", "surrogatepass")
        for row in _equal(self._keys, _key(wanted)):
            if self._name(row) == wanted:
                return self._entry(row)
        return self._find_by_end(wanted)

    def names(self) -> Iterator[str]:
        """Every name, in no particular order."""
        return (self._name(row).decode("utf-8", "replace") for row in range(self.entries))

    def _find_by_end(self, wanted: bytes) -> ZipEntry | None:
        rows = [self._end_rows[at] for at in _equal(self._end_keys, _key(_base(wanted)))]
        fitting = {name: row for row in rows if _same_end(name := self._name(row), wanted)}
        if len(fitting) > 1:
            some = b", ".join(sorted(fitting)[:3]).decode("utf-8", "replace")
            raise Damaged(
                f"{wanted.decode('utf-8', 'replace')!r} could be any of {len(fitting)} pictures in {self.where} "
                f"({some}, …); name it with its folder"
            )
        return self._entry(next(iter(fitting.values()))) if fitting else None

    def _entry(self, row: int) -> ZipEntry:
        volume, offset, packed, size, coding = (column[row] for column in self._numbers)
        name = self._name(row).decode("utf-8", "replace")
        return ZipEntry(name, volume, offset, packed, size, coding >> 32, coding & 0xFFFFFFFF)

    def _name(self, row: int) -> bytes:
        start, stop = self._name_starts[row], self._name_starts[row + 1]
        return self._data[self._names_at + start : self._names_at + stop]


def open_index(archive: Path) -> Index:
    """The index beside an archive, made first when it is missing or the archive has changed. Where the folder cannot be
    written to, it lives in memory."""
    beside = archive.with_name(archive.name + ".index")
    found = _load(beside, archive)
    if found is not None:
        return found
    data = _build(archive)
    try:
        write_file(beside, data)
    except WorkalikeError:
        return _read(data, archive)
    return _load(beside, archive) or _read(data, archive)


def _load(beside: Path, archive: Path) -> Index | None:
    """A stored index, if it is whole and still true."""
    try:
        with open(beside, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        index = _read(data, archive)
        head, _ = _head(data)
        return index if head.made_from == _state(archive, [name for name, _, _ in head.made_from]) else None
    except (OSError, ValueError, IndexError):
        return None


def _read(data: bytes | mmap.mmap, archive: Path) -> Index:
    head, start = _head(data)
    if head.format != FORMAT or head.byte_order != sys.byteorder or head.entries < 0:
        raise ValueError("an index of another kind")
    index = Index(data, head, start, archive)
    if index._names_at + index._name_starts[head.entries] != len(data):
        raise ValueError("an index cut short")
    return index


def _head(data: bytes | mmap.mmap) -> tuple[_Head, int]:
    end = data.find(b"\n") + 1
    return msgspec.json.decode(data[:end], type=_Head), end


def _build(archive: Path) -> bytes:
    place = find_directory(archive)
    volumes = Volumes(archive, place.volumes)
    try:
        columns = read_directory(volumes, place)
    finally:
        volumes.close()
    made_from = _state(archive, [volumes.path(number).name for number in range(place.volume, place.volumes)])
    head = msgspec.json.encode(_Head(FORMAT, sys.byteorder, len(columns.names), place.volumes, made_from))
    return head + b" " * (-(len(head) + 1) % 8) + b"\n" + _sorted_columns(columns)


def _sorted_columns(columns: Columns) -> bytes:
    import numpy as np

    # Later files first, so that among equal names the first hit of a search is the one that counts.
    names = columns.names[::-1]
    keys, end_keys = (np.fromiter(map(_key, some), np.uint64) for some in (names, map(_base, names)))
    order = np.argsort(keys, kind="stable")
    by_end = np.argsort(end_keys, kind="stable")
    rows = np.empty(len(names), np.uint64)
    rows[order] = np.arange(len(names), dtype=np.uint64)
    numbers = (columns.volumes, columns.offsets, columns.packed, columns.sizes, columns.coding)
    picked = [keys[order], end_keys[by_end], rows[by_end]]
    picked += [np.frombuffer(column, np.uint64)[::-1][order] for column in numbers]
    sorted_names = [names[number] for number in order.tolist()]
    starts = np.cumsum([0, *map(len, sorted_names)], dtype=np.uint64)
    return b"".join([*(column.tobytes() for column in picked), starts.tobytes(), *sorted_names])


def _state(archive: Path, names: list[str]) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of the files an index is made from; ValueError for a name that leads elsewhere."""
    if any(Path(name).name != name for name in names):
        raise ValueError("an index of another archive")
    stats = [(name, (archive.parent / name).stat()) for name in names]
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)


def _key(name: bytes) -> int:
    return zlib.crc32(name)


def _base(name: bytes) -> bytes:
    return name.rpartition(b"/")[2]


def _same_end(one: bytes, other: bytes) -> bool:
    return one == other or one.endswith(b"/" + other) or other.endswith(b"/" + one)


def _equal(keys: memoryview, key: int) -> Iterator[int]:
    at = bisect_left(keys, key)
    while at < len(keys) and keys[at] == key:
        yield at
        at += 1
