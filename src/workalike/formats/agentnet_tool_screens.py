"""Changes of resolution in the middle of an AgentNetTool recording.

The tool notes one screen size, at the start, and OBS keeps its canvas: afterwards a larger screen is cut off at the
right and below, a smaller one is framed in black, and accessibility trees may speak in other units than the events.
What the trees say about the desktop, and the black in the frames, tells what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from workalike.core.screen import Size
from workalike.formats.agentnet_tool_clock import luma_of
from workalike.formats.agentnet_tool_trees import Desktop
from workalike.store.recording_video import Pixels, import_av, pictures

_SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 3.5, 4.0)
_MODES = (
    (800, 600), (1024, 768), (1152, 864), (1176, 664), (1280, 600), (1280, 720), (1280, 768), (1280, 800), (1280, 960),
    (1280, 1024), (1360, 768), (1366, 768), (1400, 1050), (1440, 900), (1600, 900), (1600, 1024), (1600, 1200),
    (1680, 1050), (1768, 992), (1920, 1080), (1920, 1200), (1920, 1440), (2048, 1152), (2048, 1536), (2160, 1440),
    (2256, 1504), (2560, 1080), (2560, 1440), (2560, 1600), (2736, 1824), (2880, 1800), (3000, 2000), (3072, 1920),
    (3200, 1800), (3440, 1440), (3840, 1600), (3840, 2160), (4096, 2160), (5120, 2880),
)  # fmt: skip
_BLACK = 20


class Epoch(msgspec.Struct, frozen=True):
    """A stretch in which the trees agree on how large the desktop is."""

    first: float
    last: float
    width: float
    height: float | None = None


class Screen(msgspec.Struct, frozen=True):
    """The screen from one time on: its size, and how many of its pixels one unit of the trees is. A size that could
    not be told is None."""

    start: float
    size: Size | None
    scale: float = 1.0


Look = Callable[[float], Size | None]
"""The part of the canvas that is not black at a time, or None where there is no frame to look at."""


def epochs(readings: Sequence[tuple[float, Desktop]]) -> list[Epoch]:
    """Readings of the desktop's size, joined while they agree."""
    found: list[Epoch] = []
    for time, seen in sorted(readings, key=lambda reading: reading[0]):
        last = found[-1] if found else None
        if last and abs(last.width - seen.width) <= 2 and _agree(last.height, seen.height):
            height = last.height if seen.height is None else seen.height
            found[-1] = Epoch(last.first, time, last.width, height)
        else:
            found.append(Epoch(time, time, seen.width, seen.height))
    return found


def screens(canvas: Size, readings: Sequence[tuple[float, Desktop]], look: Look) -> list[Screen]:
    """The screen as it was from time to time. `canvas` is its size at the start."""
    found = [Screen(float("-inf"), canvas)]
    for epoch in epochs(readings):
        before = found[-1]
        if before.size and _fits(epoch, before.size, before.scale):
            continue
        found.append(_read(epoch, before, canvas, look(epoch.last)))
    return found


def _read(epoch: Epoch, before: Screen, canvas: Size, visible: Size | None) -> Screen:
    """Another scale on the same screen is the simplest reading; then a usual resolution at a usual scale that shows
    as much of the canvas as the frame does."""
    same = [scale for scale in _SCALES if before.size and _fits(epoch, before.size, scale)]
    if same and before.size and _shows(before.size, canvas, visible):
        return Screen(epoch.first, before.size, same[0])
    sizes = [Size(*mode) for mode in (*_MODES, *((high, wide) for wide, high in _MODES))]
    likely = sorted(_SCALES, key=lambda scale: scale != before.scale)
    fits = [
        Screen(epoch.first, size, scale)
        for scale in likely
        for size in sizes
        if _fits(epoch, size, scale) and _shows(size, canvas, visible)
    ]
    return fits[0] if fits else Screen(epoch.first, None, before.scale)


def _fits(epoch: Epoch, size: Size, scale: float) -> bool:
    slack = scale + 1
    wide = abs(epoch.width * scale - size.width) <= slack
    return wide and (epoch.height is None or abs(epoch.height * scale - size.height) <= slack)


def _agree(one: float | None, other: float | None) -> bool:
    return one is None or other is None or abs(one - other) <= 2


def _shows(size: Size, canvas: Size, visible: Size | None) -> bool:
    """Whether a screen of this size, drawn on the canvas from its corner, would show as much as was seen."""
    return visible is None or _alike(_covered(size, canvas), visible)


def _covered(size: Size, canvas: Size) -> Size:
    return Size(min(size.width, canvas.width), min(size.height, canvas.height))


def _alike(one: Size, other: Size) -> bool:
    return abs(one.width - other.width) <= 8 and abs(one.height - other.height) <= 8


def visible_part(luma: Pixels, canvas: Size) -> Size:
    """How much of a frame, from its upper left corner, is not black, in pixels of the canvas."""
    bright = luma > _BLACK
    columns, rows = np.flatnonzero(bright.any(0)), np.flatnonzero(bright.any(1))
    wide = columns[-1] + 1 if len(columns) else luma.shape[1]
    high = rows[-1] + 1 if len(rows) else luma.shape[0]
    return Size(round(wide * canvas.width / luma.shape[1]), round(high * canvas.height / luma.shape[0]))


def moment(
    video: Path, start: float, end: float, canvas: Size, before: Size | None, after: Size | None
) -> float | None:
    """When, in a stretch of a video, one screen took the place of another: where another part of the canvas comes to
    be covered, else where a frame differs most from the one before it."""
    old, new = (None if size is None else _covered(size, canvas) for size in (before, after))
    best: tuple[float, float] | None = None
    last: Pixels | None = None
    for time, luma in _frames(video, start, end):
        if new and old != new and _alike(visible_part(luma, canvas), new):
            return time
        small = luma[::8, ::8]
        if last is not None and last.shape == small.shape:
            change = float(np.mean(np.maximum(small, last) - np.minimum(small, last)))
            best = max(best, (change, time)) if best else (change, time)
        last = small
    return best[1] if best else None


def look_into(video: Path, canvas: Size) -> Look:
    """A look at the frames of a video."""

    def look(time: float) -> Size | None:
        for _, luma in _frames(video, time, time + 1.0):
            return visible_part(luma, canvas)
        return None

    return look


def _frames(video: Path, start: float, end: float) -> Iterator[tuple[float, Pixels]]:
    av = import_av()
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        stream.codec_context.skip_frame = "NONREF"
        container.seek(max(0, round(start / stream.time_base)), stream=stream)
        for frame in pictures(container, stream):
            if frame.time > end:
                return
            if frame.time >= start:
                yield frame.time, luma_of(frame)
