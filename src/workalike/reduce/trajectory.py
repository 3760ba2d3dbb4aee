"""A recording → a trajectory: every action with the screen it was decided on, the element it hit, the window and the
address; at the end the screen that came of it. What an annotator kept and what a review says is laid over it. Beside
the steps stands the account of what became of every event."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

from workalike.core.actions import Terminate
from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef, Kind, Observation
from workalike.core.program import stored
from workalike.core.provenance import Provenance
from workalike.core.recording import Event, PageChanged, WindowChanged
from workalike.core.review import CAPTURED, DemonstrationReview, Revision
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.formats.agentnet_tool import EDITS, Edits, Kept
from workalike.pictures.png import encode_rgb
from workalike.reduce.account import Gesture, Reduction
from workalike.reduce.reducer import reduction
from workalike.reduce.reviewed import Fate, edit_of, edited_actions, fates, hidden, seen_hit, told, without_step
from workalike.reduce.settings import ReduceSettings
from workalike.reduce.settling import changed
from workalike.reduce.sources import EventSource, recording_source
from workalike.reduce.states import State, StateView, match_states, pointer_reach, segment_at, shown_size
from workalike.reduce.windows import MatchSettings, SearchWindow, Track, windows
from workalike.store.files import appearing
from workalike.store.lines import read_json
from workalike.store.pictures import PictureStore
from workalike.store.recordings import Recording
from workalike.store.reduced import rejection
from workalike.store.reviews import latest
from workalike.store.trajectories import FILE, TrajectoryWriter

Ending = Literal["success", "failure", "none"]
PICTURES = "pictures"
_ENDED_BY_THE_PERSON = ("stopped", "interrupted", "time is up", "browser closed")
_SLACK = 0.02


class ReduceOptions(msgspec.Struct, frozen=True):
    """How a recording becomes a trajectory: whether an annotator's deletions and labels and the review are applied, and
    what ending is added where the person ended the recording."""

    edits: bool = True
    ending: Ending = "success"
    match: MatchSettings = MatchSettings()


class Matched(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of the result: the gesture (None for the ending) and how its state was found (None: no frame)."""

    gesture: Gesture | None
    state: State | None
    label: str = ""


class EditedReduction(msgspec.Struct, frozen=True):
    """The gestures of a recording, and what annotators (`edits`, in which a gesture `stays` or does not) and reviewers
    (`revision`) make of each."""

    source: EventSource
    reduction: Reduction
    edits: Edits | None
    stays: tuple[bool, ...]
    revision: Revision = CAPTURED

    @property
    def fates(self) -> list[Fate]:
        """What becomes of each gesture."""
        return fates(self.reduction.gestures, self.stays, self.review)

    @property
    def review(self) -> DemonstrationReview:
        return self.revision.review

    @property
    def kept(self) -> list[int]:
        """The gestures that stay, by number."""
        return [number for number, fate in enumerate(self.fates) if fate == "kept"]

    def events(self, fate: Fate) -> int:
        """How many events belong to gestures with this fate, approaches included."""
        pairs = zip(self.reduction.gestures, self.fates, strict=True)
        return sum(len(gesture.events) + len(gesture.approach) for gesture, its in pairs if its == fate)


class ReduceOutcome(msgspec.Struct, frozen=True):
    """What came of a recording. `deleted` and `trimmed` count the events of gestures that annotators and reviewers left
    out, `idle` the waits in which nothing changed on the screen, `blind` the steps that have no picture, `lost` the
    edits of a review that speak of no step. `revision` is the review's that was applied."""

    path: str
    reduction: Reduction
    matched: tuple[Matched, ...]
    deleted: int
    idle: int
    blind: int
    trimmed: int = 0
    lost: int = 0
    revision: int = 0

    def document(self) -> dict[str, Any]:
        """What `reduce --json` prints of it."""
        return {
            "path": self.path,
            "steps": self.matched,
            "account": {
                "events": self.reduction.events,
                "used": self.reduction.used - self.deleted - self.trimmed,
                "deleted": self.deleted,
                "trimmed": self.trimmed,
                "left_out": self.reduction.left_out,
            },
            "waits_without_change": self.idle,
            "steps_without_picture": self.blind,
            "edits_without_step": self.lost,
            "review": self.revision,
            "settings": self.reduction.settings,
        }


