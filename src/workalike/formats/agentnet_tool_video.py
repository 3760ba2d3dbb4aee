"""The video of an AgentNetTool recording: when each of its frames was seen, and cutting it without encoding it anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from workalike.core.errors import Damaged
from workalike.core.recording import FrameMark
from workalike.core.screen import Size
from workalike.store.recording_video import import_av, video_marks

_REACH = 16


class FrameTimes(msgspec.Struct, frozen=True):
    """The size of a video's frames, and for each its time in the video and the time on the recording's clock."""

    size: Size
    marks: tuple[FrameMark, ...]


def frame_times(video: Path, offset: float, pauses: Sequence[tuple[float, float]]) -> FrameTimes:
    """When every frame was seen. `offset` is how much later the recording's clock runs; OBS stops while the tool is
    paused, so what was seen after a pause comes that much earlier in the video."""
    with readable(video):
        with import_av().open(str(video)) as container:
            stream = container.streams.video[0]
            if stream.codec_context is None:
                raise ValueError("nobody knows how it is encoded")
            size = Size(stream.width, stream.height)
        marks = tuple(video_marks(video, 0.0))
    if not marks:
        raise Damaged(f"{video} holds no frames; copy it anew or take it out")
    return FrameTimes(size, tuple(_seen(mark, offset, pauses) for mark in marks))


@contextmanager
def readable(video: Path) -> Iterator[None]:
    """Turn what the decoder says about a damaged video into a sentence."""
    try:
        yield
    except (import_av().error.FFmpegError, IndexError, ValueError, OverflowError) as error:
        reason = str(error).split(";")[0].replace("\n", " ")
        raise Damaged(f"{video} cannot be read as a video: {reason}; copy it anew or take it out") from error


def _seen(mark: FrameMark, offset: float, pauses: Sequence[tuple[float, float]]) -> FrameMark:
    time = mark.time + offset
    for start, end in pauses:
        if time >= start:
            time += end - start
    return msgspec.structs.replace(mark, time=time)


def cut(video: Path, marks: Sequence[FrameMark], first: int, last: int, target: Path) -> list[FrameMark]:
    """Copy the frames `first` to `last` (by their place in `marks`) into a video of their own, from the key frame
    before on, and answer their marks in it. Nothing is encoded anew."""
    begin = max(i for i in range(first + 1) if marks[i].key or i == 0)
    # The last frames may refer to some that are shown after them.
    end = min(last + _REACH, len(marks) - 1)
    low, high = marks[begin].pts, marks[end].pts
    with readable(video):
        _copy(video, target, low, high)
        written = list(video_marks(target, 0.0))
        found = zip(written, marks[begin : end + 1], strict=True)
        return [FrameMark(seen.time, new.pts, new.key) for new, seen in found][first - begin : last - begin + 1]


def _copy(video: Path, target: Path, low: int, high: int) -> None:
    """Copy the packets of a stretch, in milliseconds of the video, so that the copy begins at 0."""
    av = import_av()
    with av.open(str(video)) as source, av.open(str(target), "w", format="mp4") as sink:
        stream = source.streams.video[0]
        copied = sink.add_stream_from_template(stream)
        base: int | None = None
        for packet in source.demux(stream):
            if packet.pts is None or not low <= round(packet.pts * stream.time_base * 1000) <= high:
                continue
            base = packet.pts if base is None else base
            packet.pts, packet.dts = packet.pts - base, packet.dts - base
            packet.stream = copied
            sink.mux(packet)
