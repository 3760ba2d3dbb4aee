"""Gestures that are one to a person become one: double clicks, typing, turns of the wheel. Between what remains, a
long silence is a wait."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec

from workalike.core.actions import Action, Click, Hotkey, KeyDown, KeyUp, Press, Scroll, Wait, Write
from workalike.core.screen import Size
from workalike.reduce.account import Dropped, Gesture
from workalike.reduce.gestures import SWITCHING
from workalike.reduce.settings import ReduceSettings

Stirred = Callable[[float, float], bool]
"""Whether the screen changed between two times. Who has no pictures says no."""


class PartialGesture(msgspec.Struct, frozen=True):
    """A gesture on its way, with what only merging needs: the screen it was made on, the modifier strokes it was made
    under, its newest press and the pixel it fell on, and the times of the moves that led to it."""

    gesture: Gesture
    screen: Size
    under: tuple[int, ...]
    pressed: float
    place: tuple[float, float] | None
    moments: tuple[float, ...] = ()


class Merger:
    """Joins a stream of gestures. The newest is held back, since the next may belong to it."""

    def __init__(self, settings: ReduceSettings, stirred: Stirred) -> None:
        self._settings, self._stirred = settings, stirred
        self._newest: PartialGesture | None = None
        self._elsewhere = False

    def feed(self, part: PartialGesture) -> Iterator[Gesture | Dropped]:
        newest, elsewhere, self._elsewhere = self._newest, self._elsewhere, False
        if newest is None:
            self._newest = part
            return
        silence = longest_silence((newest.gesture.end, *part.moments, part.gesture.start))
        waited = 0 < self._settings.wait <= silence[1] - silence[0]
        actions = _joined(newest, part, silence[1] - silence[0], self._settings)
        anew = part.gesture.kind == "write" and (elsewhere or (waited and self._stirred(*silence)))
        if actions is not None and not anew:
            self._newest = _join(newest, part, actions)
            return
        yield _whole(newest.gesture)
        if waited:
            yield Gesture("wait", (Wait(round(silence[1] - silence[0], 3)),), *silence)
        self._newest = part

    def elsewhere(self) -> None:
        """What comes next happens in another place: what is typed there is not typed on."""
        self._elsewhere = True

    def interrupt(self) -> Iterator[Gesture | Dropped]:
        """Nothing that comes later belongs to what came before."""
        if self._newest:
            yield _whole(self._newest.gesture)
        self._newest = None

    def finish(self) -> Iterator[Gesture | Dropped]:
        """The last gesture, unless it is what ended the recording."""
        newest = self._newest
        if newest and _stops(newest.gesture, self._settings.stop_keys):
            self._newest = None
            yield Dropped("stop_keys", newest.gesture.events)
            if newest.gesture.approach:
                yield Dropped("moved_without_acting", newest.gesture.approach)
        yield from self.interrupt()


def longest_silence(times: Sequence[float]) -> tuple[float, float]:
    """The longest stretch between neighbouring times.

    >>> longest_silence([0.0, 1.0, 5.0, 6.0])
    (1.0, 5.0)
    """
    return max(pairwise(times), key=lambda pair: pair[1] - pair[0])


def _joined(
    first: PartialGesture, second: PartialGesture, silence: float, settings: ReduceSettings
) -> tuple[Action, ...] | None:
    """The actions of two neighbouring gestures as one, or None when they are two."""
    match first.gesture.actions, second.gesture.actions:
        case ((Click() as one,), (Click() as two,)):
            joined = _clicks(first, second, one, two, settings)
        case ((Scroll() as one,), (Scroll() as two,)):
            joined = _scrolls(first, second, one, two, silence, settings)
        case ((Write() as one,), (Write() as two,)) if first.gesture.flags == second.gesture.flags:
            joined = (Write(one.text + two.text),)
        case ((Press() as one,), (Press() as two,)):
            near = second.pressed - first.gesture.end <= settings.press_interval
            joined = (Press(one.keys + two.keys),) if near and {*one.keys} == {*two.keys} else None
        case _ if first.gesture.kind == second.gesture.kind == "hotkey" and first.under == second.under:
            joined = _switches(first.gesture.actions, second.gesture.actions)
        case _:
            joined = None
    return joined


def _clicks(
    first: PartialGesture, second: PartialGesture, one: Click, two: Click, settings: ReduceSettings
) -> tuple[Action, ...] | None:
    alike = one.count < 3 and (one.button, one.modifiers) == (two.button, two.modifiers)
    soon = second.pressed - first.pressed < settings.click_interval
    lost = "no_release" in (*first.gesture.flags, *second.gesture.flags)
    if lost or not alike or not soon or _distance(first, second) >= settings.click_distance:
        return None
    return (Click(one.at, one.button, one.count + 1, one.modifiers),)


def _scrolls(
    first: PartialGesture, second: PartialGesture, one: Scroll, two: Scroll, silence: float, settings: ReduceSettings
) -> tuple[Action, ...] | None:
    alike = one.modifiers == two.modifiers and _way(one) == _way(two)
    if not alike or silence >= settings.scroll_pause or _distance(first, second) > settings.scroll_distance:
        return None
    return (Scroll(one.dx + two.dx, one.dy + two.dy, one.unit, one.at, one.modifiers),)


def _way(scroll: Scroll) -> tuple[bool, bool]:
    """Which way a scroll mainly goes; a touchpad always drifts a little."""
    across = abs(scroll.dx) > abs(scroll.dy)
    return across, (scroll.dx if across else scroll.dy) > 0


def _switches(one: tuple[Action, ...], two: tuple[Action, ...]) -> tuple[Action, ...] | None:
    """Tab pressed again while alt is still down goes one window further; alt and tab twice would go back."""
    modifiers, keys = _chord(one)
    more = _chord(two)
    if not modifiers or more[0] != modifiers or not {*keys, *more[1]} <= SWITCHING or len({*keys, *more[1]}) > 1:
        return None
    return (*map(KeyDown, modifiers), Press(keys + more[1]), *map(KeyUp, reversed(modifiers)))


def _chord(actions: tuple[Action, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The modifiers of a hotkey and the keys pressed under them."""
    match actions:
        case (Hotkey(keys=keys),):
            return keys[:-1], keys[-1:]
        case _:
            down = tuple(action.key for action in actions if isinstance(action, KeyDown))
            return down, tuple(key for action in actions if isinstance(action, Press) for key in action.keys)


