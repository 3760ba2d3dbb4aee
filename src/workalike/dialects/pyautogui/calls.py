"""The calls that are read, one small function for each, with PyAutoGUI's own parameter names and order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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
)
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects.values import key, number, place, seconds, shown, status, text, whole

MOST_PRESSES = 1_000
_IGNORED = ("interval", "duration", "tween", "pause", "_pause", "logScreenshot")
_DRAG = ("duration", "tween", "button", "pause", "logScreenshot", "_pause", "mouseDownUp")
_BUTTONS: dict[object, Button] = {
    "left": "left", "primary": "left", 1: "left",
    "middle": "middle", 2: "middle",
    "right": "right", "secondary": "right", 3: "right",
}  # fmt: skip
TWEEN = "a way to move"
CONSTANTS = {name.upper(): name for name in ("left", "middle", "right", "primary", "secondary")}


class Call(NamedTuple):
    """A call as it stands in the code: its dotted name, its values, the screen they are meant for, and where the
    pointer is known to be."""

    name: str
    positional: list[object]
    named: dict[str, object]
    screen: Size
    space: Space
    pointer: Point | None

    def bind(self, *parameters: str) -> dict[str, object]:
        """The values by parameter; those that only tell how fast or how smoothly are dropped."""
        if len(self.positional) > len(parameters):
            raise Unreadable(f"{self.name} takes at most {len(parameters)} arguments, not {len(self.positional)}")
        values = dict(zip(parameters, self.positional, strict=False))
        for name, value in self.named.items():
            if name in values or name not in (*parameters, *_IGNORED):
                raise Unreadable(f"{self.name} takes no argument {shown(name)}, or has it already")
            values[name] = value
        return values

    def at(self, values: dict[str, object]) -> Point | None:
        """Where it happens: two numbers, a pair as the first, or nothing for where the pointer is."""
        x, y = values.get("x"), values.get("y")
        if isinstance(x, list) and len(x) == 2 and y is None:
            x, y = x
        if x is None and y is None:
            return None
        return place(x, y, self.screen, self.space)

    def to(self, values: dict[str, object]) -> Point:
        at = self.at(values)
        if at is None:
            raise Unreadable(f"{self.name} needs x and y")
        return at

    def beside(self, values: dict[str, object]) -> Point:
        """A place told as a distance from the pointer, which the code must have put somewhere."""
        if self.pointer is None:
            raise Unreadable(f"{self.name} goes from where the pointer is, and the code does not say where that is")
        by = self.to({"x": values.get("xOffset", 0), "y": values.get("yOffset", 0)})
        return Point(self.pointer.x + by.x, self.pointer.y + by.y)


def _button(values: dict[str, object]) -> Button:
    value = values.get("button", "left")
    name = value.lower() if isinstance(value, str) else value
    if isinstance(name, bool) or not isinstance(name, str | int) or name not in _BUTTONS:
        raise Unreadable(f"there is no mouse button {shown(value)}")
    return _BUTTONS[name]


def _keys(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    if not names:
        raise Unreadable("at least one key is needed")
    return tuple(key(name) for name in names)


def keys_of(call: Call) -> tuple[str, ...]:
    """The keys of a hotkey, written as `('ctrl', 'c')`, as `(['ctrl', 'c'])` or as `(keys=['ctrl', 'c'])`."""
    keys: object = call.positional[0] if len(call.positional) == 1 else call.positional
    if not call.positional:
        keys = call.bind("keys").get("keys", [])
    elif not set(call.named) <= set(_IGNORED):
        raise Unreadable(f"{call.name} takes no arguments by name but its keys")
    return _keys(keys)


def _click(call: Call) -> tuple[Action, ...]:
    values = call.bind("x", "y", "clicks", "interval", "button", "duration", "tween")
    return (Click(call.at(values), _button(values), whole(values.get("clicks", 1), "clicks", 1, 3)),)


def _click_with(button: Button) -> Callable[[Call], tuple[Action, ...]]:
    return lambda call: (Click(call.at(call.bind("x", "y", "interval", "duration", "tween")), button),)


def _clicks(count: int) -> Callable[[Call], tuple[Action, ...]]:
    def read(call: Call) -> tuple[Action, ...]:
        values = call.bind("x", "y", "interval", "button", "duration", "tween")
        return (Click(call.at(values), _button(values), count),)

    return read


def _move_to(call: Call) -> tuple[Action, ...]:
    return (Move(call.to(call.bind("x", "y", "duration", "tween"))),)


def _move_by(call: Call) -> tuple[Action, ...]:
    return (Move(call.beside(call.bind("xOffset", "yOffset", "duration", "tween"))),)


def _drag_to(call: Call) -> tuple[Action, ...]:
    values = call.bind("x", "y", *_DRAG)
    return _drag(call.to(values), values)


def _drag_by(call: Call) -> tuple[Action, ...]:
    values = call.bind("xOffset", "yOffset", *_DRAG)
    return _drag(call.beside(values), values)


def _drag(to: Point, values: dict[str, object]) -> tuple[Action, ...]:
    held = values.get("mouseDownUp", True) is False  # by a mouseDown of its own
    return (Move(to) if held else Drag((to,), button=_button(values)),)


def _mouse(make: type[MouseDown | MouseUp]) -> Callable[[Call], tuple[Action, ...]]:
    def read(call: Call) -> tuple[Action, ...]:
        values = call.bind("x", "y", "button", "duration", "tween")
        return (make(call.at(values), _button(values)),)

    return read


def _scroll(call: Call) -> tuple[Action, ...]:
    values = call.bind("clicks", "x", "y")
    return (Scroll(dy=-number(values.get("clicks"), "clicks"), at=call.at(values)),)


def _hscroll(call: Call) -> tuple[Action, ...]:
    values = call.bind("clicks", "x", "y")
    return (Scroll(dx=number(values.get("clicks"), "clicks"), at=call.at(values)),)


def _write(call: Call) -> tuple[Action, ...]:
    message = call.bind("message", "interval").get("message")
    return (Press(_keys(message)),) if isinstance(message, list) else (Write(text(message, "message")),)


def _press(call: Call) -> tuple[Action, ...]:
    values = call.bind("keys", "presses", "interval")
    keys = _keys(values.get("keys"))
    return (Press(keys * whole(values.get("presses", 1), "presses", 1, MOST_PRESSES // min(len(keys), MOST_PRESSES))),)


def _key(make: type[KeyDown | KeyUp]) -> Callable[[Call], tuple[Action, ...]]:
    return lambda call: (make(key(call.bind("key").get("key"))),)


def _sleep(call: Call) -> tuple[Action, ...]:
    return (Wait(seconds(call.bind("secs").get("secs"), "seconds")),)


def _wait(call: Call) -> tuple[Action, ...]:
    named = {"duration" if name in ("seconds", "time") else name: value for name, value in call.named.items()}
    values = call.positional or list(named.values())
    if len(values) > 1 or not set(named) <= {"duration"}:
        raise Unreadable(f"{call.name} takes at most a duration")
    return (Wait(seconds(values[0], "duration") if values else None),)


def _terminate(call: Call) -> tuple[Action, ...]:
    values = call.bind("status", "answer")
    answer = values.get("answer")
    return (Terminate(status(values.get("status")), None if answer is None else text(answer, "answer")),)


_POINTER_AND_KEYS: dict[str, Callable[[Call], tuple[Action, ...]]] = {
    "click": _click,
    "leftClick": _click_with("left"),
    "rightClick": _click_with("right"),
    "middleClick": _click_with("middle"),
    "doubleClick": _clicks(2),
    "tripleClick": _clicks(3),
    "triple_click": _clicks(3),
    "moveTo": _move_to,
    "move": _move_by,
    "moveRel": _move_by,
    "dragTo": _drag_to,
    "drag": _drag_by,
    "dragRel": _drag_by,
    "mouseDown": _mouse(MouseDown),
    "mouseUp": _mouse(MouseUp),
    "scroll": _scroll,
    "vscroll": _scroll,
    "hscroll": _hscroll,
    "write": _write,
    "typewrite": _write,
    "press": _press,
    "hotkey": lambda call: (Hotkey(keys_of(call)),),
    "keyDown": _key(KeyDown),
    "keyUp": _key(KeyUp),
}
CALLS: dict[str, Callable[[Call], tuple[Action, ...]]] = {
    **{f"{module}.{name}": read for module in ("pyautogui", "computer") for name, read in _POINTER_AND_KEYS.items()},
    "pyautogui.sleep": _sleep,
    "time.sleep": _sleep,
    "computer.wait": _wait,
    "computer.terminate": _terminate,
}
