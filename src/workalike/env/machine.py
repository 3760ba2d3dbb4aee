"""What this machine has and lacks for watching people and letting agents act: the checks behind `workalike doctor`."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from workalike.core.errors import BadInput, install_hint
from workalike.env.browser import chromium
from workalike.env.desktop.display import lacking
from workalike.env.install import DESKTOP, Say, by_apt, by_pip
from workalike.models.keys import Keys

State = Literal["ok", "optional", "missing"]
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "HF_TOKEN")
LITTLE_DISK = 2 * 10**9
_RECORDING = {"av": "av", "mss": "mss", "dbus_fast": "dbus-fast"} | (
    {"Xlib": "python-xlib"} if sys.platform == "linux" else {"pynput": "pynput"}
)
_WITHOUT = {
    "Xvfb": "no X server: agents have no virtual desktop",
    "dbus-daemon": "no session bus: a virtual desktop's programs tell no trees",
    "openbox": "no window manager: windows of a virtual desktop lie where they came up, without frames",
}
_BUS_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")


class MachineCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing looked at. `missing` is needed for the main job, `optional` only for what `text` says."""

    name: str
    state: State
    text: str
    remedy: str = ""


def python() -> MachineCheck:
    running = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= sys.version_info[:2] <= (3, 13):
        return MachineCheck("python", "ok", running)
    return MachineCheck("python", "missing", f"{running} is not supported", "use Python 3.11, 3.12 or 3.13")


def browser() -> MachineCheck:
    try:
        path = chromium.find()
        return MachineCheck("browser", "ok", f"{chromium.version(path)} at {path}")
    except BadInput as error:
        return MachineCheck("browser", "missing", "none that starts", str(error))


def display() -> MachineCheck:
    if sys.platform != "linux":
        return MachineCheck("display", "ok", "the system's own")
    if os.environ.get("DISPLAY"):
        return MachineCheck("display", "ok", f"X11 on {os.environ['DISPLAY']}")
    virtual = shutil.which("Xvfb")
    if virtual:
        return MachineCheck("display", "ok", f"none of one's own; virtual ones with {virtual}")
    if os.environ.get("WAYLAND_DISPLAY"):
        return MachineCheck(
            "display", "optional", "Wayland, which cannot be recorded", "log in to an X11 session, or use Xvfb"
        )
    return MachineCheck("display", "optional", "none: desktop recording and acting need one", "apt-get install xvfb")


def desktop() -> MachineCheck:
    """What the desktops consist of that agents and tests are given for their own."""
    if sys.platform != "linux":
        return MachineCheck("desktop", "optional", "virtual desktops are made on Linux only", "none needed otherwise")
    absent = lacking()
    if not absent:
        return MachineCheck("desktop", "ok", "virtual ones with X server, session bus and window manager")
    wanted = " ".join(DESKTOP[name] for name in absent)
    return MachineCheck(
        "desktop", "optional", "; ".join(_WITHOUT[name] for name in absent), f"apt-get install {wanted}"
    )


def accessibility() -> MachineCheck:
    if sys.platform != "linux":
        return MachineCheck(
            "accessibility", "optional", "trees are captured on Linux only", "none needed to record the rest"
        )
    launcher = next((path for path in _BUS_LAUNCHERS if Path(path).exists()), None)
    if launcher is None or not shutil.which("dbus-daemon"):
        return MachineCheck(
            "accessibility", "optional", "no bus: recordings lack trees", "apt-get install at-spi2-core dbus"
        )
    session = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    text = "bus reachable" if session else f"{launcher}; no session bus, one is started when recording"
    return MachineCheck("accessibility", "ok", text)


def codecs() -> MachineCheck:
    lacking = [name for module, name in _RECORDING.items() if importlib.util.find_spec(module) is None]
    if lacking:
        return MachineCheck("codecs", "optional", f"recording needs {', '.join(lacking)}", install_hint("record"))
    import av

    encoders = [name for name in ("libx264", "h264", "libvpx-vp9", "mpeg4") if name in av.codecs_available]
    if not encoders:
        return MachineCheck("codecs", "optional", "PyAV has no video encoder", "pip install --force-reinstall av")
    return MachineCheck("codecs", "ok", f"PyAV {av.__version__} with {', '.join(encoders)}")


def keys(environment: Mapping[str, str] | None = None) -> MachineCheck:
    """Which keys are present; never what they are."""
    known = Keys.load(environment=environment)
    present = [name for name in KEYS if known.get(name)]
    if present:
        return MachineCheck("keys", "ok", f"{', '.join(present)} present")
    return MachineCheck(
        "keys", "optional", "none: the town needs none", f"set {KEYS[0]} or {KEYS[2]} for hosted models"
    )


def disk(folder: Path = Path(".")) -> MachineCheck:
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.0f} GB free here"
    if free < LITTLE_DISK:
        return MachineCheck(
            "disk", "missing", text, "free some space: a run of 609 tasks with pictures takes about 2 GB"
        )
    return MachineCheck("disk", "ok", text)


CHECKS: dict[str, Callable[[], MachineCheck]] = {
    "python": python,
    "browser": browser,
    "display": display,
    "desktop": desktop,
    "accessibility": accessibility,
    "codecs": codecs,
    "keys": keys,
    "disk": disk,
}


def fix(name: str, say: Say) -> str | None:
    """Repair what a check found; None when that worked, else why not. What only a person can do is said."""
    match name:
        case "browser":
            try:
                chromium.install(say)
            except BadInput as error:
                return str(error)
            return None
        case "display":
            return by_apt((DESKTOP["Xvfb"],), say)
        case "desktop":
            return by_apt([DESKTOP[name] for name in lacking()], say)
        case "accessibility":
            return by_apt(("at-spi2-core", "dbus"), say)
        case "codecs":
            return by_pip(tuple(_RECORDING.values()), say)
        case _:
            return "only you can mend that"
