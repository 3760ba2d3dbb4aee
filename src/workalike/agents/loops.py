"""Noticing that an agent goes round in circles."""

from __future__ import annotations

from collections.abc import Sequence

from workalike.agents.turns import Turn
from workalike.core.actions import Action, Scroll, Wait

SAME, ROUNDS, STUBBORN = 3, 3, 6
_PATIENT = (Scroll, Wait)


def looping(turns: Sequence[Turn]) -> bool:
    """Whether the turns that are over end in a loop: the same on the same screen three times, a circle of two or three
    steps gone round three times, or one action six times over, whatever the screen shows."""
    marks = [(_screen(turn), turn.actions) for turn in turns if turn.reply is not None]
    if any(_circle(marks, length) for length in (1, 2, 3)):
        return True
    last = [actions for _, actions in marks[-STUBBORN:]]
    return len(last) == STUBBORN and _stubborn(last[0]) and all(actions == last[0] for actions in last)


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


def _circle(marks: Sequence[object], length: int) -> bool:
    needed = length * (SAME if length == 1 else ROUNDS)
    last = marks[-needed:]
    return len(last) == needed and all(last[place] == last[place % length] for place in range(needed))


def _stubborn(actions: tuple[Action, ...]) -> bool:
    """Scrolling on and waiting on are no stubbornness."""
    return bool(actions) and not all(isinstance(action, _PATIENT) for action in actions)


def _screen(turn: Turn) -> tuple[str | None, str | None]:
    seen = turn.sight.observation
    picture = seen.picture.sha256 or seen.picture.name if seen.picture else None
    return seen.url, picture
