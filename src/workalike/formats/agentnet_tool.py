"""AgentNetTool recordings (Windows, macOS, Ubuntu) → recordings of ours, as they are.

Events, trees and frames come onto one clock; a change of resolution begins a new segment; what an annotator kept, and
how they called it, stands beside the recording, to be applied or not. What could not be told is said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.observation import Element
from workalike.core.provenance import Provenance
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PageChanged,
    Paused,
    PointerMoved,
    RecordingEnd,
    RecordingHeader,
    Resumed,
    SegmentHeader,
    Tree,
    TreeNode,
    WheelTurned,
    WindowChanged,
)
from workalike.core.task import Task
from workalike.formats.agentnet_tool_clock import ClockOffset, estimate, pointer_of
from workalike.formats.agentnet_tool_events import STOP_KEYS, Skipped, events
from workalike.formats.agentnet_tool_files import ToolFiles
from workalike.formats.agentnet_tool_screens import Screen, look_into, moment, screens
from workalike.formats.agentnet_tool_trees import desktop, element, is_label, labelled, nodes_at, target, tree_node
from workalike.formats.agentnet_tool_video import FrameTimes, cut, frame_times, readable
from workalike.store.files import appearing, write_file
from workalike.store.recordings import RecordingWriter

EDITS = "edits.json"
"""Beside a recording: what somebody kept of it."""

_TREE_TAKES = 3.0
_HIT_WITHIN = 0.3
_DROPS_DOWN = ("ComboBox", "MenuItem", "SplitButton")


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """One action somebody kept, by when it was done, and what they called it."""

    start: float
    end: float
    label: str = ""


class Edits(msgspec.Struct, frozen=True):
    """What somebody made of a recording: all that they did not keep is deleted."""

    by: str
    kept: tuple[Kept, ...]


class Imported(msgspec.Struct, frozen=True):
    """What an import found, for the person who asked for it."""

    path: str
    events: int
    frames: int
    trees: int
    clock: ClockOffset | None
    screens: tuple[Screen, ...]
    kept: int | None
    skipped: dict[str, int]
    notes: tuple[str, ...]


def import_recording(folder: Path, out: Path) -> Imported:
    """Make a recording of ours from one of the tool's; `out` appears whole or not at all."""
    source = _Source(ToolFiles(folder))
    header = _header(source)
    with appearing(out) as place:
        writer = RecordingWriter(place, header)
        counts = _write_segments(writer, source)
        if source.kept is not None:
            write_file(place / EDITS, msgspec.json.encode(Edits("agentnet-tool", source.kept)))
        writer.end(RecordingEnd(source.end, "stopped", counts={**counts, **source.skipped.counts}))
    return Imported(
        path=str(out),
        events=counts["events"],
        frames=counts["frames"],
        trees=counts["trees"],
        clock=source.clock,
        screens=tuple(source.segments),
        kept=None if source.kept is None else len(source.kept),
        skipped=source.skipped.counts,
        notes=tuple(source.notes()),
    )


