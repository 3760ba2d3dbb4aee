"""One stroke → one gesture: what a press, a key or a turn of the wheel means by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Press,
    Scroll,
    Wait,
    Write,
    points,
)
from workalike.core.keyboard import canonical
from workalike.core.recording import ButtonChanged, KeyChanged, WheelTurned
from workalike.core.screen import Point, Size
from workalike.reduce.account import Dropped, Flag, Gesture, Kind
from workalike.reduce.settings import ReduceSettings
from workalike.reduce.strokes import LEVEL_SHIFT, Stroke, held_name

MASK = "•"
"""Stands for a character that was masked when it was captured."""

SWITCHING = frozenset(("tab", "`"))
"""Keys that go on to the next window while a modifier stays down."""
_Place = tuple[float, float]


def gesture(stroke: Stroke, screen: Size, settings: ReduceSettings) -> Gesture | Dropped:
    """What one stroke means."""
    match stroke.event:
        case ButtonChanged():
            return _pointer(stroke, stroke.event, screen, settings)
        case WheelTurned():
            return _wheel(stroke, stroke.event, screen)
        case KeyChanged():
            return _key(stroke, stroke.event)
        case _:
            return Dropped("paused", tuple(stroke.events))


def modifiers_of(stroke: Stroke) -> tuple[str, ...]:
    """The modifiers a stroke happened under, in the order they went down, each once."""
    reported = () if not hasattr(stroke.event, "modifiers") else stroke.event.modifiers
    names = [*(s.modifier for s in stroke.held), *(held_name(name) for name in reported)]
    return tuple(dict.fromkeys(name for name in names if name))


def _made(
    stroke: Stroke, kind: Kind, *actions: Action, end: float | None = None, flags: Sequence[Flag] = ()
) -> Gesture:
    lost: tuple[Flag, ...] = ("no_release",) if stroke.lost else ()
    off: tuple[Flag, ...] = ("off_screen",) if _leaves_screen(actions) else ()
    moves = [index for index, _ in stroke.moves]
    return Gesture(
        kind=kind,
        actions=actions,
        start=min([stroke.event.time, *(held.event.time for held in _own(stroke))]),
        end=stroke.end if end is None else end,
        events=tuple(sorted([*stroke.events, *moves])),
        approach=tuple(index for index, _ in stroke.approach),
        hit=getattr(stroke.event, "hit", None),
        flags=(*lost, *off, *flags),
    )


def _own(stroke: Stroke) -> list[Stroke]:
    """The modifiers whose events this stroke was given."""
    return [held for held in stroke.held if held.events[0] in stroke.events]


def _leaves_screen(actions: Sequence[Action]) -> bool:
    return any(not point.on_screen for action in actions for point in points(action))


def _pointer(stroke: Stroke, event: ButtonChanged, screen: Size, settings: ReduceSettings) -> Gesture:
    places = [(event.x, event.y), *((move.x, move.y) for _, move in stroke.moves)]
    released = stroke.released
    if isinstance(released, ButtonChanged):
        places.append((released.x, released.y))
    at, modifiers = screen.point(event.x, event.y), modifiers_of(stroke)
    reach = [math.dist(places[0], place) for place in places]
    if reach[-1] > settings.drag_distance or max(reach) > settings.loop_distance:
        straight = all(_off_line(place, places[0], places[-1]) <= settings.straight for place in places)
        path = simplified(places, settings.straight if straight else settings.path_tolerance)
        way = tuple(screen.point(x, y) for x, y in path[1:])
        return _made(stroke, "drag", Drag(way, at, event.button, modifiers))
    if released and released.time - event.time >= settings.long_press:
        return _made(stroke, "long_press", *_long_press(at, event, released.time - event.time, modifiers))
    return _made(stroke, "click", Click(at, event.button, 1, modifiers), end=None if released else event.time)


def _long_press(at: Point, event: ButtonChanged, seconds: float, modifiers: tuple[str, ...]) -> tuple[Action, ...]:
    press = (MouseDown(at, event.button), Wait(round(seconds, 3)), MouseUp(at, event.button))
    down = [KeyDown(name) for name in modifiers]
    return (*down, *press, *(KeyUp(name) for name in reversed(modifiers)))


def _wheel(stroke: Stroke, event: WheelTurned, screen: Size) -> Gesture:
    at = screen.point(event.x, event.y)
    return _made(stroke, "scroll", Scroll(event.dx, event.dy, "notches", at, modifiers_of(stroke)))


def _key(stroke: Stroke, event: KeyChanged) -> Gesture | Dropped:
    presses = (event, *stroke.repeats)
    modifiers = modifiers_of(stroke)
    if stroke.modifier:
        keys = (*(name for name in modifiers if name != stroke.modifier), stroke.modifier)
        return _made(stroke, "hotkey", Hotkey(keys)) if len(keys) > 1 else _made(stroke, "press", Press(keys))
    if event.masked:
        return _made(stroke, "write", Write(MASK * len(presses)), end=event.time, flags=("masked",))
    if types(event, modifiers):
        return _made(stroke, "write", Write("".join(press.text for press in presses)), end=presses[-1].time)
    if modifiers:
        return _chord(stroke, _name(event.key, lower=True), modifiers, len(presses))
    return _made(stroke, "press", Press((_name(event.key),) * len(presses)))


def _chord(stroke: Stroke, key: str, modifiers: tuple[str, ...], times: int) -> Gesture:
    if times > 1 and key in SWITCHING:
        down, up = map(KeyDown, modifiers), map(KeyUp, reversed(modifiers))
        return _made(stroke, "hotkey", *down, Press((key,) * times), *up)
    return _made(stroke, "hotkey", *[Hotkey((*modifiers, key))] * times)


def types(event: KeyChanged, modifiers: tuple[str, ...]) -> bool:
    """Whether a key writes something rather than commanding. A dead key writes nothing yet, but belongs to what is
    written next."""
    commanding = set(modifiers) - {"shift", LEVEL_SHIFT}
    if not event.text:
        named = canonical(event.key)
        return not commanding and (named is None or len(named) == 1)
    if not event.text.isprintable():
        return False
    # AltGr is reported as ctrl and alt by some systems, and option writes letters on others.
    chooses = LEVEL_SHIFT in modifiers or (commanding == {"alt"} and not event.text.isascii())
    return not commanding or chooses


def _name(key: str, lower: bool = False) -> str:
    name = canonical(key) or key
    return name.lower() if lower and len(name) == 1 else name


def simplified(path: Sequence[_Place], tolerance: float) -> list[_Place]:
    """The fewest of a path's points that stay within a distance of all of it (Ramer, Douglas and Peucker)."""
    keep = {0, len(path) - 1}
    spans = [(0, len(path) - 1)]
    while spans:
        first, last = spans.pop()
        between = range(first + 1, last)
        far = max(between, key=lambda i: _off_line(path[i], path[first], path[last]), default=None)
        if far is not None and _off_line(path[far], path[first], path[last]) > tolerance:
            keep.add(far)
            spans += [(first, far), (far, last)]
    return [path[i] for i in sorted(keep)]


def _off_line(place: _Place, start: _Place, end: _Place) -> float:
    """How far a place is from the straight way between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0 if length == 0 else ((place[0] - start[0]) * dx + (place[1] - start[1]) * dy) / length
    along = min(1.0, max(0.0, along))
    return math.dist(place, (start[0] + along * dx, start[1] + along * dy))
