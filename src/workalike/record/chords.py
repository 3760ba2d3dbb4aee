"""The keys that pause and stop a recording, taken out of it: no press, no release, no modifier of theirs stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from workalike.core.errors import BadInput
from workalike.core.keyboard import canonical, modifier
from workalike.core.recording import ButtonChanged, Event, KeyChanged, WheelTurned

Command = Literal["pause", "stop"]
Chord = frozenset[str]

STOP = "ctrl+shift+f12"
PAUSE = "ctrl+shift+f11"


def chord(text: str) -> Chord:
    """The keys of a chord written with plus signs.

    >>> sorted(chord("Ctrl+Shift+F12"))
    ['ctrl', 'f12', 'shift']
    """
    keys = [canonical(part.strip()) for part in text.split("+")]
    if None in keys or not keys:
        raise BadInput(f"{text!r} is not a chord of keys; write it like {STOP}")
    names = frozenset(_plain(key) for key in keys if key)
    if all(modifier(name) for name in names):
        raise BadInput(f"{text!r} has only modifiers; a chord needs one other key, as in {STOP}")
    return names


class ChordFilter:
    """Passes events on, but for those of the chords.

    Presses of a chord's modifiers wait, and everything after them with them, until it is clear that they belong to
    something else: another key or button goes down, or a modifier goes up."""

    def __init__(self, chords: Mapping[Command, Chord]) -> None:
        self._chords = dict(chords)
        self._modifiers = {key for keys in chords.values() for key in keys if modifier(key)}
        self._waiting: list[Event] = []
        self._down: set[str] = set()
        self._passed: dict[str, KeyChanged] = {}
        self._swallowed: set[str] = set()

    def feed(self, event: Event) -> tuple[list[Event], Command | None]:
        """What may go on, and the command that a completed chord gives."""
        if not isinstance(event, KeyChanged):
            return self._other(event), None
        name = _plain(event.key)
        if event.down:
            self._down.add(name)
            command = None if event.key in self._swallowed else self._command(name)
            return (self._take_out(event), command) if command else (self._pressed(event, name), None)
        self._down.discard(name)
        return self._released(event), None

    @property
    def waiting_since(self) -> float | None:
        return self._waiting[0].time if self._waiting else None

    def flush(self) -> list[Event]:
        """Whatever still waits."""
        waiting, self._waiting = self._waiting, []
        self._note(waiting)
        return waiting

    def let_go(self, time: float) -> list[Event]:
        """Releases of the keys that are down in the data, for the time when nothing more is captured. Their real
        releases are not passed on any more."""
        held, self._passed = list(self._passed.values()), {}
        self._swallowed |= {press.key for press in held}
        return [KeyChanged(time, press.key, False, masked=press.masked) for press in reversed(held)]

    def _command(self, name: str) -> Command | None:
        for command, keys in self._chords.items():
            if name in keys and not modifier(name) and keys <= self._down:
                return command
        return None

    def _take_out(self, event: KeyChanged) -> list[Event]:
        """The chord is complete: its modifiers, which wait, are dropped; the rest of what waits is not."""
        self._swallowed.add(event.key)
        kept: list[Event] = []
        for waiting in self._waiting:
            if isinstance(waiting, KeyChanged):
                self._swallowed.add(waiting.key)
            else:
                kept.append(waiting)
        self._waiting = []
        return kept

    def _pressed(self, event: KeyChanged, name: str) -> list[Event]:
        if event.key in self._swallowed:
            return []  # a chord's key that repeats itself
        if name in self._modifiers and not event.repeat:
            self._waiting.append(event)
            return []
        if event.repeat and self._waiting:
            self._waiting.append(event)
            return []
        return self._pass(event)

    def _released(self, event: KeyChanged) -> list[Event]:
        if event.key in self._swallowed:
            self._swallowed.discard(event.key)
            return []
        return self._pass(event)

    def _other(self, event: Event) -> list[Event]:
        if self._waiting and not isinstance(event, ButtonChanged | WheelTurned):
            self._waiting.append(event)
            return []
        return self._pass(event)

    def _pass(self, event: Event) -> list[Event]:
        passed = [*self.flush(), event]
        self._note([event])
        return passed

    def _note(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, KeyChanged) and event.down:
                self._passed[event.key] = event
            elif isinstance(event, KeyChanged):
                self._passed.pop(event.key, None)


def without_interrupt(events: list[Event]) -> list[Event]:
    """Events without a ctrl+c at their end: the one that a terminal took for the order to stop."""
    keys = [event for event in events if isinstance(event, KeyChanged)]
    pressed = [event for event in keys if event.down and event.key == "c" and "ctrl" in event.modifiers]
    if not pressed:
        return events
    press = pressed[-1]
    since = max(
        (e.time for e in keys if e.down and _plain(e.key) == "ctrl" and e.time <= press.time), default=press.time
    )
    return [e for e in events if not (isinstance(e, KeyChanged) and e.time >= since and _plain(e.key) in ("ctrl", "c"))]


def _plain(key: str) -> str:
    """A key without its side: either control key serves for ctrl."""
    return modifier(key) or key
