"""Noticing that an agent goes round in circles."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from workalike.core.actions import Action, Scroll, Wait
from workalike.core.observation import Observation
from workalike.families.turns import Turn

SAME, ROUNDS, STUBBORN = 3, 3, 6
_LONGEST = 3 * ROUNDS
_PATIENT = (Scroll, Wait)
Mark = tuple[Hashable, tuple[Action, ...]]
"""A screen, and what was done on it."""


def looping(turns: Sequence[Turn]) -> bool:
    """Whether the turns that are over end in a loop."""
    over = [turn for turn in turns[-_LONGEST - 1 :] if turn.reply is not None]
    if not any(over[-1].actions == earlier.actions for earlier in over[-4:-1]):
        return False
    return in_circles([(screen_of(turn.percept.observation), turn.actions) for turn in over])


def in_circles(marks: Sequence[Mark]) -> bool:
    """Whether steps end in a loop: the same on the same screen three times, a circle of two or three steps gone round
    three times, or one action six times over, whatever the screen shows."""
    if on_same_screens(marks):
        return True
    last = [actions for _, actions in marks[-STUBBORN:]]
    return len(last) == STUBBORN and all(actions == last[0] for actions in last) and _stubborn(last[0])


def on_same_screens(marks: Sequence[Mark]) -> bool:
    """Whether steps end in a loop that nothing on the screen excuses. Who turns a calendar's pages does one thing over
    and over, too, and sees another month each time."""
    return any(_circle(marks, length) for length in (1, 2, 3))


def newly_looping(turns: Sequence[Turn]) -> bool:
    """Whether a loop has begun that the model has not been told of yet. It is told once; only when it has left the
    loop can it be told again."""
    if not looping(turns):
        return False
    for end in range(len(turns), 0, -1):
        if turns[end - 1].warned:
            return False
        if not looping(turns[: end - 1]):
            return True
    return True


def _circle(marks: Sequence[Mark], length: int) -> bool:
    needed = length * (SAME if length == 1 else ROUNDS)
    last = marks[-needed:]
    return len(last) == needed and all(last[place] == last[place % length] for place in range(length, needed))


def _stubborn(actions: tuple[Action, ...]) -> bool:
    """Scrolling on and waiting on are no stubbornness."""
    return bool(actions) and not all(isinstance(action, _PATIENT) for action in actions)


def screen_of(seen: Observation) -> tuple[str | None, str | None]:
    """What tells one screen from another: its address and its picture."""
    picture = seen.picture.sha256 or seen.picture.name if seen.picture else None
    return seen.url, picture
