"""Writes a recording: takes events, frames and trees in order of time, leaves out what must not be kept, counts."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import msgspec

from understudy.core.errors import Infrastructure
from understudy.core.recording import (
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
from understudy.env.desktop_atspi import Rectangle
from understudy.env.desktop_screen import shaped
from understudy.record.inlet import Held
from understudy.record.privacy import Secrets, blurred
from understudy.record.screen import Shot
from understudy.record.windows import LeftOut
from understudy.record.witness import Witness, shifted, with_hit
from understudy.store.recording_video import Pixels
from understudy.store.recordings import RecordingWriter, SegmentWriter

_INPUT = (PointerMoved, ButtonChanged, WheelTurned, KeyChanged)


class Scribe:
    """Keeps the segment that is being written."""

    def __init__(self, writer: RecordingWriter, secrets: Secrets, witness: Witness, left_out: LeftOut) -> None:
        self._writer, self._secrets, self._witness, self._left_out = writer, secrets, witness, left_out
        self._segment: SegmentWriter | None = None
        self._header: SegmentHeader | None = None
        self._last: tuple[Pixels, tuple[int, int] | None] | None = None
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

    def events(self, held: list[Held]) -> None:
        """Write events, each as it may be kept."""
        kept = [event for each in held for event in self._kept(each)]
        if kept and self._segment is not None:
            self._segment.event(*kept)
            self.counts["events"] += len(kept)

    def frame(self, shot: Shot, hidden: tuple[Rectangle, ...]) -> None:
        if self._paused or self._segment is None or self._header is None or shot.size != self._header.screen:
            return
        regions = self._secrets.regions(shot.time)
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

    def _kept(self, held: Held) -> list[Event]:
        event = held.event
        if isinstance(event, Paused | Resumed):
            self._paused = isinstance(event, Paused)
        if isinstance(event, _INPUT) and self._left_out.at(event.time):
            self.counts["events_left_out"] += 1
            return []
        if self._header is not None and isinstance(event, ButtonChanged | WheelTurned):
            event = with_hit(event, self._witness.hit(held.asked, self._header.screen, self._header.origin))
        masked = self._secrets.masked(event)
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
