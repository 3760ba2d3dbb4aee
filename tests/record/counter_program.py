"""A program that counts what is done to it: every press of a button, notch of the wheel and key (modifiers apart) draws
the next number as white and black squares, so that a frame tells how much had happened when it was taken.

    python counter_program.py DISPLAY LOG
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from Xlib import X
from Xlib.display import Display

BITS, SQUARE, CORNER = 12, 16, (8, 8)
MODIFIERS = (*range(0xFFE1, 0xFFEF), 0xFE03)


class Drawn(msgspec.Struct, frozen=True):
    """A number, and between which instants of the monotonic clock it came to the screen."""

    count: int
    before: float
    after: float


class Counter:
    def __init__(self, name: str, log: Path) -> None:
        self._display = Display(name)
        screen = self._display.screen()
        self._window = screen.root.create_window(
            0,
            0,
            screen.width_in_pixels,
            screen.height_in_pixels,
            0,
            screen.root_depth,
            override_redirect=True,
            background_pixel=0x808080,
            event_mask=X.KeyPressMask | X.ButtonPressMask | X.ExposureMask,
        )
        self._pen = self._window.create_gc()
        self._board = self._window.create_pixmap(BITS * SQUARE, SQUARE, screen.root_depth)
        self._log = log.open("ab", buffering=0)
        self._count = 0

    def run(self) -> None:
        self._window.map()
        while True:
            event = self._display.next_event()
            if event.type == X.Expose:
                self._window.set_input_focus(X.RevertToParent, X.CurrentTime)
            elif not self._counts(event):
                continue
            else:
                self._count += 1
            self._draw()

    def _counts(self, event: Any) -> bool:
        if event.type == X.ButtonPress:
            return True
        return event.type == X.KeyPress and self._display.keycode_to_keysym(event.detail, 0) not in MODIFIERS

    def _draw(self) -> None:
        for bit in range(BITS):
            self._pen.change(foreground=0xFFFFFF if self._count >> bit & 1 else 0)
            self._board.fill_rectangle(self._pen, bit * SQUARE, 0, SQUARE, SQUARE)
        before = time.monotonic()
        self._window.copy_area(self._pen, self._board, 0, 0, BITS * SQUARE, SQUARE, *CORNER)
        self._display.sync()
        drawn = Drawn(self._count, before, time.monotonic())
        self._log.write(msgspec.json.encode(drawn) + b"\n")


def read_count(luma: Any) -> int:
    """The number that a frame shows."""
    x, y = CORNER[0] + SQUARE // 2, CORNER[1] + SQUARE // 2
    return sum((int(luma[y, x + bit * SQUARE]) > 128) << bit for bit in range(BITS))


if __name__ == "__main__":
    Counter(sys.argv[1], Path(sys.argv[2])).run()
