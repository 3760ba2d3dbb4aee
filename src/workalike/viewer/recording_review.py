"""A recording as its reviewers see it: the video by segments, the events to draw on it, and the steps that it reduces
to. Read once; only the review changes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from workalike.core.errors import BadInput, DialectError
from workalike.core.recording import (
    ButtonChanged,
    Event,
    FrameMark,
    KeyChanged,
    PageChanged,
    PointerMoved,
    WheelTurned,
    WindowChanged,
)
from workalike.core.review import DemonstrationReview, Revision
from workalike.formats.agentnet_trajectories import write_code
from workalike.pictures.codec import encode
from workalike.reduce.account import Gesture
from workalike.reduce.reviewed import edit_of, step_place
from workalike.reduce.settings import settings_of
from workalike.reduce.states import segment_at, shown_size
from workalike.reduce.trajectory import EditedReduction, annotated_label, edited_reduction
from workalike.store.recordings import Recording, Segment
from workalike.viewer.collection import RecordingCollection, file_state

_APART = 0.02
_DIGITS = 4


class RecordingView:
    """One recording, kept at hand while it is reviewed."""

    def __init__(self, collection: RecordingCollection) -> None:
        self.collection = collection
        self._lock = threading.Lock()
        self._state: object = None
        self._open()

    def _open(self) -> None:
        """Read it, and again when more of it was recorded since."""
        files = sorted(self.collection.path.glob("segments/*/*.jsonl"))
        state = [(file, file_state(file)) for file in files]
        with self._lock:
            if state != self._state:
                self.recording = Recording(self.collection.path)
                self._edited = edited_reduction(self.recording, settings_of(self.recording.header.settings))
                self._state = state

    def with_revision(self, revision: Revision) -> EditedReduction:
        self._open()
        return msgspec.structs.replace(self._edited, revision=revision)

    def need_steps(self, review: DemonstrationReview) -> None:
        """Refuse edits of steps that the recording does not have."""
        known = {step_place(gesture) for gesture in self._edited.reduction.gestures}
        for place in review.steps:
            if place not in known:
                raise BadInput(f"no step of this recording begins at {place / 1000:.3f} s")

    def document(self) -> dict[str, Any]:
        """All that does not change with a review."""
        self._open()
        header, end = self.recording.header, self.recording.end
        return {
            "id": header.id,
            "instruction": header.task.instruction,
            "system": header.system,
            "kind": header.kind,
            "started": header.started,
            "ended": end.reason if end else None,
            "segments": [_segment(segment) for segment in self.recording.segments],
            "events": self._events(),
            "steps": [self._step(gesture) for gesture in self._edited.reduction.gestures],
        }

    def still(self, time: float) -> bytes:
        """The screen at a time, as a picture."""
        segment = self.recording.segments[segment_at(self.recording, time)]
        earlier = [mark for mark in segment.marks if mark.time <= time] or list(segment.marks[:1])
        for frame in segment.frames(earlier[-1].time, earlier[-1].time) if earlier else ():
            return encode(frame.image(), "jpeg")
        raise BadInput(f"the recording has no picture of second {time:g}")

    def video(self, number: int) -> Segment:
        if not 0 <= number < len(self.recording.segments):
            raise BadInput(f"the recording has no segment {number}")
        return self.recording.segments[number]

    def _step(self, gesture: Gesture) -> dict[str, Any]:
        return {
            "place": step_place(gesture),
            "kind": gesture.kind,
            "start": gesture.start,
            "end": gesture.end,
            "code": _code(gesture),
            "actions": gesture.actions,
            "hit": gesture.hit,
            "flags": gesture.flags,
            "label": annotated_label(gesture, self._edited.edits),
        }

    def _events(self) -> dict[str, list[Any]]:
        drawn: dict[str, list[Any]] = {name: [] for name in ("pointer", "presses", "wheel", "keys", "windows", "pages")}
        for segment in self.recording.segments:
            size = shown_size(segment)
            for event in segment.events():
                for name, values in _drawn(event, size.width, size.height):
                    drawn[name].append(values)
        return drawn


def changing(edited: EditedReduction) -> dict[str, Any]:
    """What a review makes of a recording: what becomes of every step, and what relabelled ones do in words."""
    gestures = edited.reduction.gestures
    texts = {
        str(step_place(gesture)): write_code(edit.actions)
        for gesture in gestures
        if (edit := edit_of(gesture, edited.review)).actions is not None
    }
    counts = {fate: edited.events(fate) for fate in ("kept", "deleted", "trimmed")}
    left_out = sum(edited.reduction.left_out.values())
    return {"fates": edited.fates, "codes": texts, "events": {**counts, "left out": left_out}}


def _code(gesture: Gesture) -> str:
    try:
        return write_code(gesture.actions)
    except DialectError:
        return " ".join(map(str, gesture.actions))


def _segment(segment: Segment) -> dict[str, Any]:
    marks, size = segment.marks, shown_size(segment)
    return {
        "index": segment.header.index,
        "start": segment.header.start,
        "size": (size.width, size.height),
        "anchors": list(_anchors(marks)),
        "end": marks[-1].time if marks else segment.header.start,
    }


def _anchors(marks: Sequence[FrameMark]) -> Iterator[tuple[float, float]]:
    """Where the video's own seconds and the recording's begin to differ otherwise than before: pairs of both."""
    offset: float | None = None
    for mark in marks:
        own = mark.pts / 1000
        if offset is None or abs(mark.time - own - offset) > _APART:
            offset = mark.time - own
            yield own, mark.time


def _drawn(event: Event, width: int, height: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """What the page draws of an event: places are fractions."""
    time = round(event.time, _DIGITS)
    if isinstance(event, PointerMoved | ButtonChanged | WheelTurned):
        place = round(event.x / width, _DIGITS), round(event.y / height, _DIGITS)
        yield "pointer", (time, *place)
        if isinstance(event, ButtonChanged):
            yield "presses", (time, *place, event.button, event.down)
        elif isinstance(event, WheelTurned):
            yield "wheel", (time, *place, event.dx, event.dy)
    elif isinstance(event, KeyChanged) and event.down:
        yield "keys", (time, "•" if event.masked else event.text or event.key, bool(event.text) or event.masked)
    elif isinstance(event, WindowChanged):
        yield "windows", (time, event.title or event.program)
    elif isinstance(event, PageChanged):
        yield "pages", (time, event.url, event.title)
