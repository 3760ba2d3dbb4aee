"""Input on machines without X, through pynput. Windows and macOS take these calls; they have not been tried there.

Characters are what pynput makes of a key, so that dead keys and input methods are less exact than on X."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workalike.core.actions import Button
from workalike.core.errors import MissingExtra
from workalike.core.keyboard import canonical, modifier
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved, WheelTurned
from workalike.record.clock import Clock

_BUTTONS: dict[str, Button] = {"left": "left", "middle": "middle", "right": "right"}


class OtherInput:
    """Listens to keyboard and mouse until stopped. Events are stamped as they come in."""

    def __init__(self, clock: Clock, tell: Callable[[Event], None]) -> None:
        keyboard, mouse = _pynput()
        self._clock, self._tell = clock, tell
        self._down: dict[str, str] = {}
        self.before_start = 0
        self._keyboard = keyboard.Listener(on_press=self._pressed, on_release=self._released)
        self._mouse = mouse.Listener(on_move=self._moved, on_click=self._clicked, on_scroll=self._scrolled)

    def start(self) -> None:
        for listener in (self._keyboard, self._mouse):
            listener.start()
            listener.wait()

    def stop(self) -> None:
        for listener in (self._keyboard, self._mouse):
            listener.stop()

    def _moved(self, x: float, y: float, *_: object) -> None:
        self._tell(PointerMoved(self._clock.now(), x, y))

    def _clicked(self, x: float, y: float, button: Any, down: bool, *_: object) -> None:
        if button.name in _BUTTONS:
            self._tell(ButtonChanged(self._clock.now(), x, y, _BUTTONS[button.name], down, self._modifiers()))

    def _scrolled(self, x: float, y: float, dx: float, dy: float, *_: object) -> None:
        self._tell(WheelTurned(self._clock.now(), x, y, dx, -dy, self._modifiers()))

    def _pressed(self, key: Any, *_: object) -> None:
        name, text = describe(key)
        held = self._modifiers()
        repeat = name in self._down
        commanded = bool({"ctrl", "alt", "win", "command"} & set(held))
        self._down.setdefault(name, name)
        self._tell(KeyChanged(self._clock.now(), name, True, "" if commanded else text, held, repeat=repeat))

    def _released(self, key: Any, *_: object) -> None:
        name, _text = describe(key)
        if self._down.pop(name, None) is None:
            self.before_start += 1
            return
        self._tell(KeyChanged(self._clock.now(), name, False, modifiers=self._modifiers()))

    def _modifiers(self) -> tuple[str, ...]:
        held = (modifier(name) for name in self._down)
        return tuple(dict.fromkeys(name for name in held if name))


class OtherDesk:
    """A desk without X: what mss and pynput can tell."""

    def __init__(self) -> None:
        _, mouse = _pynput()
        self._mouse = mouse.Controller()

    def size(self) -> tuple[int, int]:
        import mss

        with mss.MSS() as grabber:
            whole = grabber.monitors[0]
        return (whole["width"], whole["height"])

    def pointer(self) -> tuple[int, int]:
        x, y = self._mouse.position
        return (int(x), int(y))

    def scale(self) -> float:
        return 1.0

    def layout(self) -> str | None:
        return None

    def settings(self) -> dict[str, float]:
        return {}


def _pynput() -> tuple[Any, Any]:
    """Its keyboard and its mouse; importing them connects to the display."""
    try:
        from pynput import keyboard, mouse
    except ModuleNotFoundError as error:
        raise MissingExtra("recording on this system", "pynput", "record") from error
    return keyboard, mouse


def describe(key: Any) -> tuple[str, str]:
    """The canonical name of a key and the text it types. A letter's key is the small letter."""
    text = getattr(key, "char", None)
    if text:
        return (text.lower() if len(text.lower()) == 1 else text, text)
    named = getattr(key, "name", None)
    name = canonical(named or "") or named or f"vk{getattr(key, 'vk', '')}"
    return name, " " if name == "space" else ""
