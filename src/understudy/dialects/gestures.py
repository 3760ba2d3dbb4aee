"""Small actions that together are one: the parts in which some dialects write what the core says in one word.

`joined` is the normal form. Moving and then dragging or turning the wheel where the pointer is, pressing, moving and
letting a button go, holding a modifier around one pointer action: each is a single action there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from understudy.core.actions import (
    Action,
    Click,
    Drag,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Scroll,
    Unit,
)
from understudy.core.keyboard import modifier

PIXELS_A_NOTCH = 100.0  # what one wheel notch moves a page by in common browsers


def joined(actions: Iterable[Action]) -> tuple[Action, ...]:
    """The same doing in as few actions as it takes."""
    done: list[Action] = []
    for action in actions:
        done.append(action)
        while _join_tail(done):
            pass
    return tuple(done)


def scrolls_in(unit: Unit, actions: Sequence[Action], pixels_a_notch: float = PIXELS_A_NOTCH) -> tuple[Action, ...]:
    """The actions with every scroll told in notches, or in pixels, for dialects that know only the one."""
    return tuple(_scroll_in(unit, action, pixels_a_notch) for action in actions)


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
        case [*_, Move(to=to), Scroll(at=None) as scroll]:
            done[-2:] = [replace(scroll, at=to)]
        case [*_, Scroll(dx=0) as down, Scroll(dy=0, at=None) as across] if _one_turn(down, across):
            done[-2:] = [replace(down, dx=across.dx)]
        case [*_, KeyDown(key=key), (Click() | Drag() | Scroll()) as held, KeyUp(key=released)] if _held(key, released):
            done[-3:] = [replace(held, modifiers=(key, *held.modifiers))]
        case [*_, MouseUp() as up]:
            return _join_drag(done, up)
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
