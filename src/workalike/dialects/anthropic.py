"""Anthropic's computer tool: content blocks of the Messages API, as plain dicts and lists.

    >>> parse({"type": "tool_use", "name": "computer", "input": {"action": "key", "text": "ctrl+s"}})
    (Hotkey(keys=('ctrl', 's')),)

Up to `computer_20251124` the tool is called `computer` and its input names the action; in the toolset of 2026 every
action is a tool of its own. Places are pixels of the picture sent, which is scaled down to fit. Scrolls are
counted in wheel notches. Looking again, zooming and asking for the pointer are waits of no length. A turn that calls
nothing has ended, and what it says is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

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
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import FittedPixels, Space
from workalike.dialects import values
from workalike.dialects.arguments import Arguments
from workalike.dialects.gestures import joined, pressed
from workalike.dialects.keynames import X11
from workalike.dialects.reply import ParsedReply

NAME = "anthropic"
FITTED = FittedPixels()
TOOL = "computer"
MOST_REPEATS = 100
Block = dict[str, Any]

_CLICKS: dict[str, tuple[Button, int]] = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
_CLICK_NAMES = {clicked: name for name, clicked in _CLICKS.items()}
_DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}
_LOOKS = ("screenshot", "cursor_position", "zoom")


def parse(content: Any, screen: Size = values.DEFAULT_SCREEN, space: Space = FITTED) -> tuple[Action, ...]:
    """The actions of a message's content: a list of blocks, one block, or the input of one."""
    return read_reply(content, screen, space).actions


def read_reply(content: Any, screen: Size = values.DEFAULT_SCREEN, space: Space = FITTED) -> ParsedReply:
    """The actions of a message's content, with what was thought and said besides as the thought."""
    actions: list[Action] = []
    thoughts, said, called = [], [], False
    for block in content if isinstance(content, list) else [content]:
        match block:
            case {"type": "text", "text": str(text)} | str(text):
                said.append(values.text(text, "a message"))
            case {"type": "thinking", "thinking": str(text)}:
                thoughts.append(values.text(text, "a thought"))
            case {"type": "redacted_thinking"}:
                pass
            case _:
                actions += _read(block, screen, space)
                called = True
    if called:
        return ParsedReply(pressed(joined(actions)), "\n\n".join([*thoughts, *said]) or None)
    return ParsedReply((Terminate("success", "\n\n".join(said) if said else None),), "\n\n".join(thoughts) or None)


def format(
    actions: Sequence[Action],
    screen: Size = values.DEFAULT_SCREEN,
    space: Space = FITTED,
    form: Literal["tool", "toolset"] = "tool",
) -> list[Block]:
    """The content blocks of some actions, for the tool up to 2025 or the toolset of 2026. Identifiers are the
    caller's to add."""
    if any(isinstance(action, Terminate) for action in actions):
        return _text(actions)
    calls = list(_write(actions, screen, space))
    if form == "tool":
        return [{"type": "tool_use", "name": TOOL, "input": call} for call in calls]
    return [{"type": "tool_use", "toolset_name": TOOL, "name": call.pop("action"), "input": call} for call in calls]


def _read(block: object, screen: Size, space: Space) -> tuple[Action, ...]:
    name, fields = _call(block)
    arguments = Arguments(name, fields, screen, space)
    if name in _CLICKS:
        button, count = _CLICKS[name]
        return (Click(arguments.at("coordinate"), button, count, arguments.modifiers("text")),)
    match name:
        case "key":
            return _read_keys(arguments)
        case "hold_key":
            return _read_hold(arguments)
        case "type":
            return (Write(arguments.text("text")),)
        case "mouse_move":
            return (Move(arguments.to("coordinate")),)
        case "left_click_drag":
            start = arguments.at("start_coordinate")
            return (Drag((arguments.to("coordinate"),), start, modifiers=arguments.modifiers("text")),)
        case "left_mouse_down":
            return (MouseDown(arguments.at("coordinate")),)
        case "left_mouse_up":
            return (MouseUp(arguments.at("coordinate")),)
        case "scroll":
            return (_read_scroll(arguments),)
        case "wait":
            return (Wait(arguments.seconds("duration")),)
        case _:
            return (Wait(0),)


