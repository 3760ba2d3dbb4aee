"""Fewer pointer positions, nothing lost: a place is left out when the straight line in time between its neighbours
passes it within a pixel."""

from __future__ import annotations

import math

from workalike.core.recording import PointerMoved

TOLERANCE = 1.0
_LONGEST = 0.2


class Thinner:
    """Takes the pointer's places one by one and answers those worth keeping.

    The last place is held until it is known whether the next one can do without it; `flush` gives it away."""

    def __init__(self, tolerance: float = TOLERANCE) -> None:
        self._tolerance = tolerance
        self._kept: PointerMoved | None = None
        self._held: list[PointerMoved] = []

    def feed(self, move: PointerMoved) -> list[PointerMoved]:
        if self._kept is None:
            self._kept = move
            return [move]
        if not self._held or self._spans(move):
            self._held.append(move)
            return []
        last = self._held[-1]
        self._kept, self._held = last, [move]
        return [last]

    def flush(self) -> list[PointerMoved]:
        """The place still held, if there is one: something else is about to happen there."""
        if not self._held:
            return []
        last = self._held[-1]
        self._kept, self._held = last, []
        return [last]

    @property
    def held_since(self) -> float | None:
        """Since when a place has been held."""
        return self._held[0].time if self._held else None

    def _spans(self, move: PointerMoved) -> bool:
        """Whether one straight stretch from the last kept place to this one does for all that are held."""
        assert self._kept
        if move.time - self._kept.time > _LONGEST:
            return False
        return all(_miss(self._kept, move, held) <= self._tolerance for held in self._held)


def place_at(start: PointerMoved, end: PointerMoved, time: float) -> tuple[float, float]:
    """Where the pointer was between two kept places."""
    if end.time <= start.time:
        return (end.x, end.y)
    part = (time - start.time) / (end.time - start.time)
    return (start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)


def _miss(start: PointerMoved, end: PointerMoved, between: PointerMoved) -> float:
    x, y = place_at(start, end, between.time)
    return math.hypot(between.x - x, between.y - y)
