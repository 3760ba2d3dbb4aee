"""What has been captured and not yet written: frames, trees and new screens wait beside the events in the inlet, and
all of it is written in order of time."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

from workalike.core.recording import SegmentHeader, Tree
from workalike.env.desktop.atspi import Rectangle
from workalike.record.inlet import HeldEvent, Inlet
from workalike.record.screen import CapturedScreen
from workalike.record.scribe import Scribe

Seen = tuple[CapturedScreen, tuple[Rectangle, ...]]
_MOST_BYTES = 256 * 2**20


class Pending:
    """Any thread may add; one thread writes. `unanswered_since` is the time of the first event that something is still
    asked about."""

    def __init__(
        self, inlet: Inlet, scribe: Scribe, unanswered_since: Callable[[], float | None] = lambda: None
    ) -> None:
        self._inlet, self._scribe, self._unanswered = inlet, scribe, unanswered_since
        self._shots: deque[Seen] = deque()
        self._screens: deque[SegmentHeader] = deque()
        self._trees: deque[Tree] = deque()
        self.overflowed = 0

    def shot(self, shot: CapturedScreen, hidden: tuple[Rectangle, ...] = ()) -> None:
        """Add a look at the screen, and what to hide in it. When the writing falls far behind, it is dropped."""
        if len(self._shots) * len(shot.raw) > _MOST_BYTES:
            self.overflowed += 1
        else:
            self._shots.append((shot, hidden))

    def screen(self, header: SegmentHeader) -> None:
        self._screens.append(header)

    def tree(self, tree: Tree) -> None:
        self._trees.append(tree)

    @property
    def has_shots(self) -> bool:
        return bool(self._shots)

    def write_until(self, moment: float) -> float:
        """Have everything written that happened up to a moment; events and trees only up to what cannot be told yet.
        Answers up to when all is written. Frames do not wait for what becomes of a press or a key that is held: while
        they wait they can be lost."""
        waiting = [time for time in (self._inlet.waiting_since(), self._unanswered()) if time is not None]
        until = min([moment, *(math.nextafter(time, 0) for time in waiting)])
        held = self._inlet.take(until)
        self._write(held, until, until if self._inlet.holds_pause else moment)
        return until

    def write_all(self, ended: float, interrupted: bool = False) -> None:
        self._write(self._inlet.finish(interrupted, ended), math.inf, math.inf)

    def _write(self, held: list[HeldEvent], until: float, frames_until: float) -> None:
        items: list[tuple[float, int, SegmentHeader | HeldEvent | Seen | Tree]]
        items = [(each.event.time, 1, each) for each in held]
        while self._screens and self._screens[0].start <= until:
            screen = self._screens.popleft()
            items.append((screen.start, 0, screen))
        frames_until = min([frames_until, *(math.nextafter(screen.start, 0) for screen in self._screens)])
        while self._shots and self._shots[0][0].time <= frames_until:
            seen = self._shots.popleft()
            items.append((seen[0].time, 2, seen))
        while self._trees and self._trees[0].time <= until:
            tree = self._trees.popleft()
            items.append((tree.time, 3, tree))
        batch: list[HeldEvent] = []
        for _, _, item in sorted(items, key=lambda item: item[:2]):
            if isinstance(item, HeldEvent):
                batch.append(item)
                continue
            self._scribe.events(batch)
            batch = []
            if isinstance(item, SegmentHeader):
                self._scribe.segment(item)
            elif isinstance(item, Tree):
                self._scribe.tree(item)  # in its place: one that was seen during a pause is not kept
            else:
                self._scribe.frame(*item)
        self._scribe.events(batch)
