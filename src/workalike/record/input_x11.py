"""Every press, release, move and notch of the wheel on an X display, stamped by the server, with what was typed."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from workalike.core.actions import Button
from workalike.core.errors import Infrastructure
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved, WheelTurned
from workalike.env.desktop.display import connect
from workalike.env.desktop.keymap import ALT, CONTROL, SHIFT, WIN, Keymap
from workalike.record.clock import Clock, ServerTime
from workalike.record.compose import Composer

if TYPE_CHECKING:
    from Xlib.display import Display

_BUTTONS: dict[int, Button] = {1: "left", 2: "middle", 3: "right"}
_WHEEL = {4: (0, -1), 5: (0, 1), 6: (-1, 0), 7: (1, 0)}
_THUMB = {8: "browserback", 9: "browserforward"}
_MODIFIERS = {"ctrl": CONTROL, "shift": SHIFT, "alt": ALT, "win": WIN}
_MODIFIER_SYMBOLS = (*range(0xFFE1, 0xFFEF), 0xFE03, 0xFE11, 0xFF7E, 0xFF7F)
# type, detail, sequence, time, root, event, child, root x and y, event x and y, state, same screen
_WIRE = struct.Struct("=BBHIIIIhhhhHBx")
_KEY_DOWN, _KEY_UP, _BUTTON_DOWN, _BUTTON_UP, _MOTION = range(2, 7)


class Reading:
    """Turns what the server reports into events: which key is which, and what it typed."""

    def __init__(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self.before_start = 0
        self._composer = Composer()
        self._down: dict[int, str] = {}

    def event(self, kind: int, detail: int, state: int, time: float, x: int, y: int) -> Event | None:
        """The event that a report means; None for the second half of a wheel's notch, and the like."""
        if kind == _MOTION:
            return PointerMoved(time, x, y)
        if kind in (_BUTTON_DOWN, _BUTTON_UP):
            return self._button(detail, kind == _BUTTON_DOWN, state, time, x, y)
        return self._press(detail, state, time) if kind == _KEY_DOWN else self._release(detail, state, time)

    def _button(self, detail: int, down: bool, state: int, time: float, x: int, y: int) -> Event | None:
        held = modifiers_of(state)
        self._composer.forget()
        if detail in _BUTTONS:
            return ButtonChanged(time, x, y, _BUTTONS[detail], down, held)
        if detail in _WHEEL:
            dx, dy = _WHEEL[detail]
            return WheelTurned(time, x, y, dx, dy, held) if down else None
        return KeyChanged(time, _THUMB[detail], down, modifiers=held) if detail in _THUMB else None

    def _press(self, keycode: int, state: int, time: float) -> KeyChanged:
        stroke = self.keymap.stroke(keycode, state)
        text = stroke.text
        if stroke.symbol not in _MODIFIER_SYMBOLS:
            text = self._composer.feed(stroke.symbol, stroke.text)
        repeat = keycode in self._down
        key = self._down.setdefault(keycode, stroke.key)
        return KeyChanged(time, key, True, text, modifiers_of(state), repeat=repeat)

    def _release(self, keycode: int, state: int, time: float) -> KeyChanged | None:
        key = self._down.pop(keycode, None)
        if key is None:
            self.before_start += 1
            return None
        return KeyChanged(time, key, False, modifiers=modifiers_of(state))


class XListener:
    """Listens to a display until stopped. `tell` is called with every event, `lost` once if the display goes away."""

    def __init__(
        self, name: str | None, clock: Clock, tell: Callable[[Event], None], lost: Callable[[str], None]
    ) -> None:
        self._clock, self._tell, self._lost = clock, tell, lost
        self._control, self._data = connect(name), connect(name)
        if not self._data.has_extension("RECORD"):
            raise Infrastructure("this display cannot be recorded: its server has no RECORD extension")
        self._server = ServerTime.measured(self._control)
        self.reading = Reading(Keymap.of(self._control))
        self._context = _create_context(self._control)
        self._ready = threading.Event()
        self._stopping = False
        self._last = 0.0
        self._thread = threading.Thread(target=self._listen, name="input", daemon=True)

    @property
    def before_start(self) -> int:
        """Releases of keys that were already down when the listening began; they are no part of it."""
        return self.reading.before_start

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(5)

    def stop(self) -> None:
        from Xlib.error import ConnectionClosedError

        self._stopping = True
        try:
            self._control.record_disable_context(self._context)
            self._control.sync()
        except (ConnectionClosedError, OSError):
            pass
        self._thread.join(2)

    def _listen(self) -> None:
        why = "the server ended it"
        try:
            self._data.record_enable_context(self._context, self._receive)
        except Exception as error:  # whatever ended the listening ends the recording, and is said
            why = f"{type(error).__name__}: {error}"
        if not self._stopping:
            self._lost(why)

    def _receive(self, reply: Any) -> None:
        self._ready.set()
        if reply.category != 0:  # the first reply only says that the listening has begun
            return
        self._follow_layout()
        data = bytes(reply.data)
        for offset in range(0, len(data) - _WIRE.size + 1, _WIRE.size):
            kind, detail, _, stamp, _, _, _, x, y, _, _, state, _ = _WIRE.unpack_from(data, offset)
            time = self._ordered(self._clock.at(self._server.monotonic(stamp)))
            event = self.reading.event(kind & 0x7F, detail, state, time, x, y)
            if event is not None:
                self._tell(event)

    def _ordered(self, time: float) -> float:
        """Stamps are whole milliseconds; what came later within one is told apart by microseconds."""
        self._last = max(time, round(self._last + 1e-6, 6))
        return self._last

    def _follow_layout(self) -> None:
        from Xlib import X

        changed = False
        while self._control.pending_events():
            changed |= self._control.next_event().type == X.MappingNotify
        if changed:
            self.reading.keymap = Keymap.of(self._control)


def modifiers_of(state: int) -> tuple[str, ...]:
    return tuple(name for name, mask in _MODIFIERS.items() if state & mask)


def _create_context(display: Display) -> int:
    from Xlib import X
    from Xlib.ext import record

    nothing = (0, 0)
    wanted = {
        "core_requests": nothing,
        "core_replies": nothing,
        "ext_requests": (0, 0, 0, 0),
        "ext_replies": (0, 0, 0, 0),
        "delivered_events": nothing,
        "device_events": (X.KeyPress, X.MotionNotify),
        "errors": nothing,
        "client_started": False,
        "client_died": False,
    }
    context = display.record_create_context(0, [record.AllClients], [wanted])
    display.sync()
    return int(context)
