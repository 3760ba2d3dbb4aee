"""OpenAI's computer tool: items of the Responses API, as plain dicts and lists.

    >>> parse({"type": "computer_call", "action": {"type": "wait"}})
    (Wait(seconds=None),)

A `computer_call` holds one `action` (computer-use-preview) or a list of `actions` (later tools). Places are pixels of
the screenshot. A screenshot is a wait of no length: it only looks again. A turn that calls nothing and says something
has ended, and what it says is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workalike.core.actions import (
    Action,
    Back,
    Button,
    Click,
    Drag,
    Forward,
    Hotkey,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
    kind,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import ScreenPixels, Space
from workalike.dialects import values
from workalike.dialects.arguments import Arguments
from workalike.dialects.gestures import pressed
from workalike.dialects.keynames import CAPITALS
from workalike.dialects.reply import ParsedReply

NAME = "openai"
PIXELS = ScreenPixels()
Item = dict[str, Any]

_BUTTONS: dict[object, Button] = {"left": "left", "right": "right", "wheel": "middle", None: "left"}
_BUTTON_NAMES = {"left": "left", "right": "right", "middle": "wheel"}


def parse(output: Any, screen: Size = values.DEFAULT_SCREEN, space: Space = PIXELS) -> tuple[Action, ...]:
    """The actions of an output: a list of items, one item, or one action."""
    return read_reply(output, screen, space).actions


def read_reply(output: Any, screen: Size = values.DEFAULT_SCREEN, space: Space = PIXELS) -> ParsedReply:
    """The actions of an output, with what was reasoned and said besides as the thought."""
    actions: list[Action] = []
    thoughts: list[str] = []
    messages: list[Any] = []
    for item in output if isinstance(output, list) else [output]:
        match item:
            case {"type": "message", **rest}:
                messages.append(rest.get("content"))
            case {"type": "reasoning", **rest}:
                thoughts += _texts(rest.get("summary"), "summary_text")
            case {"type": "computer_call", **rest}:
                actions += [_read(action, screen, space) for action in _actions(rest)]
            case _:
                actions.append(_read(item, screen, space))
    said = [text for message in messages for text in _texts(message, "output_text", "refusal")]
    if actions:
        return ParsedReply(pressed(actions), "\n\n".join([*thoughts, *said]) or None)
    return ParsedReply((_ending(messages, said),), "\n\n".join(thoughts) or None)


def format(
    actions: Sequence[Action], screen: Size = values.DEFAULT_SCREEN, space: Space = PIXELS, batched: bool = True
) -> list[Item]:
    """The output items of some actions: one call with all of them, or a call each when not `batched`. Identifiers are
    the caller's to add."""
    if any(isinstance(action, Terminate) for action in actions):
        return [_message(actions)]
    written = [item for action in actions for item in _write(action, screen, space)]
    if batched:
        return [{"type": "computer_call", "actions": written}]
    return [{"type": "computer_call", "action": item} for item in written]


def _ending(messages: list[Any], said: list[str]) -> Terminate:
    """The end that a message without a call is; one that refuses is no success."""
    if not messages:
        raise Unreadable("the output has neither a call nor a message")
    refused = any(_texts(message, "refusal") for message in messages)
    return Terminate("failure" if refused else "success", "\n\n".join(said) if said else None)


def _texts(parts: Any, *kinds: str) -> list[str]:
    """The texts of content parts of some kinds."""
    if isinstance(parts, str):
        parts = [{"type": "output_text", "text": parts}]
    found = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    told = [part.get("text", part.get("refusal")) for part in found if part.get("type") in kinds]
    return [values.text(text, "a message") for text in told if text is not None]


def _actions(call: Mapping[Any, Any]) -> list[Any]:
    several = call.get("actions")
    actions = several if isinstance(several, list) and several else [call.get("action")]
    if actions == [None]:
        raise Unreadable("a computer_call needs an action")
    return actions


def _read(item: object, screen: Size, space: Space) -> Action:
    if not isinstance(item, dict) or not isinstance(item.get("type"), str):
        raise Unreadable(f"an action must be an object with a type, not {values.shown(item)}")
    fields = Arguments(item["type"], item, screen, space)
    match fields.name:
        case "click":
            return _read_click(fields)
        case "double_click":
            return Click(_at(fields), "left", 2, fields.modifiers("keys"))
        case "move":
            return Move(_at(fields))
        case "drag":
            return _read_drag(fields)
        case "scroll":
            dx, dy = fields.number("scroll_x"), fields.number("scroll_y")
            return Scroll(dx, dy, "pixels", _at(fields), fields.modifiers("keys"))
        case "type":
            return Write(fields.text("text"))
        case "keypress":
            return _read_keys(fields)
        case "wait":
            return Wait()
        case "screenshot":
            return Wait(0)
        case _:
            raise Unreadable(f"the computer tool has no action {values.shown(fields.name)}")


def _at(fields: Arguments) -> Point:
    return values.place(fields.fields.get("x"), fields.fields.get("y"), fields.screen, fields.space)


