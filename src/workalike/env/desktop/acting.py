"""Carrying out actions on an X display. What an agent may get wrong is `ActionFailed`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Wait,
    Write,
)
from workalike.core.errors import Infrastructure
from workalike.core.screen import Point
from workalike.env.bounds import notches
from workalike.env.desktop.display import connect
from workalike.env.desktop.input import XInput, straight
from workalike.env.desktop.screen import Grabber, Stillness
from workalike.env.desktop.windows import Window, active_window, window_at_pointer
from workalike.env.keys import known

_UNHURRIED = 0.01
_CAUGHT_UP = 0.15
WAIT_SECONDS = 1.0


class XWorkstation:
    """A place at a display: hands, eyes, and a sense of when it is still."""

    def __init__(self, name: str | None) -> None:
        self.display = connect(name)
        self.grabber = Grabber(name)
        self.still = Stillness(connect(name))
        self.hands = XInput(connect(name), caught_up=lambda: self.still.settle(quiet_for=_CAUGHT_UP))

    def pointer(self) -> tuple[int, int]:
        found = self.display.screen().root.query_pointer()
        return (found.root_x, found.root_y)

    def active_window(self) -> Window | None:
        with self.alive():
            return active_window(self.display)

    def go_to_window(self, x: int, y: int) -> Window | None:
        """Move the pointer to a place; the window it then stands on."""
        with self.alive():
            self.hands.move(x, y)
            return window_at_pointer(self.display)

    @contextmanager
    def alive(self) -> Iterator[None]:
        from Xlib.error import ConnectionClosedError

        try:
            yield
        except (ConnectionClosedError, OSError) as error:
            raise Infrastructure(f"the display is gone: {error}") from error

    def close(self) -> None:
        with self.alive():
            self.hands.close()
            self.still.close()
            self.grabber.close()
            self.display.close()


def carry_out(action: Action, station: XWorkstation) -> None:
    hands = station.hands
    match action:
        case Move(to=to):
            hands.move(*station.grabber.size.pixel(to))
        case Click(at=at, button=button, count=count, modifiers=modifiers):
            _go(station, at)
            with _holding(hands, modifiers):
                for _ in range(count):
                    hands.button(button, True)
                    hands.button(button, False)
        case MouseDown(at=at, button=button):
            _go(station, at)
            hands.button(button, True)
        case MouseUp(at=at, button=button):
            _go(station, at)
            hands.button(button, False)
        case Scroll(at=at, dx=dx, dy=dy, unit=unit, modifiers=modifiers):
            _go(station, at)
            with _holding(hands, modifiers):
                hands.wheel(_notches(dx, unit), _notches(dy, unit))
        case Drag():
            _drag(action, station)
        case Write(text=text):
            hands.write(text)
        case Press(keys=keys):
            for key in [known(key) for key in keys]:
                hands.press(key)
        case Hotkey(keys=keys):
            hands.hotkey(tuple(known(key) for key in keys))
        case KeyDown(key=key):
            hands.key(known(key), True)
        case KeyUp(key=key):
            hands.key(known(key), False)
        case Wait(seconds=seconds):
            time.sleep(WAIT_SECONDS if seconds is None else seconds)


def _go(station: XWorkstation, at: Point | None) -> None:
    if at is not None:
        station.hands.move(*station.grabber.size.pixel(at))


def _drag(action: Drag, station: XWorkstation) -> None:
    _go(station, action.start)
    here = station.pointer()
    with _holding(station.hands, action.modifiers):
        station.hands.button(action.button, True)
        try:
            for point in action.path:
                there = station.grabber.size.pixel(point)
                for place in straight(here, there):
                    station.hands.move(*place)
                    # Programs look at the pointer once a frame; one that jumps has not been dragged.
                    station.still.changed(_UNHURRIED)
                here = there
        finally:
            station.hands.button(action.button, False)


def _notches(amount: float, unit: str) -> int:
    """Whole notches, which is all a wheel can turn; the least amount still turns it by one."""
    turns = notches(amount, unit)
    return round(turns) or (0 if turns == 0 else 1 if turns > 0 else -1)


@contextmanager
def _holding(hands: XInput, modifiers: tuple[str, ...]) -> Iterator[None]:
    names = [known(name) for name in modifiers]
    for name in names:
        hands.key(name, True)
    try:
        yield
    finally:
        for name in reversed(names):
            hands.key(name, False)
