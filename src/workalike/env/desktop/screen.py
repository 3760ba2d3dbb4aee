"""Looking at an X display: pictures of it, and waiting until it has come to rest."""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from workalike.core.errors import Infrastructure
from workalike.core.screen import Size
from workalike.env.desktop.windows import active_window, pingable, window_at_pointer
from workalike.pictures.png import encode_rgb

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.error import CatchError

Pixels = npt.NDArray[np.uint8]

REACT_WITHIN = 0.1
# Toolkits let a button that was pressed by a key look pressed for 0.25 s before they do what it is for, in silence;
# what is clicked does it at once.
QUIET_FOR = 0.26
QUIET_AFTER_POINTER = 0.12
SETTLE_WITHIN = 3.0
_ECHO = 0.05
_PROMPT = 0.05
_WORK_BOUND = 2


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
    """Tells when a display has come to rest after an action: by the server's reports of what changed on it, by windows
    and focus that come and go, by what programs tell of themselves (`tell`), and by whether those in front answer."""

    def __init__(self, display: Display) -> None:
        from Xlib import X
        from Xlib.ext import damage

        self._display = display
        display.damage_query_version()
        root = display.screen().root
        self._damage = root.damage_create(damage.DamageReportNonEmpty)
        self._report = display.extension_event.DamageNotify
        root.change_attributes(event_mask=X.SubstructureNotifyMask | X.PropertyChangeMask)
        self._pings = Pings(display)
        self._focus = display.get_input_focus().focus
        self._told, self._telling = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        display.sync()
        self._drain()  # the server begins by reporting all there is

    def tell(self) -> None:
        """Something has happened in a program, as it says itself. Any thread may tell."""
        with suppress(BlockingIOError):  # the pipe is full of such news
            os.write(self._telling, b".")

    def settle(
        self, react_within: float = REACT_WITHIN, quiet_for: float = QUIET_FOR, within: float = SETTLE_WITHIN
    ) -> bool:
        """Wait for a first sign of what was done, then until there are no more; False when there still are at the end.

        No silence is believed until the programs in front have answered at once, a moment has passed without a sign,
        and they have answered at once again: one that is at work, or had no turn on a busy machine, does not."""
        ends, patience = time.monotonic() + within, react_within
        latest = ends + _WORK_BOUND * within
        while (left := ends - time.monotonic()) > 0:
            if self.changed(min(patience, left)):
                patience = quiet_for
            elif left < patience:
                return False  # a shorter silence at the very end proves nothing
            elif self._prompt(latest) and not self.changed(_ECHO) and self._prompt(latest) and not self._refocused():
                return True
            else:  # what a program at work takes does not count, up to a bound of its own
                ends, patience = min(latest, max(ends, time.monotonic() + within)), quiet_for
        return False

    def changed(self, within: float) -> bool:
        """Whether anything happens within some seconds; answers as soon as it does."""
        ends = time.monotonic() + within
        while True:
            if self._drain():
                return True
            left = ends - time.monotonic()
            if left <= 0 or not self._wait(left):
                return False

    def close(self) -> None:
        for end in (self._told, self._telling):
            os.close(end)

    def _prompt(self, ends: float) -> bool:
        """Whether the programs in front answer at once. One at work is waited for, and the silence begins anew."""
        asked = time.monotonic()
        self._pings.send()
        while self._pings.unanswered and (left := ends - time.monotonic()) > 0:
            self._wait(left)
            self._drain()
        return time.monotonic() - asked < _PROMPT

    def _refocused(self) -> bool:
        was, self._focus = self._focus, self._display.get_input_focus().focus
        return bool(was != self._focus)

    def _wait(self, seconds: float) -> bool:
        if self._display.pending_events():
            return True
        readable, _, _ = select.select([self._display.fileno(), self._told], [], [], max(0.0, seconds))
        return bool(readable)

    def _drain(self) -> bool:
        """Take what has been reported; whether any of it is a sign of life."""
        seen = damaged = False
        while self._display.pending_events():
            event: Any = self._display.next_event()
            if event.type == self._report:
                self._display.damage_subtract(event.damage)
                damaged = True
            else:
                seen |= not self._pings.answered(event)
        with suppress(BlockingIOError):
            seen |= bool(os.read(self._told, 65536))
        if damaged:
            self._display.flush()
        return seen or damaged


class Pings:
    """Asks the programs in front whether they have done what they were given: the protocol that windows have for it is
    answered where a program takes its input, after all input that came before. Windows that do not know it are not
    asked, nor is one that last kept silent to the end."""

    def __init__(self, display: Display) -> None:
        self._display, self._serial = display, 0
        self._protocols, self._ping = (display.intern_atom(name) for name in ("WM_PROTOCOLS", "_NET_WM_PING"))
        self._asked: dict[int, CatchError] = {}
        self._silent: set[int] = set()

    @property
    def unanswered(self) -> set[int]:
        """The windows whose answer may yet come: not those that are gone."""
        return {id_ for id_, error in self._asked.items() if error.get_error() is None}

    def send(self) -> None:
        """Ask the active window and the one under the pointer."""
        from Xlib import X
        from Xlib.error import BadWindow, CatchError
        from Xlib.protocol.event import ClientMessage

        self._silent |= self.unanswered
        self._serial += 1
        fronts = {window.id for window in (active_window(self._display), window_at_pointer(self._display)) if window}
        self._asked = {id_: CatchError(BadWindow) for id_ in fronts - self._silent if pingable(self._display, id_)}
        for id_, error in self._asked.items():
            window = self._display.create_resource_object("window", id_)
            data = (32, [self._ping, self._serial, id_, 0, 0])
            question = ClientMessage(window=window, client_type=self._protocols, data=data)
            window.change_attributes(event_mask=X.StructureNotifyMask, onerror=error)  # tells of its end
            window.send_event(question, X.NoEventMask, onerror=error)
        self._display.sync()

    def answered(self, event: Any) -> bool:
        """Whether an event is the answer to a question. The end of a window is one, too, and news besides."""
        from Xlib import X

        if event.type == X.DestroyNotify:
            self._asked.pop(event.window.id, None)
        if event.type != X.ClientMessage or event.client_type != self._protocols or event.data[1][0] != self._ping:
            return False
        serial, id_ = event.data[1][1:3]
        self._silent.discard(id_)
        if serial == self._serial:
            self._asked.pop(id_, None)
        return True


def shaped(raw: bytearray, size: Size) -> Pixels:
    """Raw bytes of a picture as height × width × 4, without a copy."""
    return np.frombuffer(raw, np.uint8).reshape(size.height, size.width, 4)
