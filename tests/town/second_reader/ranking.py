"""The one thing that is ahead of all others: where two are level, a question has no single answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


def lowest(things: Iterable[Thing], rank: Callable[[Thing], float]) -> Thing:
    """
    >>> lowest(["abc", "d", "ef"], len)
    'd'
    """
    ranked = sorted(things, key=rank)
    assert ranked, "there is nothing to choose from"
    assert len(ranked) == 1 or rank(ranked[0]) < rank(ranked[1]), f"{ranked[0]} and {ranked[1]} are level"
    return ranked[0]


def highest(things: Iterable[Thing], rank: Callable[[Thing], float]) -> Thing:
    return lowest(things, lambda thing: -rank(thing))


def only(things: Iterable[Thing]) -> Thing:
    found = list(things)
    assert len(found) == 1, f"{len(found)} fit: {found[:3]}"
    return found[0]
