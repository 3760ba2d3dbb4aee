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
from workalike.env.desktop_display import connect
from workalike.env.desktop_input import Hands, straight
from workalike.env.desktop_screen import Grabber, Stillness
from workalike.env.desktop_windows import Window, active_window, window_at_pointer
from workalike.env.keys import known

_UNHURRIED = 0.01


class Seat:
    """A place at a display: hands, eyes, and a sense of when it is still."""

    def __init__(self, name: str | None) -> None:
        self.display = connect(name)
        self.grabber = Grabber(name)
        self.still = Stillness(connect(name))
        self.hands = Hands(connect(name), caught_up=self.still.settle)

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
            self.grabber.close()
            self.display.close()


def carry_out(action: Action, seat: Seat) -> None:
    hands = seat.hands
    match action:
        case Move(to=to):
            hands.move(*seat.grabber.size.pixel(to))
        case Click(at=at, button=button, count=count, modifiers=modifiers):
            _go(seat, at)
            with _holding(hands, modifiers):
                for _ in range(count):
                    hands.button(button, True)
                    hands.button(button, False)
        case MouseDown(at=at, button=button):
            _go(seat, at)
            hands.button(button, True)
        case MouseUp(at=at, button=button):
            _go(seat, at)
            hands.button(button, False)
        case Scroll(at=at, dx=dx, dy=dy, unit=unit, modifiers=modifiers):
            _go(seat, at)
            with _holding(hands, modifiers):
                hands.wheel(_notches(dx, unit), _notches(dy, unit))
        case Drag():
            _drag(action, seat)
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
            _wait(seconds, seat)


def _go(seat: Seat, at: Point | None) -> None:
    if at is not None:
        seat.hands.move(*seat.grabber.size.pixel(at))


def _drag(action: Drag, seat: Seat) -> None:
    _go(seat, action.start)
    here = seat.pointer()
    with _holding(seat.hands, action.modifiers):
        seat.hands.button(action.button, True)
        try:
            for point in action.path:
                there = seat.grabber.size.pixel(point)
                for place in straight(here, there):
                    seat.hands.move(*place)
                    # Programs look at the pointer once a frame; one that jumps has not been dragged.
                    seat.still.changed(_UNHURRIED)
                here = there
        finally:
            seat.hands.button(action.button, False)


def _wait(seconds: float | None, seat: Seat) -> None:
    if seconds is None:
        seat.still.settle(react_within=1.0)
        return
    time.sleep(seconds)


def _notches(amount: float, unit: str) -> int:
    """Whole notches, which is all a wheel can turn; the least amount still turns it by one."""
    turns = notches(amount, unit)
    return round(turns) or (0 if turns == 0 else 1 if turns > 0 else -1)


@contextmanager
def _holding(hands: Hands, modifiers: tuple[str, ...]) -> Iterator[None]:
    names = [known(name) for name in modifiers]
    for name in names:
        hands.key(name, True)
    try:
        yield
    finally:
        for name in reversed(names):
            hands.key(name, False)
