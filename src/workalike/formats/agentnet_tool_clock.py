"""How far the events' clock and the video's are apart in an AgentNetTool recording.

The tool notes a start time before OBS has begun, so the two differ by a constant that nobody wrote down. It is found
by following the pointer: between two frames in which nothing else moved, the picture changed where the pointer was and
where it came to; the offset is the one at which the events say so too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from workalike.core.screen import Size
from workalike.store.recording_video import Pixels, import_av, pictures

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_STEP = 1 / 120
_SAME = 0.05
_WIDEST = 1.0
_CHANGED = 24
_CELL = 8
_FEWEST, _ENOUGH, _MOST_STRETCHES = 30, 150, 6
_POINTER = (4, 6)
"""Where the middle of the arrow is, seen from its tip."""


class ClockOffset(msgspec.Struct, frozen=True, omit_defaults=True):
    """`seconds` is how much later events are stamped than the frames that show them; None when it could not be told,
    for the reason given. `agreement` is the share of frames in which the pointer is where the events say, with the
    offset and (`uncorrected`) without; `elsewhere` the best share at any offset that is clearly another. `confidence`
    is how often the same offset comes out when frames are drawn anew from those that were followed."""

    seconds: float | None
    frames: int
    confidence: float = 0.0
    uncertainty: float | None = None
    agreement: float = 0.0
    uncorrected: float = 0.0
    elsewhere: float = 0.0
    reason: str = ""


class Pointer(msgspec.Struct, frozen=True):
    """Where the events say the pointer was, in pixels of the frames, on the events' clock."""

    times: Floats
    x: Floats
    y: Floats

    def at(self, times: Floats) -> tuple[Floats, Floats]:
        index = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 1)
        return self.x[index], self.y[index]

    def travels(self, start: float, end: float) -> bool:
        """Whether it goes a long way between two times; where it stands still any offset fits."""
        low, high = np.searchsorted(self.times, [start, end])
        if high - low < 10:
            return False
        return bool(np.hypot(np.ptp(self.x[low:high]), np.ptp(self.y[low:high])) > 200)


class Change(msgspec.Struct, frozen=True):
    """What changed between two frames: the cells of a grid, a little widened."""

    before: float
    after: float
    cells: Mask


def estimate(video: Path, pointer: Pointer) -> ClockOffset:
    """The offset between a video and the pointer's way, or why there is none to be told."""
    if len(pointer.times) < 2:
        return ClockOffset(None, 0, reason="the pointer never moves")
    offsets = np.arange(-_WIDEST, _WIDEST + _STEP / 2, _STEP)
    agree: list[Mask] = []
    for stretch in _liveliest(video, pointer)[:_MOST_STRETCHES]:
        for change in changes(video, *stretch):
            if pointer.travels(change.before - _WIDEST, change.after + _WIDEST):
                left = _seen(change.cells, pointer, change.before + offsets)
                agree.append(left & _seen(change.cells, pointer, change.after + offsets))
        if len(agree) >= _ENOUGH:
            break
    return conclude(offsets, agree)


def conclude(offsets: Floats, agree: Sequence[Mask]) -> ClockOffset:
    """The offset that stands out, given for each frame the offsets at which it agrees with the events."""
    frames = len(agree)
    if frames < _FEWEST:
        return ClockOffset(None, frames, reason=f"the pointer can be followed in only {frames} frames")
    table = np.array(agree, dtype=np.float64)
    share: Floats = table.mean(0)
    peak = int(share.argmax())
    best = float(share[peak])
    plateau = offsets[share >= 0.9 * best]
    far = share[np.abs(offsets - offsets[peak]) > 0.15]
    elsewhere = float(far.max()) if len(far) else 0.0
    here = round(float(share[np.abs(offsets).argmin()]), 3)
    figures = ClockOffset(None, frames, 0.0, None, round(best, 3), here, round(elsewhere, 3))
    if best < 0.5 or best < 1.5 * elsewhere or np.ptp(plateau) > 0.2:
        reason = "no offset stands out: is the pointer in the video, and is it the video of these events?"
        return msgspec.structs.replace(figures, reason=reason)
    weights = share[share >= 0.9 * best]
    seconds = float((plateau * weights).sum() / weights.sum())
    drawn = _drawn_anew(table, offsets)
    spread = max(float(np.ptp(plateau)) / 2, float(drawn.std()), _STEP)
    sure = float((np.abs(drawn - seconds) <= _SAME).mean())
    return msgspec.structs.replace(figures, seconds=round(seconds, 4), confidence=sure, uncertainty=round(spread, 4))


