"""Fewer places, and none of the path lost: at every instant the kept path is within a pixel of the real one."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workalike.core.recording import PointerMoved
from workalike.record.thinning import TOLERANCE, Thinner, place_at

STEPS = st.lists(st.tuples(st.integers(1, 40), st.integers(-30, 30), st.integers(-30, 30)), min_size=1, max_size=60)


def thinned(moves: list[PointerMoved]) -> list[PointerMoved]:
    thinner = Thinner()
    kept = [kept for move in moves for kept in thinner.feed(move)]
    return kept + thinner.flush()


@given(STEPS)
def test_every_place_can_be_told_from_those_kept(steps: list[tuple[int, int, int]]) -> None:
    moves, time, x, y = [], 0.0, 500, 500
    for milliseconds, dx, dy in steps:
        time, x, y = time + milliseconds / 1000, x + dx, y + dy
        moves.append(PointerMoved(time, x, y))
    kept = thinned(moves)
    assert kept[0] == moves[0]
    assert kept[-1] == moves[-1]
    assert [move for move in moves if move in kept] == kept
    for move in moves:
        stretches = [(a, b) for a, b in pairwise([kept[0], *kept]) if a.time <= move.time <= b.time]
        assert min(math.dist(place_at(a, b, move.time), (move.x, move.y)) for a, b in stretches) <= TOLERANCE


def test_a_straight_and_even_way_needs_few_places() -> None:
    moves = [PointerMoved(n / 100, n * 3, n * 2) for n in range(15)]
    assert thinned(moves) == [moves[0], moves[-1]]


def test_what_is_flushed_is_not_given_twice() -> None:
    thinner = Thinner()
    thinner.feed(PointerMoved(0, 0, 0))
    thinner.feed(PointerMoved(0.01, 5, 0))
    assert thinner.held_since == 0.01
    assert thinner.flush() == [PointerMoved(0.01, 5, 0)]
    assert thinner.flush() == []
    assert thinner.held_since is None
