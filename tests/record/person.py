"""A scripted person at an X display: moves, clicks, drags, scrolls and types like one, and knows what it did."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import msgspec
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from workalike.core.actions import Action, Button, Click, Drag, Hotkey, MouseDown, MouseUp, Press, Scroll, Wait, Write
from workalike.core.screen import Size
from workalike.env.desktop.keymap import SHIFT, Keymap, symbol_by_name, symbol_named, symbol_of

BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}
KEYS = (
    *("enter", "tab", "esc", "backspace", "delete", "home", "end", "pageup", "pagedown"),
    *("up", "down", "left", "f5", "f2"),
)
HOTKEYS: tuple[tuple[str, ...], ...] = (
    *(("ctrl", "c"), ("ctrl", "v"), ("ctrl", "shift", "t"), ("alt", "left"), ("ctrl", "home"), ("win", "e")),
    *(("ctrl", "alt", "delete"), ("shift", "tab"), ("ctrl", "+"), ("ctrl", "s")),
)
WORDS = (
    *("cat", "Hello World", "3.14", "naïve", "Äpfel & Öl", "a@b.de", "10 €", "{x: [1]}", "garçon", "$HOME"),
    *("crème brûlée", "ein Satz mit Punkt.", "Ünïcödé", "tab\\slash", "~^°", '"quoted"', "ALL CAPS", "x", "Größe > 5"),
)
# How a German keyboard types what it has no key for: the dead key, then the letter.
DEAD = {"à": "`a", "á": "´a", "â": "^a", "è": "`e", "é": "´e", "ê": "^e", "ô": "^o", "û": "^u", "î": "^i", "^": "^ "}
DEAD |= {"ï": "¨i", "ë": "¨e", "ç": "¸c"}
_DEAD_SYMBOLS = {
    "´": "dead_acute",
    "`": "dead_grave",
    "^": "dead_circumflex",
    "¨": "dead_diaeresis",
    "¸": "dead_cedilla",
}


class Done(msgspec.Struct, frozen=True):
    """One thing the person did: the actions it amounts to, how many presses it took, and when (monotonic)."""

    actions: tuple[Action, ...]
    presses: int
    start: float
    end: float


class Person:
    """Acts on a display with a seeded mind. `size` is the screen."""

    def __init__(self, name: str, size: Size, seed: int = 0) -> None:
        self._display, self._size, self._random = Display(name), size, random.Random(seed)
        self._keymap = Keymap.of(self._display)
        self._at = (size.width // 2, size.height // 2)
        self._presses = 0
        self._last_kind = ""

    def do(self) -> Done:
        """One thing, not of a kind that would run together with the one before."""
        acts: dict[str, Callable[[], tuple[Action, ...]]] = {
            "click": self._click,
            "double": lambda: self._click(2),
            "triple": lambda: self._click(3),
            "modified": lambda: self._click(modifiers=self._random.choice((("ctrl",), ("shift",), ("ctrl", "shift")))),
            "drag": self._drag,
            "scroll": self._scroll,
            "write": self._write,
            "press": self._press,
            "hotkey": self._hotkey,
        }
        weights = {"click": 5, "write": 4, "press": 3, "drag": 2, "scroll": 3, "double": 2, "hotkey": 3}
        kinds = [kind for kind in acts if kind != self._last_kind]
        kind = self._random.choices(kinds, [weights.get(kind, 1) for kind in kinds])[0]
        self._last_kind = kind
        return self._done(acts[kind])

    def long_press(self, seconds: float) -> Done:
        self._last_kind = "long"
        return self._done(lambda: self._hold(seconds))

    def fast(self, times: int) -> list[Done]:
        """Several things one right after the other."""
        return [self.do() for _ in range(times)]

    def _done(self, act: Callable[[], tuple[Action, ...]]) -> Done:
        self._presses = 0
        start = time.monotonic()
        actions = act()
        return Done(actions, self._presses, start, time.monotonic())

    def _click(self, count: int = 1, modifiers: tuple[str, ...] = ()) -> tuple[Action, ...]:
        buttons: tuple[Button, ...] = ("left", "left", "left", "right", "middle")
        button = self._random.choice(buttons) if count == 1 else "left"
        at = self._go_somewhere()
        for name in modifiers:
            self._key(symbol_named(name), True)
        for _ in range(count):
            self._button(BUTTONS[button], True)
            self._button(BUTTONS[button], False)
        for name in reversed(modifiers):
            self._key(symbol_named(name), False)
        return (Click(self._size.point(*at), button, count, modifiers),)

    def _hold(self, seconds: float) -> tuple[Action, ...]:
        at = self._size.point(*self._go_somewhere())
        self._button(1, True)
        time.sleep(seconds)
        self._button(1, False)
        return (MouseDown(at), Wait(seconds), MouseUp(at))

    def _drag(self) -> tuple[Action, ...]:
        start = self._go_somewhere()
        corner, end = self._somewhere(start), self._somewhere(start)
        self._button(1, True)
        places = [*self._way(corner), *self._way(end)] if self._random.random() < 0.5 else [*self._way(end)]
        self._button(1, False)
        return (Drag(tuple(self._size.point(*place) for place in places), self._size.point(*start)),)

    def _scroll(self) -> tuple[Action, ...]:
        at = self._go_somewhere()
        button, dx, dy = self._random.choice(((4, 0, -1), (5, 0, 1), (5, 0, 1), (6, -1, 0), (7, 1, 0)))
        notches = self._random.randint(1, 6)
        for _ in range(notches):
            self._button(button, True)
            self._button(button, False)
        return (Scroll(dx * notches, dy * notches, at=self._size.point(*at)),)

    def _write(self) -> tuple[Action, ...]:
        text = self._random.choice(WORDS)
        for character in text:
            self._type(character)
        return (Write(text),)

    def _press(self) -> tuple[Action, ...]:
        key = self._random.choice(KEYS)
        self._stroke(symbol_named(key))
        return (Press((key,)),)

    def _hotkey(self) -> tuple[Action, ...]:
        keys = self._random.choice(HOTKEYS)
        for name in keys:
            self._key(symbol_named(name), True)
        for name in reversed(keys):
            self._key(symbol_named(name), False)
        return (Hotkey(keys),)

    def _type(self, character: str) -> None:
        found = self._keymap.find(symbol_of(character))
        if found is not None:
            self._stroke(symbol_of(character))
            return
        dead, letter = DEAD[character][0], DEAD[character][1]
        symbol = symbol_by_name(_DEAD_SYMBOLS[dead])
        assert symbol
        self._stroke(symbol)
        self._stroke(symbol_of(letter))

    def _stroke(self, symbol: int) -> None:
        found = self._keymap.find(symbol)
        assert found, f"the layout has no key for {symbol:#x}"
        held = [symbol_named("shift")] if found[1] & SHIFT else []
        held += [symbol_named("altgr")] if found[1] & self._keymap.level3 else []
        for modifier in held:
            self._key(modifier, True)
        self._key(symbol, True)
        self._key(symbol, False)
        for modifier in reversed(held):
            self._key(modifier, False)

    def _go_somewhere(self) -> tuple[int, int]:
        place = self._somewhere(self._at)
        for _ in self._way(place):
            pass
        return place

    def _somewhere(self, away_from: tuple[int, int]) -> tuple[int, int]:
        """A place well away from another, and from the counter in the corner."""
        while True:
            x, y = self._random.randrange(10, self._size.width - 10), self._random.randrange(60, self._size.height - 10)
            if abs(x - away_from[0]) + abs(y - away_from[1]) > 80:
                return (x, y)

    def _way(self, end: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Move there in some steps with a bend; yields the places."""
        start, steps = self._at, self._random.randint(4, 12)
        bend = self._random.uniform(-0.15, 0.15)
        for n in range(1, steps + 1):
            part = n / steps
            off = bend * 4 * part * (1 - part)
            x = round(start[0] + (end[0] - start[0]) * part - (end[1] - start[1]) * off)
            y = round(start[1] + (end[1] - start[1]) * part + (end[0] - start[0]) * off)
            place = (min(max(x, 1), self._size.width - 2), min(max(y, 50), self._size.height - 2))
            place = end if n == steps else place
            self._fake(X.MotionNotify, 0, *place)
            time.sleep(0.002)  # a hand is not faster
            self._at = place
            yield place

    def _button(self, number: int, down: bool) -> None:
        self._presses += down
        self._fake(X.ButtonPress if down else X.ButtonRelease, number)

    def _key(self, symbol: int, down: bool) -> None:
        found = self._keymap.find(symbol)
        assert found
        modifier = symbol in range(0xFFE1, 0xFFEF) or symbol == 0xFE03
        self._presses += down and not modifier
        self._fake(X.KeyPress if down else X.KeyRelease, found[0])

    def _fake(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        xtest.fake_input(self._display, kind, detail, x=x, y=y)
        self._display.sync()