def _drawn_anew(table: Floats, offsets: Floats, times: int = 500) -> Floats:
    """The offsets that come out when as many frames are drawn, with repetition, from those there are."""
    weights = np.random.default_rng(0).multinomial(len(table), [1 / len(table)] * len(table), times)
    return np.asarray(offsets[(weights @ table).argmax(1)], np.float64)


def changes(video: Path, start: float, end: float) -> Iterator[Change]:
    """What changed from frame to frame in a stretch that begins at a key frame, where it was little enough to be a
    pointer. Frames that no other frame refers to are skipped: half the work."""
    av = import_av()
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        stream.codec_context.skip_frame = "NONREF"
        container.seek(round((start + 1e-3) / stream.time_base), stream=stream)
        before: tuple[float, Pixels] | None = None
        for frame in pictures(container, stream):
            if frame.time >= end - 1e-3:
                return
            luma = luma_of(frame)
            if before is not None and before[1].shape == luma.shape:
                cells = _changed_cells(before[1], luma)
                if cells is not None:
                    yield Change(before[0], frame.time, cells)
            before = (frame.time, luma)


def luma_of(frame: Any) -> Pixels:
    """The brightness plane of a decoded frame."""
    plane = frame.planes[0]
    rows: Pixels = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
    return rows[: frame.height, : frame.width]


def pointer_of(moves: Sequence[tuple[float, float, float]], shown: Size, frame: Size) -> Pointer:
    """The pointer's way in pixels of the frames, from times and places on the screen."""
    table = np.array(moves, dtype=np.float64).reshape(-1, 3)
    across, down = frame.width / shown.width, frame.height / shown.height
    return Pointer(table[:, 0], table[:, 1] * across, table[:, 2] * down)


def _changed_cells(one: Pixels, two: Pixels) -> Mask | None:
    changed: Mask = np.asarray(np.maximum(one, two) - np.minimum(one, two) > _CHANGED, np.bool_)
    if not 8 < np.count_nonzero(changed) < 2500:
        return None
    high, wide = changed.shape[0] // _CELL, changed.shape[1] // _CELL
    squares = changed[: high * _CELL, : wide * _CELL].reshape(high, _CELL, wide, _CELL)
    cells: Mask = np.asarray(squares.any((1, 3)), np.bool_)
    tall = cells.copy()
    tall[1:] |= cells[:-1]
    tall[:-1] |= cells[1:]
    broad = tall.copy()
    broad[:, 1:] |= tall[:, :-1]
    broad[:, :-1] |= tall[:, 1:]
    return broad


def _seen(cells: Mask, pointer: Pointer, times: Floats) -> Mask:
    """For each time, whether the place where the pointer was then is among the cells."""
    x, y = pointer.at(times)
    column = ((x + _POINTER[0]) // _CELL).astype(np.intp)
    row = ((y + _POINTER[1]) // _CELL).astype(np.intp)
    inside = (column >= 0) & (column < cells.shape[1]) & (row >= 0) & (row < cells.shape[0])
    found: Mask = np.zeros(len(times), dtype=np.bool_)
    found[inside] = cells[row[inside], column[inside]]
    return found


def _liveliest(video: Path, pointer: Pointer) -> list[tuple[float, float]]:
    """The stretches from key frame to key frame in which the pointer moves most of the time, most first."""
    av = import_av()
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        packets = [packet for packet in container.demux(stream) if packet.pts is not None]
        keys = sorted(float(packet.pts * packet.time_base) for packet in packets if packet.is_keyframe)
        end = max((float(packet.pts * packet.time_base) for packet in packets), default=0.0) + 0.1
    stretches = [(a, b) for a, b in pairwise([*keys, end]) if b - a > 0.5]

    def liveliness(stretch: tuple[float, float]) -> float:
        moments = np.arange(stretch[0], stretch[1], 1 / 30)
        x, y = pointer.at(moments)
        steps = np.hypot(np.diff(x), np.diff(y))
        return float(((steps > 8) & (steps < 200)).mean()) if len(steps) else 0.0

    return sorted((s for s in stretches if liveliness(s) > 0), key=liveliness, reverse=True)
