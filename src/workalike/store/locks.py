"""One writer at a time. The operating system holds the lock, so it is gone with its process, however that ends."""

from __future__ import annotations

import os
import platform
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from workalike.core.errors import Infrastructure, InUse
from workalike.store.files import BINARY, disk_errors, make_folder


class Holder(msgspec.Struct, frozen=True):
    """Who writes: which process on which machine, doing what, since when."""

    process: int
    machine: str
    doing: str
    since: str

    def __str__(self) -> str:
        return f"process {self.process} on {self.machine} ({self.doing}, since {self.since})"


class Lock:
    """A held lock on a folder or file, through a lock file that says who holds it. Let go with `release`."""

    def __init__(self, path: Path, doing: str, what: Path | None = None) -> None:
        """Take the lock at once or raise `InUse`, naming who has it. `what` is the thing that is locked."""
        self.path = path
        with disk_errors(path):
            make_folder(path.parent)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o644)
        if not _take_soon(self._file):
            os.close(self._file)
            raise InUse(f"{what or path.parent} is being written by {_who(path)}; wait for it to end, or stop it")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self.holder = Holder(os.getpid(), platform.node(), doing, now)
        with disk_errors(path):
            os.ftruncate(self._file, 0)
            os.write(self._file, msgspec.json.encode(self.holder) + b"\n")

    def release(self) -> None:
        """Let go; a second time does nothing."""
        if self._file < 0:
            return
        with suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)
        self._file = -1

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def holder(path: Path) -> Holder | None:
    """Who holds the lock of a lock file right now; None when nobody does."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if take(file) else _read(path) or Holder(0, "?", "unknown", "?")
    finally:
        os.close(file)


def _take_soon(file: int, patience: float = 0.1) -> bool:
    """Somebody who only asks `holder` has the lock for an instant; that must not turn a writer away."""
    until = time.monotonic() + patience
    while not (taken := take(file)) and time.monotonic() < until:
        time.sleep(0.005)
    return taken


def _who(path: Path) -> str:
    found = _read(path)
    return str(found) if found else "another process"


def _read(path: Path) -> Holder | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Holder)
    except (OSError, ValueError):
        return None


if sys.platform == "win32":
    import msvcrt

    _FAR_OFF = 1 << 30  # a locked byte cannot be read there, so one is locked that is never read

    def take(file: int) -> bool:
        """Lock an open file for this process; False when another has it."""
        os.lseek(file, _FAR_OFF, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def take(file: int) -> bool:
        """Lock an open file for this process; False when another has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise Infrastructure(f"this file system has no locks ({error.strerror}); write to a local disk") from error
        return True
