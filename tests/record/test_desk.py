"""What the machine says of itself, and a clear word where it cannot be recorded."""

from __future__ import annotations

import struct

import pytest

from tests.record.conftest import Desktops
from workalike.core.errors import BadInput
from workalike.env.desktop.display import connect
from workalike.record.desk import XDesk, desk, read_xsettings


@pytest.mark.parametrize(
    "environ", [{"XDG_SESSION_TYPE": "wayland"}, {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}]
)
def test_wayland_is_said_plainly(environ: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"Wayland session.*log in with an X11 session.*--browser"):
        desk(None, environ)


def test_no_display_is_said_plainly() -> None:
    with pytest.raises(BadInput, match="no display to record"):
        desk(None, {})


def test_a_desk_knows_its_screen_pointer_layout_and_scale(desktops: Desktops) -> None:
    desktop = desktops(layout="fr", bare=True)
    found = desk(desktop.name, {"WAYLAND_DISPLAY": "x"})
    assert (found.size(), found.pointer(), found.layout(), found.scale()) == ((1280, 800), (640, 400), "fr", 1.0)
    assert found.settings() == {}
    display = connect(desktop.name)
    display.screen().root.change_text_property(display.intern_atom("RESOURCE_MANAGER"), 31, "Xft.dpi:\t144\n")
    display.sync()
    assert XDesk(desktop.name).scale() == 1.5


def setting(kind: int, name: str, value: bytes) -> bytes:
    padded = name.encode() + b"\0" * (-len(name) % 4)
    return struct.pack("<BxH", kind, len(name)) + padded + struct.pack("<I", 0) + value


def test_a_settings_daemons_announcements_are_read() -> None:
    text = struct.pack("<I", 5) + b"Adwai" + b"\0" * 3
    data = struct.pack("<B3xII", 0, 1, 4)
    data += setting(0, "Net/DoubleClickTime", struct.pack("<i", 400)) + setting(1, "Net/ThemeName", text)
    data += setting(2, "Gtk/Colour", bytes(8)) + setting(0, "Net/DoubleClickDistance", struct.pack("<i", 5))
    assert read_xsettings(data) == {"Net/DoubleClickTime": 400, "Net/DoubleClickDistance": 5}
