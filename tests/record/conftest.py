"""Desktops for the tests of recording: each test starts its own, and says why when it can't."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.env.web import Web
from tests.programs import needs
from tests.record.web import pages
from workalike.core.errors import BadInput
from workalike.core.recording import RecordingEnd
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.env.browser import chromium
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.screen import Stillness
from workalike.record.session import DesktopRecorder
from workalike.record.settings import RecordSettings

Desktops = Callable[..., VirtualDesktop]
TASK = Task("test", "do something")


@pytest.fixture
def web() -> Iterator[Web]:
    try:
        chromium.find()
    except BadInput as problem:
        pytest.skip(str(problem))
    with Web() as web:
        web.pages |= pages(web)
        yield web


@pytest.fixture
def desktops() -> Iterator[Desktops]:
    """Makes virtual desktops, with a keyboard layout and with programs started and drawn."""
    needs("Xvfb")
    with ExitStack() as stack:

        def make(
            *programs: tuple[str, ...], size: Size = Size(1280, 800), layout: str = "us", bare: bool = False
        ) -> VirtualDesktop:
            desktop = stack.enter_context(VirtualDesktop(size, window_manager=not bare, bus=not bare))
            if layout != "us":
                needs("setxkbmap")
                subprocess.run(["setxkbmap", layout], env=desktop.environ, check=True)
            for program in programs:
                start(desktop, *program)
            return desktop

        yield make


def start(desktop: VirtualDesktop, *program: str) -> None:
    """Start a program and wait until it has drawn itself."""
    if program[0] != sys.executable:
        needs(program[0])
    stillness = Stillness(connect(desktop.name))
    desktop.launch(*program)
    stillness.settle(react_within=30, quiet_for=0.5, within=60)


class Recorded:
    """A recorder at work on a thread of its own, as a context."""

    def __init__(
        self, out: Path, desktop: VirtualDesktop, settings: RecordSettings = RecordSettings(accessibility=False)
    ) -> None:
        self.recorder = DesktopRecorder(out, TASK, settings, desktop.name, desktop.environ)
        self.problem = self.recorder.prepare()
        self._ends: list[RecordingEnd] = []
        self._thread = threading.Thread(target=lambda: self._ends.append(self.recorder.run()))

    @property
    def end(self) -> RecordingEnd:
        self._thread.join(30)
        return self._ends[0]

    def __enter__(self) -> Recorded:
        self._thread.start()
        assert self.recorder.started.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self.recorder.stop()
        self._thread.join(30)
