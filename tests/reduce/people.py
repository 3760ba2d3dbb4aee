"""A person in a test: says what they do, and yields the raw events a recorder would have seen."""

from __future__ import annotations

from workalike.core.actions import Button
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PageChanged,
    Paused,
    PointerMoved,
    Resumed,
    WheelTurned,
    WindowChanged,
)
from workalike.core.screen import Size

SCREEN = Size(1000, 500)


class Person:
    """Every method takes some time and appends events; `events` is the recording."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.time = 0.0
        self.x, self.y = 0.0, 0.0

    def rest(self, seconds: float) -> Person:
        self.time += seconds
        return self

    def move(self, x: float, y: float, steps: int = 4) -> Person:
        """Go somewhere in a few steps of 10 ms."""
        start = (self.x, self.y)
        for step in range(1, steps + 1):
            self.x = start[0] + (x - start[0]) * step / steps
            self.y = start[1] + (y - start[1]) * step / steps
            self.events.append(PointerMoved(self.tick(), self.x, self.y))
        return self

    def down(self, button: Button = "left") -> Person:
        self.events.append(ButtonChanged(self.tick(), self.x, self.y, button, True))
        return self

    def up(self, button: Button = "left") -> Person:
        self.events.append(ButtonChanged(self.tick(), self.x, self.y, button, False))
        return self

    def click(self, x: float, y: float, button: Button = "left") -> Person:
        return (self if (x, y) == (self.x, self.y) else self.move(x, y)).down(button).rest(0.05).up(button)

    def wheel(self, dy: float = 0, dx: float = 0) -> Person:
        self.events.append(WheelTurned(self.tick(), self.x, self.y, dx, dy))
        return self

    def press(self, key: str, text: str = "", repeat: bool = False) -> Person:
        self.events.append(KeyChanged(self.tick(), key, True, text, repeat=repeat))
        return self

    def release(self, key: str) -> Person:
        self.events.append(KeyChanged(self.tick(), key, False))
        return self

    def key(self, key: str, text: str = "") -> Person:
        return self.press(key, text).rest(0.03).release(key).rest(0.05)

    def write(self, text: str) -> Person:
        for character in text:
            self.key(character, character)
        return self

    def window(self, title: str, program: str = "") -> Person:
        self.events.append(WindowChanged(self.tick(), title, program))
        return self

    def page(self, url: str) -> Person:
        self.events.append(PageChanged(self.tick(), url))
        return self

    def pause(self) -> Person:
        self.events.append(Paused(self.tick()))
        return self

    def resume(self) -> Person:
        self.events.append(Resumed(self.tick()))
        return self

    def tick(self) -> float:
        self.time += 0.01
        return self.time
