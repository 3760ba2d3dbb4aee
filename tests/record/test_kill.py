"""Whatever kills a recorder, the last second is all that is lost of the video."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.record.conftest import Desktops
from tests.record.test_hits import wait_for
from workalike.core.screen import Size
from workalike.env.desktop.display import connect
from workalike.env.desktop.input import XInput
from workalike.store.recordings import Recording

_SHADES = 24


def test_a_kill_loses_a_second_of_video_at_most(desktops: Desktops, tmp_path: Path) -> None:
    """Also while a key is held that might yet turn out to be a command to the recorder."""
    desktop = desktops(bare=True, size=Size(320, 240))
    out = tmp_path / "r"
    words = ("record", "--task", "x", "--out", str(out), "--display", desktop.name, "--no-accessibility")
    recorder = subprocess.Popen(
        [sys.executable, "-m", "workalike.cli", *words], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    display = connect(desktop.name)
    root, hands = display.screen().root, XInput(connect(desktop.name))
    pen = root.create_gc()
    try:
        wait_for(lambda: (out / "segments/0/video.mp4").exists(), 120)
        hands.key("ctrl", True)
        painted = [time.monotonic()]
        for number in range(1, _SHADES):
            level = number * 10
            pen.change(foreground=level << 16 | level << 8 | level)
            root.fill_rectangle(pen, 0, 0, 320, 240)
            display.sync()
            painted.append(time.monotonic())
            time.sleep(0.1)  # a screen that changes ten times a second
        killed = time.monotonic()
        recorder.kill()
        recorder.wait()
    finally:
        recorder.kill()
        hands.let_go()
    *_, last = Recording(out).segments[0].frames()
    number = round(float(last.rgb()[100:140, 100:200].mean()) / 10)
    assert killed - painted[number] <= 1.0
