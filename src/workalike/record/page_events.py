"""What the script in a page tells, as events of a recording."""

from __future__ import annotations

from typing import Any

from workalike.core.keyboard import canonical
from workalike.core.observation import Element
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved, WheelTurned
from workalike.core.screen import Box, Size

PIXELS_PER_NOTCH = 100
_BRIEFLY = 1e-6


class PageReader:
    """Reads the messages of one page. `clock` turns the page's milliseconds into the recording's seconds.

    Places within a frame of another site are known on the physical screen only; how far that is from the page's own
    corner is learnt from the last message of the page itself."""

    def __init__(self) -> None:
        self.size = Size(1, 1)
        self._offset = (0.0, 0.0)

    def events(self, told: list[Any], time: float) -> list[Event]:
        """The events of a message whose own time is `time`; empty for what is no input."""
        kind, rest = told[0], told[2:]
        if kind == "key":
            return [self._key(time, *rest)]
        if kind == "text":
            return self._text(time, *rest)
        if kind == "button":
            x, y, dx, dy = self._place(rest[:5])
            button, down, held, hit = rest[5:]
            return [ButtonChanged(time, x, y, button, down, tuple(held), self.element(hit, dx, dy))]
        if kind == "wheel":
            x, y, dx, dy = self._place(rest[:5])
            across, along, held, hit = rest[5:]
            turned = (across / PIXELS_PER_NOTCH, along / PIXELS_PER_NOTCH)
            return [WheelTurned(time, x, y, *turned, tuple(held), self.element(hit, dx, dy))]
        return []

    def move(self, place: list[Any], time: float) -> PointerMoved:
        x, y, _, _ = self._place(place)
        return PointerMoved(time, x, y)

    def element(self, hit: dict[str, Any] | None, dx: float = 0.0, dy: float = 0.0) -> Element | None:
        """The element that was acted on, its box in fractions of the page's view."""
        if hit is None:
            return None
        x, y, wide, high = hit["box"]
        width, height = self.size.width, self.size.height
        box = Box((x + dx) / width, (y + dy) / height, max(0.0, wide) / width, max(0.0, high) / height)
        return Element(
            hit["role"], hit["name"], box, tag=hit["tag"], selector=hit["selector"] or None, states=tuple(hit["states"])
        )

    def _place(self, told: list[Any]) -> tuple[float, float, float, float]:
        """A place in the page's view, and how far the frame it was told from lies within that."""
        x, y, on_screen_x, on_screen_y, top = told
        if top:
            self._offset = (on_screen_x - x, on_screen_y - y)
            return (x, y, 0.0, 0.0)
        there = (on_screen_x - self._offset[0], on_screen_y - self._offset[1])
        return (*there, there[0] - x, there[1] - y)

    def _key(
        self, time: float, down: bool, key: str, text: str, held: list[str], repeat: bool, secret: bool
    ) -> KeyChanged:
        name = canonical(key) or key.lower()
        return KeyChanged(time, name, down, text, tuple(held), masked=secret, repeat=repeat)

    def _text(self, time: float, text: str, hidden: int) -> list[Event]:
        """Text that no key explains comes as a key without a name; hidden text only by its length."""
        if not hidden:
            return [KeyChanged(time, "", True, text), KeyChanged(time + _BRIEFLY, "", False)]
        pairs = ((KeyChanged(time, "", down, masked=True)) for _ in range(hidden) for down in (True, False))
        return list(pairs)
