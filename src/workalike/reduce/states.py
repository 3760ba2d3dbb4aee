"""Frames → states: for every action the picture of the screen a person decided on, out of one pass over the video."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from workalike.core.actions import points
from workalike.core.recording import FrameMark
from workalike.core.screen import Size
from workalike.reduce.account import Gesture
from workalike.reduce.frames import read_spans, span_of
from workalike.reduce.settling import FrameLook, cell_place, cells_of, choose
from workalike.reduce.windows import MatchSettings, SearchWindow, Track, on_target
from workalike.store.recording_video import VideoFrame
from workalike.store.recordings import Recording, Segment


class State(msgspec.Struct, frozen=True):
    """The frame chosen for a window, and how good it is. `on_target` says that the pointer is in the picture where
    the action went, which could not be avoided: it was there already when the action before ended."""

    window: SearchWindow
    segment: int
    mark: FrameMark
    settled: bool
    before_approach: bool
    on_target: bool


class StateView(msgspec.Struct, frozen=True):
    """A state with its frame and what it is compared by, while both are at hand."""

    state: State
    frame: VideoFrame
    look: FrameLook


def shown_size(segment: Segment) -> Size:
    """The size of what a segment's frames show, in the pixels that events speak of."""
    return segment.header.shown or segment.header.screen


def segment_at(recording: Recording, time: float) -> int:
    """Which segment a time falls in."""
    starts = [segment.header.start for segment in recording.segments]
    return max(0, bisect_right(starts, time) - 1)


def match_states(
    recording: Recording,
    windows: Sequence[SearchWindow],
    gestures: Sequence[Gesture],
    track: Track,
    settings: MatchSettings = MatchSettings(),
) -> Iterator[tuple[SearchWindow, StateView | None]]:
    """The state for every window, in their order; None where the video has no frame for it."""
    painted = bool(recording.header.settings.get("cursor"))
    for number, segment in enumerate(recording.segments):
        mine = [window for window in windows if segment_at(recording, window.arrival) == number]
        yield from _Matcher(number, segment, gestures, track, settings, painted).match(mine)


class _Matcher:
    """Finds the states of one segment."""

    def __init__(
        self,
        number: int,
        segment: Segment,
        gestures: Sequence[Gesture],
        track: Track,
        settings: MatchSettings,
        painted: bool,
    ) -> None:
        self._number, self._segment, self._gestures = number, segment, gestures
        self._track, self._settings, self._painted = track, settings, painted
        self._shown = shown_size(segment)
        self._reach = pointer_reach(segment, settings)

    def match(self, windows: Sequence[SearchWindow]) -> Iterator[tuple[SearchWindow, StateView | None]]:
        marks = self._segment.marks
        wanted = [[s for pair in w.stretches(self._settings) if (s := span_of(marks, *pair))] for w in windows]
        frames = read_spans(self._segment, [span for spans in wanted for span in spans])
        buffer: dict[int, tuple[VideoFrame, FrameLook]] = {}
        ahead = next(frames, None)
        for place, (window, spans) in enumerate(zip(windows, wanted, strict=True)):
            last = max((span.last for span in spans), default=-1)
            while ahead is not None and ahead[0] <= last:
                buffer[ahead[0]] = (ahead[1], self._look(ahead[1]))
                ahead = next(frames, None)
            seen = [buffer[i] for i in sorted(buffer) if any(span.first <= i <= span.last for span in spans)]
            yield window, self._sight(window, seen)
            needed = min((span.first for later in wanted[place + 1 :] for span in later), default=len(marks))
            buffer = {i: held for i, held in buffer.items() if i >= needed}

    def _look(self, frame: VideoFrame) -> FrameLook:
        place = self._track.at(frame.time) if self._painted else None
        pointer = None if place is None else cell_place(place, self._shown, self._segment.frame_size)
        return FrameLook(frame.time, cells_of(frame.luma()), pointer)

    def _sight(self, window: SearchWindow, seen: Sequence[tuple[VideoFrame, FrameLook]]) -> StateView | None:
        """The state of one window. A pointer that passed over its target earlier, while the person was still looking
        around, gives the action away as well; such frames are taken only where there are no others."""
        away = [(frame, look) for frame, look in seen if not self._gives_away(window, frame.time)]
        choice = choose(window, [look for _, look in away], self._settings, self._reach)
        if choice is None:
            away = list(seen)
            choice = choose(window, [look for _, look in away], self._settings, self._reach)
        if choice is None:
            return None
        frame, look = away[choice.index]
        on = self._gives_away(window, frame.time)
        return StateView(
            State(window, self._number, frame.mark, choice.settled, choice.before_approach, on), frame, look
        )

    def _gives_away(self, window: SearchWindow, time: float) -> bool:
        """Whether the pointer is in the picture, on its target."""
        place = self._track.at(time)
        if window.role != "before" or not self._painted or place is None:
            return False
        gesture = self._gestures[window.gesture]
        target = next((point for action in gesture.actions for point in points(action)), None)
        return target is not None and on_target(place, gesture, target, self._shown, self._settings)


def pointer_reach(segment: Segment, settings: MatchSettings) -> float:
    """How far around the pointer pictures are not compared, in cells; the pointer grows with the system's scale."""
    across = segment.frame_size.width / shown_size(segment).width
    return settings.pointer * segment.header.scale * across / 8
