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

from workalike.core.errors import BadInput
from workalike.env import chromium
from workalike.env.install import Say, by_apt, by_pip
from workalike.models.keys import Keys

State = Literal["ok", "optional", "missing"]
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "HF_TOKEN")
LITTLE_DISK = 2 * 10**9
_RECORDING = {"av": "av", "mss": "mss", "pynput": "pynput", "dbus_fast": "dbus-fast"}
_BUS_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing looked at. `missing` is needed for the main job, `optional` only for what `text` says."""

    name: str
    state: State
    text: str
    remedy: str = ""


def python() -> Finding:
    running = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= sys.version_info[:2] <= (3, 13):
        return Finding("python", "ok", running)
    return Finding("python", "missing", f"{running} is not supported", "use Python 3.11, 3.12 or 3.13")


def browser() -> Finding:
    try:
        path = chromium.find()
        return Finding("browser", "ok", f"{chromium.version(path)} at {path}")
    except BadInput as error:
        return Finding("browser", "missing", "none that starts", str(error))


def display() -> Finding:
    if sys.platform != "linux":
        return Finding("display", "ok", "the system's own")
    if os.environ.get("DISPLAY"):
        return Finding("display", "ok", f"X11 on {os.environ['DISPLAY']}")
    virtual = shutil.which("Xvfb")
    if virtual:
        return Finding("display", "ok", f"none of one's own; virtual ones with {virtual}")
    if os.environ.get("WAYLAND_DISPLAY"):
        return Finding(
            "display", "optional", "Wayland, which cannot be recorded", "log in to an X11 session, or use Xvfb"
        )
    return Finding("display", "optional", "none: desktop recording and acting need one", "apt-get install xvfb")


def accessibility() -> Finding:
    if sys.platform != "linux":
        return Finding(
            "accessibility", "optional", "trees are captured on Linux only", "none needed to record the rest"
        )
    launcher = next((path for path in _BUS_LAUNCHERS if Path(path).exists()), None)
    if launcher is None or not shutil.which("dbus-daemon"):
        return Finding(
            "accessibility", "optional", "no bus: recordings lack trees", "apt-get install at-spi2-core dbus"
        )
    session = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    return Finding("accessibility", "ok", "bus reachable" if session else f"{launcher}, started when recording")


def codecs() -> Finding:
    lacking = [name for module, name in _RECORDING.items() if importlib.util.find_spec(module) is None]
    if lacking:
        return Finding(
            "codecs", "optional", f"recording needs {', '.join(lacking)}", "pip install 'workalike[record]'"
        )
    import av

    encoders = [name for name in ("libx264", "h264", "libvpx-vp9", "mpeg4") if name in av.codecs_available]
    if not encoders:
        return Finding("codecs", "optional", "PyAV has no video encoder", "pip install --force-reinstall av")
    return Finding("codecs", "ok", f"PyAV {av.__version__} with {', '.join(encoders)}")


def keys(environment: Mapping[str, str] | None = None) -> Finding:
    """Which keys are present; never what they are."""
    known = Keys.load(environment=environment)
    present = [name for name in KEYS if known.get(name)]
    if present:
        return Finding("keys", "ok", f"{', '.join(present)} present")
    return Finding("keys", "optional", "none: the town needs none", f"set {KEYS[0]} or {KEYS[2]} for hosted models")


def disk(folder: Path = Path(".")) -> Finding:
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.0f} GB free here"
    if free < LITTLE_DISK:
        return Finding("disk", "missing", text, "free some space: a run of 609 tasks with pictures takes about 2 GB")
    return Finding("disk", "ok", text)


CHECKS: dict[str, Callable[[], Finding]] = {
    "python": python,
    "browser": browser,
    "display": display,
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
            return by_apt(("xvfb",), say)
        case "accessibility":
            return by_apt(("at-spi2-core", "dbus"), say)
        case "codecs":
            return by_pip(tuple(_RECORDING.values()), say)
        case _:
            return "only you can mend that"
