"""What can be reduced: a recording of ours, an event file of ours or of AgentNetTool's, each with the size of what its
pictures show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.core.recording import ButtonChanged, Event, PointerMoved, SegmentHeader, WheelTurned
from workalike.core.screen import LONGEST_SIDE, Size
from workalike.formats.agentnet_tool_events import (
    STOP_KEYS,
    EventLine,
    Skipped,
    events,
    is_command_name,
    is_tool_event,
)
from workalike.formats.agentnet_tool_files import Metadata
from workalike.reduce.reducer import ShownArea
from workalike.store.lines import Lines, damaged, raw_lines, read_json
from workalike.store.recordings import Recording, is_recording

SYSTEMS = {"windows": "Windows", "macos": "Darwin", "linux": "Linux"}
"""The systems by the names that metadata of the tool's gives them."""
_EDITING = frozenset("cvxzasfwtnqop")


class EventSource(msgspec.Struct, frozen=True):
    """Events, what the pictures show and where that is known from, the settings the recording came with, and in words
    what had to be `assumed`."""

    events: tuple[Event, ...]
    shown: tuple[ShownArea, ...]
    told_by: str
    settings: dict[str, object] = {}
    skipped: dict[str, int] = {}
    assumed: str = ""


def source_at(path: Path, screen: str | None = None, system: str | None = None) -> EventSource:
    """The events at a path: of a recording's folder, of a folder with an event file in it, or of such a file, of which
    alone `screen` (as `1920x1080`) and `system` are told."""
    if path.is_dir() and is_recording(path):
        return recording_source(Recording(path))
    if path.is_dir() and not (path / "events.jsonl").is_file():
        raise BadInput(f"{path} is no recording: it holds neither recording.json nor events.jsonl; name one's folder")
    file = path / "events.jsonl" if path.is_dir() else path
    return event_file(file, parse_size(screen) if screen else None, system)


def event_file(path: Path, screen: Size | None = None, system: str | None = None) -> EventSource:
    """The events of one file. Where the screen's size is not given, it is looked for beside the file; failing that,
    the events themselves must do, and `told_by` says so. The same holds of the `system` (windows, macos, linux) of the
    tool's events, on which the meaning of the command key depends; `assumed` says what was made of it."""
    first = next((line for _, line in raw_lines(path) if not line.isspace()), b"")
    return _tool_file(path, screen, system) if is_tool_event(first) else _own_file(path, screen)


def recording_source(recording: Recording) -> EventSource:
    """The events of a whole recording."""
    shown = tuple(
        ShownArea(segment.header.start, segment.header.shown or segment.header.screen) for segment in recording.segments
    )
    if not shown:
        raise BadInput(f"{recording.path} has no segments: nothing was recorded")
    return EventSource(tuple(recording.events()), shown, "the recording", recording.header.settings)


def _own_file(path: Path, screen: Size | None) -> EventSource:
    stream = tuple(event for _, event in Lines[Event](path, Event))
    beside = path.parent / "segment.json"
    if screen is None and beside.is_file():
        header = read_json(beside, SegmentHeader)
        return EventSource(stream, (ShownArea(0.0, header.shown or header.screen),), beside.name)
    return EventSource(stream, *_screen(stream, screen))


def _tool_file(path: Path, screen: Size | None, system: str | None) -> EventSource:
    beside = path.parent / "metadata.json"
    metadata = read_json(beside, Metadata) if beside.is_file() else None
    skipped, assumed = Skipped(), ""
    rows = list(_numbered(path))
    if system is not None:
        named = SYSTEMS[system]
    elif metadata is not None:
        named = metadata.system
    else:
        named, assumed = _inferred_system(rows)
    stream = tuple(events(rows, named, skipped=skipped))
    settings: dict[str, object] = {"stop_keys": STOP_KEYS, "names_tell_ctrl": named == "Windows"}
    if screen is None and metadata is not None:
        try:
            shown = ShownArea(0.0, metadata.screen)
        except ValueError as error:
            raise damaged(beside, str(error), "write the screen's real size into it") from error
        return EventSource(stream, (shown,), beside.name, settings, skipped.counts, assumed)
    return EventSource(stream, *_screen(stream, screen), settings, skipped.counts, assumed)


def _inferred_system(rows: Sequence[EventLine]) -> tuple[str, str]:
    """The system that events of the tool's seem to come from, and what to say of it where it matters: a Mac's users
    copy and paste under cmd, others under ctrl, whose letters Windows names by their commands."""
    if not any(row.name.startswith("cmd") for row in rows):
        return ("Windows" if any(map(is_command_name, rows)) else ""), ""
    if any(map(is_command_name, rows)) or not _EDITING.isdisjoint(_chords(rows, "ctrl")):
        system, taken, why = "Windows", "the Windows key", "ctrl commands letters"
    elif not _EDITING.isdisjoint(_chords(rows, "cmd")):
        system, taken, why = "Darwin", "a Mac's command key", "letters are commanded with it and none with ctrl"
    else:
        system, taken, why = "", "the Windows key", "nothing is copied, pasted or undone with it"
    return system, f"`cmd` is taken for {taken}, for {why}; no metadata.json says: give --system if it is otherwise"


def _chords(rows: Sequence[EventLine], modifier: str) -> Iterator[str]:
    """The letters that go down while a modifier is held, by its name on either side."""
    held: set[str] = set()
    for row in rows:
        if row.name.split("_")[0] == modifier:
            held = held | {row.name} if row.action == "press" else held - {row.name}
        elif held and row.action == "press" and len(row.name) == 1:
            yield row.name.lower()


def _numbered(path: Path) -> Iterable[EventLine]:
    for number, row in Lines[EventLine](path, EventLine):
        yield row if row.event_idx >= 0 else msgspec.structs.replace(row, event_idx=number - 1)


def _screen(stream: Sequence[Event], screen: Size | None) -> tuple[tuple[ShownArea, ...], str]:
    if screen is not None:
        return (ShownArea(0.0, screen),), "--screen"
    placed = [event for event in stream if isinstance(event, PointerMoved | ButtonChanged | WheelTurned)]
    wide = max((event.x for event in placed), default=0.0)
    high = max((event.y for event in placed), default=0.0)
    if not (wide < LONGEST_SIDE and high < LONGEST_SIDE):
        raise BadInput("the events name places that are on no screen; correct them or give the size with --screen")
    return (ShownArea(0.0, Size(max(1, math.ceil(wide + 1)), max(1, math.ceil(high + 1)))),), "the furthest place named"


def parse_size(text: str) -> Size:
    """`1920x1080` as a size."""
    wide, _, high = text.lower().replace("×", "x").partition("x")
    try:
        return Size(int(wide), int(high))
    except ValueError as error:
        raise BadInput(f"{text!r} is not a screen size; write it as 1920x1080") from error
