"""One writer at a time; who it is is said; a killed one is in nobody's way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from workalike.core.errors import InUse
from workalike.store.locks import Lock, holder

_HOLD = """
import sys
from pathlib import Path
from workalike.store.locks import Lock
lock = Lock(Path(sys.argv[1]), "run town-1")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def _held(path: Path) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", _HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def test_another_process_is_refused_and_told_who_writes(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with _held(path) as child:
        with pytest.raises(InUse) as caught:
            Lock(path, "run town-2")
        said = str(caught.value)
        assert said.startswith(f"{tmp_path} is being written by process {child.pid} on ")
        assert "(run town-1, since 20" in said
        assert said.endswith("; wait for it to end, or stop it")
        found = holder(path)
        assert found is not None
        assert (found.process, found.doing) == (child.pid, "run town-1")


def test_a_killed_writer_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with _held(path) as child:
        child.kill()
        child.wait()
        assert holder(path) is None
        with Lock(path, "run town-2") as lock:
            assert lock.holder.process == os.getpid()


def test_the_same_process_is_refused_too_and_may_take_it_again_later(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "lock"
    assert holder(path) is None
    lock = Lock(path, "one")
    with pytest.raises(InUse, match=r"process \d+ on .* \(one, since"):
        Lock(path, "two")
    lock.release()
    lock.release()
    assert holder(path) is None
    Lock(path, "two").release()


def test_asking_who_writes_turns_no_writer_away(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    asker = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from workalike.store.locks import holder\n"
            "print('asking', flush=True)\nwhile True: holder(Path(sys.argv[1]))",
            path,
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert asker.stdout is not None
        asker.stdout.readline()
        for number in range(200):
            Lock(path, str(number)).release()
    finally:
        asker.kill()
        asker.communicate()
