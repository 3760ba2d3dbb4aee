"""Watches which window is active while recording, and where the windows lie that are to be left out."""

from __future__ import annotations

import threading
from collections.abc import Callable

from workalike.env.desktop.display import connect, wait_for_events
from workalike.env.desktop.windows import Rectangle, Window, active_window, standing, windows
from workalike.record.left_out import LeftOut

_LOOK_EVERY = 0.25


class WindowWatch:
    """Tells when another window becomes active or changes its title, and `listed` which windows stand on the screen
    whenever one comes or goes, on a thread of its own.

    The window manager's announcements are waited for; without one the server is asked a few times a second."""

    def __init__(
        self,
        name: str | None,
        tell: Callable[[Window | None], None],
        lost: Callable[[str], None],
        listed: Callable[[list[Window]], None] = lambda windows: None,
    ) -> None:
        self._display, self._tell, self._lost, self._listed = connect(name), tell, lost, listed
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="windows", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(2)

    def _watch(self) -> None:
        try:
            self._follow()
        except Exception as error:  # whatever ended the watching ends the recording, and is said
            if not self._stopping.is_set():
                self._lost(f"{type(error).__name__}: {error}")

    def _follow(self) -> None:
        from Xlib import X

        self._display.screen().root.change_attributes(event_mask=X.PropertyChangeMask)
        last: Window | None = None
        told = False
        stood: list[int] = []
        while not self._stopping.is_set():
            now = active_window(self._display)
            if not told or _differ(last, now):
                self._tell(now)
                last, told = now, True
                self._listen_to(now)
            there = standing(self._display)
            if stood != [window.id for window in there]:
                stood = [window.id for window in there]
                self._listed(there)
            wait_for_events(self._display, _LOOK_EVERY)
            while self._display.pending_events():
                self._display.next_event()

    def _listen_to(self, window: Window | None) -> None:
        """Hear of title changes at once."""
        from Xlib import X
        from Xlib.error import BadWindow, CatchError

        if window is not None:
            found = self._display.create_resource_object("window", window.id)
            found.change_attributes(event_mask=X.PropertyChangeMask, onerror=CatchError(BadWindow))


class WindowsLeftOut(LeftOut):
    """Windows that are not to be recorded, by their titles or programs."""

    def __init__(self, patterns: tuple[str, ...] = (), name: str | None = None) -> None:
        super().__init__(patterns)
        self._display = connect(name) if patterns else None

    def matches(self, window: Window | None) -> bool:
        return window is not None and self.named(window.title, window.program)

    def boxes(self) -> tuple[Rectangle, ...]:
        """Where such windows lie now, whether or not another one covers them."""
        if self._display is None:
            return ()
        return tuple(window.box for window in windows(self._display) if self.matches(window))


def _differ(one: Window | None, other: Window | None) -> bool:
    if one is None or other is None:
        return one is not other
    return (one.id, one.title) != (other.id, other.title)
