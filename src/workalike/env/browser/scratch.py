"""The folder that browsers and their driver put profiles, caches and downloads into: one for each process of ours.

A driver that is killed leaves its profiles behind. They lie in a folder of our own, which goes away with the process;
what a process that was killed itself left behind is removed by the next one that starts a browser. Who is alive is told
by a lock, which the operating system lets go of with its holder.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workalike.store.locks import Lock, holder

PREFIX, LOCK = "workalike-browser-", "lock"
YOUNG = 60.0
"""Seconds: a folder so young may be about to be locked by who made it."""
LINGERING = 10.0
"""Seconds that a browser whose driver was killed may take to be gone: until then it writes into what is removed."""
_VARIABLES = ("TMPDIR", "TEMP", "TMP")


class _Scratch:
    """What this process has: its folder once it needs one, and the variables as they were while a driver starts."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held: tuple[int, Path, Lock] | None = None
        self._starting = 0
        self._before: dict[str, str | None] = {}

    def folder(self) -> Path:
        with self._guard:
            if self._held is None or self._held[0] != os.getpid():
                clear_left_behind()
                made = Path(tempfile.mkdtemp(prefix=PREFIX))
                self._held = os.getpid(), made, Lock(made / LOCK, "a browser")
                atexit.register(self._remove, os.getpid(), made)
            return self._held[1]

    def enter(self, folder: Path) -> None:
        with self._guard:
            if not self._starting:
                self._before = {name: os.environ.get(name) for name in _VARIABLES}
                os.environ.update(dict.fromkeys(_VARIABLES, str(folder)))
            self._starting += 1

    def leave(self) -> None:
        with self._guard:
            self._starting -= 1
            for name, value in self._before.items() if not self._starting else ():
                os.environ.pop(name, None)
                os.environ.update({name: value} if value is not None else {})

    def _remove(self, process: int, made: Path) -> None:
        if process == os.getpid():  # and no child of it
            remove(made)


_SCRATCH = _Scratch()


@contextmanager
def scratch() -> Iterator[Path]:
    """This process's folder; a driver that is started in this block works there. It takes its folder from the
    environment alone, and has no other way to be told."""
    folder = _SCRATCH.folder()
    _SCRATCH.enter(folder)
    try:
        yield folder
    finally:
        _SCRATCH.leave()


def remove(folder: Path) -> None:
    """Remove a folder, with whoever still works there: a browser that lost its driver writes on until it notices."""
    until = time.monotonic() + LINGERING
    shutil.rmtree(folder, ignore_errors=True)
    while (_end_browsers(folder) or folder.exists()) and time.monotonic() < until:
        time.sleep(0.05)
        shutil.rmtree(folder, ignore_errors=True)


def _end_browsers(folder: Path) -> int:
    """Kill the processes that were started with this folder, where processes can be listed. How many there were."""
    ended = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(process.name) != os.getpid() and os.fsencode(folder) in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
                ended += 1
    return ended


def end_browsers() -> None:
    """Kill the browsers of this process, whatever they do: one that is wedged hears nothing else."""
    with scratch() as folder:
        _end_browsers(folder)


def clear_left_behind() -> int:
    """Remove the folders of processes that are gone. How many there were."""
    left = 0
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            if time.time() - lock.stat().st_mtime > YOUNG and holder(lock) is None:
                remove(lock.parent)
                left += 1
    return left
