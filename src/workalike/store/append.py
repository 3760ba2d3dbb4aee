"""Appending: one synced line at a time, so that `kill -9` at any instant leaves every finished line and at most one
unfinished one, which is cut off when the file is next opened for writing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from workalike.core.errors import Infrastructure, InUse
from workalike.store.files import BINARY, PRIVATE_FILE, disk_errors, make_folder, read_at, sync_folder
from workalike.store.lines import cannot_open, encode, is_json
from workalike.store.locks import take

_CHUNK = 1 << 16


class LineWriter:
    """Appends lines to one file, made for the user alone, which nobody else can append to meanwhile. What a killed
    writer left unfinished at its end is cut off first; `dropped` says how many bytes that were."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with disk_errors(path):
            make_folder(path.parent, private=True)
            fresh = not path.exists()
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, PRIVATE_FILE)
        if not take(self._file):
            os.close(self._file)
            raise InUse(f"{path} is being written by another process; wait for it to end, or stop it")
        with disk_errors(path):
            self._size, self.dropped = _mend_tail(self._file)
            if fresh:
                sync_folder(path.parent)

    def append(self, value: Any, *, sync: bool = True) -> None:
        """Add one value as a line; when this returns it is on disk, unless `sync` is put off to a call of `sync`."""
        self.append_line(encode(value), sync=sync)

    def append_line(self, line: bytes, *, sync: bool = True) -> None:
        """Add a line that is encoded already. Either all of it stays or, when the disk refuses, nothing of it."""
        if self._file < 0:
            raise Infrastructure(f"{self.path} was closed, or a former write to it failed; open it again")
        try:
            with disk_errors(self.path):
                _write_all(self._file, line)
                if sync:
                    os.fsync(self._file)
        except Exception:
            self._give_up()
            raise
        self._size += len(line)

    def sync(self) -> None:
        """Have everything on disk that was appended."""
        with disk_errors(self.path):
            os.fsync(self._file)

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _give_up(self) -> None:
        """After a failed write nobody knows what is on disk: cut back to what is certain, and write no more."""
        try:
            os.ftruncate(self._file, self._size)
        except OSError:
            pass  # readers drop the unfinished line
        finally:
            self.close()

    def __enter__(self) -> LineWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def last_line(path: Path) -> bytes:
    """The last finished line of a plain file, without reading what stands before it; empty when there is none."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = _line_start(file.fileno(), size)
            tail = read_at(file.fileno(), size - start, start)
            if tail.endswith(b"\n") or is_json(tail):
                return tail
            before = _line_start(file.fileno(), start)
            return read_at(file.fileno(), start - before, before)
    except OSError as error:
        raise cannot_open(path, error) from error


def _mend_tail(file: int) -> tuple[int, int]:
    """End a file with a finished line. Its size then, and how many bytes were cut off."""
    size = os.fstat(file).st_size
    start = _line_start(file, size)
    tail = read_at(file, size - start, start)
    if not tail or tail.endswith(b"\n"):
        return size, 0
    if is_json(tail):
        _write_all(file, b"\n")
        size, dropped = size + 1, 0
    else:
        os.ftruncate(file, start)
        size, dropped = start, len(tail)
    os.fsync(file)
    return size, dropped


def _line_start(file: int, end: int) -> int:
    """Where the line begins whose last byte, be it a line end or not, stands before `end`."""
    stop = max(end - 1, 0)
    while stop > 0:
        start = max(stop - _CHUNK, 0)
        found = read_at(file, stop - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        stop = start
    return 0


def _write_all(file: int, data: bytes) -> None:
    written = os.write(file, data)
    while written < len(data):
        written += os.write(file, data[written:])
