"""How bytes reach the disk: a file is replaced whole or not at all, and what was written stays written."""

from __future__ import annotations

import errno
import heapq
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from workalike.core.errors import BadInput, DiskFailed, WorkalikeError

TEMPORARY = ".tmp"
_BUFFER = 1 << 18
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""For what holds exchanges with models: what was seen, said and typed is nobody else's."""
BINARY: int = getattr(os, "O_BINARY", 0)  # Windows would translate line ends otherwise
_A_USERS_MISTAKE = {
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG
}  # fmt: skip
_FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}


def write_file(
    path: Path, data: bytes, *, new: bool = False, incoming: Path | None = None, private: bool = False
) -> None:
    """Put a whole file in place; a crash at any instant leaves the former file or this one, never a part.

    `new` refuses a file that is already there (FileExistsError); `incoming` is the folder for the temporary name, by
    default the file's own; `private` makes it for the user alone, and any folder it needs.
    """
    with replacing(path, new=new, incoming=incoming, private=private) as file:
        file.write(data)


@contextmanager
def replacing(
    path: Path, *, new: bool = False, incoming: Path | None = None, private: bool = False
) -> Iterator[BinaryIO]:
    """A file to write into that takes the place of `path` when the block ends well and vanishes when it does not."""
    temporary = (incoming or path.parent) / f".{path.name[:80]}.{secrets.token_hex(6)}{TEMPORARY}"
    with disk_errors(path):
        make_folder(temporary.parent, private)
        make_folder(path.parent, private)
        try:
            with open(temporary, "xb", _BUFFER, opener=_private if private else None) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _place(temporary, path, new)
            sync_folder(path.parent)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def need_new(folder: Path) -> None:
    """Refuse a place for a folder where something is already; an empty folder may be filled."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} exists already and is not an empty folder; name a new one")


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """A folder to write into that becomes `folder` when the block ends well and vanishes when it does not."""
    need_new(folder)
    temporary = folder.parent / f".{folder.name[:80]}.{secrets.token_hex(6)}{TEMPORARY}"
    with disk_errors(folder):
        make_folder(temporary)
        try:
            yield temporary
            if folder.is_dir():
                folder.rmdir()
            temporary.rename(folder)
            sync_folder(folder.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _place(temporary: Path, path: Path, new: bool) -> None:
    if not new:
        os.replace(temporary, path)
        return
    try:
        os.link(temporary, path)  # unlike a rename, this fails when the name is taken
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS or path.exists():
            raise
        os.replace(temporary, path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


def make_folder(path: Path, private: bool = False) -> None:
    """Make a folder with its parents, each of them synced into the one above; `private` ones for the user alone."""
    if path.is_dir():
        return
    if path.exists():
        raise NotADirectoryError(errno.ENOTDIR, "there is a file where a folder is needed", str(path))
    make_folder(path.parent, private)
    path.mkdir(PRIVATE_FOLDER if private else 0o777, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Have a folder's list of names on disk. Windows cannot do this and need not."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_at(file: int, length: int, offset: int) -> bytes:
    """Bytes from a place in an open file; safe from several threads at once, where the system can do that."""
    if sys.platform == "win32":
        os.lseek(file, offset, os.SEEK_SET)
        return os.read(file, length)
    return os.pread(file, length, offset)


def in_order(folder: Path, *, folders: bool = False, batch: int = 1024) -> Iterator[str]:
    """The names in a folder, sorted, in memory that does not grow with their number: the folder is listed once for
    every `batch` names. Temporary names are left out; `folders` leaves out all but folders."""
    last = ""
    while True:
        with os.scandir(folder) as entries:
            later = (e.name for e in entries if e.name > last and (not folders or e.is_dir(follow_symlinks=False)))
            names = heapq.nsmallest(batch, later)
        yield from (name for name in names if not name.endswith(TEMPORARY))
        if len(names) < batch:
            return
        last = names[-1]


def clear_temporaries(folder: Path) -> int:
    """Remove what a killed writer left under temporary names in a folder; only for who holds the lock on it."""
    left = [path for path in folder.glob(f".*{TEMPORARY}") if path.is_file()] if folder.is_dir() else []
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says while writing into a sentence: the user's mistake, or a broken disk."""
    try:
        yield
    except (WorkalikeError, FileExistsError):
        raise
    except OSError as error:
        reason = f"cannot write {path}: {(error.strerror or str(error)).lower()}"
        if error.errno in _A_USERS_MISTAKE:
            raise BadInput(f"{reason}; choose a folder that can be written to") from error
        remedy = "free some space and start again" if error.errno in _FULL else "look after the disk and start again"
        raise DiskFailed(f"{reason}; {remedy}") from error
