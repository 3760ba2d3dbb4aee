"""The windows of an X display: which one is active, what it is called, which program it belongs to, where it lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from workalike.core.program import Program

if TYPE_CHECKING:
    from Xlib.display import Display

Rectangle = tuple[int, int, int, int]
_PASSING = (
    *("SPLASH", "TOOLTIP", "NOTIFICATION", "MENU", "DROPDOWN_MENU", "POPUP_MENU", "COMBO", "DND"),
    *("DESKTOP", "DOCK"),
)


class Window(msgspec.Struct, frozen=True):
    """One window of a program. `box` is left, top, width and height on the desktop; a menu, a list that dropped down
    and the like is a `popup`."""

    id: int
    title: str
    program: str
    pid: int | None
    box: Rectangle
    popup: bool = False


def active_window(display: Display) -> Window | None:
    """The window that has the keyboard: as the window manager says, else as the server does. None when there is none,
    or when it closes while being asked about."""
    from Xlib.error import XError

    try:
        return _active(display)
    except XError:
        return None


def window_at_pointer(display: Display) -> Window | None:
    """The topmost window under the pointer, menus and the like included."""
    from Xlib.error import XError

    try:
        child = display.screen().root.query_pointer().child
        found = describe(display, _client_within(display, child.id)) if child else None
        return found and msgspec.structs.replace(found, popup=_pops_up(display, child))
    except XError:
        return None


def _pops_up(display: Display, window: Any) -> bool:
    """Whether a window stands above the others without being one of them; a tooltip is only written across them."""
    kinds = _property(window, display, "_NET_WM_WINDOW_TYPE")
    notes = {display.intern_atom(f"_NET_WM_WINDOW_TYPE_{name}") for name in ("TOOLTIP", "NOTIFICATION", "DND")}
    return bool(window.get_attributes().override_redirect and not (kinds is not None and notes & set(kinds)))


def _active(display: Display) -> Window | None:
    from Xlib import X

    managed = _property(display.screen().root, display, "_NET_ACTIVE_WINDOW")
    if managed is not None and len(managed) and managed[0]:
        return describe(display, int(managed[0]))
    focus = display.get_input_focus().focus
    if focus in (X.NONE, X.PointerRoot):
        return window_at_pointer(display)
    return describe(display, _client_above(display, focus.id))


def windows(display: Display) -> list[Window]:
    """Every window of every program."""
    root = display.screen().root
    listed = _property(root, display, "_NET_CLIENT_LIST")
    ids = (
        [int(window) for window in listed]
        if listed is not None
        else [int(each.id) for each in root.query_tree().children if _is_shown(each)]
    )
    return [window for window in (describe(display, id_) for id_ in ids) if window is not None]


def standing(display: Display) -> list[Window]:
    """The windows that are there to be worked with: shown, and neither splash screens nor menus and the like."""
    passing = {display.intern_atom(f"_NET_WM_WINDOW_TYPE_{name}") for name in _PASSING}
    there = [(window, display.create_resource_object("window", window.id)) for window in windows(display)]
    return [window for window, held in there if _is_shown(held) and not passing & _kinds(held, display)]


def _is_shown(window: Any) -> bool:
    """Whether a window is one that a window manager would list; one that is gone already is not."""
    from Xlib import X
    from Xlib.error import XError

    try:
        seen = window.get_attributes()
    except XError:
        return False
    return bool(seen.map_state == X.IsViewable and seen.win_class == X.InputOutput and not seen.override_redirect)


def _kinds(window: Any, display: Display) -> set[int]:
    from Xlib.error import XError

    try:
        return set(_property(window, display, "_NET_WM_WINDOW_TYPE") or ())
    except XError:
        return set()


def describe(display: Display, id_: int) -> Window | None:
    """A window by its number; None when it is gone."""
    from Xlib.error import XError

    try:
        window = display.create_resource_object("window", id_)
        pid = _property(window, display, "_NET_WM_PID")
        known = int(pid[0]) if pid is not None and len(pid) else None
        return Window(id_, _title(window, display), _program(window, known), known, _box(window, display))
    except XError:
        return None


def pingable(display: Display, id_: int) -> bool:
    """Whether a window answers when it is asked if its program is alive."""
    from Xlib.error import XError

    try:
        known = _property(display.create_resource_object("window", id_), display, "WM_PROTOCOLS")
    except XError:
        return False
    return known is not None and display.intern_atom("_NET_WM_PING") in known


def program_of(pid: int) -> Program | None:
    """The program of a process as it was started; None when it is gone or somebody else's."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
        folder = os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return None
    return Program(tuple(part.decode("utf-8", "replace") for part in command), folder) if command else None


def _title(window: Any, display: Display) -> str:
    name = _property(window, display, "_NET_WM_NAME")
    if name is None:
        name = _property(window, display, "WM_NAME")
    if name is None:
        return ""
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def _program(window: Any, pid: int | None) -> str:
    named = window.get_wm_class()
    if named:
        return str(named[1] or named[0])
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() if pid else ""
    except OSError:
        return ""


def _box(window: Any, display: Display) -> Rectangle:
    size = window.get_geometry()
    place = display.screen().root.translate_coords(window, 0, 0)
    return (place.x, place.y, size.width, size.height)


def _client_within(display: Display, id_: int) -> int:
    """The program's own window inside a window manager's frame."""
    window = display.create_resource_object("window", id_)
    if window.get_wm_class() or _property(window, display, "_NET_WM_PID") is not None:
        return id_
    for child in reversed(window.query_tree().children):
        if child.get_wm_class():
            return int(child.id)
    return id_


def _client_above(display: Display, id_: int) -> int:
    """The program's window that holds a part of it which has the keyboard."""
    window, root = display.create_resource_object("window", id_), display.screen().root.id
    while not window.get_wm_class():
        parent = window.query_tree().parent
        if not parent or parent.id == root:
            break
        window = parent
    return int(window.id)


def _property(window: Any, display: Display, name: str) -> Any:
    from Xlib import X

    found = window.get_full_property(display.intern_atom(name), X.AnyPropertyType)
    return None if found is None else found.value
