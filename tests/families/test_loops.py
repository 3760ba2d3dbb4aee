"""Loops: what counts as one, and when it is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from workalike.core.actions import Action, Back, Click, Press, Scroll, Wait
from workalike.core.contracts import Percept
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Point
from workalike.dialects.reply import ParsedReply
from workalike.families.loops import looping, newly_looping
from workalike.families.turns import Turn
from workalike.models.messages import Reply

CLICK, OTHER = Click(Point(0.5, 0.5)), Click(Point(0.1, 0.1))


def turns(*done: tuple[int, Action | None]) -> list[Turn]:
    """Turns over screens told by number; None is a reply that nobody could read."""
    made = []
    for number, (screen, action) in enumerate(done):
        seen = Observation(ImageRef(f"{screen}.png", f"hash{screen}"), url="http://x/")
        said = ParsedReply((action,)) if action else None
        made.append(Turn(number, Percept(seen), reply=Reply(()), said=said))
    return made


@pytest.mark.parametrize(
    ("done", "is_loop"),
    [
        ([(0, CLICK)] * 2, False),
        ([(0, CLICK)] * 3, True),
        ([(0, None)] * 3, True),
        ([(0, CLICK), (0, OTHER), (0, CLICK)], False),
        ([(0, CLICK), (1, CLICK), (2, CLICK)], False),
        ([(n, CLICK) for n in range(6)], True),
        ([(n, Press(("down",))) for n in range(6)], True),
        ([(n, Scroll(dy=3)) for n in range(12)], False),
        ([(n, Wait(1)) for n in range(12)], False),
        ([(0, Wait(1))] * 3, True),
        ([(0, CLICK), (1, Back())] * 2, False),
        ([(0, CLICK), (1, Back())] * 3, True),
        ([(0, CLICK), (1, OTHER), (2, Back())] * 3, True),
        ([(0, CLICK)] * 3 + [(1, OTHER)], False),
    ],
)
def test_what_a_loop_is(done: Sequence[tuple[int, Action | None]], is_loop: bool) -> None:
    assert looping(turns(*done)) == is_loop


def test_a_loop_is_told_once_until_it_is_left() -> None:
    done = [(0, CLICK)] * 6 + [(0, Back())] + [(0, CLICK)] * 5
    made = turns(*done)
    told = []
    for number in range(len(made)):
        made[number].warned = newly_looping(made[:number])
        told.append(made[number].warned)
    assert told == [False] * 3 + [True] + [False] * 6 + [True, False]
