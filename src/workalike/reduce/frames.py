"""Reads only the stretches of a recording's video that are needed, forward and once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.recording import FrameMark
from workalike.core.screen import Size
from workalike.store.recording_video import VideoFrame, import_av, open_video, pictures
from workalike.store.recordings import Segment


class FrameSpan(msgspec.Struct, frozen=True):
    """Some consecutive frames of a segment, by their places among its marks; the last is included."""

    first: int
    last: int


def span_of(marks: Sequence[FrameMark], start: float, end: float) -> FrameSpan | None:
    """The frames that were on the screen at some time between two times."""
    last = bisect_right(marks, end, key=lambda mark: mark.time) - 1
    if last < 0:
        return None
    first = max(0, bisect_right(marks, start, key=lambda mark: mark.time) - 1)
    return FrameSpan(min(first, last), last)


def merged(spans: Sequence[FrameSpan]) -> list[FrameSpan]:
    """The same frames in spans that don't touch, in order."""
    found: list[FrameSpan] = []
    for span in sorted(spans, key=lambda span: span.first):
        if found and span.first <= found[-1].last + 1:
            found[-1] = FrameSpan(found[-1].first, max(found[-1].last, span.last))
        else:
            found.append(span)
    return found


def read_spans(segment: Segment, spans: Sequence[FrameSpan]) -> Iterator[tuple[int, VideoFrame]]:
    """The frames of some spans with their places, in one pass: between spans the reader jumps to the last key frame
    before the next, or reads on where there is none. Frames that no other frame refers to are not decoded; in a
    video of thirty frames a second every other remains. A video that is cut off yields what it has."""
    if not spans or not (segment.folder / "video.mp4").is_file():
        return
    marks = segment.marks
    keys = [place for place, mark in enumerate(marks) if mark.key] or [0]
    av = import_av()
    with suppress(av.error.FFmpegError, IndexError):
        yield from _read(segment.folder / "video.mp4", marks, keys, merged(spans), segment.frame_size)


def _read(
    path: Path, marks: Sequence[FrameMark], keys: Sequence[int], spans: Sequence[FrameSpan], size: Size
) -> Iterator[tuple[int, VideoFrame]]:
    stamps = [mark.pts for mark in marks]
    with open_video(path) as container:
        stream = container.streams.video[0]
        if stream.codec_context is None:
            return
        stream.codec_context.skip_frame = "NONREF"
        milliseconds = float(stream.time_base * 1000)
        decoded: Iterator[Any] = iter(())
        place, picture = -1, None
        for span in spans:
            key = keys[max(0, bisect_right(keys, span.first) - 1)]
            if picture is None or key > place:
                container.seek(int(stamps[key] / 1000 / stream.time_base), stream=stream)
                decoded = pictures(container, stream)
                place, picture = _next(decoded, milliseconds, stamps)
            while picture is not None and place <= span.last:
                if place >= span.first:
                    yield place, VideoFrame(marks[place], picture, size)
                place, picture = _next(decoded, milliseconds, stamps)


def _next(decoded: Iterator[Any], milliseconds: float, stamps: Sequence[int]) -> tuple[int, Any]:
    """The next picture that has a mark, and the place of its mark."""
    for picture in decoded:
        stamp = round(picture.pts * milliseconds)
        place = bisect_left(stamps, stamp)
        if place < len(stamps) and stamps[place] == stamp:
            return place, picture
    return len(stamps), None
