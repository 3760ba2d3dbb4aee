"""How a recording lies on disk: written while a person works, readable at every instant, also after a `kill -9`.

    recording.json            what it is of (RecordingHeader)
    segments/0/segment.json   one stretch on a screen of one size (SegmentHeader)
    segments/0/video.mp4      its frames, each a fragment of its own
    segments/0/frames.jsonl   a line a frame with the frame's own time (FrameMark)
    segments/0/events.jsonl   a line an input event (Event)
    segments/0/trees.jsonl    a line an accessibility tree (Tree)
    end.json                  how it ended (RecordingEnd); absent when it was cut off

All times are seconds since the recording began, on one monotonic clock.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from understudy.core.errors import BadInput, Damaged, Infrastructure
from understudy.core.recording import Event, FrameMark, RecordingEnd, RecordingHeader, SegmentHeader, Tree
from understudy.core.screen import Size

if TYPE_CHECKING:
    from understudy.store.recording_video import Frame, Pixels

Value = TypeVar("Value")


class Segment:
    """One stretch of a recording, read from disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header = _read_document(folder / "segment.json", SegmentHeader)

    @property
    def frame_size(self) -> Size:
        return self.header.frame_size or self.header.screen

    @cached_property
    def marks(self) -> tuple[FrameMark, ...]:
        """The mark of every frame, in order of time."""
        return tuple(_read_lines(self.folder / "frames.jsonl", FrameMark))

    def frames(self, start: float | None = None, end: float | None = None) -> Iterator[Frame]:
        """The frames whose own times lie in a stretch (both ends included), each with its mark."""
        from understudy.store.recording_video import read_frames

        low = float("-inf") if start is None else start
        high = float("inf") if end is None else end
        wanted = [mark for mark in self.marks if low <= mark.time <= high]
        return read_frames(self.folder / "video.mp4", wanted, self.frame_size)

    def events(self) -> Iterator[Event]:
        return _read_lines(self.folder / "events.jsonl", Event)

    def trees(self) -> Iterator[Tree]:
        return _read_lines(self.folder / "trees.jsonl", Tree)


class Recording:
    """A recording on disk, whole or cut off."""

    def __init__(self, path: Path) -> None:
        if not (path / "recording.json").is_file():
            raise BadInput(f"{path} is not a recording: it holds no recording.json")
        self.path = path
        self.header = _read_document(path / "recording.json", RecordingHeader)
        end = path / "end.json"
        self.end = _read_document(end, RecordingEnd) if end.exists() else None

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        folders = (self.path / "segments").glob("*/segment.json")
        return tuple(Segment(file.parent) for file in sorted(folders, key=lambda file: int(file.parent.name)))

    def events(self) -> Iterator[Event]:
        for segment in self.segments:
            yield from segment.events()

    def trees(self) -> Iterator[Tree]:
        for segment in self.segments:
            yield from segment.trees()


class SegmentWriter:
    """Appends to one segment. What a call was given is in the file when it returns, but for the newest frame, which
    is when the next one comes or the segment is closed."""

    def __init__(self, folder: Path, header: SegmentHeader) -> None:
        from understudy.store.recording_video import VideoWriter

        folder.mkdir(parents=True)
        self.header, self.folder = header, folder
        self._video = VideoWriter(folder / "video.mp4", header.frame_size or header.screen)
        self._marks = _Lines(folder / "frames.jsonl")
        self._events = _Lines(folder / "events.jsonl")
        self._trees = _Lines(folder / "trees.jsonl")
        write_document(folder / "segment.json", header)

    def frame(
        self, time: float, pixels: Pixels, pointer: tuple[int, int] | None = None, repeat: bool = False
    ) -> FrameMark:
        """Append a frame of height × width × 4 bytes: blue, green, red, unused."""
        pts, key = self._video.append(time, pixels)
        mark = FrameMark(time, pts, key, pointer, repeat)
        self._marks.append(mark)
        return mark

    def adopt_video(self, video: Path, marks: Sequence[FrameMark]) -> None:
        """Take a video made elsewhere as this segment's, with the marks that say when its frames were seen."""
        shutil.copyfile(video, self.folder / "video.mp4")
        self._marks.append(*marks)

    def event(self, *events: Event) -> None:
        self._events.append(*events)

    def tree(self, tree: Tree) -> None:
        self._trees.append(tree)

    def sync(self) -> None:
        """Have everything so far on the disk itself, where a power cut can't reach it."""
        self._video.sync()
        for lines in (self._marks, self._events, self._trees):
            lines.sync()

    def close(self) -> None:
        try:
            self._video.close()
        finally:
            for lines in (self._marks, self._events, self._trees):
                lines.close()


class RecordingWriter:
    """Makes a recording. It is valid from the first instant; `end` adds how it ended."""

    def __init__(self, path: Path, header: RecordingHeader) -> None:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BadInput(f"{path} exists already and is not an empty folder; name a new one with --out")
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.header = path, header
        write_document(path / "recording.json", header)

    def segment(self, header: SegmentHeader) -> SegmentWriter:
        return SegmentWriter(self.path / "segments" / str(header.index), header)

    def end(self, end: RecordingEnd) -> None:
        write_document(self.path / "end.json", end)


class _Lines:
    """An append-only file of JSON lines in which a line is whole or absent."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._size = 0

    def append(self, *values: object) -> None:
        data = b"".join(msgspec.json.encode(value) + b"\n" for value in values)
        try:
            written = os.write(self._file, data)
            if written < len(data):
                raise OSError(None, "no space left")
        except OSError as error:
            os.ftruncate(self._file, self._size)
            raise Infrastructure(f"{self._path} cannot be written: {error.strerror}") from error
        self._size += len(data)

    def sync(self) -> None:
        os.fdatasync(self._file)

    def close(self) -> None:
        os.close(self._file)


def write_document(path: Path, value: object) -> None:
    """Write one JSON document whole or not at all."""
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _read_document(path: Path, type_: type[Value]) -> Value:
    try:
        return msgspec.json.decode(path.read_bytes(), type=type_)
    except msgspec.DecodeError as error:
        raise Damaged(f"{path} is not a {type_.__name__}: {error}") from error


def _read_lines(path: Path, type_: type[Value] | object) -> Iterator[Value]:
    """Every whole line of a file; a last line without its end is what was being written when the power went."""
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(type_)
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError as error:
                raise Damaged(f"line {number} of {path} cannot be read: {error}") from error