def reduce_recording(
    recording: Recording, out: Path, settings: ReduceSettings, options: ReduceOptions = ReduceOptions()
) -> ReduceOutcome:
    """Write the trajectory of a recording into a new folder, which appears whole or not at all. One that a reviewer
    rejected is refused."""
    rejected = rejection(recording) if options.edits else None
    if rejected is not None:
        raise BadInput(f"{recording.path} {rejected}; --ignore-edits reduces it all the same")
    edited = edited_reduction(recording, settings, options)
    reduced, review = edited.reduction, edited.review
    track = Track(edited.source.events)
    found = _windows(recording, reduced, edited.kept, track, edited.source.events, options, review)
    task = recording.header.task
    with appearing(out) as place:
        author = _Author(recording, edited, options, PictureStore(place / PICTURES))
        extra = {"reduction": _account(edited, options)} | stored(recording.header.programs)
        if edited.revision.number:
            by = {"by": edited.revision.by, "revision": edited.revision.number}
            extra["review"] = by | told(review)
        named = task if review.task is None else msgspec.structs.replace(task, instruction=review.task)
        with TrajectoryWriter.create(place / FILE, recording.header.id, named, author.by, extra) as writer:
            for step in author.steps(match_states(recording, found, reduced.gestures, track, options.match)):
                writer.step(step)
            writer.finish(author.stop, author.final)
    return ReduceOutcome(
        path=str(out),
        reduction=reduced,
        matched=tuple(author.matched),
        deleted=edited.events("deleted"),
        idle=author.idle,
        blind=sum(each.state is None for each in author.matched),
        trimmed=edited.events("trimmed"),
        lost=without_step(reduced.gestures, review),
        revision=edited.revision.number,
    )


def edited_reduction(
    recording: Recording, settings: ReduceSettings, options: ReduceOptions = ReduceOptions()
) -> EditedReduction:
    """What a recording's events come to, with what annotators and reviewers make of it."""
    source = recording_source(recording)
    edits = _edits(recording) if options.edits else None
    revision = latest(recording.path, recording.header.id) if options.edits else CAPTURED
    reduced = _reduced(recording, source, settings, options, Track(source.events), edits)
    stays = tuple(_stays(gesture, edits) for gesture in reduced.gestures)
    return EditedReduction(source, reduced, edits, stays, revision)


def _reduced(
    recording: Recording,
    source: EventSource,
    settings: ReduceSettings,
    options: ReduceOptions,
    track: Track,
    edits: Edits | None,
) -> Reduction:
    """The gestures of a recording. Typing goes on after a long silence unless the screen changed in it, which only the
    pictures of that time can tell. An annotator's list has no waits, and typing is not broken up for their sake."""
    if edits is not None:
        return reduction(source.events, source.shown, settings)
    broken = reduction(source.events, source.shown, settings, lambda start, end: True)
    kinds = [gesture.kind for gesture in broken.gestures]
    rests = [i for i in range(1, len(kinds)) if kinds[i - 1 : i + 2] == ["write", "wait", "write"]]
    if not rests:
        return broken
    around = [number for i in rests for number in (i, i + 1)]
    looks = _windows(recording, broken, around, track, source.events, options)[:-1]
    seen = list(match_states(recording, looks, broken.gestures, track, options.match))
    waited = {
        (broken.gestures[window.gesture].start, broken.gestures[window.gesture].end)
        for (window, sight), (_, after) in pairwise(seen)
        if window.role == "waiting" and sight and after and _changed(recording, sight, after, options.match)
    }
    return reduction(source.events, source.shown, settings, lambda start, end: (start, end) in waited)


