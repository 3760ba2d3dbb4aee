"""A job's folder on a worker's node, and the one like it that the driver keeps."""

from __future__ import annotations

import os
import time
import zlib
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import msgspec

from workalike.cluster.wire import FileChange
from workalike.core.errors import Infrastructure
from workalike.store.files import PRIVATE_FILE, TEMPORARY, disk_errors, make_folder, sync_folder

MOST_AT_ONCE = 8 << 20
"""Bytes of files that one message carries."""
UNSETTLED = 50_000_000
"""Nanoseconds within which a file may change without its times showing it."""


class _Told(msgspec.Struct, frozen=True):
    """What was told of a file: how many bytes, with which sum, and the state in which it was last seen; None where it
    may change again within the same tick of the file system's clock, unseen."""

    length: int = 0
    sum: int = 0
    state: tuple[int, ...] | None = None


class FolderCopy:
    """Tells what has changed in a folder since it was asked last, so that another can be kept like it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._told: dict[str, _Told] = {}

    def changes(self, most: int = MOST_AT_ONCE) -> tuple[FileChange, ...]:
        """The next of what has changed, at most so many bytes; nothing when all is told. Of a file that only grew, the
        new bytes are told; any other is told anew."""
        found: list[FileChange] = []
        for path in sorted(self.folder.rglob("*")):
            if path.is_symlink() or not path.is_file() or path.name.endswith(TEMPORARY):
                continue
            change = self._change(path, most)
            if change is not None:
                found.append(change)
                most -= len(change.data)
            if most <= 0:
                break
        return tuple(found)

    def _change(self, path: Path, most: int) -> FileChange | None:
        name, now = path.relative_to(self.folder).as_posix(), path.stat()
        state = (now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        told = self._told.get(name)
        if told is not None and told.state == state:
            return None
        before = told or _Told()
        with open(path, "rb") as file:
            start = before.length if _sum(file, before.length) == before.sum else 0
            file.seek(start)
            data = file.read(most)
        length = start + len(data)
        whole = length == now.st_size and time.time_ns() - now.st_ctime_ns > UNSETTLED
        self._told[name] = _Told(length, zlib.crc32(data, before.sum if start else 0), state if whole else None)
        grown = data or start != before.length or told is None
        return FileChange(name, start, data) if grown else None


def _sum(file: BinaryIO, length: int) -> int:
    """The checksum of so many bytes of a file; of fewer, where it has not as many, that of none."""
    found, left = 0, length
    while left and (data := file.read(min(left, 1 << 20))):
        found, left = zlib.crc32(data, found), left - len(data)
    return found if not left else -1


def apply_changes(folder: Path, changes: tuple[FileChange, ...]) -> None:
    """Make a folder like the one that changes were told of; on disk when this returns."""
    for change in changes:
        name = PurePosixPath(change.name)
        if name.is_absolute() or not name.parts or ".." in name.parts:
            raise Infrastructure(f"a worker named a file outside of its job's folder: {change.name!r}")
        path = folder / name
        with disk_errors(path):
            make_folder(path.parent, private=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE_FILE)
            try:
                os.ftruncate(handle, change.offset)
                os.lseek(handle, change.offset, os.SEEK_SET)
                view = memoryview(change.data)
                while view:
                    view = view[os.write(handle, view) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            if not change.offset:
                sync_folder(path.parent)
