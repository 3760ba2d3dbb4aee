"""Where the programs on a display can be asked about themselves: the session bus they were started with."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from workalike.env.desktop.windows import Window

ADDRESS = "DBUS_SESSION_BUS_ADDRESS"


def session_bus(windows: Iterable[Window], environ: Mapping[str, str]) -> str | None:
    """The address of the bus that the programs of some windows use, else of the one that an environment names or has at
    its usual place; None when there is none."""
    told = (_environ_of(window.pid).get(ADDRESS) for window in windows if window.pid is not None)
    usual = Path(environ.get("XDG_RUNTIME_DIR") or "/nowhere", "bus")
    return next(filter(None, told), None) or environ.get(ADDRESS) or (f"unix:path={usual}" if usual.exists() else None)


def _environ_of(pid: int) -> dict[str, str]:
    """What a process was started with; nothing where it is gone or somebody else's."""
    try:
        pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(os.fsdecode(pair).split("=", 1) for pair in pairs if b"=" in pair)