def _read_click(fields: Arguments) -> Action:
    button = fields.fields.get("button")
    if button == "back":
        return Back()
    if button == "forward":
        return Forward()
    if not isinstance(button, str | None) or button not in _BUTTONS:
        raise Unreadable(f"there is no mouse button {values.shown(button)}")
    return Click(_at(fields), _BUTTONS[button], 1, fields.modifiers("keys"))


def _read_drag(fields: Arguments) -> Drag:
    path = fields.fields.get("path")
    if not isinstance(path, list) or not path:
        raise Unreadable("a drag needs a path of places")
    pairs = [(step.get("x"), step.get("y")) if isinstance(step, dict) else step for step in path]
    points = [Arguments("drag", {"path": pair}, fields.screen, fields.space).to("path") for pair in pairs]
    start = points.pop(0) if len(points) > 1 else None
    return Drag(tuple(points), start, modifiers=fields.modifiers("keys"))


def _read_keys(fields: Arguments) -> Press | Hotkey:
    """Keys are named in capitals here, so that a capital letter is no character of its own."""
    chord = fields.chord("keys")
    keys = tuple(values.lowered(key) for key in chord.keys)
    return Press(keys) if isinstance(chord, Press) else Hotkey(keys)


def _message(actions: Sequence[Action]) -> Item:
    """The end of a conversation: a message and no call."""
    end = actions[0]
    if len(actions) > 1 or not isinstance(end, Terminate) or end.status != "success":
        raise Inexpressible(NAME, "terminate", "it ends by saying something and calling nothing, which is a success")
    parts = [] if end.answer is None else [{"type": "output_text", "text": end.answer}]
    return {"type": "message", "role": "assistant", "content": parts}


def _write(action: Action, screen: Size, space: Space) -> list[Item]:
    match action:
        case Click():
            return [_click(action, screen, space)]
        case Move(to=to):
            return [{"type": "move"} | _xy(to, action, screen, space)]
        case Drag():
            return [_drag(action, screen, space)]
        case Scroll():
            return [_scroll(action, screen, space)]
        case Write(text=text):
            return [{"type": "type", "text": text}]
        case Press(keys=keys):
            return [{"type": "keypress", "keys": _keys((key,), action)} for key in keys]
        case Hotkey(keys=keys):
            return [{"type": "keypress", "keys": _keys(keys, action)}]
        case Wait(seconds=None):
            return [{"type": "wait"}]
        case Wait(seconds=0):
            return [{"type": "screenshot"}]
        case Wait():
            raise Inexpressible(NAME, "wait", "it does not tell how long")
        case Back() | Forward():
            return [{"type": "click", "button": kind(action), "x": 0, "y": 0}]
        case _:
            raise Inexpressible(NAME, kind(action))


def _xy(point: Point, action: Action, screen: Size, space: Space) -> Item:
    x, y = values.placed(point, screen, space, NAME, action)
    return {"x": x, "y": y}


def _click(click: Click, screen: Size, space: Space) -> Item:
    if click.at is None:
        raise Inexpressible(NAME, "click", "it always tells where")
    where = _xy(click.at, click, screen, space) | _held(click)
    if click.count == 1:
        return {"type": "click", "button": _BUTTON_NAMES[click.button]} | where
    if click.count == 2 and click.button == "left":
        return {"type": "double_click"} | where
    raise Inexpressible(NAME, "click", "it double-clicks with the left button and has no triple click")


def _drag(drag: Drag, screen: Size, space: Space) -> Item:
    if drag.start is None or drag.button != "left":
        raise Inexpressible(NAME, "drag", "it tells where it starts, and uses the left button")
    path = [_xy(point, drag, screen, space) for point in (drag.start, *drag.path)]
    return {"type": "drag", "path": path} | _held(drag)


def _scroll(scroll: Scroll, screen: Size, space: Space) -> Item:
    if scroll.at is None or scroll.unit != "pixels":
        reason = "it tells where, and its amounts are pixels; convert notches with gestures.scrolls_in"
        raise Inexpressible(NAME, "scroll", reason)
    dx, dy = values.amount(scroll.dx, NAME, scroll), values.amount(scroll.dy, NAME, scroll)
    return {"type": "scroll"} | _xy(scroll.at, scroll, screen, space) | {"scroll_x": dx, "scroll_y": dy} | _held(scroll)


def _held(action: Click | Drag | Scroll) -> Item:
    keys = values.check_modifiers(action.modifiers, NAME, action)
    return {"keys": [_spelled(key) for key in keys]} if keys else {}


def _keys(keys: tuple[str, ...], action: Action) -> list[str]:
    for key in values.check_keys(keys, NAME, action):
        if key != values.lowered(key):
            raise Inexpressible(NAME, kind(action), f"keys are not characters; write {key!r} as text")
    return [_spelled(key) for key in keys]


def _spelled(key: str) -> str:
    return CAPITALS.get(key, key.upper() if key.isascii() else key)
