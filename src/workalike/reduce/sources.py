"""What can be reduced: a recording of ours, an event file of ours or of AgentNetTool's, each with the size of what its
pictures show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.core.recording import ButtonChanged, Event, PointerMoved, SegmentHeader, WheelTurned
from workalike.core.screen import Size
from workalike.formats.agentnet_tool_events import STOP_KEYS, Row, Skipped, events, is_tool_event
from workalike.formats.agentnet_tool_files import Metadata
from workalike.reduce.reducer import Shown
from workalike.store.lines import Lines, damaged, raw_lines, read_json
from workalike.store.recordings import Recording


class Source(msgspec.Struct, frozen=True):
    """Events, what the pictures show and where that is known from, and the settings the recording came with."""

    events: tuple[Event, ...]
    shown: tuple[Shown, ...]
    told_by: str
    settings: dict[str, object] = {}
    skipped: dict[str, int] = {}


def event_file(path: Path, screen: Size | None = None) -> Source:
    """The events of one file. Where the screen's size is not given, it is looked for beside the file; failing that,
    the events themselves must do, and `told_by` says so."""
    first = next((line for _, line in raw_lines(path) if not line.isspace()), b"")
    return _tool_file(path, screen) if is_tool_event(first) else _own_file(path, screen)


def recording_source(recording: Recording) -> Source:
    """The events of a whole recording."""
    shown = tuple(
        Shown(segment.header.start, segment.header.shown or segment.header.screen) for segment in recording.segments
    )
    if not shown:
        raise BadInput(f"{recording.path} has no segments: nothing was recorded")
    return Source(tuple(recording.events()), shown, "the recording", recording.header.settings)


def _own_file(path: Path, screen: Size | None) -> Source:
    stream = tuple(event for _, event in Lines[Event](path, Event))
    beside = path.parent / "segment.json"
    if screen is None and beside.is_file():
        header = read_json(beside, SegmentHeader)
        return Source(stream, (Shown(0.0, header.shown or header.screen),), beside.name)
    return Source(stream, *_screen(stream, screen))


def _tool_file(path: Path, screen: Size | None) -> Source:
    beside = path.parent / "metadata.json"
    metadata = read_json(beside, Metadata) if beside.is_file() else None
    skipped = Skipped()
    rows = _numbered(path)
    stream = tuple(events(rows, metadata.system if metadata else "", skipped=skipped))
    settings: dict[str, object] = {"stop_keys": STOP_KEYS}
    if screen is None and metadata is not None:
        try:
            shown = Shown(0.0, metadata.screen)
        except ValueError as error:
            raise damaged(beside, str(error), "write the screen's real size into it") from error
        return Source(stream, (shown,), beside.name, settings, skipped.counts)
    return Source(stream, *_screen(stream, screen), settings, skipped.counts)


def _numbered(path: Path) -> Iterable[Row]:
    for number, row in Lines[Row](path, Row):
        yield row if row.event_idx >= 0 else msgspec.structs.replace(row, event_idx=number - 1)


def _screen(stream: Sequence[Event], screen: Size | None) -> tuple[tuple[Shown, ...], str]:
    if screen is not None:
        return (Shown(0.0, screen),), "--screen"
    placed = [event for event in stream if isinstance(event, PointerMoved | ButtonChanged | WheelTurned)]
    wide = max((event.x for event in placed), default=0.0)
    high = max((event.y for event in placed), default=0.0)
    if not (math.isfinite(wide) and math.isfinite(high)):
        raise BadInput("the events name places that are no numbers; correct them or give the size with --screen")
    return (Shown(0.0, Size(max(1, math.ceil(wide + 1)), max(1, math.ceil(high + 1)))),), "the furthest place named"


def parse_size(text: str) -> Size:
    """`1920x1080` as a size."""
    wide, _, high = text.lower().replace("×", "x").partition("x")
    try:
        return Size(int(wide), int(high))
    except ValueError as error:
        raise BadInput(f"{text!r} is not a screen size; write it as 1920x1080") from error
