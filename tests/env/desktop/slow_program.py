"""A program that is slow: a splash screen first, then its window; a key changes it only after a second of work, during
which it looks at nothing else."""

from __future__ import annotations

import time

from Xlib import X, Xatom
from Xlib.display import Display

SPLASH_SECONDS = 2.0
WORK_SECONDS = 1.0


def main() -> None:
    display = Display()
    root = display.screen().root
    atom = display.intern_atom
    splash = root.create_window(100, 100, 200, 100, 0, X.CopyFromParent, background_pixel=0x0000FF)
    splash.set_wm_name("Slow is starting")
    splash.change_property(atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [atom("_NET_WM_WINDOW_TYPE_SPLASH")])
    splash.map()
    display.sync()
    time.sleep(SPLASH_SECONDS)
    splash.destroy()
    window = root.create_window(
        50, 50, 400, 300, 0, X.CopyFromParent, background_pixel=0xFFFFFF, event_mask=X.KeyPressMask | X.ExposureMask
    )
    window.set_wm_name("Slow")
    window.set_wm_class("slow", "Slow")
    window.set_wm_protocols([atom("_NET_WM_PING"), atom("WM_DELETE_WINDOW")])
    pen = window.create_gc(foreground=0xC00000)
    window.map()
    focused = False
    while True:
        event = display.next_event()
        if event.type == X.Expose and not focused:
            window.set_input_focus(X.RevertToParent, X.CurrentTime)
            focused = True
        elif event.type == X.ClientMessage and event.data[1][0] == atom("_NET_WM_PING"):
            event.window = root
            root.send_event(event, X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        elif event.type == X.KeyPress:
            time.sleep(WORK_SECONDS)
            window.fill_rectangle(pen, 0, 0, 400, 300)
        display.flush()


if __name__ == "__main__":
    main()
