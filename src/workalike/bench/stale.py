"""Actions that the screen has outrun. Those of one decision were all meant for the screen it was made on; what the
earlier ones bring up may put something else where a later one goes. So it is looked, in passing, before each of them.

A place that stands for a mark must still hold what the mark was on when it was seen. A plain place may be meant for
what the action before it opens, so that only another tab, window, page or dialog stops it. Keys go to whatever has
the keyboard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_MUCH_LARGER = 4
_NO_LETTER = re.compile(r"[\W\d_]+")


class DecidedOn:
    """The screen that the actions of one decision were meant for."""

    def __init__(
        self, environment: Environment, seen: Observation, first: Glance | None = None, places: Sequence[Point] = ()
    ) -> None:
        self._environment, self._seen, self._first = environment, seen, first
        self._spots = dict(zip(places, first.spots, strict=False)) if first else {}

    @staticmethod
    async def note(environment: Environment, seen: Observation, actions: Sequence[Action]) -> DecidedOn:
        """What lies where the actions go, before the first is carried out; a single one is told of what it hit."""
        aimed_at = dict.fromkeys(place for action in actions for place in points(action))
        if not any(points(action) for action in actions[1:]) or not isinstance(environment, Glancing):
            return DecidedOn(environment, seen)
        places = tuple(place for place in aimed_at if element_at(seen.elements or (), place))
        return DecidedOn(environment, seen, await environment.glance(places), places)

    async def problem(self, action: Action, before: Sequence[ActionResult]) -> str | None:
        """Why an action of several is not to be carried out; None where nothing speaks against it."""
        if self._first is None or not points(action) or isinstance(action, MouseUp):
            return None
        aimed = isinstance(action, _AIMED) and not held(before)
        places = tuple(place for place in points(action) if aimed and place in self._spots)
        assert isinstance(self._environment, Glancing)
        noted = replace(self._first, spots=tuple(self._spots[place] for place in places))
        now = await self._environment.glance(places) if before else noted
        why = _another_screen(self._first, now)
        if why is not None:
            return f"{NOT_DONE}: {why}, and this was decided before; look again"
        moved = [self._moved(place, spot) for place, spot in zip(places, now.spots, strict=False)]
        return next((why for why in moved if why), None)

    def _moved(self, place: Point, now: Spot | None) -> str | None:
        meant, then = element_at(self._seen.elements or (), place), self._spots[place]
        if meant is None or then is None:
            return None
        if now is not None and _same(then, now, self._alone(meant)) and not _named_apart(meant.name, now.name):
            return None
        there = "nothing" if now is None else _called(now.role, now.name)
        another = "another " * (now is not None and (now.role, now.name) == (then.role, then.name))
        was = f"mark {meant.mark}, {_called(meant.role, meant.name)}, is no longer there"
        return f"{NOT_DONE}: {was}: {another}{there} now lies in its place; look again"

    def _alone(self, meant: Element) -> bool:
        """Whether the element's name tells it from all others."""
        same = [one for one in self._seen.elements or () if (one.role, one.name) == (meant.role, meant.name)]
        return len(same) == 1

    def told(self, taken: ActionResult) -> ActionResult:
        """What was taken, saying what it hit where that is not what the mark was on."""
        place = next(iter(points(taken.action)), None)
        if place is None or taken.hit is None or not isinstance(taken.action, _AIMED) or self._seen.kind == "page":
            return taken
        meant = element_at(self._seen.elements or (), place)
        if meant is None or not _another(meant, taken.hit):
            return taken
        hit = f"it hit {_called(taken.hit.role, taken.hit.name)}"
        words = f"{hit}, not mark {meant.mark}, {_called(meant.role, meant.name)}"
        return replace(taken, result=f"{taken.result}; {words}" if taken.result else words)


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


def _another_screen(then: Glance, now: Glance) -> str | None:
    if not then.window or not now.window:
        return None
    if then.dialog != now.dialog:
        return "a dialog has opened" if now.dialog else "the dialog is gone"
    if then.window != now.window:
        return "another tab or window has come to the front"
    return "another page has come up" if then.page != now.page else None


def _same(then: Spot, now: Spot, alone: bool) -> bool:
    """Whether it is still the same thing. Of several with one name the words around tell which it is: those of its row
    or card, in which numbers may change if it is the very same part of the page."""
    if (then.role, then.name) != (now.role, now.name):
        return False
    if alone or then.around == now.around:
        return True
    return bool(then.node) and then.node == now.node and _letters(then.around) == _letters(now.around)


def _another(meant: Element, hit: Element) -> bool:
    """Whether what was hit can be no part of what was meant: by its name, or where one has none, by its size."""
    if _letters(meant.name) and _letters(hit.name):
        return _named_apart(meant.name, hit.name)
    if meant.box is None or hit.box is None:
        return False
    return hit.box.width * hit.box.height > _MUCH_LARGER * meant.box.width * meant.box.height


def _named_apart(first: str, second: str) -> bool:
    """Whether both have names, and neither is part of the other."""
    one, two = _letters(first), _letters(second)
    return bool(one and two) and one not in two and two not in one


def _letters(words: str) -> str:
    return _NO_LETTER.sub(" ", words).strip().casefold()


def _called(role: str, name: str) -> str:
    line = " ".join(name.split())
    return f'{role} "{line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1] + "…"}"'
