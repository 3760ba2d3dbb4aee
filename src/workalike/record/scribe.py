"""Writes a recording: takes events, frames and trees in order of time, leaves out what must not be kept, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

import msgspec

from workalike.core.errors import Infrastructure
from workalike.core.observation import Element
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    Paused,
    PointerMoved,
    Resumed,
    SegmentHeader,
    Tree,
    WheelTurned,
)
from workalike.env.desktop.atspi import Rectangle
from workalike.env.desktop.screen import shaped
from workalike.record.inlet import HeldEvent
from workalike.record.privacy import blurred
from workalike.record.screen import CapturedScreen
from workalike.record.witness import shifted, with_hit
from workalike.store.recording_video import Pixels
from workalike.store.recordings import RecordingWriter, SegmentWriter

_INPUT = (PointerMoved, ButtonChanged, WheelTurned, KeyChanged)


class Privacy(Protocol):
    """Knows what must not be kept."""

    def masked(self, event: Event) -> Event | None:
        """An event as it may be kept; None when it may not be at all."""
        ...

    def regions(self, time: float) -> Iterable[Rectangle]:
        """The places that must not be seen in a frame of some time."""
        ...


class Scribe:
    """Keeps the segment that is being written. `hit` answers what a press hit, `left_out` whether a window was active
    at a time that is not to be recorded."""

    def __init__(
        self,
        writer: RecordingWriter,
        privacy: Privacy,
        hit: Callable[[int | None, SegmentHeader], Element | None] = lambda asked, screen: None,
        left_out: Callable[[float], bool] = lambda time: False,
    ) -> None:
        self._writer, self._privacy, self._hit, self._left_out = writer, privacy, hit, left_out
        self._segment: SegmentWriter | None = None
        self._header: SegmentHeader | None = None
        self._last: tuple[Pixels, tuple[int, int] | None] | None = None
        self._early: list[HeldEvent] = []
        self._repeated = True
        self._paused = False
        self._written_until = 0.0
        self.last_frame = 0.0
        self.last_change = 0.0
        self.counts: Counter[str] = Counter()

    def segment(self, header: SegmentHeader) -> None:
        """Begin a segment; the one before is complete."""
        if self._segment is not None:
            self._segment.close()
        self._segment, self._header, self._last = self._writer.segment(header), header, None
        early, self._early = self._early, []
        self.events(early)

    def events(self, held: list[HeldEvent]) -> None:
        """Write events, each as it may be kept. What comes before the first screen waits for it."""
        if self._segment is None:
            self._early += held
            return
        kept = [event for each in held for event in self._kept(each)]
        if kept:
            self._segment.event(*kept)
            self.counts["events"] += len(kept)

    def frame(self, shot: CapturedScreen, hidden: tuple[Rectangle, ...]) -> None:
        if self._paused or self._segment is None or self._header is None:
            return
        if shot.size != (self._header.frame_size or self._header.screen):
            self.counts["frames_dropped"] += 1  # taken in the very moment the screen was resized
            return
        regions = tuple(self._privacy.regions(shot.time))
        pixels = blurred(shaped(shot.raw, shot.size), (*hidden, *regions), shot.origin)
        self.counts["frames_blurred"] += bool(regions)
        self._segment.frame(shot.time, pixels, shot.pointer)
        self.counts["frames"] += 1
        self._last, self._repeated = (pixels, shot.pointer), False
        self.last_frame = self.last_change = shot.time

    def repeat(self, time: float) -> None:
        """Show the last frame again, now that the screen is known to have stayed like that until `time`. It brings the
        frame before to the disk, which the video holds back until it knows how long it lasted."""
        if self._segment is None or self._last is None or self._repeated or self._paused or time <= self.last_frame:
            return
        self._segment.frame(time, *self._last, repeat=True)
        self._repeated, self.last_frame = True, time

    def tree(self, tree: Tree) -> None:
        if self._segment is not None and self._header is not None and not self._paused:
            self._segment.tree(msgspec.structs.replace(tree, root=shifted(tree.root, self._header.origin)))

    def sync(self) -> None:
        if self._segment is not None:
            self._segment.sync()

    def close(self) -> None:
        """Complete the last segment as far as the disk allows."""
        if self._segment is not None:
            with suppress(OSError, Infrastructure):
                self._segment.close()
            self._segment = None

    def _kept(self, held: HeldEvent) -> list[Event]:
        event = held.event
        if isinstance(event, Paused | Resumed):
            self._paused = isinstance(event, Paused)
        if isinstance(event, _INPUT) and self._left_out(event.time):
            self.counts["events_left_out"] += 1
            return []
        if self._header is not None and isinstance(event, ButtonChanged | WheelTurned):
            event = with_hit(event, self._hit(held.asked, self._header))
        masked = self._privacy.masked(event)
        if masked is None:
            return []
        event = self._placed(masked)
        self.counts["keys_masked"] += isinstance(event, KeyChanged) and event.masked and event.down
        if event.time < self._written_until:
            self.counts["events_late"] += 1
            event = msgspec.structs.replace(event, time=self._written_until)
        self._written_until = event.time
        return [event]

    def _placed(self, event: Event) -> Event:
        """An event with its place counted from the corner of the recorded screen."""
        origin = self._header.origin if self._header else (0, 0)
        if origin == (0, 0) or not isinstance(event, PointerMoved | ButtonChanged | WheelTurned):
            return event
        return msgspec.structs.replace(event, x=event.x - origin[0], y=event.y - origin[1])
