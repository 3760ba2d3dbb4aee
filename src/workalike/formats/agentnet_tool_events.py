"""The input events of an AgentNetTool recording, as pynput reported them on Windows, macOS and Linux."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, cast

import msgspec

from workalike.core.actions import Button
from workalike.core.errors import Damaged
from workalike.core.keyboard import canonical
from workalike.core.recording import ButtonChanged, Event, KeyChanged, Paused, PointerMoved, Resumed, WheelTurned

STOP_KEYS = (("ctrl", "alt", "t"), ("command", "alt", "t"), ("command", "alt", "†"), ("win", "alt", "t"))
"""What ends a recording of the tool: ctrl or command, alt and T. Option and T write a dagger on a Mac."""

_BUTTONS = ("left", "right", "middle")
_ACCENTS = {
    "`": "\u0300", "´": "\u0301", "'": "\u0301", "^": "\u0302", "~": "\u0303", "¨": "\u0308", '"': "\u0308",
    "°": "\u030a", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "˝": "\u030b",
}  # fmt: skip
_CODE = re.compile(r"<\d+>")
_CONTROL = re.compile(r"'\\(x[01][0-9a-f]|[tnr])'")


class EventLine(msgspec.Struct, frozen=True):
    """One line of `events.jsonl`."""

    time_stamp: float
    action: str
    x: float = 0.0
    y: float = 0.0
    dx: float = 0.0
    dy: float = 0.0
    button: str = ""
    pressed: bool = False
    name: str = ""
    pynput_key: str = ""
    event_idx: int = -1


def is_tool_event(line: bytes) -> bool:
    """Whether a line is an event of the tool's rather than one of ours."""
    try:
        document: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(document, dict) and "time_stamp" in document and "action" in document


def is_command_name(row: EventLine) -> bool:
    """Whether a key is named by the command it stands for under ctrl, as Windows does."""
    return _CONTROL.fullmatch(row.pynput_key) is not None and len(row.name) == 1


class Skipped:
    """Counts what the tool recorded and we have no word for."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def add(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


def events(
    rows: Iterable[EventLine], system: str, start: float = 0.0, skipped: Skipped | None = None
) -> Iterator[Event]:
    """Our events for the tool's, with times counted from `start`. What has no counterpart (the thumb buttons of a
    mouse) is counted in `skipped`."""
    keys = _Keys(system)
    skipped = skipped or Skipped()
    for row in rows:
        time = row.time_stamp - start
        match row.action:
            case "move":
                yield PointerMoved(time, row.x, row.y)
            case "click" if row.button in _BUTTONS:
                yield ButtonChanged(time, row.x, row.y, cast(Button, row.button), row.pressed)
            case "click":
                skipped.add(f"button {row.button or 'without a name'}")
            case "scroll":
                # Positive is up everywhere, but left on macOS and right elsewhere.
                yield WheelTurned(time, row.x, row.y, -row.dx if system == "Darwin" else row.dx, -row.dy or 0.0)
            case "press" | "release":
                yield keys.event(row, time)
            case "pause":
                yield Paused(time)
            case "resume":
                yield Resumed(time)
            case _:
                raise Damaged(f"event {row.event_idx} is a {row.action!r}, which AgentNetTool doesn't record")


class _Keys:
    """Names keys and works out what they wrote. A dead key is kept in mind for the letter after it."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._accent = ""

    def event(self, row: EventLine, time: float) -> KeyChanged:
        key, text = self._key(row)
        if row.action == "release":
            return KeyChanged(time, key, False)
        if row.pynput_key.startswith("["):
            self._accent = _ACCENTS.get(key, "")
            return KeyChanged(time, key, True)
        if self._accent and text:
            text = unicodedata.normalize("NFC", text + self._accent)
            self._accent = ""
        return KeyChanged(time, key, True, text)

    def _key(self, row: EventLine) -> tuple[str, str]:
        """The canonical name of a key, and the text it writes by itself."""
        code = _CODE.fullmatch(row.pynput_key)
        name = row.name
        if len(name) == 1:
            commanded = _CONTROL.fullmatch(row.pynput_key) is not None
            plain = name.lower() if commanded or (code and name.isalpha()) else name
            return ("space" if plain == " " else plain), "" if commanded else plain
        named = canonical(name.replace(" ", "_")) or name
        if named == "command" and self._system != "Darwin":
            named = "win"
        if named == "commandright" and self._system != "Darwin":
            named = "winright"
        return named, " " if named == "space" else ""