def _call(block: object) -> tuple[str, Mapping[str, Any]]:
    """The action's name and its fields, from a block of either form or from a bare input."""
    fields = block.get("input", block) if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(fields, dict):
        raise Unreadable(f"a call must be an object with an input, not {values.shown(block)}")
    tool = block.get("name", TOOL)
    name = fields.get("action") if tool == TOOL else tool
    known = ("key", "hold_key", "type", "mouse_move", "left_click_drag", "left_mouse_down", "left_mouse_up", "scroll")
    if not isinstance(name, str) or name not in (*_CLICKS, *_LOOKS, *known, "wait"):
        raise Unreadable(f"the computer tool has no action {values.shown(name)}")
    return name, fields


def _read_keys(arguments: Arguments) -> tuple[Action, ...]:
    """One key or chord, or several apart, as xdotool takes them."""
    text, told = arguments.text("text"), arguments.fields.get("repeat")
    repeat = 1 if told is None else values.whole(told, "repeat of key", 1, MOST_REPEATS)
    chords = [values.chord(name) for name in (text.split() or [text])]
    return tuple(chords * repeat)


def _read_hold(arguments: Arguments) -> tuple[Action, ...]:
    keys = values.keys(arguments.text("text"))
    wait = Wait(arguments.seconds("duration"))
    return (*map(KeyDown, keys), wait, *map(KeyUp, reversed(keys)))


def _read_scroll(arguments: Arguments) -> Scroll:
    direction, notches = arguments.text("scroll_direction"), arguments.number("scroll_amount")
    if direction not in _DIRECTIONS or notches < 0:
        raise Unreadable(f"no such scroll: {values.shown(direction)} by {values.shown(notches)}")
    dx, dy = _DIRECTIONS[direction]
    return Scroll(dx * notches, dy * notches, "notches", arguments.at("coordinate"), arguments.modifiers("text"))


def _text(actions: Sequence[Action]) -> list[Block]:
    """The end of a conversation: words and no call."""
    end = actions[0]
    if len(actions) > 1 or not isinstance(end, Terminate) or end.status != "success":
        raise Inexpressible(NAME, "terminate", "it ends by saying something and calling nothing, which is a success")
    return [] if end.answer is None else [{"type": "text", "text": end.answer}]


def _write(actions: Sequence[Action], screen: Size, space: Space) -> Iterator[Block]:
    rest = list(actions)
    while rest:
        keys = _hold_at_start(rest)
        wait = rest[len(keys)] if keys else None
        if isinstance(wait, Wait):
            yield _hold(keys, wait)
            del rest[: 2 * len(keys) + 1]
        else:
            yield from _calls(rest.pop(0), screen, space)


def _hold_at_start(actions: Sequence[Action]) -> tuple[str, ...]:
    """The keys that are pressed, held for a while and let go, when that is what the actions begin with."""
    keys = []
    for action in actions:
        if not isinstance(action, KeyDown):
            break
        keys.append(action.key)
    after = actions[len(keys) : 2 * len(keys) + 1]
    released = [action.key for action in after[1:] if isinstance(action, KeyUp)]
    held = len(after) == len(keys) + 1 and isinstance(after[0], Wait) and released == keys[::-1]
    return tuple(keys) if held else ()


def _hold(keys: tuple[str, ...], wait: Wait) -> Block:
    if wait.seconds is None:
        raise Inexpressible(NAME, "key_down", "a key is held for a time that is told")
    text = "+".join(_spelled(values.check_keys(keys, NAME, KeyDown(keys[0]))))
    return {"action": "hold_key", "text": text, "duration": values.duration(wait.seconds, NAME, wait)}


