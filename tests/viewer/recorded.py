"""A small recording of ours, made without a person: a screen on which a square moves on with every click, three clicks,
a typed word, and hostile words wherever a program could put them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workalike.core.observation import Element
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PointerMoved,
    RecordingEnd,
    RecordingHeader,
    SegmentHeader,
    WindowChanged,
)
from workalike.core.screen import Box, Size
from workalike.core.task import Task
from workalike.store.recording_video import Pixels
from workalike.store.recordings import RecordingWriter

EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
WIDE, HIGH = 320, 200
SECRET = (40, 40, 80, 40)
"""Left, top, width and height of a place that shows a fine pattern in every frame."""
CLICKS = (2.0, 4.0, 6.0)
TYPED_AT = 8.0
END = 11.0


def record(path: Path, instruction: str = f"Press the squares {EVIL}", id: str = "made") -> Path:
    """Write it to `path`."""
    header = RecordingHeader(id, Task(id, instruction), "Linux", "2026-01-01T00:00:00+00:00")
    writer = RecordingWriter(path, header)
    segment = writer.segment(SegmentHeader(0, Size(WIDE, HIGH), 0.0))
    for tenth in range(int(END * 10)):
        time = tenth / 10
        segment.frame(time, screen(sum(time > click for click in CLICKS)))
    segment.event(*events())
    segment.close()
    writer.end(RecordingEnd(END, "stopped"))
    return path


def screen(squares: int) -> Pixels:
    """The screen after some clicks, as blue, green, red and nothing."""
    pixels = np.full((HIGH, WIDE, 4), 255, np.uint8)
    left, top, width, height = SECRET
    pixels[top : top + height : 4, left : left + width] = 0
    for number in range(squares):
        pixels[150:180, 20 + 60 * number : 50 + 60 * number] = (200, 60, 30, 255)
    return pixels


def events() -> list[Event]:
    made: list[Event] = [WindowChanged(0.1, f"Squares {EVIL}", "squares")]
    for number, time in enumerate(CLICKS):
        x, y = 35.0 + 60 * number, 165.0
        made += [PointerMoved(time - 1 + step / 10, x * step / 9, y * step / 9) for step in range(10)]
        hit = Element("button", f"Square {number} {EVIL}", Box((x - 15) / WIDE, 150 / HIGH, 30 / WIDE, 30 / HIGH))
        made += [ButtonChanged(time, x, y, "left", True, hit=hit), ButtonChanged(time + 0.1, x, y, "left", False)]
    for number, letter in enumerate("hello"):
        time = TYPED_AT + 0.2 * number
        made += [KeyChanged(time, letter, True, letter), KeyChanged(time + 0.1, letter, False)]
    return made