def _distance(first: PartialGesture, second: PartialGesture) -> float:
    if first.screen != second.screen or first.place is None or second.place is None:
        return math.inf
    return math.dist(first.place, second.place)


def _join(first: PartialGesture, second: PartialGesture, actions: tuple[Action, ...]) -> PartialGesture:
    one, two = first.gesture, second.gesture
    # Clicks are compared with where the first fell, turns of the wheel with where the newest did.
    place = second.place if one.kind == "scroll" else first.place
    joined = msgspec.structs.replace(
        one,
        actions=actions,
        end=max(one.end, two.end),
        events=tuple(sorted((*one.events, *two.approach, *two.events))),
        flags=tuple(dict.fromkeys((*one.flags, *two.flags))),
    )
    return PartialGesture(joined, first.screen, second.under, second.pressed, place)


def _whole(gesture: Gesture) -> Gesture | Dropped:
    if gesture.actions == (Write(""),):
        return Dropped("typed_nothing", tuple(sorted((*gesture.approach, *gesture.events))))
    return gesture


def _stops(gesture: Gesture, chords: tuple[tuple[str, ...], ...]) -> bool:
    match gesture.actions:
        case (Hotkey(keys=keys),):
            return any({*keys} == {*chord} for chord in chords)
        case _:
            return False
