"""Gives windows the keyboard on a virtual desktop without a window manager: to one that comes up, to one the pointer
enters, and to the topmost when the one that had it goes. It runs in a process of its own beside the display."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from workalike.env.desktop.display import connect

if TYPE_CHECKING:
    from Xlib.display import Display


def main(name: str, ready: int) -> None:
    """See to it until the display goes; a line on the pipe `ready` says that it has begun."""
    from Xlib import X
    from Xlib.error import ConnectionClosedError

    display = connect(name)
    display.screen().root.change_attributes(event_mask=X.SubstructureNotifyMask)
    display.sync()
    os.write(ready, b"ready\n")
    try:
        while True:
            _heed(display, display.next_event())
    except ConnectionClosedError:
        return


def _heed(display: Display, event: Any) -> None:
    from Xlib import X

    if event.type == X.MapNotify and not event.override:
        event.window.change_attributes(event_mask=X.EnterWindowMask, onerror=_gone())
        event.window.configure(stack_mode=X.Above, onerror=_gone())
        _give(event.window)
    elif event.type == X.EnterNotify and event.mode == X.NotifyNormal:
        _give(event.window)
    elif event.type == X.UnmapNotify and display.get_input_focus().focus in (X.NONE, X.PointerRoot):
        top = _topmost(display)
        if top is not None:
            _give(top)
    display.flush()


def _topmost(display: Display) -> Any:
    """The window of a program that lies above all others; None when there is none."""
    from Xlib import X
    from Xlib.error import XError

    for window in reversed(display.screen().root.query_tree().children):
        try:
            shown = window.get_attributes()
        except XError:
            continue
        if shown.map_state == X.IsViewable and shown.win_class == X.InputOutput and not shown.override_redirect:
            return window
    return None


def _give(window: Any) -> None:
    from Xlib import X

    window.set_input_focus(X.RevertToPointerRoot, X.CurrentTime, onerror=_gone())


def _gone() -> Any:
    """A window may close before it is told anything."""
    from Xlib.error import BadMatch, BadWindow, CatchError

    return CatchError(BadMatch, BadWindow)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
