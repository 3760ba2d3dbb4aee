"""Where input events enter a recording: the keys that command it are taken out, moves are thinned, and everything is
held for a moment until it is known what it hit and whether it was secret."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping

import msgspec

from workalike.core.recording import (
    ButtonChanged,
    Event,
    PageChanged,
    Paused,
    PointerMoved,
    Resumed,
    WheelTurned,
    WindowChanged,
)
from workalike.record.chords import Chord, ChordFilter, Command, without_interrupt
from workalike.record.thinning import Thinner


class HeldEvent(msgspec.Struct, frozen=True):
    """An event that waits, and the question about what it hit, if one was asked."""

    event: Event
    asked: int | None = None


class Inlet:
    """Takes events from any thread and gives them out in order. `ask` puts the question what lies at a place; `command`
    is told when somebody presses one of the chords."""

    def __init__(
        self,
        chords: Mapping[Command, Chord],
        ask: Callable[[ButtonChanged | WheelTurned], int | None],
        command: Callable[[Command, float], None],
    ) -> None:
        self._filter, self._thinner = ChordFilter(chords), Thinner()
        self._ask, self._command = ask, command
        self._lock = threading.Lock()
        self._held: deque[HeldEvent] = deque()
        self._paused = False
        self._meanwhile: dict[type[Event], PageChanged | WindowChanged] = {}
        self.moves = 0
        self.kept_moves = 0

    def feed(self, event: Event) -> None:
        """Take one event in."""
        with self._lock:
            passed, command = self._filter.feed(event)
            for each in passed:
                self._enter(each)
        if command is not None:
            self._command(command, event.time)

    def pause(self, time: float) -> None:
        """Take in nothing more until `resume`. Keys that are down in the data are let go."""
        with self._lock:
            for event in [*self._filter.flush(), *self._filter.let_go(time), Paused(time)]:
                self._enter(event)
            self._paused = True

    def resume(self, time: float) -> None:
        """Go on. The page or window that has come to the front meanwhile is told: nobody will tell it again."""
        with self._lock:
            self._paused = False
            self._enter(Resumed(time))
            newest, self._meanwhile = self._meanwhile, {}
            for event in newest.values():
                self._enter(msgspec.structs.replace(event, time=time))

    def take(self, until: float) -> list[HeldEvent]:
        """What happened up to a time, in order. Modifiers that may yet belong to a chord hold up what follows them."""
        with self._lock:
            since = self._thinner.held_since
            if since is not None and since <= until:
                self._flush_moves()
            taken: list[HeldEvent] = []
            while self._held and self._held[0].event.time <= until:
                taken.append(self._held.popleft())
            return taken

    def finish(self, interrupted: bool, time: float) -> list[HeldEvent]:
        """Everything that is left. What made a terminal interrupt the recording is not part of it."""
        with self._lock:
            if not self._paused:
                for event in [*self._filter.flush(), *self._filter.let_go(time)]:
                    self._enter(event)
            self._flush_moves()
            left, self._held = list(self._held), deque()
        if not interrupted:
            return left
        kept = {id(event) for event in without_interrupt([held.event for held in left])}
        return [held for held in left if id(held.event) in kept]

    @property
    def holds_pause(self) -> bool:
        """Whether a pause, or the end of one, has not been given out yet."""
        with self._lock:
            return any(isinstance(held.event, Paused | Resumed) for held in self._held)

    def waiting_since(self) -> float | None:
        """The time of the first event that cannot be given out yet."""
        with self._lock:
            return self._filter.waiting_since

    def _enter(self, event: Event) -> None:
        if self._paused:
            if isinstance(event, PageChanged | WindowChanged):
                self._meanwhile[type(event)] = event
            return
        if isinstance(event, PointerMoved):
            self.moves += 1
            self._keep_moves(self._thinner.feed(event))
            return
        self._flush_moves()
        if isinstance(event, WheelTurned) or (isinstance(event, ButtonChanged) and event.down):
            self._hold(HeldEvent(event, self._ask(event)))
        else:
            self._hold(HeldEvent(event))

    def _flush_moves(self) -> None:
        self._keep_moves(self._thinner.flush())

    def _keep_moves(self, moves: list[PointerMoved]) -> None:
        self.kept_moves += len(moves)
        for move in moves:
            self._hold(HeldEvent(move))

    def _hold(self, held: HeldEvent) -> None:
        """Events of several threads come in nearly in order; here they are put in order."""
        place = len(self._held)
        while place and self._held[place - 1].event.time > held.event.time:
            place -= 1
        self._held.insert(place, held)
