"""Frames → states: for every action the picture of the screen a person decided on, out of one pass over the video."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from understudy.core.recording import FrameMark
from understudy.core.screen import Size
from understudy.reduce.frames import read_spans, span_of
from understudy.reduce.settling import Choice, Look, cell_place, cells_of, choose
from understudy.reduce.windows import MatchSettings, Track, Window
from understudy.store.recording_video import Frame
from understudy.store.recordings import Recording, Segment


class State(msgspec.Struct, frozen=True):
    """The frame chosen for a window, and how good it is. `on_target` says that the pointer is visible where the
    action went, which could not be avoided: it was there already when the action before ended."""

    window: Window
    segment: int
    mark: FrameMark
    settled: bool
    before_approach: bool
    on_target: bool


class Sight(msgspec.Struct, frozen=True):
    """A state with its frame and what it is compared by, while both are at hand."""

    state: State
    frame: Frame
    look: Look


def shown_size(segment: Segment) -> Size:
    """The size of what a segment's frames show, in the pixels that events speak of."""
    return segment.header.shown or segment.header.screen


def segment_at(recording: Recording, time: float) -> int:
    """Which segment a time falls in."""
    starts = [segment.header.start for segment in recording.segments]
    return max(0, bisect_right(starts, time) - 1)


def match_states(
    recording: Recording, windows: Sequence[Window], track: Track, settings: MatchSettings = MatchSettings()
) -> Iterator[tuple[Window, Sight | None]]:
    """The state for every window, in their order; None where the video has no frame for it."""
    for number, segment in enumerate(recording.segments):
        mine = [window for window in windows if segment_at(recording, window.arrival) == number]
        yield from _match_segment(number, segment, mine, track, settings, _painted(recording))


def _painted(recording: Recording) -> bool:
    return bool(recording.header.settings.get("cursor"))


def _match_segment(
    number: int, segment: Segment, windows: Sequence[Window], track: Track, settings: MatchSettings, painted: bool
) -> Iterator[tuple[Window, Sight | None]]:
    wanted = [[s for pair in w.stretches(settings) if (s := span_of(segment.marks, *pair))] for w in windows]
    frames = read_spans(segment, [span for spans in wanted for span in spans])
    buffer: dict[int, tuple[Frame, Look]] = {}
    ahead = next(frames, None)
    for place, (window, spans) in enumerate(zip(windows, wanted, strict=True)):
        last = max((span.last for span in spans), default=-1)
        while ahead is not None and ahead[0] <= last:
            buffer[ahead[0]] = (ahead[1], _look(ahead[1], segment, track, painted))
            ahead = next(frames, None)
        seen = [buffer[i] for i in sorted(buffer) if any(span.first <= i <= span.last for span in spans)]
        yield window, _sight(number, segment, window, seen, settings)
        needed = min((span.first for later in wanted[place + 1 :] for span in later), default=len(segment.marks))
        buffer = {i: held for i, held in buffer.items() if i >= needed}


def _look(frame: Frame, segment: Segment, track: Track, painted: bool) -> Look:
    place = track.at(frame.time) if painted else None
    pointer = None if place is None else cell_place(place, shown_size(segment), segment.frame_size)
    return Look(frame.time, cells_of(frame.luma()), pointer)


def _sight(
    number: int, segment: Segment, window: Window, seen: Sequence[tuple[Frame, Look]], settings: MatchSettings
) -> Sight | None:
    reach = pointer_reach(segment, settings)
    choice = choose(window, [look for _, look in seen], settings, reach)
    if choice is None:
        return None
    frame, look = seen[choice.index]
    return Sight(_state(number, window, frame, choice), frame, look)


def pointer_reach(segment: Segment, settings: MatchSettings) -> float:
    """How far around the pointer pictures are not compared, in cells; the pointer grows with the system's scale."""
    across = segment.frame_size.width / shown_size(segment).width
    return settings.pointer * segment.header.scale * across / 8


def _state(number: int, window: Window, frame: Frame, choice: Choice) -> State:
    return State(window, number, frame.mark, choice.settled, choice.before_approach, window.there)
