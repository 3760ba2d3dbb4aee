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

import shutil
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from workalike.core.errors import BadInput
from workalike.core.recording import Event, FrameMark, RecordingEnd, RecordingHeader, SegmentHeader, Tree
from workalike.core.screen import Size
from workalike.store.append import LineWriter
from workalike.store.files import disk_errors, make_folder, write_file
from workalike.store.lines import Lines, encode, read_json

if TYPE_CHECKING:
    from workalike.store.recording_video import Pixels, VideoFrame

_RESERVE = 64 * 1024


class Segment:
    """One stretch of a recording, read from disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header = read_json(folder / "segment.json", SegmentHeader)

    @property
    def frame_size(self) -> Size:
        return self.header.frame_size or self.header.screen

    @cached_property
    def marks(self) -> tuple[FrameMark, ...]:
        """The mark of every frame, in order of time."""
        return tuple(_read_lines(self.folder / "frames.jsonl", FrameMark))

    def frames(self, start: float | None = None, end: float | None = None) -> Iterator[VideoFrame]:
        """The frames whose own times lie in a stretch (both ends included), each with its mark."""
        from workalike.store.recording_video import read_frames

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
        if not is_recording(path):
            raise BadInput(f"{path} is not a recording: it holds no recording.json")
        self.path = path
        self.header = read_json(path / "recording.json", RecordingHeader)
        end = path / "end.json"
        self.end = read_json(end, RecordingEnd) if end.exists() else None

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
        from workalike.store.recording_video import VideoWriter

        make_folder(folder)
        self.header, self.folder = header, folder
        self._video = VideoWriter(folder / "video.mp4", header.frame_size or header.screen)
        self._marks = LineWriter(folder / "frames.jsonl")
        self._events = LineWriter(folder / "events.jsonl")
        self._trees = LineWriter(folder / "trees.jsonl")
        _write_document(folder / "segment.json", header)

    def frame(
        self, time: float, pixels: Pixels, pointer: tuple[int, int] | None = None, repeat: bool = False
    ) -> FrameMark:
        """Append a frame of height × width × 4 bytes: blue, green, red, unused."""
        with disk_errors(self.folder / "video.mp4"):
            pts, key = self._video.append(time, pixels)
        mark = FrameMark(time, pts, key, pointer, repeat)
        _append(self._marks, [mark])
        return mark

    def adopt_video(self, video: Path, marks: Sequence[FrameMark]) -> None:
        """Take a video made elsewhere as this segment's, with the marks that say when its frames were seen."""
        shutil.copyfile(video, self.folder / "video.mp4")
        _append(self._marks, marks)

    def event(self, *events: Event) -> None:
        _append(self._events, events)

    def tree(self, tree: Tree) -> None:
        _append(self._trees, [tree])

    def sync(self) -> None:
        """Have everything so far on the disk itself, where a power cut can't reach it."""
        with disk_errors(self.folder / "video.mp4"):
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
        self.path, self.header = path, header
        self._made_folder = not path.exists()
        self._reserve = path / "reserve"
        write_file(self._reserve, bytes(_RESERVE))
        _write_document(path / "recording.json", header)

    def segment(self, header: SegmentHeader) -> SegmentWriter:
        return SegmentWriter(self.path / "segments" / str(header.index), header)

    def discard(self) -> None:
        """Leave nothing behind, where nothing came to be recorded."""
        shutil.rmtree(self.path / "segments", ignore_errors=True)
        for file in (self._reserve, self.path / "recording.json"):
            file.unlink(missing_ok=True)
        if self._made_folder:
            self.path.rmdir()

    def end(self, end: RecordingEnd) -> None:
        """Write down how it ended, for which room is kept even on a disk that is full by now."""
        self._reserve.unlink(missing_ok=True)
        _write_document(self.path / "end.json", end)


def recordings_in(folder: Path) -> list[Path]:
    """The recordings that a folder holds, at any depth."""
    return sorted(file.parent for file in folder.rglob("recording.json"))


def is_recording(path: Path) -> bool:
    return (path / "recording.json").is_file()


def demonstration_in(recording: Path) -> Path:
    """Where the demonstration lies that a recording was reduced to on the way to something else."""
    return recording / "reduced"


def _write_document(path: Path, value: object) -> None:
    write_file(path, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def _append(lines: LineWriter, values: Sequence[object]) -> None:
    """Values as lines, all of them in one write; they are synced once a second, not each by itself."""
    lines.append_line(b"".join(map(encode, values)), sync=False)


def _read_lines(path: Path, shape: Any) -> Iterator[Any]:
    """Every whole line of a file; a last line without its end is what was being written when the power went."""
    if not path.exists():  # it was made before its segment's own file
        raise BadInput(f"{path} is missing: the recording was damaged or copied in part; bring the file back")
    lines: Lines[Any] = Lines(path, shape)
    return (value for _, value in lines)
