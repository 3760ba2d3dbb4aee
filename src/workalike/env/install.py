"""Install what a machine lacks, by the distribution's packages or by pip. A way that fails says why in a few words."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

Say = Callable[[str], None]
# What a virtual desktop is made of: an X server, a session bus, a window manager, and the package each is in.
DESKTOP = {"Xvfb": "xvfb", "dbus-daemon": "dbus", "openbox": "openbox"}


def by_apt(packages: Sequence[str], say: Say) -> str | None:
    """Install Debian packages; None when it worked."""
    if not shutil.which("apt-get"):
        return f"this is no Debian-like system: install {' '.join(packages)} by its own means"
    if os.geteuid() != 0:
        return f"not root: run `sudo apt-get install {' '.join(packages)}`"
    say(f"installing the distribution's {' '.join(packages)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    problem = run(["apt-get", "update"], quiet)
    return problem or run(["apt-get", "install", "-y", "--no-install-recommends", *packages], quiet)


def by_pip(requirements: Sequence[str], say: Say) -> str | None:
    """Install Python packages into the running environment; None when it worked."""
    say(f"installing the Python packages {' '.join(requirements)}")
    return run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements])


def run(command: list[str], environment: dict[str, str] | None = None) -> str | None:
    """Run an installer; None when it worked, else a short word on why not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    except (OSError, subprocess.SubprocessError) as error:
        return f"{command[0]} failed: {error}"
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if "rror" in line or line.startswith("E:")]
    return f"that failed: {(errors or lines or ['no reason given'])[0][:200]}"
