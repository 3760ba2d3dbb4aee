"""Progress: plain lines where there is no terminal, a bar where there is one."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from workalike.cli.progress import describe, watching
from workalike.core.progress import Progress


def test_the_line() -> None:
    progress = Progress(done=12, running=4, total=60, good=9, judged=12, spent=0.5, left=3675)
    assert describe(progress) == "12/60 done, 4 running, 75 % success, $0.50, 1:01:15 left"


def test_what_was_given_up_is_said_and_counts_as_failed() -> None:
    progress = Progress(done=2, running=0, total=10, good=2, judged=2, given_up=8)
    assert describe(progress) == "2/10 done, 0 running, 8 given up, 20 % success"


def test_nothing_is_made_up() -> None:
    assert describe(Progress(0, 1, 5, good=0)) == "0/5 done, 1 running"
    assert describe(Progress(1, 1, 5, spent=None)) == "1/5 done, 1 running, cost unknown"


def test_elsewhere_the_first_and_last_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with watching("town") as watch:
        for done in range(101):
            watch(Progress(done, 0, 100))
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["town: 0/100 done, 0 running", "town: 100/100 done, 0 running"]


def test_a_terminal_gets_a_bar() -> None:
    code = (
        "from workalike.cli.progress import watching\n"
        "from workalike.core.progress import Progress\n"
        "with watching('town') as watch: watch(Progress(3, 0, 3))"
    )
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-c", code], stderr=theirs, check=True, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    )
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert "━" in shown
    assert "3/3 done" in shown
