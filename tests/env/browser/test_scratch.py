"""Whatever is killed, no profiles of browsers are left behind: not of the driver, and not for long of ourselves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from workalike.env.browser.scratch import LOCK, PREFIX, clear_left_behind, remove
from workalike.store.locks import Lock

KILLED = """
import asyncio, os, signal, sys
from contextlib import suppress
from pathlib import Path
from workalike.env.browser.stage import Stage

def drivers():
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(each.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                yield int(each.parent.name)

async def main():
    stage = Stage()
    await stage.browser()
    assert "TMPDIR" in os.environ and os.environ["TMPDIR"] == sys.argv[1], "the variable is as it was"
    made = [path.name for path in Path(sys.argv[1]).rglob("*profile*")]
    assert made, "the profile lies there"
    for process in drivers():
        os.kill(process, signal.SIGKILL)
    if sys.argv[2] == "all":
        os.kill(os.getpid(), signal.SIGKILL)
    with suppress(Exception):
        await asyncio.wait_for(stage.close(), 5)

asyncio.run(main())
"""

WRITES = """
import sys, time
from contextlib import suppress
end = time.monotonic() + 1
print("begun", flush=True)
while time.monotonic() < end:
    with suppress(OSError):
        open(f"{sys.argv[1]}/{time.monotonic()}", "w").close()
"""


def _killed(folder: Path, what: str) -> int:
    command = [sys.executable, "-c", KILLED, str(folder), what]
    done = subprocess.run(command, env={**os.environ, "TMPDIR": str(folder)}, capture_output=True, text=True)
    assert "AssertionError" not in done.stderr, done.stderr
    return done.returncode


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found by /proc")
def test_a_killed_driver_leaves_nothing(tmp_path: Path) -> None:
    _killed(tmp_path, "driver")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found by /proc")
def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _killed(tmp_path, "all") == -signal.SIGKILL
    (left,) = tmp_path.glob(f"{PREFIX}*")
    assert list(left.rglob("*profile*"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert clear_left_behind() == 0, "it might just have been made"
    os.utime(left / LOCK, (0, 0))
    assert clear_left_behind() == 1
    assert not left.exists()


def test_what_is_written_while_it_is_removed_goes_too(tmp_path: Path) -> None:
    """A browser that lost its driver goes on writing for a moment."""
    profile = tmp_path / "profile"
    profile.mkdir()
    with subprocess.Popen([sys.executable, "-c", WRITES, str(profile)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline()
        remove(profile)
    assert not profile.exists()


def test_the_folder_of_a_living_process_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Lock(tmp_path / f"{PREFIX}x" / LOCK, "a browser"):
        os.utime(tmp_path / f"{PREFIX}x" / LOCK, (0, 0))
        assert clear_left_behind() == 0
    assert (tmp_path / f"{PREFIX}x").is_dir()
