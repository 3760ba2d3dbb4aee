"""What lies under the pointer is asked as soon as it rests, and again when the screen changes around it, so that the
answer is there before anything is pressed: afterwards a menu is closed, a list has moved on."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from workalike.env.desktop.screen import Pixels, shaped
from workalike.record.screen import CapturedScreen

_REST = 0.04
_AROUND = 24


class Hover:
    """Asks on a thread of its own. It is told of every move of the pointer and of every look at the screen."""

    def __init__(self, ask: Callable[[float, float], None]) -> None:
        self._ask = ask
        self._stirred = threading.Event()
        self._stopping = False
        self._at: tuple[float, float] | None = None
        self._patch: tuple[tuple[int, int], Pixels] | None = None
        self._thread = threading.Thread(target=self._follow, name="hover", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        self._stirred.set()
        if self._thread.ident is not None:
            self._thread.join(2)

    def moved(self, x: float, y: float) -> None:
        self._at = (x, y)
        self._stirred.set()

    def seen(self, shot: CapturedScreen) -> None:
        """Compare what surrounds the pointer with what did at the look before."""
        if shot.pointer is None:
            return
        x, y = shot.pointer
        left, top = max(0, x - _AROUND), max(0, y - _AROUND)
        patch = shaped(shot.raw, shot.size)[top : y + _AROUND, left : x + _AROUND].copy()
        former, self._patch = self._patch, (shot.pointer, patch)
        if former is None or former[0] != shot.pointer or not np.array_equal(former[1], patch):
            self._at = self._at or (x + shot.origin[0], y + shot.origin[1])
            self._stirred.set()

    def _follow(self) -> None:
        while not self._stopping:
            self._stirred.wait()
            self._stirred.clear()
            while not self._stopping and self._stirred.wait(_REST):
                self._stirred.clear()
            if not self._stopping and self._at is not None:
                self._ask(*self._at)
