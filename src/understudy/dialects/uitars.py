"""UI-TARS 1.5: `Thought: …`, then `Action: click(start_box='(x,y)')`, several with an empty line between them.

    >>> parse("Thought: Send it.\\nAction: type(content='hello\\\\n')")
    (Write(text='hello'), Press(keys=('enter',)))

Places are pixels of the smart-resized picture, also written `<|box_start|>(x,y)<|box_end|>`, `<point>x y</point>` or
as a box whose centre counts. A line break at the end of a text submits it. A scroll names a direction and no
amount: it is five notches. Calling the user is asking what the thought says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from understudy.core.actions import (
    Action,
    Ask,
    Click,
    Drag,
    Hotkey,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
    kind,
)
from understudy.core.errors import Inexpressible, Unreadable
from understudy.core.screen import Point, Size
from understudy.core.spaces import ResizedPixels, Space
from understudy.dialects import values
from understudy.dialects.gestures import pressed
from understudy.dialects.reply import Reply

NAME = "uitars"
RESIZED = ResizedPixels(min_pixels=100 * 28 * 28)
NOTCHES = 5

_ACTION = re.compile(r"^[ \t]*Action:", re.MULTILINE)
_THOUGHT = re.compile(r"\A\s*(?:Thought|Reflection|Action_Summary):[ \t]*")
_NAMES = "click|left_single|left_double|right_single|hover|drag|select|hotkey|scroll|type|wait|finished|call_user"
_BETWEEN = re.compile(rf"\)[ \t\r]*\n\s*(?=(?:{_NAMES})\()")
_CONTENT = re.compile(r"\s*content\s*=\s*(['\"])(.*)\Z", re.DOTALL)
_FIELD = re.compile(r"\b(\w+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\")")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_NOT_NUMBERS = re.compile(r"<\|?/?(?:box_start|box_end|point|bbox)\|?>|[\s,()\[\]]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}
_WRITTEN = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_DIRECTIONS: dict[str, tuple[float, float]] = {
    "down": (0, NOTCHES),
    "up": (0, -NOTCHES),
    "right": (NOTCHES, 0),
    "left": (-NOTCHES, 0),
}


def parse(text: str, screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> tuple[Action, ...]:
    """The actions of a reply."""
    return read_reply(text, screen, space).actions


def read_reply(text: str, screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> Reply:
    """The thought and the actions of a reply."""
    starts = list(_ACTION.finditer(values.readable(text)))
    before, calls = (text[: starts[-1].start()], text[starts[-1].end() :]) if starts else ("", text)
    thought = _THOUGHT.sub("", before).strip()
    actions = [action for call in _apart(calls) for action in _read(call, thought, screen, space)]
    return Reply(pressed(actions), thought or None)


def format(actions: Sequence[Action], screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> str:
    """The calls of some actions, after `Action: `."""
    return write_reply(Reply(tuple(actions)), screen, space)


def write_reply(reply: Reply, screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> str:
    """A reply with its thought. Who calls the user thinks the question."""
    asked = [action.question for action in reply.actions if isinstance(action, Ask)]
    thought = (reply.thought or "") if not asked else asked[-1].strip()
    if len(asked) > 1 or (asked and reply.thought not in (None, thought)):
        raise Inexpressible(NAME, "ask", "the thought is the question, and there is more than one")
    if _ACTION.search(thought):
        raise Inexpressible(NAME, "a thought", "it holds a line that begins an action")
    calls = "\n\n".join(_write(reply.actions, screen, space))
    return f"Thought: {thought}\nAction: {calls}" if thought else f"Action: {calls}"


def _apart(calls: str) -> list[str]:
    if not calls.strip():
        raise Unreadable("there is no action in this reply")
    return _BETWEEN.split(calls.strip())


def _read(call: str, thought: str, screen: Size, space: Space) -> tuple[Action, ...]:
    name, bracket, inside = call.partition("(")
    inside = inside.removesuffix(")")
    if not bracket:
        raise Unreadable("not a call", call)
    if name in ("type", "finished"):
        return _read_content(name, inside)
    fields = {field[1]: field[2] if field[2] is not None else field[3] for field in _FIELD.finditer(inside)}
    if _FIELD.sub("", inside).strip(", \n"):
        raise Unreadable("not a call", call)
    start = _place(fields, ("start_box", "point", "start_point"), screen, space)
    match name:
        case "click" | "left_single" | "left_double" | "right_single" | "hover":
            return (_read_pointer(name, start),)
        case "drag" | "select":
            end = _place(fields, ("end_box", "end_point"), screen, space)
            if end is None:
                raise Unreadable("a drag needs an end_box", call)
            return (Drag((end,), start),)
        case "hotkey":
            return (values.chord(list((fields.get("key") or fields.get("hotkey") or "").split())),)
        case "scroll":
            return (_read_scroll(fields.get("direction", ""), start),)
        case "wait":
            return (Wait(),)
        case "call_user":
            return (Ask(thought),)
        case _:
            raise Unreadable(f"there is no action {values.shown(name)}", call)


def _read_content(name: str, inside: str) -> tuple[Action, ...]:
    """A text up to the last quote: models leave quotes within it as they are."""
    found = _CONTENT.match(inside)
    if found is None and inside.strip():
        raise Unreadable(f"{name} takes a content", inside)
    body = "" if found is None else found[2].rstrip().removesuffix(found[1])
    text = _ESCAPE.sub(lambda escape: _MEANT.get(escape[1], escape[0]), body)
    if name == "finished":
        return (Terminate("success", None if found is None else text),)
    if found is None:
        raise Unreadable("type takes a content")
    enter = Press(("enter",))
    if not text.endswith("\n"):
        return (Write(text),)
    return (Write(text[:-1]), enter) if text != "\n" else (enter,)


def _read_pointer(name: str, at: Point | None) -> Action:
    if at is None:
        raise Unreadable(f"{name} needs a start_box")
    match name:
        case "hover":
            return Move(at)
        case "left_double":
            return Click(at, count=2)
        case "right_single":
            return Click(at, "right")
        case _:
            return Click(at)


def _read_scroll(direction: str, at: Point | None) -> Scroll:
    named = direction.strip().lower()
    if named not in _DIRECTIONS:
        raise Unreadable(f"there is no direction {values.shown(direction)}")
    dx, dy = _DIRECTIONS[named]
    return Scroll(dx, dy, at=at)


def _place(fields: dict[str, str], names: tuple[str, ...], screen: Size, space: Space) -> Point | None:
    """A point, or the centre of a box."""
    told = next((fields[name] for name in names if name in fields), None)
    if told is None or not told.strip():
        return None
    numbers = [float(number) for number in _NUMBER.findall(told)]
    if len(numbers) not in (2, 4) or _NOT_NUMBERS.sub("", _NUMBER.sub("", told)):
        raise Unreadable(f"not a place: {values.shown(told)}")
    x, y = (numbers[0] + numbers[-2]) / 2, (numbers[1] + numbers[-1]) / 2
    return values.place(x, y, screen, space)


def _write(actions: Sequence[Action], screen: Size, space: Space) -> Iterator[str]:
    rest = list(actions)
    while rest:
        action = rest.pop(0)
        if isinstance(action, Write) and rest[:1] == [Press(("enter",))]:
            rest.pop(0)
            action = Write(action.text + "\n")
        yield from _calls(action, screen, space)


def _calls(action: Action, screen: Size, space: Space) -> Iterator[str]:
    match action:
        case Click(at=Point() as at, modifiers=()):
            yield f"{_click_name(action)}(start_box='{_box(at, action, screen, space)}')"
        case Move(to=to):
            yield f"hover(start_box='{_box(to, action, screen, space)}')"
        case Drag(start=Point() as start, path=(end,), button="left", modifiers=()):
            boxes = (_box(point, action, screen, space) for point in (start, end))
            yield "drag(start_box='{}', end_box='{}')".format(*boxes)
        case Scroll():
            yield _scroll(action, screen, space)
        case Write(text=text):
            yield f"type(content='{_escaped(text)}')"
        case Press(keys=keys):
            for key in values.check_keys(keys, NAME, action):
                yield f"hotkey(key='{_key(key, action)}')"
        case Hotkey(keys=keys):
            together = " ".join(_key(key, action) for key in values.check_chord(keys, NAME, action))
            yield f"hotkey(key='{together}')"
        case Wait(seconds=None):
            yield "wait()"
        case Terminate(status="success", answer=answer):
            yield "finished()" if answer is None else f"finished(content='{_escaped(answer)}')"
        case Ask():
            yield "call_user()"
        case _:
            raise Inexpressible(NAME, kind(action))


def _click_name(click: Click) -> str:
    names = {("left", 1): "click", ("left", 2): "left_double", ("right", 1): "right_single"}
    name = names.get((click.button, click.count))
    if name is None:
        raise Inexpressible(NAME, "click", "it clicks left, double left or right")
    return name


def _box(point: Point, action: Action, screen: Size, space: Space) -> str:
    x, y = values.placed(point, screen, space, NAME, action)
    return f"({x},{y})"


def _scroll(scroll: Scroll, screen: Size, space: Space) -> str:
    named = {moved: name for name, moved in _DIRECTIONS.items()}.get((scroll.dx, scroll.dy))
    if named is None or scroll.unit != "notches" or scroll.modifiers:
        reason = f"a scroll is {NOTCHES} notches in one direction; change others with gestures.scrolls_by"
        raise Inexpressible(NAME, "scroll", reason)
    where = "" if scroll.at is None else f"start_box='{_box(scroll.at, scroll, screen, space)}', "
    return f"scroll({where}direction='{named}')"


def _key(key: str, action: Action) -> str:
    if key == "'":
        raise Inexpressible(NAME, kind(action), "a quote ends the name of a key; write it as text")
    return key


def _escaped(text: str) -> str:
    return "".join(_WRITTEN.get(character, character) for character in text)
