"""Actions that the screen has outrun. Those of one decision were all meant for the screen that was seen; while it was
being thought, or by what the earlier ones bring up, something else may have come where one goes. So what is seen is
noted before the decision, and it is looked, in passing, before each action that goes to a place.

A place that stands for a mark must still hold what the mark was on when it was seen. A plain place may be meant for
what the action before it opens, so that only another tab, window, page or dialog stops it. Keys go to whatever has
the keyboard. A decision with one place only is carried out all the same, and is told what it hit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action, Click, Drag, KeyDown, KeyUp, MouseDown, MouseUp, Move, points
from workalike.core.contracts import Environment, Glance, Glancing, Spot
from workalike.core.observation import Element, Observation, element_at
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult

NOT_DONE = "not carried out"
_AIMED = (Click, Drag, MouseDown, Move)
"""What goes to a thing; a wheel turns wherever the pointer is, and what lies there moves on under it."""
_LONGEST_NAME = 80
_NO_LETTER = re.compile(r"[\W\d_]+")


class Outrun(msgspec.Struct, frozen=True):
    """What has become of the screen that an action was meant for: the words if it is `stopped`, and if it is `done`."""

    stopped: str
    done: str


class DecidedOn:
    """The screen that the actions of one decision are meant for."""

    def __init__(self, environment: Environment, seen: Glance = Glance(), marked: Sequence[Element] = ()) -> None:
        self._environment, self._seen = environment, seen
        self._noted = {one: spot for one, spot in zip(marked, seen.spots, strict=False) if spot}

    @staticmethod
    async def note(environment: Environment, seen: Observation) -> DecidedOn:
        """What lies on the marks of a screen as it is seen, before anything is decided on it."""
        if not isinstance(environment, Glancing):
            return DecidedOn(environment)
        marked = [one for one in seen.elements or () if one.mark is not None and one.box]
        places = tuple(one.box.centre for one in marked if one.box)
        return DecidedOn(environment, await environment.glance(places), marked)

    async def change(self, action: Action, before: Sequence[ActionResult]) -> Outrun | None:
        """What speaks against an action now; None where it finds what it was meant for."""
        places = points(action)
        if not places or isinstance(action, MouseUp) or not isinstance(self._environment, Glancing):
            return None
        aimed = places if isinstance(action, _AIMED) and not held(before) else ()
        now = await self._environment.glance(tuple(aimed))
        why = _another_screen(self._seen, now)
        if why is not None:
            hit = "".join(f", and it hit {_called(spot)}" for spot in now.spots[:1] if spot)
            return Outrun(f"{why}, and this was decided before; look again", f"{why} since this was decided{hit}")
        moved = [self._moved(place, spot) for place, spot in zip(aimed, now.spots, strict=False)]
        return next((change for change in moved if change), None)

    def _moved(self, place: Point, now: Spot | None) -> Outrun | None:
        meant = element_at(tuple(self._noted), place)
        if meant is None or (now is not None and self._holds(meant, now)):
            return None
        mark, there = f"mark {meant.mark}, {_called(meant)}", "nothing" if now is None else _called(now)
        if now is not None and _alike(now, self._noted[meant]):
            there = f"another {there}"
        stopped = f"{mark}, is no longer there: {there} now lies in its place; look again"
        return Outrun(stopped, f"it hit {there}, not {mark}")

    def _holds(self, meant: Element, now: Spot) -> bool:
        """Whether it is still the same thing; the page may have changed even before it was noted."""
        then = self._noted[meant]
        if not _alike(then, now) or _named_apart(meant.name, now.name):
            return False
        others = [spot for one, spot in self._noted.items() if one is not meant and _alike(spot, then)]
        others = [spot for spot in others if not spot.node or spot.node != then.node]
        return not others or _same_of_several(then, now, others)


def held(taken: Sequence[ActionResult]) -> bool:
    """Whether a button of the mouse is down after these."""
    done = [each.action for each in taken if not each.error and isinstance(each.action, MouseDown | MouseUp)]
    return bool(done) and isinstance(done[-1], MouseDown)


def letting_go(action: Action, taken: Sequence[ActionResult]) -> Action | None:
    """What lets a key or button go that these hold down; it is done though what came between was not."""
    done = [each.action for each in taken if not each.error]
    if isinstance(action, KeyUp) and KeyDown(action.key) in done:
        return action
    return MouseUp(button=action.button) if isinstance(action, MouseUp) and held(taken) else None


def told(taken: ActionResult, change: Outrun | None) -> ActionResult:
    """What was taken, saying what it hit where that is not what it was meant for."""
    if change is None or taken.error:
        return taken
    return replace(taken, result=f"{taken.result}; {change.done}" if taken.result else change.done)


def _another_screen(then: Glance, now: Glance) -> str | None:
    if not then.window or not now.window:
        return None
    if then.dialog != now.dialog:
        return "a dialog has opened" if now.dialog else "the dialog is gone"
    if then.window != now.window:
        return "another tab or window has come to the front"
    return "another page has come up" if then.page != now.page else None


def _alike(one: Spot, other: Spot) -> bool:
    return (one.role, one.name) == (other.role, other.name)


def _same_of_several(then: Spot, now: Spot, others: Sequence[Spot]) -> bool:
    """Which of several with one name it is, by those words around it that are around no other. In the very same part of
    the page it is the nearest of them, and numbers may change there; in one that was drawn anew, its whole row or card.
    Where no words tell them apart, only the part of the page does."""
    theirs = {words for other in others for words in other.around}
    own = [words for words in then.around if words not in theirs]
    if not own:
        return then.node == now.node
    if then.node != now.node:
        return own[-1] in now.around
    return any(_letters(words) == _letters(own[0]) for words in now.around if words not in theirs)


def _named_apart(first: str, second: str) -> bool:
    """Whether both have names, and neither is part of the other."""
    one, two = _letters(first), _letters(second)
    return bool(one and two) and one not in two and two not in one


def _letters(words: str) -> str:
    return _NO_LETTER.sub(" ", words).strip().casefold()


def _called(thing: Element | Spot) -> str:
    line = " ".join(thing.name.split())
    return f'{thing.role} "{line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1] + "…"}"'