def _changed(recording: Recording, before: StateView, after: StateView, settings: MatchSettings) -> bool:
    """Whether a person would say that the screen changed between two sights of it."""
    if before.look.cells.shape != after.look.cells.shape:
        return True
    reach = pointer_reach(recording.segments[before.state.segment], settings)
    return changed(before.look, after.look, settings, reach)


def _edits(recording: Recording) -> Edits | None:
    path = recording.path / EDITS
    return read_json(path, Edits) if path.is_file() else None


def _stays(gesture: Gesture, edits: Edits | None) -> bool:
    """Whether an annotator kept a gesture. Their list has no waits in it, so none stay where there is one."""
    return edits is None or (gesture.kind != "wait" and _label(gesture, edits) is not None)


def annotated_label(gesture: Gesture, edits: Edits | None) -> str:
    """What an annotator called a gesture, where that says more than its kind."""
    kept = _label(gesture, edits) if edits else None
    return kept.label if kept and kept.label.lower() not in _PLAIN_LABELS else ""


def _label(gesture: Gesture, edits: Edits) -> Kept | None:
    return next((kept for kept in edits.kept if kept.start - 1e-4 <= gesture.start <= kept.end + 1e-4), None)


def _windows(
    recording: Recording,
    reduced: Reduction,
    kept: Sequence[int],
    track: Track,
    events: Sequence[Event],
    options: ReduceOptions,
    review: DemonstrationReview = CAPTURED.review,
) -> list[SearchWindow]:
    sizes = [shown_size(recording.segments[segment_at(recording, g.start)]) for g in reduced.gestures]
    stops = [events[drop.events[0]].time for drop in reduced.dropped if drop.reason == "stop_keys"]
    times = [event.time for event in events[-1:]] + [s.marks[-1].time for s in recording.segments if s.marks]
    trimmed = [] if review.trim_end is None else [review.trim_end]
    end = min([*stops, *trimmed, max(times, default=0.0)])
    clock = recording.header.settings.get("clock_offset")
    slack = (clock.get("uncertainty") or _SLACK) if isinstance(clock, dict) else 0.0
    found = windows(reduced.gestures, kept, track, sizes, end, options.match, float(slack))
    return found if review.trim_start is None else [window.cut(review.trim_start) for window in found]


def _account(edited: EditedReduction, options: ReduceOptions) -> dict[str, Any]:
    return {
        "settings": msgspec.to_builtins(edited.reduction.settings),
        "match": msgspec.to_builtins(options.match),
        "events": edited.reduction.events,
        "used": edited.events("kept"),
        "deleted": edited.events("deleted"),
        "trimmed": edited.events("trimmed"),
        "left_out": edited.reduction.left_out,
    }


