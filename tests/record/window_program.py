"""A program with one window of a title, in stripes, that takes the keyboard when it appears.

python window_program.py DISPLAY TITLE LEFT TOP WIDTH HEIGHT
"""

from __future__ import annotations

import sys

from Xlib import X
from Xlib.display import Display


def main(name: str, title: str, left: int, top: int, width: int, height: int) -> None:
    display = Display(name)
    screen = display.screen()
    window = screen.root.create_window(
        left, top, width, height, 0, screen.root_depth, background_pixel=0xFFFFFF, event_mask=X.ExposureMask
    )
    window.set_wm_name(title)
    window.set_wm_class("striped", "Striped")
    window.set_wm_normal_hints(flags=1 | 2, min_width=width, min_height=height)
    pen = window.create_gc(foreground=0xC00000)
    window.map()
    while True:
        display.next_event()
        for x in range(0, width, 20):
            window.fill_rectangle(pen, x, 0, 10, height)
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        display.sync()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:7]))
