"""`workalike record` as a user meets it: started, interrupted, killed, out of disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
import pytest

from tests.programs import needs
from workalike.cli import main
from workalike.core.recording import KeyChanged, RecordingEnd
from workalike.core.screen import Size
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.elements import walk
from workalike.env.desktop.input import XInput
from workalike.reduce.reducer import reduction
from workalike.store.recordings import Recording

SIZE = Size(800, 600)


@pytest.fixture
def desktop() -> Iterator[VirtualDesktop]:
    needs("Xvfb")
    with VirtualDesktop(SIZE, window_manager=False, bus=False) as desktop:
        yield desktop


def record(desktop: VirtualDesktop, out: Path, *more: str, limit: str = "unlimited") -> subprocess.Popen[str]:
    """Start the command and wait until it records."""
    words = [
        sys.executable,
        "-m",
        "workalike.cli",
        "record",
        "--task",
        "type",
        "--out",
        str(out),
        "--no-accessibility",
    ]
    process = subprocess.Popen(
        ["sh", "-c", f'ulimit -f {limit}; exec "$@"', "sh", *words, "--display", desktop.name, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stderr
    assert "Recording. Stop: ctrl+shift+f12, or ctrl+c here." in process.stderr.readline()
    wait_for(out / "segments" / "0" / "frames.jsonl")
    return process


def wait_for(path: Path, seconds: float = 120) -> None:
    ends = time.monotonic() + seconds
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < ends, f"{path} does not come"
        time.sleep(0.02)


def flicker(desktop: VirtualDesktop, seconds: float) -> int:
    """Type letters and change the screen for a while; answers how many letters."""
    hands, display = XInput(connect(desktop.name)), connect(desktop.name)
    root, ends, typed = display.screen().root, time.monotonic() + seconds, 0
    pen = root.create_gc()
    while time.monotonic() < ends:
        pen.change(foreground=(typed * 7919) & 0xFFFFFF)
        root.fill_rectangle(pen, 0, 0, 400, 300)
        display.sync()
        hands.press("abcdefghij"[typed % 10])
        typed += 1
        time.sleep(0.02)
    return typed


def letters(recording: Recording) -> str:
    return "".join(event.text for event in recording.events() if isinstance(event, KeyChanged))


def finish(process: subprocess.Popen[str]) -> str:
    out, _ = process.communicate(timeout=120)
    return out


def test_ctrl_c_ends_it_and_is_no_part_of_it(desktop: VirtualDesktop, tmp_path: Path) -> None:
    process = record(desktop, tmp_path / "r", "--json")
    typed = flicker(desktop, 0.3)
    XInput(connect(desktop.name)).hotkey(("ctrl", "c"))
    process.send_signal(signal.SIGINT)
    end = msgspec.json.decode(finish(process), type=RecordingEnd)
    assert (process.returncode, end.reason) == (0, "interrupted")
    recording = Recording(tmp_path / "r")
    assert letters(recording) == ("abcdefghij" * typed)[:typed]
    assert "ctrlleft" not in {event.key for event in recording.events() if isinstance(event, KeyChanged)}
    assert recording.header.task.instruction == "type"
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == ["end.json", "recording.json", "segments"]


def test_a_time_limit_and_the_table_at_the_end(desktop: VirtualDesktop, tmp_path: Path) -> None:
    process = record(desktop, tmp_path / "r", "--seconds", "1", "--mask-unknown")
    hints = _rest(process.stderr, 2)
    out = finish(process)
    assert "not asked about their windows" in hints
    assert "is masked, and so is all you type into a program that says nothing" in hints
    assert "ended because: time is up" in out
    assert "frames dropped" in out


def _rest(stream: IO[str] | None, lines: int) -> str:
    assert stream
    return "".join(stream.readline() for _ in range(lines))


def test_a_kill_loses_at_most_the_last_second(desktop: VirtualDesktop, tmp_path: Path) -> None:
    process = record(desktop, tmp_path / "r")
    typed = flicker(desktop, 2.5)
    process.kill()
    process.wait()
    recording = Recording(tmp_path / "r")
    assert recording.end is None
    kept = letters(recording)
    assert kept == ("abcdefghij" * typed)[: len(kept)]
    (segment,) = recording.segments
    last_event, last_frame = list(segment.events())[-1].time, list(segment.frames())[-1].time
    assert len(kept) >= typed * 1.5 / 2.5, "all but the last second is there"
    assert abs(last_event - last_frame) < 0.5
    (gesture,) = reduction(recording.events(), SIZE).gestures
    assert gesture.kind == "write"


def test_a_full_disk_ends_it_cleanly(desktop: VirtualDesktop, tmp_path: Path) -> None:
    """No file may grow beyond 2.5 MB here, which the video does soon."""
    process = record(desktop, tmp_path / "r", limit="5000")
    noise = Noise(desktop)
    while process.poll() is None:
        noise.draw()
    out = finish(process)
    assert process.returncode == 1
    assert "ended because: disk failed" in out
    assert "video.mp4: file too large" in out
    assert "what was captured until then is intact" in out
    recording = Recording(tmp_path / "r")
    assert recording.end
    assert recording.end.reason == "disk failed"
    assert list(recording.segments[0].frames())


class Noise:
    """Fills the screen with something no encoder can make small."""

    def __init__(self, desktop: VirtualDesktop) -> None:
        self._display = connect(desktop.name)
        screen = self._display.screen()
        self._root, self._depth = screen.root, screen.root_depth
        self._pen = self._root.create_gc()

    def draw(self) -> None:
        from Xlib import X

        for row in range(0, 600, 40):
            self._root.put_image(self._pen, 0, row, 400, 40, X.ZPixmap, self._depth, 0, os.urandom(400 * 40 * 4))
        self._display.sync()


@pytest.mark.sweep
def test_a_disk_that_is_really_full(desktop: VirtualDesktop, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here: it needs the rights of root")
    try:
        process = record(desktop, disk / "r")
        noise = Noise(desktop)
        while process.poll() is None:
            noise.draw()
        assert "no space left on device" in finish(process)
        recording = Recording(disk / "r")
        assert recording.end
        assert recording.end.reason == "disk failed"
        assert list(recording.segments[0].frames())
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rate", "0"], "a rate of 0 frames a second is not possible"),
        (["--stop", "ctrl"], "has only modifiers"),
        (["--stop", "f9", "--pause", "f9"], "stop and pause cannot both be f9"),
        (["--display", ":987"], "the display :987 cannot be reached"),
        (["--seconds", "-3"], "--seconds must be more than 0, not -3"),
        (["--browser", "https://example.org"], "a headed browser needs a display"),
        (["--browser", "nonsense", "--headless"], "nonsense cannot be opened"),
        (["--headless"], "--headless goes with --browser only"),
        (["--browser", "x", "--mask-unknown"], "--mask-unknown cannot be used with --browser"),
        (["--browser", "x", "--monitor", "1"], "--monitor cannot be used with --browser"),
        (["--browser", "x", "--display", ":1", "--cursor"], "--display, --cursor cannot be used with --browser"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main(["record", "--task", "t", "--out", str(tmp_path / "r"), *words]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_a_folder_that_is_taken_is_not_written_to(
    desktop: VirtualDesktop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").touch()
    assert main(["record", "--task", "t", "--out", str(tmp_path), "--display", desktop.name]) == 2
    assert "exists already and is not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_display_without_a_session_bus_gets_one(tmp_path: Path) -> None:
    """As `doctor` says. Programs that start afterwards tell of themselves, and the bus ends with the recording."""
    needs("Xvfb", "dbus-daemon", "zenity")
    with VirtualDesktop(SIZE, bus=False) as desktop:
        bare = {name: value for name, value in os.environ.items() if not name.startswith(("DBUS_", "XDG_RUNTIME"))}
        words = ("record", "--task", "x", "--out", str(tmp_path / "r"), "--display", desktop.name)
        process = subprocess.Popen(
            [sys.executable, "-m", "workalike.cli", *words],
            stderr=subprocess.PIPE,
            text=True,
            env={**bare, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert process.stderr
        process.stderr.readline()
        assert "There was no session bus, so one was started" in process.stderr.readline()
        wait_for(tmp_path / "r" / "segments" / "0" / "frames.jsonl")
        desktop.launch("zenity", "--info", "--text=Here I am")
        wait_for(tmp_path / "r" / "segments" / "0" / "trees.jsonl")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        display = connect(desktop.name)
        assert display.screen().root.get_full_property(display.intern_atom("AT_SPI_BUS"), 0) is None
    names = [node.name for tree in Recording(tmp_path / "r").trees() for node in walk(tree.root)]
    assert any("Here I am" in name for name in names)
