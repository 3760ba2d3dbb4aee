"""Hands on an X display: pointer, wheel and keys through XTest, and text in any script, also when no key types it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from workalike.core.actions import Button
from workalike.core.errors import ActionFailed
from workalike.env.desktop.keymap import ALT, CONTROL, LOCK, SHIFT, WIN, Keymap, symbol_named, symbol_of

if TYPE_CHECKING:
    from Xlib.display import Display

BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}
_WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}
_KEYS_OF_MODIFIERS = {SHIFT: "shift", CONTROL: "ctrl", ALT: "alt", WIN: "win"}


class XInput:
    """Acts on a display. `caught_up` waits until programs have dealt with what was typed; it is called when keys that
    were lent to characters of no key have to be lent anew. Nothing more is done after `until`, on the monotonic clock:
    hands move on a thread, which nobody else could stop."""

    def __init__(self, display: Display, caught_up: Callable[[], object] = lambda: None) -> None:
        self._display, self._caught_up = display, caught_up
        self._keymap = Keymap.of(display)
        self._spare = self._keymap.spare()
        self._lent: dict[int, int] = {}
        self._held: list[int] = []
        self._buttons: list[int] = []
        self.until = math.inf

    def move(self, x: int, y: int) -> None:
        from Xlib import X

        self._check_time()
        self._fake(X.MotionNotify, x=x, y=y)

    def button(self, button: Button, down: bool) -> None:
        self._button(BUTTONS[button], down)

    def wheel(self, dx: int, dy: int) -> None:
        """Turn the wheel by notches: positive `dy` shows what is further down, positive `dx` what is further right."""
        for way, turns in (("down" if dy > 0 else "up", abs(dy)), ("right" if dx > 0 else "left", abs(dx))):
            for _ in range(turns):
                self._check_time()
                self._button(_WHEEL[way], True)
                self._button(_WHEEL[way], False)

    def key(self, name: str, down: bool) -> None:
        """Press or release one key by its canonical name."""
        self._make_room(1)
        keycode, state = self._keycode(symbol_named(name))
        for modifier in self._modifiers(state):
            self._key(modifier, down)
        self._key(keycode, down)

    def press(self, name: str) -> None:
        """Press and release one key."""
        self._make_room(1)
        keycode, state = self._keycode(symbol_named(name))
        self._stroke(keycode, state)

    def hotkey(self, names: tuple[str, ...]) -> None:
        """Press keys together and release them in reverse."""
        self._make_room(len(names))
        down = []
        for name in names:
            keycode, state = self._keycode(symbol_named(name.lower() if len(name) == 1 else name))
            down += [code for code in (*self._modifiers(state), keycode) if code not in down]
        for keycode in down:
            self._key(keycode, True)
        for keycode in reversed(down):
            self._key(keycode, False)

    def write(self, text: str) -> None:
        """Type a text. Characters that no key types are lent spare keys, as many at a time as there are."""
        locked = self._state() & LOCK
        for part in self._parts(text.replace("\r\n", "\n")):
            for character in part:
                keycode, state = self._keycode(symbol_of(character))
                inverted = locked and character.isalpha() and keycode not in self._lent.values()
                self._stroke(keycode, state ^ SHIFT if inverted else state)

    def let_go(self) -> None:
        """Release everything that is still down."""
        for button in reversed(self._buttons.copy()):
            self._button(button, False)
        for keycode in reversed(self._held.copy()):
            self._key(keycode, False)

    def close(self) -> None:
        """Let go, and take back the keys that were lent."""
        self.let_go()
        if self._lent:
            self._caught_up()
            self._return_keys()

    def _parts(self, text: str) -> Iterator[str]:
        """The text in stretches whose characters without a key all fit on the spare ones."""
        part: list[str] = []
        for character in text:
            if self._needs_lending(character):
                if len(self._lent) == len(self._spare):
                    yield "".join(part)
                    part = []
                    self._make_room(1)
                self._lend(symbol_of(character))
            part.append(character)
        yield "".join(part)

    def _needs_lending(self, character: str) -> bool:
        symbol = symbol_of(character)
        return symbol not in self._lent and self._found(symbol) is None

    def _keycode(self, symbol: int) -> tuple[int, int]:
        if symbol in self._lent:
            return self._lent[symbol], 0
        return self._found(symbol) or (self._lend(symbol), 0)

    def _found(self, symbol: int) -> tuple[int, int] | None:
        """The key of a symbol in the layout's first group; in another group that key would type something else."""
        named = symbol >= 0xFE00 and symbol < 0x10000
        return self._keymap.find(symbol) if named or not self._state() >> 13 & 3 else None

    def _make_room(self, keys: int) -> None:
        """Take lent keys back unless there are still so many to lend."""
        if self._lent and len(self._spare) - len(self._lent) < keys:
            self._caught_up()
            self._return_keys()

    def _lend(self, symbol: int) -> int:
        keycode = next((code for code in self._spare if code not in self._lent.values()), None)
        if keycode is None:
            raise ActionFailed("no key types that character here, and the keyboard has none to spare for it")
        # Both groups and both levels get the symbol, so that neither the group nor a held shift changes it.
        self._display.change_keyboard_mapping(keycode, [(symbol,) * 4])
        self._display.sync()
        self._lent[symbol] = keycode
        return keycode

    def _return_keys(self) -> None:
        """Take back every lent key but those that are held down."""
        held = {symbol: keycode for symbol, keycode in self._lent.items() if keycode in self._held}
        for keycode in set(self._lent.values()) - set(held.values()):
            self._display.change_keyboard_mapping(keycode, [(0,) * 4])
        self._display.sync()
        self._lent = held

    def _check_time(self) -> None:
        if time.monotonic() > self.until:
            raise ActionFailed("the action took too long and was broken off")

    def _stroke(self, keycode: int, state: int) -> None:
        self._check_time()
        modifiers = self._modifiers(state)
        for code in (*modifiers, keycode):
            self._key(code, True)
        for code in (keycode, *reversed(modifiers)):
            self._key(code, False)

    def _modifiers(self, state: int) -> list[int]:
        names = [name for mask, name in _KEYS_OF_MODIFIERS.items() if state & mask]
        names += ["altgr"] if state & self._keymap.level3 else []
        found = [self._keymap.find(symbol_named(name)) for name in names]
        return [place[0] for place in found if place]

    def _state(self) -> int:
        return int(self._display.screen().root.query_pointer().mask)

    def _key(self, keycode: int, down: bool) -> None:
        from Xlib import X

        self._fake(X.KeyPress if down else X.KeyRelease, keycode)
        _track(self._held, keycode, down)

    def _button(self, button: int, down: bool) -> None:
        from Xlib import X

        self._fake(X.ButtonPress if down else X.ButtonRelease, button)
        _track(self._buttons, button, down)

    def _fake(self, kind: int, detail: int = 0, x: int = 0, y: int = 0) -> None:
        from Xlib.ext import xtest

        xtest.fake_input(self._display, kind, detail, x=x, y=y)
        self._display.sync()


def straight(start: tuple[int, int], end: tuple[int, int], longest: int = 24) -> Iterator[tuple[int, int]]:
    """The places between two points, the last one included, never further apart than `longest` pixels: programs take a
    press and a release far apart for a drag only when the pointer was seen moving between them."""
    (x0, y0), (x1, y1) = start, end
    steps = max(2, -(-max(abs(x1 - x0), abs(y1 - y0)) // longest))
    for n in range(1, steps + 1):
        yield round(x0 + (x1 - x0) * n / steps), round(y0 + (y1 - y0) * n / steps)


def _track(held: list[int], code: int, down: bool) -> None:
    if down and code not in held:
        held.append(code)
    elif not down and code in held:
        held.remove(code)
