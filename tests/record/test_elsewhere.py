"""The input of other systems is pynput's. It runs on X too, in a process of its own, which shows that the calls fit.

On Linux it is no part of an installation: `make test` lays it apart, into the folder `elsewhere` of the environment."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from tests.record.conftest import Desktops
from workalike.core.errors import MissingExtra
from workalike.core.recording import ButtonChanged, Event, KeyChanged, PointerMoved, WheelTurned
from workalike.env.desktop.display import connect
from workalike.env.desktop.input import XInput
from workalike.record.clock import Clock
from workalike.record.elsewhere import OtherDesk, OtherInput

_APART = Path(sys.prefix) / "elsewhere"
_LISTEN = """
import sys, msgspec
from workalike.record.clock import Clock
from workalike.record.elsewhere import OtherDesk, OtherInput
def tell(event):
    sys.stdout.buffer.write(msgspec.json.encode(event) + b"\\n")
    sys.stdout.flush()
    if getattr(event, "key", "") == "enter" and not event.down:
        print("caught up", file=sys.stderr, flush=True)
desk = OtherDesk()
assert desk.size() == (1280, 800), desk.size()
source = OtherInput(Clock(), tell)
source.start()
print("ready", file=sys.stderr, flush=True)
sys.stdin.read()
source.stop()
"""


@pytest.mark.skipif(not (_APART / "pynput").is_dir(), reason=f"pynput is not in {_APART}: `make test` lays it there")
def test_presses_moves_scrolls_and_characters(desktops: Desktops) -> None:
    desktop = desktops(bare=True)
    process = subprocess.Popen(
        [sys.executable, "-c", _LISTEN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "DISPLAY": desktop.name, "PYTHONPATH": os.pathsep.join([*sys.path, str(_APART)])},
    )
    assert process.stderr
    watchdog = threading.Timer(60, process.kill)  # a listener that hears nothing fails the test and holds nobody up
    watchdog.daemon = True
    watchdog.start()
    lines = iter(process.stderr.readline, b"")
    assert any(b"ready" in line for line in lines)
    hands = XInput(connect(desktop.name))
    hands.move(100, 200)
    hands.button("right", True)
    hands.button("right", False)
    hands.wheel(0, 1)
    hands.write("aB ")
    hands.hotkey(("ctrl", "c"))
    hands.press("enter")
    assert any(b"caught up" in line for line in lines)
    out, _ = process.communicate(timeout=120)
    watchdog.cancel()
    events: list[Event] = [msgspec.json.decode(line, type=Event) for line in out.splitlines() if line.startswith(b"{")]
    assert any(isinstance(e, PointerMoved) and (e.x, e.y) == (100, 200) for e in events)
    buttons = [(e.x, e.y, e.button, e.down) for e in events if isinstance(e, ButtonChanged)]
    assert buttons == [(100, 200, "right", True), (100, 200, "right", False)]
    assert [e.dy for e in events if isinstance(e, WheelTurned)] == [1]
    keys = [e for e in events if isinstance(e, KeyChanged) and e.down]
    assert "".join(e.text for e in keys) == "aB "
    assert [(e.key, e.modifiers) for e in keys if e.modifiers == ("ctrl",)] == [("c", ("ctrl",))]
    assert keys[-1].key == "enter"


def test_where_pynput_is_missing_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynput", None)
    for make in (OtherDesk, lambda: OtherInput(Clock(), print)):
        with pytest.raises(MissingExtra, match=r"needs pynput: .*\[record\]"):
            make()