class _Author:
    """Turns states into steps as they come, so that no more than two pictures are in memory."""

    def __init__(
        self,
        recording: Recording,
        edited: EditedReduction,
        options: ReduceOptions,
        pictures: PictureStore,
    ) -> None:
        self._recording, self._reduced, self._edits = recording, edited.reduction, edited.edits
        self._review, self._options, self._pictures = edited.review, options, pictures
        self._context = _Context(recording, edited.source.events)
        self._track = Track(edited.source.events)
        by = edited.edits.by if edited.edits else None
        settings = {"ending": options.ending, "edits": by, "review": edited.revision.number or None}
        self.by = Provenance("reduce", settings=settings)
        self.matched: list[Matched] = []
        self.final: Observation | None = None
        self.idle = 0
        ended = recording.end is not None and recording.end.reason in _ENDED_BY_THE_PERSON
        self._ends = ended and options.ending != "none"
        reason = recording.end.reason if recording.end else "the recording was cut off"
        self.stop = Stop("terminated") if self._ends else Stop("interrupted", "" if ended else reason)

    def steps(self, states: Iterator[tuple[SearchWindow, StateView | None]]) -> Iterator[Step]:
        waiting: tuple[SearchWindow, StateView | None] | None = None
        for window, sight in states:
            if waiting is not None:
                yield from self._waited(*waiting, sight)
            waiting = (window, sight) if window.role == "waiting" else None
            if window.role == "before":
                yield self._step(window, sight)
            elif window.role == "after":
                yield from self._end(window, sight)

    def _waited(self, window: SearchWindow, sight: StateView | None, after: StateView | None) -> Iterator[Step]:
        """A wait is one if the screen changed meanwhile; otherwise the person was thinking."""
        if sight and after and not _changed(self._recording, sight, after, self._options.match):
            self.idle += 1
            return
        yield self._step(window, sight)

    def _step(self, window: SearchWindow, sight: StateView | None) -> Step:
        gesture = self._reduced.gestures[window.gesture]
        edit = edit_of(gesture, self._review)
        named = annotated_label(gesture, self._edits) if edit.text is None else edit.text
        actions, hit = edited_actions(gesture, edit)
        hit = seen_hit(hit, self._review.regions, gesture.start)
        self.matched.append(Matched(gesture, sight.state if sight else None, named))
        return Step(
            observation=self._observe(sight, gesture.start),
            actions=tuple(ActionResult(action, gesture.start, gesture.end, hit=hit) for action in actions),
            action_text=named or None,
            extra=_step_extra(gesture, sight),
        )

    def _end(self, window: SearchWindow, sight: StateView | None) -> Iterator[Step]:
        self.final = self._observe(sight, window.arrival)
        if self._ends and self._options.ending != "none":
            self.matched.append(Matched(None, sight.state if sight else None))
            yield Step(self.final, (ActionResult(Terminate(self._options.ending)),))

    def _observe(self, sight: StateView | None, time: float) -> Observation:
        segment = self._recording.segments[sight.state.segment if sight else segment_at(self._recording, time)]
        size = shown_size(segment)
        seen = sight.state.mark.time if sight else time
        place = self._track.at(seen)
        url, title, window = self._context.at(time)
        return Observation(
            picture=self._picture(sight) if sight else None,
            size=size,
            scale=segment.header.scale,
            kind=self._kind(),
            url=url,
            title=title,
            pointer=None if place is None else size.point(*place),
            window=window,
            time=seen,
        )

    def _kind(self) -> Kind:
        return "viewport" if self._recording.header.kind == "browser" else "desktop"

    def _picture(self, sight: StateView) -> ImageRef:
        seen = sight.frame.time
        marks = self._recording.segments[sight.state.segment].marks
        later = bisect_right(marks, seen, key=lambda mark: mark.time)
        gone = next((mark.time for mark in marks[later:] if not mark.repeat), math.inf)
        return self._pictures.put(
            encode_rgb(hidden(sight.frame.rgb(), self._review.regions, seen, gone)), sight.frame.size
        )


_PLAIN_LABELS = ("click", "drag", "scroll", "type", "press", "long_press", "mouse_press", "move", "")


def _step_extra(gesture: Gesture, sight: StateView | None) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": gesture.kind}
    if gesture.flags:
        found["flags"] = gesture.flags
    if sight is None:
        found["state"] = "there is no frame of it"
    elif not sight.state.settled or sight.state.on_target:
        marks = {"unsettled": not sight.state.settled, "pointer_on_target": sight.state.on_target}
        found["state"] = ", ".join(name for name, true in marks.items() if true)
    return {"reduced": found}


class _Context:
    """Which page and window were in front at any time: the events say when they changed, and a tree knows a window's
    title where the events know only its program."""

    def __init__(self, recording: Recording, events: Sequence[Event]) -> None:
        self._pages = [event for event in events if isinstance(event, PageChanged)]
        trees = [(tree.time, tree.title) for tree in recording.trees() if tree.title]
        told = [(event.time, event.title) for event in events if isinstance(event, WindowChanged)]
        self._windows = sorted((*told, *trees), key=lambda pair: pair[0])

    def at(self, time: float) -> tuple[str | None, str | None, str | None]:
        page = bisect_right(self._pages, time, key=lambda event: event.time) - 1
        window = bisect_right(self._windows, time, key=lambda pair: pair[0]) - 1
        url, title = (self._pages[page].url or None, self._pages[page].title or None) if page >= 0 else (None, None)
        return url, title, self._windows[window][1] if window >= 0 else None
