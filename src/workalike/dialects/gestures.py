"""Small actions that together are one: the parts in which some dialects write what the core says in one word.

`joined` is the normal form. Moving and then dragging, pressing a button or turning the wheel where the pointer is,
pressing, moving and letting a button go, holding a modifier around one pointer action: each is a single action there.
`Typing` is the other way round: several actions that some dialects write as a single call.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Unit,
    Write,
)
from workalike.core.keyboard import modifier
from workalike.core.screen import Point

PIXELS_A_NOTCH = 100.0  # what one wheel notch moves a page by in common browsers
_CLEAR: tuple[Action, ...] = (Hotkey(("ctrl", "a")), Press(("backspace",)))
_ENTER = Press(("enter",))


def joined(actions: Iterable[Action]) -> tuple[Action, ...]:
    """The same doing in as few actions as it takes."""
    done: list[Action] = []
    for action in actions:
        done.append(action)
        while _join_tail(done):
            pass
    return tuple(done)


def pressed(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Presses in a row as one, and a hotkey of a single key as the press it is: the normal form for dialects that
    write one key, or one chord, a call."""
    done: list[Action] = []
    for action in actions:
        if isinstance(action, Hotkey) and len(action.keys) == 1:
            action = Press(action.keys)
        if isinstance(action, Press) and done and isinstance(before := done[-1], Press):
            action = Press(before.keys + action.keys)
            done.pop()
        done.append(action)
    return tuple(done)


class Typing(NamedTuple):
    """Clicking into a field, emptying it, typing a text and pressing enter; all but the text are optional."""

    text: str
    at: Point | None = None
    clear: bool = False
    enter: bool = False

    @property
    def actions(self) -> tuple[Action, ...]:
        click = () if self.at is None else (Click(self.at),)
        return (*click, *(_CLEAR if self.clear else ()), Write(self.text), *((_ENTER,) if self.enter else ()))

    @staticmethod
    def at_start(actions: Sequence[Action]) -> tuple[Typing, int] | None:
        """The longest typing that the actions begin with, and how many of them it takes."""
        click = actions[0]
        at = click.at if isinstance(click, Click) and click == Click(click.at) else None
        count = 0 if at is None else 1
        clear = tuple(actions[count : count + 2]) == _CLEAR
        count += 2 if clear else 0
        if count >= len(actions) or not isinstance(write := actions[count], Write):
            return None
        enter = count + 1 < len(actions) and actions[count + 1] == _ENTER
        return Typing(write.text, at, clear, enter), count + 1 + enter


def scrolls_in(unit: Unit, actions: Sequence[Action], pixels_a_notch: float = PIXELS_A_NOTCH) -> tuple[Action, ...]:
    """The actions with every scroll told in notches, or in pixels, for dialects that know only the one."""
    return tuple(_scroll_in(unit, action, pixels_a_notch) for action in actions)


def scrolls_by(notches: float, actions: Sequence[Action]) -> tuple[Action, ...]:
    """The actions with every scroll cut or stretched to so many notches in its main direction, for dialects that name
    a direction and no amount. What it was before is lost."""
    return tuple(_scroll_by(notches, action) for action in actions)


def _scroll_by(notches: float, action: Action) -> Action:
    if not isinstance(action, Scroll):
        return action
    if abs(action.dx) > abs(action.dy):
        return replace(action, dx=math.copysign(notches, action.dx), dy=0, unit="notches")
    return replace(action, dx=0, dy=math.copysign(notches, action.dy), unit="notches")


def _scroll_in(unit: Unit, action: Action, pixels_a_notch: float) -> Action:
    if not isinstance(action, Scroll) or action.unit == unit:
        return action
    factor = pixels_a_notch if unit == "pixels" else 1 / pixels_a_notch
    return replace(action, dx=action.dx * factor, dy=action.dy * factor, unit=unit)


def _join_tail(done: list[Action]) -> bool:
    """Join the last few actions into one if they are one; say whether they were."""
    match done:
        case [*_, Move(to=to), Drag(start=None) as drag]:
            done[-2:] = [replace(drag, start=to)]
        case [*_, Move(to=to), (Scroll(at=None) | MouseDown(at=None)) as there]:
            done[-2:] = [replace(there, at=to)]
        case [*_, Scroll(dx=0) as down, Scroll(dy=0, at=None) as across] if _one_turn(down, across):
            done[-2:] = [replace(down, dx=across.dx)]
        case [*_, KeyDown(key=key), (Click() | Drag() | Scroll()) as held, KeyUp(key=released)] if _held(key, released):
            done[-3:] = [replace(held, modifiers=(key, *held.modifiers))]
        case [*_, MouseUp() as up]:
            return _join_drag(done, up) or _join_release(done, up)
        case _:
            return False
    return True


def _one_turn(down: Scroll, across: Scroll) -> bool:
    same = down.unit == across.unit and down.modifiers == across.modifiers
    return same and down.dy != 0 and across.dx != 0


def _held(key: str, released: str) -> bool:
    return key == released and modifier(key) is not None


def _join_drag(done: list[Action], up: MouseUp) -> bool:
    """Press, moves, release: a drag, when it went anywhere."""
    first = len(done) - 2
    while first >= 0 and isinstance(done[first], Move):
        first -= 1
    down = done[first] if first >= 0 else None
    if not isinstance(down, MouseDown) or down.button != up.button:
        return False
    path = [move.to for move in done[first + 1 : -1] if isinstance(move, Move)]
    if up.at is not None and path[-1:] != [up.at]:
        path.append(up.at)
    if not path:
        return False
    done[first:] = [Drag(path=tuple(path), start=down.at, button=down.button)]
    return True


def _join_release(done: list[Action], up: MouseUp) -> bool:
    if len(done) < 2 or up.at is not None or not isinstance(move := done[-2], Move):
        return False
    done[-2:] = [replace(up, at=move.to)]
    return True
