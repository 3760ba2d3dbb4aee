"""Recording a desktop of 1600×1000 at 15 frames a second, against bare pictures of it at the same rate."""

from __future__ import annotations

import resource
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks import Figure
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.screen import Grabber
from workalike.record.session import DesktopRecorder

SIZE = Size(1600, 1000)
RATE = 15.0
SECONDS = 8.0


class Activity:
    """Somebody at work: a word changes with every frame, a line every tenth, half the screen every second."""

    def __init__(self, name: str) -> None:
        self._display = connect(name)
        screen = self._display.screen()
        self._window = screen.root.create_window(
            0, 0, SIZE.width, SIZE.height, 0, screen.root_depth, override_redirect=True, background_pixel=0xFFFFFF
        )
        self._window.map()
        self._pen = self._window.create_gc(foreground=0x202020)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Activity:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self._display.close()

    def _work(self) -> None:
        turn = 0
        while not self._stopping.wait(1 / 30):
            self._pen.change(foreground=(turn * 2654435761) & 0xFFFFFF)
            self._window.fill_rectangle(self._pen, 40 + turn * 8 % 800, 40, 8, 16)
            if turn % 10 == 0:
                self._window.fill_rectangle(self._pen, 40, 100 + turn % 40 * 20, 900, 18)
            if turn % 30 == 0:
                self._window.fill_rectangle(self._pen, 800, 0, 800, 1000)
            self._display.flush()
            turn += 1


def measure() -> list[Figure]:
    if shutil.which("Xvfb") is None:
        return []
    with VirtualDesktop(SIZE, window_manager=False, bus=False) as desktop, Activity(desktop.name):
        bare = _share(lambda: _grab_only(desktop.name))
        counts: dict[str, int] = {}
        whole = _share(lambda: counts.update(_record(desktop.name)))
    return [
        Figure("recording 1600×1000 at 15/s: share of one core", whole * 100, "%", "< 35 %"),
        Figure("… against bare pictures at the same rate", whole / bare, "×", "", f"bare: {bare:.1%}"),
        Figure("… frames dropped", counts["frames_dropped"], "frames", "0", f"of {counts['looks']} looks"),
        Figure("… frames kept", counts["frames"], "frames"),
    ]


def _record(name: str) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        recorder = DesktopRecorder(Path(folder) / "r", Task("bench", "work"), display=name)
        return recorder.run(SECONDS).counts


def _grab_only(name: str) -> None:
    with closing(Grabber(name)) as grabber:
        ends, due = time.monotonic() + SECONDS, time.monotonic()
        while time.monotonic() < ends:
            grabber.raw()
            due += 1 / RATE
            time.sleep(max(0.0, due - time.monotonic()))


def _share(work: Callable[[], object]) -> float:
    """Processor time a second of wall time, child processes included. The activity is on both sides."""
    before, start = _used(), time.monotonic()
    work()
    return (_used() - before) / (time.monotonic() - start)


def _used() -> float:
    mine, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + others.ru_utime + others.ru_stime
