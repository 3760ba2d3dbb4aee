"""Our states against the published ones, for the AgentNetTool sample that was published with its trajectory:
`python -m benchmarks.compare_states FIXTURES` prints, for each step, how far apart the two frames are in time and which
of them shows the pointer on its target or the effect of the action."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.conftest import SHARED
from workalike.core.actions import points
from workalike.formats.agentnet_tool import import_recording
from workalike.reduce.account import Gesture
from workalike.reduce.settings import settings_of
from workalike.reduce.states import segment_at, shown_size
from workalike.reduce.trajectory import Matched, reduce_recording
from workalike.reduce.windows import MatchSettings, Track, on_target
from workalike.store.recordings import Recording

Luma = npt.NDArray[np.int16]


class Row(msgspec.Struct, frozen=True):
    """One step: when it was done, when each frame was seen, and whether each gives the action away."""

    act: float | None
    ours: float
    published: float
    our_pointer: bool
    their_pointer: bool
    our_effect: bool
    their_effect: bool


def compare(fixtures: Path) -> list[Row]:
    """A row for every step."""
    with tempfile.TemporaryDirectory() as folder:
        import_recording(fixtures / "agentnet-recording", Path(folder) / "recording")
        recording = Recording(Path(folder) / "recording")
        outcome = reduce_recording(recording, Path(folder) / "out", settings_of(recording.header.settings))
        theirs = _published(recording, fixtures / "agentnet-trajectory" / "images", len(outcome.matched))
        track = Track(list(recording.events()))
        return [_row(each, time, recording, track) for each, time in zip(outcome.matched, theirs, strict=True)]


def _row(each: Matched, theirs: float, recording: Recording, track: Track) -> Row:
    assert each.state is not None
    ours, gesture = each.state.mark.time, each.gesture
    if gesture is None:
        return Row(None, ours, theirs, False, False, False, False)
    on = {time: _pointer_shows(gesture, time, recording, track) for time in (ours, theirs)}
    return Row(gesture.start, ours, theirs, on[ours], on[theirs], ours >= gesture.start, theirs >= gesture.start)


def _pointer_shows(gesture: Gesture, time: float, recording: Recording, track: Track) -> bool:
    target = next((point for action in gesture.actions for point in points(action)), None)
    place = track.at(time)
    if target is None or place is None:
        return False
    shown = shown_size(recording.segments[segment_at(recording, time)])
    return on_target(place, gesture, target, shown, MatchSettings())


def _published(recording: Recording, images: Path, steps: int) -> list[float]:
    """The time of the frame each published picture is, found by comparing it with every frame."""
    pictures = [_luma(images / f"{number}.png") for number in range(steps)]
    best = [(float("inf"), 0.0)] * steps
    for time, luma in _frames(recording):
        for number, picture in enumerate(pictures):
            apart = float(np.abs(picture - luma).mean())
            if apart < best[number][0]:
                best[number] = (apart, time)
    return [time for _, time in best]


def _frames(recording: Recording) -> Iterator[tuple[float, Luma]]:
    for segment in recording.segments:
        for frame in segment.frames():
            few = frame.luma()[::3, ::3].astype(np.float32)
            yield frame.time, np.clip((few - 16) * (255 / 219), 0, 255).astype(np.int16)


def _luma(path: Path) -> Luma:
    return np.asarray(Image.open(path).convert("L"))[::3, ::3].astype(np.int16)


def main(words: list[str]) -> int:
    rows = compare(Path(words[0]) if words else SHARED)
    print("step  acted at  our frame  published  apart  pointer on target    effect visible")
    print("                                              ours  published      ours  published")
    for number, row in enumerate(rows):
        acted = "  (end)" if row.act is None else f"{row.act:7.2f}"
        marks = [("yes" if mark else "no").rjust(4) for mark in (row.our_pointer, row.our_effect)]
        theirs = [("yes" if mark else "no").rjust(9) for mark in (row.their_pointer, row.their_effect)]
        print(
            f"{number:4}  {acted}   {row.ours:8.2f}   {row.published:8.2f}  {row.ours - row.published:+5.2f}"
            f"   {marks[0]}  {theirs[0]}      {marks[1]}  {theirs[1]}"
        )
    given = [row for row in rows if row.act is not None]
    print(
        f"pointer on target: ours {sum(r.our_pointer for r in given)}, published {sum(r.their_pointer for r in given)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
