"""The one clock of a recording: the monotonic clock of the machine, from the instant the recording began.

X servers stamp input events in milliseconds of a clock of theirs. On the machine's own display that is the same
monotonic clock; on another machine's it is not, so the difference is measured.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from Xlib.display import Display

_WRAP = 2**32
_SAME_CLOCK = 0.02


class Clock:
    """Seconds since the recording began."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """It is now zero."""
        self.origin = time.monotonic()

    def now(self) -> float:
        return self.at(time.monotonic())

    def at(self, monotonic: float) -> float:
        """An instant of the machine's monotonic clock on this clock."""
        return round(monotonic - self.origin, 6)


class ServerTime:
    """An X server's stamps on the machine's monotonic clock."""

    def __init__(self, offset: float = 0.0) -> None:
        self.offset = offset

    @staticmethod
    def measured(display: Display, times: int = 5) -> ServerTime:
        """Compare the clocks by having the server stamp something, several times; the quickest answer counts."""
        best = min((_compare(display) for _ in range(times)), key=lambda pair: pair[1])
        offset, taken = best
        return ServerTime(0.0 if abs(offset) < _SAME_CLOCK + taken else offset)

    def monotonic(self, stamp: int) -> float:
        """The instant of a stamp; stamps start over every seven weeks, so it is the one nearest to now."""
        now = (time.monotonic() - self.offset) * 1000
        rounds = round((now - stamp) / _WRAP)
        return (stamp + rounds * _WRAP) / 1000 + self.offset


def _compare(display: Display) -> tuple[float, float]:
    """How far the machine's clock is ahead of the server's, and how long it took to find out."""
    from Xlib import X, Xatom

    window = display.screen().root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    try:
        before = time.monotonic()
        window.change_property(Xatom.WM_NAME, Xatom.STRING, 8, b"what time is it")
        event = display.next_event()
        while event.type != X.PropertyNotify:
            event = display.next_event()
        after = time.monotonic()
    finally:
        window.destroy()
    stamp = event.time / 1000
    now = (before + after) / 2
    rounds = round((now - stamp) / (_WRAP / 1000))
    return now - stamp - rounds * (_WRAP / 1000), after - before
