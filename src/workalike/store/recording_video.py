"""The video of one segment: every frame a fragment of its own, so that a cut-off file opens with all but the last.

Frames come at the times they were seen, not at a rate. A frame's time stamp in the file is milliseconds since the
segment's first frame; ordinary players show it at the right speed, and the frame's own time stands in a line beside it.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from workalike.core.errors import Damaged, MissingExtra
from workalike.core.recording import FrameMark
from workalike.core.screen import Size

if TYPE_CHECKING:
    import av
    from PIL.Image import Image

Pixels = npt.NDArray[np.uint8]

_MILLISECONDS = Fraction(1, 1000)
_CONTAINER = {
    "movflags": "frag_every_frame+empty_moov+default_base_moof",
    "video_track_timescale": "1000",
    "flush_packets": "1",
}
# Without look-ahead every frame leaves the encoder at once; ultrafast takes a third of a core's time for medium's sake.
_ENCODER = {"preset": "ultrafast", "tune": "zerolatency", "crf": "18"}
_KEY_FRAME_EVERY = 60


class VideoFrame:
    """One decoded frame with its mark. Pixels are made only when asked for."""

    def __init__(self, mark: FrameMark, picture: av.VideoFrame, size: Size) -> None:
        self.mark, self._picture, self.size = mark, picture, size

    @property
    def time(self) -> float:
        return self.mark.time

    def luma(self) -> Pixels:
        """The brightness plane, height × width; no colour conversion is needed for it."""
        plane: Any = self._picture.planes[0]
        rows: Pixels = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
        return rows[: self.size.height, : self.size.width]

    def rgb(self) -> Pixels:
        """Height × width × 3."""
        pixels = self._picture.to_ndarray(format="rgb24").view(np.uint8)
        return pixels[: self.size.height, : self.size.width]

    def image(self) -> Image:
        from PIL import Image

        return Image.fromarray(np.ascontiguousarray(self.rgb()))


class VideoWriter:
    """Appends frames to one video file. Each frame but the newest is on disk when `append` returns."""

    def __init__(self, path: Path, size: Size) -> None:
        import_av()
        self._path, self._size = path, size
        self._container: Any = None
        self._stream: Any = None
        self._first: float | None = None
        self._last = -1

    def append(self, time: float, pixels: Pixels) -> tuple[int, bool]:
        """Encode height × width × 4 bytes (BGRA). Answers its time stamp and whether it is a key frame."""
        if self._container is None:
            self._open()
        picture = self._picture(pixels)
        self._first = time if self._first is None else self._first
        picture.pts = self._last = max(self._last + 1, round((time - self._first) * 1000))
        picture.time_base = _MILLISECONDS
        packets = self._stream.encode(picture)
        self._container.mux(packets)
        return self._last, any(packet.is_keyframe for packet in packets)

    def close(self) -> None:
        if self._container is not None:
            try:
                self._container.mux(self._stream.encode(None))
            finally:
                self._container.close()
                self._container = None

    def sync(self) -> None:
        """Have the operating system put what was written on the disk."""
        if self._container is not None:
            file = os.open(self._path, os.O_RDWR)
            try:
                os.fsync(file)
            finally:
                os.close(file)

    def _open(self) -> None:
        av = import_av()
        self._container = av.open(str(self._path), "w", format="mp4", options=_CONTAINER)
        stream = self._container.add_stream("libx264", rate=15, options=_ENCODER)
        stream.width, stream.height = even(self._size.width), even(self._size.height)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = _MILLISECONDS
        stream.codec_context.gop_size = _KEY_FRAME_EVERY
        stream.codec_context.thread_count = 1
        self._stream = stream

    def _picture(self, pixels: Pixels) -> Any:
        high, wide = pixels.shape[0] % 2, pixels.shape[1] % 2
        if high or wide:
            pixels = np.pad(pixels, ((0, high), (0, wide), (0, 0)), mode="edge")
        return import_av().VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="bgra")


def read_frames(path: Path, marks: Sequence[FrameMark], size: Size) -> Iterator[VideoFrame]:
    """The frames of some consecutive marks, decoded from the nearest key frame on. Frames of the file without a mark
    are skipped; marks whose frame never reached the file (a recording that was cut off) yield nothing."""
    if not marks or not _begun(path):
        return
    wanted = {mark.pts: mark for mark in marks}
    av = import_av()
    # A recording that was cut off breaks off within a fragment, or before the first: that is its end.
    bad = av.error
    ends = (bad.EOFError, bad.InvalidDataError, bad.DecoderNotFoundError, bad.PermissionError, IndexError)
    with suppress(*ends), open_video(path) as container:
        stream = container.streams.video[0]
        if marks[0].pts > 0:
            container.seek(int(marks[0].pts * _MILLISECONDS / stream.time_base), stream=stream)
        for picture in container.decode(stream):
            pts = round(picture.pts * stream.time_base / _MILLISECONDS)
            if pts in wanted:
                yield VideoFrame(wanted[pts], picture, size)
            if pts >= marks[-1].pts:
                return


def open_video(path: Path) -> Any:
    """Open a video that may have been cut off. Within the head of a fragment the library takes that for the end of
    the whole; up to the last whole fragment it does not."""
    av = import_av()
    try:
        return av.open(str(path), metadata_errors="replace")
    except av.error.EOFError:
        return av.open(io.BytesIO(_whole_boxes(path.read_bytes())), metadata_errors="replace")


def _whole_boxes(data: bytes) -> bytes:
    """The boxes an mp4 file consists of, but for one that is cut off."""
    place = 0
    while place + 16 <= len(data):
        size = int.from_bytes(data[place : place + 4])
        size = int.from_bytes(data[place + 8 : place + 16]) if size == 1 else size
        if size < 8 or place + size > len(data):
            break
        place += size
    return data[:place]


def pictures(container: Any, stream: Any) -> Iterator[Any]:
    """The pictures of an open video from where it stands, those that are damaged left out; a video that breaks off
    ends there."""
    broken = import_av().error.FFmpegError
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
        except broken:
            return
        if packet is None:
            return
        with suppress(broken):
            yield from (picture for picture in packet.decode() if picture.pts is not None)


def video_marks(path: Path, start: float) -> Iterator[FrameMark]:
    """The marks of a video made elsewhere whose first frame was seen at `start`, from its own time stamps."""
    with import_av().open(str(path)) as container:
        stream = container.streams.video[0]
        packets = [packet for packet in container.demux(stream) if packet.pts is not None]
        for packet in sorted(packets, key=lambda packet: packet.pts):
            pts = round(packet.pts * stream.time_base / _MILLISECONDS)
            yield FrameMark(start + float(packet.pts * stream.time_base), pts, key=packet.is_keyframe)


def import_av() -> Any:
    """PyAV, which is part of the `record` extra."""
    try:
        import av
    except ImportError as error:
        raise MissingExtra("a recording", "PyAV", "record") from error
    av.logging.set_level(av.logging.PANIC)
    return av


def even(length: int) -> int:
    """The encoder halves the colour planes, so lengths are rounded up to even ones; readers cut the rest off."""
    return length + length % 2


def _begun(path: Path) -> bool:
    """Whether there is anything to read: a recording may have been cut off before its first frame."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        head = file.read(8)
    if len(head) == 8 and head[4:] != b"ftyp":
        raise Damaged(f"{path} is not an mp4 video; the events beside it are intact")
    return len(head) == 8