class _Source:
    """All of the tool's files, on the recording's clock: seconds since the time it calls the video's start."""

    def __init__(self, files: ToolFiles) -> None:
        self.files, self.metadata = files, files.metadata
        self.zero, self.canvas = self.metadata.video_start_timestamp, self.metadata.screen
        self.skipped = Skipped()
        self.input = list(events(files.events, self.metadata.system, self.zero, self.skipped))
        self.pauses = list(_pauses(self.input))
        self.video = files.video
        self.clock = self._clock()
        offset = (self.clock.seconds or 0.0) if self.clock else 0.0
        self.frames = frame_times(self.video, offset, self.pauses) if self.video else FrameTimes(self.canvas, ())
        self.trees = [(time - self.zero, raw) for time, raw in files.trees()]
        self.elements = [(time - self.zero, raw) for time, raw in files.elements()]
        self.screens = self._screens(offset)
        self.segments = self._segments(offset)
        kept = files.kept()
        self.kept = None if kept is None else tuple(self._kept(row) for row in kept)
        last_event = self.input[-1].time if self.input else 0.0
        self.end = max(last_event, self.frames.marks[-1].time if self.frames.marks else 0.0)

    def _clock(self) -> ClockOffset | None:
        if self.video is None:
            return None
        size = frame_times(self.video, 0.0, ()).size
        placed = (e for e in self.input if isinstance(e, PointerMoved | ButtonChanged | WheelTurned))
        moves = [(self._in_video(event.time), event.x, event.y) for event in placed]
        with readable(self.video):
            return estimate(self.video, pointer_of(moves, self.canvas, size))

    def _in_video(self, time: float) -> float:
        """A time of the recording's clock in the video, before any offset."""
        return time - sum(min(end, time) - start for start, end in self.pauses if start < time)

    def _screens(self, offset: float) -> list[Screen]:
        readings = [(time, seen) for time, raw in (*self.trees, *self.elements) if (seen := desktop(raw))]
        if self.video is None:
            return screens(self.canvas, readings, lambda time: None)
        look = look_into(self.video, self.canvas)
        with readable(self.video):
            return screens(self.canvas, readings, lambda time: look(self._in_video(time) - offset))

    def _segments(self, offset: float) -> list[Screen]:
        """The screens of different sizes, each from the frame on that first shows it."""
        found = [Screen(0.0, self.canvas, self.screens[0].scale)]
        for before, after in zip(self.screens, self.screens[1:], strict=False):
            if before.size == after.size:
                continue
            start = after.start
            if self.video:
                low, high = self._last_tree_before(after.start), after.start + _TREE_TAKES
                span = (self._in_video(low) - offset, self._in_video(high) - offset)
                with readable(self.video):
                    seen = moment(self.video, *span, self.canvas, before.size, after.size)
                start = start if seen is None else self._frame_time(seen)
            found.append(Screen(max(start, found[-1].start + 1e-3), after.size, after.scale))
        return found

    def _frame_time(self, in_video: float) -> float:
        pts = round(in_video * 1000)
        return next((mark.time for mark in self.frames.marks if mark.pts >= pts), self.frames.marks[-1].time)

    def _last_tree_before(self, time: float) -> float:
        return max((seen for seen, _ in (*self.trees, *self.elements) if seen < time), default=0.0)

    def _kept(self, row: Any) -> Kept:
        end = row.start_time if row.end_time is None else row.end_time
        return Kept(row.start_time - self.zero, end - self.zero, row.action)

    def scale(self, time: float) -> float:
        """How many screen pixels a unit of the trees was at a time."""
        return self.screens[bisect_right(self.screens, time, key=lambda screen: screen.start) - 1].scale

    def notes(self) -> Iterator[str]:
        """What a person should know about this import."""
        if self.video is None:
            yield "there is no video: actions can be reduced, states cannot be matched"
        if self.clock and self.clock.seconds is None:
            yield f"the clock offset could not be told ({self.clock.reason}); frames keep the times they were given"
        for screen in self.segments[1:]:
            size = f"{screen.size.width}×{screen.size.height}" if screen.size else "another size that could not be told"
            yield f"the screen became {size} at {screen.start:.2f} s; the frames go on showing {self._shown()} of it"
        if self.files.pages():
            yield "the HTML of the pages stays in the original; their addresses are in the events"

    def _shown(self) -> str:
        return f"{self.canvas.width}×{self.canvas.height}"


def _header(source: _Source) -> RecordingHeader:
    metadata, files = source.metadata, source.files
    clock = None if source.clock is None else msgspec.to_builtins(source.clock)
    settings = {
        "stop_keys": [list(chord) for chord in STOP_KEYS],
        "names_tell_ctrl": metadata.system == "Windows",
        "clock_offset": clock,
        "cursor": source.video is not None,
    }
    name = files.folder.resolve().name
    task = Task(name, files.task.task_name, extra={"description": files.task.description or ""})
    origin = {"folder": name, "system": metadata.system, "model": metadata.model}
    return RecordingHeader(
        id=name,
        task=task,
        system=f"{metadata.system} {metadata.release}".strip(),
        started=metadata.start_time.replace(" ", "T"),
        settings=settings,
        provenance=Provenance("import agentnet-tool", settings=origin),
    )


def _write_segments(writer: RecordingWriter, source: _Source) -> dict[str, int]:
    ends = [*(screen.start for screen in source.segments[1:]), float("inf")]
    stream = sorted((*_hits(source), *_context(source)), key=lambda event: event.time)
    counts = {"events": len(stream), "frames": len(source.frames.marks), "trees": 0}
    low = float("-inf")
    for index, (screen, high) in enumerate(zip(source.segments, ends, strict=True)):
        segment = writer.segment(_segment_header(index, screen, source))
        segment.event(*(event for event in stream if low <= event.time < high))
        for tree in _trees(source, low, high):
            segment.tree(tree)
            counts["trees"] += 1
        _write_video(writer, segment, source, low, high)
        segment.close()
        low = high
    return counts