def _calls(action: Action, screen: Size, space: Space) -> Iterator[Block]:
    match action:
        case Click():
            yield _click(action, screen, space)
        case Drag():
            yield from _drag(action, screen, space)
        case Scroll():
            yield from _scroll(action, screen, space)
        case Move(to=to):
            yield _at("mouse_move", to, action, screen, space)
        case MouseDown(button="left", at=at) | MouseUp(button="left", at=at):
            yield from _pointer_at(at, action, screen, space)
            yield {"action": f"left_{kind(action)}"}
        case Write(text=text):
            yield {"action": "type", "text": text}
        case Press(keys=keys):
            yield {"action": "key", "text": " ".join(_spelled(values.check_keys(keys, NAME, action)))}
        case Hotkey(keys=keys):
            yield {"action": "key", "text": "+".join(_spelled(values.check_chord(keys, NAME, action)))}
        case Wait(seconds=0):
            yield {"action": "screenshot"}
        case Wait(seconds=float() | int() as seconds):
            yield {"action": "wait", "duration": values.duration(seconds, NAME, action)}
        case _:
            raise Inexpressible(NAME, kind(action))


def _spelled(keys: tuple[str, ...]) -> list[str]:
    return [X11.get(key, key) for key in keys]


def _at(name: str, point: Point, action: Action, screen: Size, space: Space) -> Block:
    return {"action": name, "coordinate": list(values.placed(point, screen, space, NAME, action))}


def _pointer_at(at: Point | None, action: Action, screen: Size, space: Space) -> Iterator[Block]:
    if at is not None:
        yield _at("mouse_move", at, action, screen, space)


def _held(action: Click | Drag | Scroll) -> Block:
    keys = values.check_modifiers(action.modifiers, NAME, action)
    return {"text": "+".join(_spelled(keys))} if keys else {}


def _click(click: Click, screen: Size, space: Space) -> Block:
    name = _CLICK_NAMES.get((click.button, click.count))
    if name is None:
        raise Inexpressible(NAME, "click", "it double- and triple-clicks with the left button only")
    where = {"action": name} if click.at is None else _at(name, click.at, click, screen, space)
    return where | _held(click)


def _drag(drag: Drag, screen: Size, space: Space) -> Iterator[Block]:
    """A straight drag is one call; one with corners, or from where the pointer is, is pressed, moved and let go."""
    if drag.button != "left":
        raise Inexpressible(NAME, "drag", "it drags with the left button")
    if drag.start is not None and len(drag.path) == 1:
        start = _at("", drag.start, drag, screen, space)["coordinate"]
        yield _at("left_click_drag", drag.end, drag, screen, space) | {"start_coordinate": start} | _held(drag)
        return
    if drag.modifiers:
        raise Inexpressible(NAME, "drag", "keys are held only on a straight drag that tells where it starts")
    yield from _pointer_at(drag.start, drag, screen, space)
    yield {"action": "left_mouse_down"}
    for point in drag.path:
        yield _at("mouse_move", point, drag, screen, space)
    yield {"action": "left_mouse_up"}


def _scroll(scroll: Scroll, screen: Size, space: Space) -> Iterator[Block]:
    if scroll.unit != "notches" or scroll.dx % 1 or scroll.dy % 1:
        raise Inexpressible(NAME, "scroll", "it counts whole notches; convert pixels with gestures.scrolls_in")
    where = {} if scroll.at is None else _at("scroll", scroll.at, scroll, screen, space)
    if scroll.dy or not scroll.dx:
        direction = "up" if scroll.dy < 0 else "down"
        yield where | _turn(direction, scroll.dy, scroll)
        where = {}
    if scroll.dx:
        yield where | _turn("left" if scroll.dx < 0 else "right", scroll.dx, scroll)


def _turn(direction: str, notches: float, scroll: Scroll) -> Block:
    turned = abs(values.amount(notches, NAME, scroll))
    return {"action": "scroll", "scroll_direction": direction, "scroll_amount": turned} | _held(scroll)
