"""Looking at an X display: pictures of it, and waiting until it has come to rest."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from workalike.core.errors import Infrastructure
from workalike.core.screen import Size
from workalike.env.desktop_display import wait_for_events
from workalike.pictures.png import encode_rgb

if TYPE_CHECKING:
    from Xlib.display import Display

Pixels = npt.NDArray[np.uint8]

REACT_WITHIN = 0.1
QUIET_FOR = 0.15
SETTLE_WITHIN = 3.0


class Grabber:
    """Takes pictures of a display, or of a part of it (left, top, width, height)."""

    def __init__(self, name: str | None = None, part: tuple[int, int, int, int] | None = None, cursor: bool = False):
        import mss

        try:
            self._mss = mss.MSS(display=name, with_cursor=cursor)
            whole = self._mss.monitors[0]
        except mss.ScreenShotError as error:
            raise Infrastructure(f"pictures of the display {name or ''} cannot be taken: {error}") from error
        left, top, width, height = part or (whole["left"], whole["top"], whole["width"], whole["height"])
        self.origin, self.size = (left, top), Size(width, height)
        self._area = {"left": left, "top": top, "width": width, "height": height}

    @property
    def monitors(self) -> tuple[tuple[int, int, int, int], ...]:
        return tuple((m["left"], m["top"], m["width"], m["height"]) for m in self._mss.monitors[1:])

    def raw(self) -> bytearray:
        """Height × width × 4 bytes: blue, green, red, unused."""
        import mss

        try:
            shot = self._mss.grab(self._area)
        except mss.ScreenShotError as error:
            raise Infrastructure(f"the display is gone: {error}") from error
        return shot.raw

    def pixels(self) -> Pixels:
        return shaped(self.raw(), self.size)

    def png(self) -> bytes:
        return encode_rgb(self.pixels()[:, :, 2::-1])

    def close(self) -> None:
        self._mss.close()


class Stillness:
    """Tells when a display has come to rest, by the server's own reports of what changed on it."""

    def __init__(self, display: Display) -> None:
        from Xlib.ext import damage

        self._display = display
        display.damage_query_version()
        self._damage = display.screen().root.damage_create(damage.DamageReportNonEmpty)
        self._report = display.extension_event.DamageNotify
        display.sync()
        self._drain()  # the server begins by reporting all there is

    def settle(
        self, react_within: float = REACT_WITHIN, quiet_for: float = QUIET_FOR, within: float = SETTLE_WITHIN
    ) -> bool:
        """Wait for a first change, then until nothing changes any more; False when it is still changing at the end."""
        ends = time.monotonic() + within
        if not self.changed(react_within):
            return True
        while (left := ends - time.monotonic()) > 0:
            if not self.changed(min(quiet_for, left)):
                return left >= quiet_for  # a shorter silence at the very end proves nothing
        return False

    def changed(self, within: float) -> bool:
        """Whether the screen changes within some seconds; answers as soon as it does."""
        ends = time.monotonic() + within
        while True:
            if self._drain():
                return True
            left = ends - time.monotonic()
            if left <= 0 or not wait_for_events(self._display, left):
                return False

    def _drain(self) -> bool:
        seen = False
        while self._display.pending_events():
            event: Any = self._display.next_event()
            if event.type == self._report:
                self._display.damage_subtract(event.damage)
                seen = True
        if seen:
            self._display.flush()
        return seen


def shaped(raw: bytearray, size: Size) -> Pixels:
    """Raw bytes of a picture as height × width × 4, without a copy."""
    return np.frombuffer(raw, np.uint8).reshape(size.height, size.width, 4)