def _segment_header(index: int, screen: Screen, source: _Source) -> SegmentHeader:
    size = screen.size or source.canvas
    return SegmentHeader(
        index=index,
        screen=size,
        start=screen.start,
        scale=screen.scale,
        frame_size=source.frames.size if source.frames.size != size else None,
        shown=source.canvas if source.canvas != size else None,
    )


def _write_video(writer: RecordingWriter, segment: Any, source: _Source, low: float, high: float) -> None:
    marks = source.frames.marks
    places = [i for i, mark in enumerate(marks) if low <= mark.time < high]
    if not places or source.video is None:
        return
    if len(places) == len(marks):
        segment.adopt_video(source.video, marks)
        return
    temporary = writer.path / "cut.mp4"
    found = cut(source.video, marks, places[0], places[-1], temporary)
    segment.adopt_video(temporary, found)
    temporary.unlink()


def _trees(source: _Source, low: float, high: float) -> Iterator[Tree]:
    for time, raw in source.trees:
        root = tree_node(raw, source.scale(time)) if low <= time < high else None
        if root is not None:
            cut_short = None if raw.get("complete", True) else "the window changed while it was read"
            yield Tree(time, "settled", root, title=root.name, cut=cut_short)


def _context(source: _Source) -> Iterator[Event]:
    """Windows and pages as events. The tool knows programs, not titles; those are in the trees."""
    for window in source.files.windows():
        yield WindowChanged(window.time_stamp - source.zero, window.top_window_name, window.top_window_name)
    url = ""
    for page in sorted(source.files.pages(), key=lambda page: page.time_stamp):
        if page.url and page.url != url:
            yield PageChanged(page.time_stamp - source.zero, page.url)
            url = page.url


def _hits(source: _Source) -> Iterator[Event]:
    """The input events, each press with the element it hit, where that is known."""
    pages = [(time - source.zero, raw) for time, raw in source.files.page_elements()]
    trees = [(time, tree_node(raw, source.scale(time))) for time, raw in source.trees]
    opened = False
    for event in source.input:
        if not isinstance(event, ButtonChanged) or not event.down:
            opened = opened and not isinstance(event, WheelTurned | KeyChanged)
            yield event
            continue
        under = _under(trees, event)
        hit = _page_hit(pages, event) or _hit(source, [] if opened else under, event)
        # What a list dropped down over is still in the trees, and the list itself often isn't.
        opened = any(node.role in _DROPS_DOWN for node in under)
        yield event if hit is None else msgspec.structs.replace(event, hit=hit)


def _hit(source: _Source, under: Sequence[TreeNode], event: ButtonChanged) -> Element | None:
    """The tool asks the system for the element at a press, in units that stop being the events' when the scale
    changes; then the last tree before, brought to the events' units, knows better."""
    if source.scale(event.time) != 1.0:
        return element(target(under), source.canvas) if under else None
    node = tree_node(_nearest(source.elements, event.time))
    if node is None or node not in nodes_at(node, event.x, event.y):
        return None
    return element(labelled(node, under) if is_label(node) else node, source.canvas)


def _under(trees: Sequence[tuple[float, TreeNode | None]], event: ButtonChanged) -> list[TreeNode]:
    """The nodes under a press in the last tree before it."""
    place = bisect_right(trees, event.time, key=lambda pair: pair[0]) - 1
    root = trees[place][1] if place >= 0 else None
    return nodes_at(root, event.x, event.y) if root else []


def _page_hit(pages: Sequence[tuple[float, Any]], event: ButtonChanged) -> Element | None:
    raw = _nearest(pages, event.time)
    if not isinstance(raw, dict):
        return None
    tag = str(raw.get("tagName") or raw.get("tag") or "element").lower()
    return Element(role=tag, name=str(raw.get("text") or "").strip(), tag=tag)


def _nearest(stamped: Sequence[tuple[float, Any]], time: float) -> Any:
    near = [(abs(seen - time), raw) for seen, raw in stamped if abs(seen - time) <= _HIT_WITHIN]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _pauses(stream: Sequence[Event]) -> Iterator[tuple[float, float]]:
    start: float | None = None
    for event in stream:
        if isinstance(event, Paused):
            start = event.time
        elif isinstance(event, Resumed) and start is not None:
            yield start, event.time
            start = None
