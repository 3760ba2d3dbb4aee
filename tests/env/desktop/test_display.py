"""Virtual desktops start, keep to themselves, and end with whoever started them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.programs import needs
from workalike.core.errors import BadInput, Infrastructure
from workalike.core.screen import Size
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.screen import Grabber, Stillness


@pytest.fixture(autouse=True)
def _a_server() -> None:
    needs("Xvfb")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_desktop_has_its_size_a_home_and_programs_of_its_own() -> None:
    with VirtualDesktop(Size(640, 480)) as desktop:
        geometry = connect(desktop.name).screen().root.get_geometry()
        assert (geometry.width, geometry.height) == (640, 480)
        assert desktop.environ["HOME"] == str(desktop.home) != os.environ.get("HOME")
        program = desktop.launch("sleep", "1000")
        (desktop.home / "left behind").touch()
        with pytest.raises(BadInput, match="there is no program 'nosuchprogram'"):
            desktop.launch("nosuchprogram")
    assert not alive(program.pid)
    assert not desktop.home.exists()
    with pytest.raises(Infrastructure, match="cannot be reached"):
        connect(desktop.name)


def test_programs_get_no_secrets_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "https_proxy", "MY_OWN"):
        monkeypatch.setenv(name, "a-secret")
    kept = {"XDG_DATA_DIRS": "/opt/share", "LC_TIME": "C.UTF-8", "FONTCONFIG_PATH": "/etc/fonts"}
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    with VirtualDesktop(Size(300, 200)) as desktop:
        seen = desktop.home / "seen"
        assert desktop.launch("sh", "-c", f"env > {seen}", OWN="given").wait() == 0
        lines = seen.read_text().splitlines()
        around = []
        for program in desktop._programs:
            with suppress(ProcessLookupError, FileNotFoundError):  # one that is ending, or has ended
                around.append(Path(f"/proc/{program.pid}/environ").read_bytes())
    assert any(around)
    assert not [each for each in around if b"a-secret" in each]
    assert not [line for line in lines if "a-secret" in line]
    assert {"OWN=given", f"DISPLAY={desktop.name}", f"PATH={os.environ['PATH']}"} <= set(lines)
    assert {f"{name}={value}" for name, value in kept.items()} <= set(lines)


def test_several_desktops_at_once() -> None:
    with VirtualDesktop(Size(300, 200), bus=False) as one, VirtualDesktop(Size(200, 300), bus=False) as other:
        assert one.name != other.name
        assert (Grabber(one.name).size, Grabber(other.name).size) == (Size(300, 200), Size(200, 300))


def test_a_desktop_ends_when_its_owner_is_killed() -> None:
    code = (
        "import sys, time\nfrom workalike.env.desktop.display import VirtualDesktop\n"
        "desktop = VirtualDesktop(bus=False)\nprogram = desktop.launch('sleep', '1000')\n"
        "print(program.pid, flush=True)\ntime.sleep(1000)"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environ)
    assert owner.stdout
    program = int(owner.stdout.readline())
    assert alive(program)
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    ends = time.monotonic() + 10
    while alive(program):
        assert time.monotonic() < ends, "the program outlives its desktop"
        time.sleep(0.02)


def test_no_display_and_no_such_display_are_said() -> None:
    with pytest.raises(Infrastructure, match="the display :4321 cannot be reached"):
        connect(":4321")


def test_stillness_is_told_by_the_server() -> None:
    with VirtualDesktop(Size(300, 200), window_manager=False, bus=False) as desktop:
        display = connect(desktop.name)
        stillness = Stillness(connect(desktop.name))
        root = display.screen().root
        pen = root.create_gc(foreground=0x00FF00)
        assert not stillness.changed(0.05)
        root.fill_rectangle(pen, 10, 10, 50, 50)
        display.sync()
        assert stillness.changed(2)
        assert stillness.settle(react_within=0.05)
        root.fill_rectangle(pen, 100, 10, 50, 50)
        display.sync()
        assert stillness.settle()
        pixels = Grabber(desktop.name).pixels()
        assert pixels.shape == (200, 300, 4)
        assert pixels[30, 30, :3].tolist() == [0, 255, 0]
        assert Grabber(desktop.name, (90, 0, 40, 40)).pixels()[30, 30, 1] == 255


def test_what_never_comes_to_rest_is_bounded() -> None:
    with VirtualDesktop(Size(300, 200), window_manager=False, bus=False) as desktop:
        code = (
            "import sys, time\nfrom Xlib.display import Display\ndisplay = Display(sys.argv[1])\n"
            "root = display.screen().root\npen = root.create_gc()\nfor n in range(10**6):\n"
            "    pen.change(foreground=n)\n    root.fill_rectangle(pen, 0, 0, 9, 9)\n"
            "    display.sync()\n    time.sleep(.01)"
        )
        stillness = Stillness(connect(desktop.name))
        desktop.launch(sys.executable, "-c", code, desktop.name)
        assert stillness.changed(20)
        before = time.monotonic()
        assert not stillness.settle(within=0.5)
        assert time.monotonic() - before >= 0.5
