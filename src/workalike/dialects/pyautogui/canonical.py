"""The fast path: code exactly as AgentNet stores it, read with regular expressions and no syntax tree.

It answers None for everything it does not know at sight, and the reader of syntax trees takes over. What it does
answer is what that reader would have answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from workalike.core.actions import (
    Action,
    Button,
    Click,
    Drag,
    Hotkey,
    Move,
    Press,
    Scroll,
    Status,
    Terminate,
    Wait,
    Write,
)
from workalike.core.keyboard import canonical
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects.gestures import joined

_WHOLE = r"(-?(?:0|[1-9][0-9]{0,7}))"
_NUMBER = r"(-?(?:0|[1-9][0-9]{0,7})(?:\.[0-9]{1,20})?)"
_PLAIN = r"[^'\\\r\n\0\ud800-\udfff]"
_AT = re.compile(rf"x={_NUMBER}, y={_NUMBER}\)")
_AT_BUTTON = re.compile(rf"x={_NUMBER}, y={_NUMBER}, button='(left|right|middle)'\)")
_AMOUNT = re.compile(rf"{_WHOLE}\)")
_MESSAGE = re.compile(rf"message=(?:'({_PLAIN}*)'|\"((?:{_PLAIN[:-1]}\"]|')*)\")\)")
_KEYS = re.compile(rf"keys=\['({_PLAIN}+(?:', '{_PLAIN}+)*)'\]\)")
_STATUS = re.compile(r"status='(success|failure)'\)")

_Reader = Callable[[str, Size, Space], Action | None]


def read(code: str, screen: Size, space: Space) -> tuple[Action, ...] | None:
    """The actions of canonical code, or None where it is not canonical."""
    try:
        if "\n" not in code:
            action = _line(code, screen, space)
            return None if action is None else (action,)
        return _lines(code, screen, space)
    except ValueError:  # a screen the space cannot be laid over; the other reader says so in words
        return None


def _lines(code: str, screen: Size, space: Space) -> tuple[Action, ...] | None:
    actions = []
    for line in code.split("\n"):
        action = _line(line, screen, space)
        if action is None:
            return None
        actions.append(action)
    return joined(actions)


def _line(line: str, screen: Size, space: Space) -> Action | None:
    name, _, rest = line.partition("(")
    reader = _READERS.get(name)
    return None if reader is None else reader(rest, screen, space)


def _at(rest: str, screen: Size, space: Space) -> Point | None:
    found = _AT.fullmatch(rest)
    return None if found is None else space.read(float(found[1]), float(found[2]), screen)


def _click(button: Button, count: int) -> _Reader:
    def read_click(rest: str, screen: Size, space: Space) -> Action | None:
        at = _at(rest, screen, space)
        return None if at is None else Click(at, button, count)

    return read_click


def _move(rest: str, screen: Size, space: Space) -> Action | None:
    to = _at(rest, screen, space)
    return None if to is None else Move(to)


def _drag(rest: str, screen: Size, space: Space) -> Action | None:
    found = _AT_BUTTON.fullmatch(rest)
    if found is None:
        return None
    return Drag((space.read(float(found[1]), float(found[2]), screen),), button=_BUTTONS[found[3]])


def _scroll(rest: str, screen: Size, space: Space) -> Action | None:
    found = _AMOUNT.fullmatch(rest)
    return None if found is None else Scroll(dy=-int(found[1]))


def _hscroll(rest: str, screen: Size, space: Space) -> Action | None:
    found = _AMOUNT.fullmatch(rest)
    return None if found is None else Scroll(dx=int(found[1]))


def _write(rest: str, screen: Size, space: Space) -> Action | None:
    found = _MESSAGE.fullmatch(rest)
    return None if found is None else Write(found[found.lastindex or 1])


def _keys(make: type[Press | Hotkey]) -> _Reader:
    def read_keys(rest: str, screen: Size, space: Space) -> Action | None:
        found = _KEYS.fullmatch(rest)
        if found is None:
            return None
        keys = [canonical(name) for name in found[1].split("', '")]
        return None if None in keys else make(tuple(key for key in keys if key))

    return read_keys


def _wait(rest: str, screen: Size, space: Space) -> Action | None:
    return Wait() if rest == ")" else None


def _terminate(rest: str, screen: Size, space: Space) -> Action | None:
    found = _STATUS.fullmatch(rest)
    return None if found is None else Terminate(_STATUSES[found[1]])


_BUTTONS: dict[str, Button] = {"left": "left", "right": "right", "middle": "middle"}
_STATUSES: dict[str, Status] = {"success": "success", "failure": "failure"}
_READERS: dict[str, _Reader] = {
    "pyautogui.click": _click("left", 1),
    "pyautogui.rightClick": _click("right", 1),
    "pyautogui.middleClick": _click("middle", 1),
    "pyautogui.doubleClick": _click("left", 2),
    "pyautogui.tripleClick": _click("left", 3),
    "computer.tripleClick": _click("left", 3),
    "computer.triple_click": _click("left", 3),
    "pyautogui.moveTo": _move,
    "pyautogui.dragTo": _drag,
    "pyautogui.scroll": _scroll,
    "pyautogui.hscroll": _hscroll,
    "pyautogui.write": _write,
    "pyautogui.press": _keys(Press),
    "pyautogui.hotkey": _keys(Hotkey),
    "computer.wait": _wait,
    "computer.terminate": _terminate,
}
