"""The screen, looked at some times a second on a thread of its own; only pictures that differ are passed on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec

from workalike.core.errors import BadInput, Infrastructure
from workalike.core.recording import SegmentHeader
from workalike.core.screen import Size
from workalike.env.desktop.screen import Grabber
from workalike.record.clock import Clock
from workalike.record.desk import Desk


class CapturedScreen(msgspec.Struct, frozen=True):
    """One look at the screen: when it had ended, and what there was to see."""

    time: float
    raw: bytearray
    size: Size
    origin: tuple[int, int]
    pointer: tuple[int, int] | None


class ScreenWatch:
    """Looks at a display. `changed` gets every picture that differs from the one before (after `again`, the next one in
    any case), `resized` the new screen when its size changes, `lost` the reason when it goes away."""

    def __init__(
        self,
        name: str | None,
        desk: Desk,
        clock: Clock,
        *,
        changed: Callable[[CapturedScreen], None],
        resized: Callable[[SegmentHeader], None],
        lost: Callable[[str], None],
        rate: float = 15.0,
        monitor: int | None = None,
        cursor: bool = False,
    ) -> None:
        self._name, self._desk, self._clock = name, desk, clock
        self._changed, self._resized, self._lost = changed, resized, lost
        self._period, self._monitor, self._cursor = 1 / rate, monitor, cursor
        self._segments = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="screen", daemon=True)
        self._last: bytearray | None = None
        self.paused = False
        self.again = False
        self.looked = 0
        self.missed = 0
        self.unchanged_until = 0.0
        self._open()

    def start(self) -> None:
        """Look once, and then again and again."""
        self._announce()
        self._last = self._look(None)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(5)

    def _watch(self) -> None:
        try:
            self._look_until_stopped()
        except Exception as error:  # whatever ended the looking ends the recording, and is said
            if not self._stopping.is_set():
                self._lost(str(error) or type(error).__name__)

    def _look_until_stopped(self) -> None:
        last, self._last = self._last, None
        due = time.monotonic()
        while not self._stopping.is_set():
            if self.paused:
                last, due = None, time.monotonic()
            else:
                again, self.again = self.again, False
                last = self._look(None if again else last)
            due += self._period
            late = time.monotonic() - due
            if late > self._period:
                self.missed += int(late / self._period)
                due += int(late / self._period) * self._period
            self._stopping.wait(max(0.0, due - time.monotonic()))

    def _look(self, last: bytearray | None) -> bytearray | None:
        """Pass the picture on if it differs from the last; returns it, or None when the screen was resized."""
        try:
            raw = self._grabber.raw() if self._desk.size() == self._size else None
        except Infrastructure:
            if self._desk.size() == self._size:
                raise
            raw = None
        if raw is None:
            self._reopen()
            return None
        seen = self._clock.now()
        self.looked += 1
        if raw != last:
            grabber, (x, y) = self._grabber, self._desk.pointer()
            pointer = (x - grabber.origin[0], y - grabber.origin[1])
            self._changed(CapturedScreen(seen, raw, grabber.size, grabber.origin, pointer))
        self.unchanged_until = seen
        return raw

    def _open(self) -> None:
        self._size = self._desk.size()
        self._grabber = Grabber(self._name, cursor=self._cursor)
        if self._monitor is not None:
            monitors = self._grabber.monitors
            self._grabber.close()
            if not 1 <= self._monitor <= len(monitors):
                raise BadInput(f"there is no monitor {self._monitor}: this display has {len(monitors)}")
            self._grabber = Grabber(self._name, monitors[self._monitor - 1], self._cursor)

    def _reopen(self) -> None:
        self._grabber.close()
        self._open()
        self._announce()

    def _announce(self) -> None:
        grabber = self._grabber
        header = SegmentHeader(
            index=self._segments,
            screen=grabber.size,
            start=self._clock.now(),
            scale=self._desk.scale(),
            origin=grabber.origin,
            layout=self._desk.layout(),
            monitors=grabber.monitors,
        )
        self._segments += 1
        self._resized(header)
