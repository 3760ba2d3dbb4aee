"""Find a Chromium-family browser on this machine, or install one.

Whatever is there will do; set-up tries Playwright's own download next, then the distribution's package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from workalike.core.errors import BadInput
from workalike.env.install import Say, by_apt, run

VARIABLE = "WORKALIKE_BROWSER"
NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "msedge",
)
_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
)
_CACHED = ("chromium_headless_shell-*/*/*headless[-_]shell*", "chromium-*/*/chrome", "chromium-*/*/chrome.exe")
# Playwright's own driver, which works the browser, needs libatomic1; a bare Debian lacks it.
PACKAGES = ("chromium-headless-shell", "fonts-liberation", "fonts-dejavu-core", "libatomic1")
REMEDY = (
    "install Chromium, Chrome or Edge (Debian: `apt-get install chromium`), or run "
    f"`playwright install chromium --only-shell`, or point {VARIABLE} at an executable"
)


def find(headed: bool = False) -> Path:
    """The browser to use; one that can show windows when `headed`. Raises with the remedy when there is none."""
    for path in candidates():
        if not (headed and is_headless_only(path)):
            return path
    raise BadInput(f"no browser was found{' that can show a window' if headed else ''}: {REMEDY}")


def has_display() -> bool:
    """Whether a browser can show its window."""
    return sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def candidates() -> Iterator[Path]:
    """Every browser there is, best first: the user's choice, what is on the path, applications, Playwright's own."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        if not _runnable(Path(chosen)):
            raise BadInput(f"{VARIABLE} names {chosen!r}, which is no executable file: correct or unset it")
        yield Path(chosen)
    for name in NAMES:
        found = shutil.which(name)
        if found:
            yield Path(found)
    yield from (Path(path) for path in _APPLICATIONS if _runnable(Path(path)))
    for pattern in _CACHED:
        yield from sorted(filter(_runnable, _cache().glob(pattern)), reverse=True)


def is_headless_only(path: Path) -> bool:
    return "headless" in path.name


def version(path: Path) -> str:
    """What the browser says of itself, such as `Chromium 156.0.8078.73`; raises when it does not start."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise BadInput(f"the browser {path} does not start ({error}): {REMEDY}") from error
    return done.stdout.strip()


def install(say: Say) -> Path:
    """Install a browser by the first way that works, and return it."""
    for way in (_by_playwright, lambda say: by_apt(PACKAGES, say)):
        problem = way(say)
        if problem is None:
            return find()
        say(f"  {problem}")
    raise BadInput(f"no browser could be installed: {REMEDY}")


def _by_playwright(say: Say) -> str | None:
    say("installing Chromium's headless shell with Playwright")
    return run([sys.executable, "-m", "playwright", "install", "chromium", "--only-shell"])


def _cache() -> Path:
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if chosen and chosen != "0":
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        return Path.home() / "AppData/Local/ms-playwright"
    return Path.home() / ".cache/ms-playwright"


def _runnable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
