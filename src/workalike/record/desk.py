"""What a recorder needs to know of the machine it runs on: screen, pointer, layout, and how fast a double click is."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from workalike.core.errors import BadInput
from workalike.env.desktop.display import connect

if TYPE_CHECKING:
    from Xlib.display import Display

_XSETTINGS = {"Net/DoubleClickTime": ("click_interval", 0.001), "Net/DoubleClickDistance": ("click_distance", 1.0)}
WAYLAND = (
    "this is a Wayland session, where no program may watch other programs' screen and keys: "
    "log in with an X11 session ('on Xorg'), or record a browser with --browser URL"
)


class Desk(Protocol):
    """The machine, as far as a recorder needs it."""

    def size(self) -> tuple[int, int]: ...

    def pointer(self) -> tuple[int, int]: ...

    def scale(self) -> float: ...

    def layout(self) -> str | None: ...

    def settings(self) -> dict[str, float]: ...


class XDesk:
    """A desk with an X display."""

    def __init__(self, name: str | None) -> None:
        self._display = connect(name)

    def size(self) -> tuple[int, int]:
        found = self._display.screen().root.get_geometry()
        return (found.width, found.height)

    def pointer(self) -> tuple[int, int]:
        found = self._display.screen().root.query_pointer()
        return (found.root_x, found.root_y)

    def scale(self) -> float:
        """By how much the desktop enlarges what it shows: 96 dots an inch mean 1."""
        text = _root_text(self._display, "RESOURCE_MANAGER")
        dots = (line.partition(":")[2] for line in text.splitlines() if line.startswith("Xft.dpi"))
        try:
            return round(float(next(dots, "96")) / 96, 3)
        except ValueError:
            return 1.0

    def layout(self) -> str | None:
        """The name of the keyboard layout, as `setxkbmap` would print it."""
        names = _root_text(self._display, "_XKB_RULES_NAMES").split("\0")[2:4]
        return " ".join(filter(None, names)) or None

    def settings(self) -> dict[str, float]:
        """The double-click time and distance that the desktop's settings daemon announces, if there is one."""
        owner = self._display.get_selection_owner(self._display.intern_atom("_XSETTINGS_S0"))
        if not owner:
            return {}
        found = owner.get_full_property(self._display.intern_atom("_XSETTINGS_SETTINGS"), 0)
        numbers = read_xsettings(bytes(found.value)) if found is not None else {}
        return {name: numbers[key] * unit for key, (name, unit) in _XSETTINGS.items() if key in numbers}


def desk(display: str | None, environ: Mapping[str, str] = os.environ) -> Desk:
    """The desk to record: the X display that is named, or the user's own."""
    if sys.platform != "linux":
        from workalike.record.elsewhere import OtherDesk

        return OtherDesk()
    if display is None and (environ.get("XDG_SESSION_TYPE") == "wayland" or environ.get("WAYLAND_DISPLAY")):
        raise BadInput(WAYLAND)
    if display is None and not environ.get("DISPLAY"):
        raise BadInput("there is no display to record: DISPLAY is not set; name one with --display")
    return XDesk(display)


def read_xsettings(data: bytes) -> dict[str, int]:
    """The numbers among a settings daemon's announcements."""
    order = ">" if data[:1] == b"\1" else "<"
    (count,) = struct.unpack_from(order + "I", data, 8)
    place, numbers = 12, {}
    for _ in range(count):
        kind, length = struct.unpack_from(order + "BxH", data, place)
        name = data[place + 4 : place + 4 + length].decode("latin-1")
        place += 4 + _padded(length) + 4
        if kind == 0:
            (numbers[name],) = struct.unpack_from(order + "i", data, place)
            place += 4
        elif kind == 1:
            (length,) = struct.unpack_from(order + "I", data, place)
            place += 4 + _padded(length)
        else:
            place += 8
    return numbers


def _padded(length: int) -> int:
    return (length + 3) // 4 * 4


def _root_text(display: Display, name: str) -> str:
    from Xlib import X

    found: Any = display.screen().root.get_full_property(display.intern_atom(name), X.AnyPropertyType)
    if found is None:
        return ""
    return found.value.decode("latin-1") if isinstance(found.value, bytes) else str(found.value)
