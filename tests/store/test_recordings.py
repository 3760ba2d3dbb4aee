"""A recording is readable at every instant of its making."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from workalike.core.errors import BadInput, Damaged, Infrastructure
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PointerMoved,
    RecordingEnd,
    RecordingHeader,
    SegmentHeader,
    Tree,
    TreeNode,
)
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.store.recording_video import Pixels, video_marks
from workalike.store.recordings import Recording, RecordingWriter, SegmentWriter

HEADER = RecordingHeader("r", Task("t", "do it"), "linux", "2026-01-01T00:00:00Z")
SIZE = Size(96, 64)


def shade(level: int, size: Size = SIZE) -> Pixels:
    return np.full((size.height, size.width, 4), level, np.uint8)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "r", HEADER)
    times = [0.0123, 0.1, 0.1004, 7.5, 7.6667, 100.25]
    events: list[Event] = [PointerMoved(0.05, 3, 4), KeyChanged(0.2, "a", True, "a"), KeyChanged(0.3, "a", False)]
    tree = Tree(0.5, "focus", TreeNode("frame", "w", (0, 0, 9, 9), children=(TreeNode("button", "OK"),)), nodes=2)
    segment = writer.segment(SegmentHeader(0, SIZE, 0.0))
    for level, time in enumerate(times):
        segment.frame(time, shade(level * 40), pointer=(level, 1))
    segment.event(*events)
    segment.tree(tree)
    segment.sync()
    segment.close()
    second = writer.segment(SegmentHeader(1, Size(33, 17), 101.0))
    second.frame(101.5, shade(200, Size(33, 17)))
    second.event(ButtonChanged(101.6, 1, 2, "left", True))
    second.close()
    writer.end(RecordingEnd(102.0, "stopped", counts={"frames": 7}))

    recording = Recording(tmp_path / "r")
    assert recording.header == HEADER
    assert recording.end == RecordingEnd(102.0, "stopped", counts={"frames": 7})
    assert list(recording.events()) == [*events, ButtonChanged(101.6, 1, 2, "left", True)]
    assert list(recording.trees()) == [tree]
    first, odd = recording.segments
    assert [mark.pointer for mark in first.marks] == [(level, 1) for level in range(6)]
    frames = list(first.frames())
    assert [frame.time for frame in frames] == times
    for level, frame in enumerate(frames):
        assert frame.rgb().shape == (64, 96, 3)
        assert abs(int(frame.rgb().mean()) - level * 40) <= 3
    (frame,) = odd.frames()
    assert (frame.time, frame.luma().shape, frame.image().size) == (101.5, (17, 33), (33, 17))


def test_a_stretch_is_read_from_its_key_frame(tmp_path: Path) -> None:
    segment = RecordingWriter(tmp_path / "r", HEADER).segment(SegmentHeader(0, SIZE, 0.0))
    for n in range(200):
        segment.frame(n / 10, shade(n))
    (stored,) = Recording(tmp_path / "r").segments
    got = list(stored.frames(13.45, 13.8))
    assert [frame.time for frame in got] == [13.5, 13.6, 13.7, 13.8]
    assert [abs(int(frame.rgb().mean()) - n) <= 3 for n, frame in zip(range(135, 139), got, strict=True)] == [True] * 4
    assert len(list(stored.frames())) == 199, "the newest frame comes when the next one does"
    segment.close()
    assert len(list(stored.frames())) == 200


def test_a_video_made_elsewhere_is_adopted(tmp_path: Path) -> None:
    own = RecordingWriter(tmp_path / "own", HEADER).segment(SegmentHeader(0, SIZE, 0.0))
    for n in range(5):
        own.frame(n / 30, shade(n * 50))
    own.close()
    video = own.folder / "video.mp4"
    other = RecordingWriter(tmp_path / "other", HEADER).segment(SegmentHeader(0, SIZE, 0.0))
    other.adopt_video(video, list(video_marks(video, start=10.0)))
    other.close()
    frames = list(Recording(tmp_path / "other").segments[0].frames(10.05))
    assert [round(frame.time, 2) for frame in frames] == [10.07, 10.1, 10.13]


_WRITE_UNTIL_KILLED = """
import sys; from pathlib import Path
from tests.store.test_recordings import *
segment = RecordingWriter(Path(sys.argv[1]), HEADER).segment(SegmentHeader(0, SIZE, 0.0))
n = 0
while True:
    segment.frame(n / 15, shade(n % 256))
    segment.event(PointerMoved(n / 15, n, 0))
    n += 1
    print(n, flush=True)
