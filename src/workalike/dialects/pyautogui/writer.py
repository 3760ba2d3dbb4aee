"""Actions → PyAutoGUI code, in the spelling AgentNet stores or in PyAutoGUI's own (`native`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workalike.core.actions import (
    Action,
    Button,
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
    Terminate,
    Wait,
    Write,
    kind,
)
from workalike.core.errors import Inexpressible
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects.values import amount, check_keys, check_modifiers, duration, placed

NAME = "pyautogui"
_CLICKS = {
    ("left", 1): "pyautogui.click",
    ("right", 1): "pyautogui.rightClick",
    ("middle", 1): "pyautogui.middleClick",
    ("left", 2): "pyautogui.doubleClick",
}


def write(actions: Sequence[Action], screen: Size, space: Space, native: bool) -> str:
    """One or more lines of code for each action."""
    return "\n".join(line for action in actions for line in _lines(action, screen, space, native))


def _lines(action: Action, screen: Size, space: Space, native: bool) -> Iterable[str]:
    match action:
        case Click() | Drag() | Scroll():
            return _held(action, _pointer_lines(action, screen, space, native))
        case Move(to=to):
            return [f"pyautogui.moveTo({_at(to, action, screen, space)})"]
        case MouseDown(at=at, button=button):
            return [f"pyautogui.mouseDown({_at_button(at, button, action, screen, space)})"]
        case MouseUp(at=at, button=button):
            return [f"pyautogui.mouseUp({_at_button(at, button, action, screen, space)})"]
        case Write(text=text):
            return [f"pyautogui.write(message={text!r})"]
        case Press(keys=keys):
            written = list(check_keys(keys, NAME, action))
            return [f"pyautogui.press({written!r})" if native else f"pyautogui.press(keys={written!r})"]
        case Hotkey(keys=keys):
            written = list(check_keys(keys, NAME, action))
            together = ", ".join(map(repr, written))
            return [f"pyautogui.hotkey({together})" if native else f"pyautogui.hotkey(keys={written!r})"]
        case KeyDown(key=key):
            return [f"pyautogui.keyDown({check_keys((key,), NAME, action)[0]!r})"]
        case KeyUp(key=key):
            return [f"pyautogui.keyUp({check_keys((key,), NAME, action)[0]!r})"]
        case Wait(seconds=seconds):
            return [_wait(seconds, action, native)]
        case Terminate(status=status, answer=answer):
            told = "" if answer is None else f", answer={answer!r}"
            return [f"computer.terminate(status={status!r}{told})"]
        case _:
            raise Inexpressible(NAME, kind(action), "PyAutoGUI knows only the pointer and the keyboard")


def _pointer_lines(action: Click | Drag | Scroll, screen: Size, space: Space, native: bool) -> list[str]:
    match action:
        case Click():
            return [_click(action, screen, space, native)]
        case Drag():
            return _drag(action, screen, space)
        case Scroll():
            return _scroll(action, screen, space)


def _click(click: Click, screen: Size, space: Space, native: bool) -> str:
    name = _CLICKS.get((click.button, click.count))
    at = "" if click.at is None else _at(click.at, click, screen, space)
    if click.count == 3 and click.button == "left":
        name = "pyautogui.tripleClick" if native else "computer.tripleClick"
    if name is not None:
        return f"{name}({at})"
    parts = [at] if at else []
    return f"pyautogui.click({', '.join([*parts, f'clicks={click.count}', f'button={click.button!r}'])})"


def _drag(drag: Drag, screen: Size, space: Space) -> list[str]:
    """A straight drag is a `dragTo`; one with corners is spelled out, for PyAutoGUI has no word for it."""
    if len(drag.path) == 1:
        move = [] if drag.start is None else [f"pyautogui.moveTo({_at(drag.start, drag, screen, space)})"]
        return [*move, f"pyautogui.dragTo({_at_button(drag.end, drag.button, drag, screen, space)})"]
    return [
        f"pyautogui.mouseDown({_at_button(drag.start, drag.button, drag, screen, space)})",
        *(f"pyautogui.moveTo({_at(point, drag, screen, space)})" for point in drag.path),
        f"pyautogui.mouseUp(button={drag.button!r})",
    ]


def _scroll(scroll: Scroll, screen: Size, space: Space) -> list[str]:
    if scroll.unit != "notches":
        raise Inexpressible(NAME, "scroll", "its amounts are wheel notches; convert them with gestures.scrolls_in")
    lines = [] if scroll.at is None else [f"pyautogui.moveTo({_at(scroll.at, scroll, screen, space)})"]
    if scroll.dy or not scroll.dx:
        lines.append(f"pyautogui.scroll({amount(-scroll.dy, NAME, scroll)})")
    if scroll.dx:
        lines.append(f"pyautogui.hscroll({amount(scroll.dx, NAME, scroll)})")
    return lines


def _held(action: Click | Drag | Scroll, lines: list[str]) -> list[str]:
    keys = check_modifiers(action.modifiers, NAME, action)
    down = [f"pyautogui.keyDown({key!r})" for key in keys]
    return [*down, *lines, *(f"pyautogui.keyUp({key!r})" for key in reversed(keys))]


def _wait(seconds: float | None, action: Wait, native: bool) -> str:
    if seconds is None:
        return "computer.wait()"
    written = duration(seconds, NAME, action)
    return f"time.sleep({written!r})" if native else f"computer.wait(duration={written!r})"


def _at(point: Point, action: Action, screen: Size, space: Space) -> str:
    x, y = placed(point, screen, space, NAME, action)
    return f"x={x!r}, y={y!r}"


def _at_button(at: Point | None, button: Button, action: Action, screen: Size, space: Space) -> str:
    where = "" if at is None else _at(at, action, screen, space) + ", "
    return f"{where}button={button!r}"