"""


@pytest.mark.parametrize("after", [1, 2, 70])
def test_a_killed_writer_leaves_all_but_the_newest_frame(tmp_path: Path, after: int) -> None:
    path = tmp_path / "r"
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITE_UNTIL_KILLED, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout
    for _ in range(after):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    known = after + len(process.stdout.readlines())
    process.wait()

    (segment,) = Recording(path).segments
    frames, events = list(segment.frames()), list(segment.events())
    assert len(frames) >= known - 1
    assert len(events) >= known
    assert [frame.time for frame in frames] == [n / 15 for n in range(len(frames))]
    assert [abs(int(frame.rgb().mean()) - n % 256) <= 3 for n, frame in enumerate(frames)] == [True] * len(frames)


def test_every_prefix_of_a_recording_opens(tmp_path: Path) -> None:
    segment = RecordingWriter(tmp_path / "r", HEADER).segment(SegmentHeader(0, SIZE, 0.0))
    for n in range(12):
        segment.frame(n / 10, shade(n * 20))
        segment.event(PointerMoved(n / 10, n, n))
    segment.close()
    (stored,) = Recording(tmp_path / "r").segments
    video, events = stored.folder / "video.mp4", stored.folder / "events.jsonl"
    whole, lines = video.read_bytes(), events.read_bytes()
    most = 0
    for cut in range(0, len(whole), 211):
        video.write_bytes(whole[:cut])
        got = [frame.time for frame in stored.frames()]
        assert got == [n / 10 for n in range(len(got))]
        assert len(got) >= most
        most = len(got)
    for cut in range(len(lines)):
        events.write_bytes(lines[:cut])
        finished = lines[:cut].count(b"}")
        assert list(stored.events()) == [PointerMoved(n / 10, n, n) for n in range(finished)]


def fill(segment: SegmentWriter) -> None:
    for n in range(1000):
        segment.event(PointerMoved(n, n, n))


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    segment = RecordingWriter(tmp_path / "r", HEADER).segment(SegmentHeader(0, SIZE, 0.0))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(Infrastructure, match=r"cannot write .*events\.jsonl: file too large"):
            fill(segment)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    data = (segment.folder / "events.jsonl").read_bytes()
    assert data.endswith(b"\n")
    assert len(list(Recording(tmp_path / "r").events())) == data.count(b"\n") > 10


def test_bad_input_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"is not a recording: it holds no recording\.json"):
        Recording(tmp_path)
    (tmp_path / "something").touch()
    with pytest.raises(BadInput, match="exists already and is not an empty folder"):
        RecordingWriter(tmp_path, HEADER)
    segment = RecordingWriter(tmp_path / "r", HEADER).segment(SegmentHeader(0, SIZE, 0.0))
    (segment.folder / "events.jsonl").write_text('{"event":"move","time":1,"x":1,"y":1}\n{"event":"nod"}\n')
    with pytest.raises(Damaged, match=r"events\.jsonl, line 2: "):
        list(Recording(tmp_path / "r").events())
    (segment.folder / "video.mp4").write_text("not a video at all")
    (segment.folder / "frames.jsonl").write_text('{"time":0,"pts":0}\n')
    with pytest.raises(Damaged, match=r"video\.mp4 is not an mp4 video"):
        list(Recording(tmp_path / "r").segments[0].frames())
