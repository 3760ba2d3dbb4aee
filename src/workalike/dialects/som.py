"""Set-of-marks: actions that name the numbers drawn on elements instead of places.

    >>> button = Element("button", "Send", Box(0.4, 0.2, 0.2, 0.1), mark=7)
    >>> parse('{"thought": "Send it.", "actions": [{"do": "click", "mark": 7}]}', (button,))
    (Click(at=Point(x=0.5, y=0.25), button='left', count=1, modifiers=()),)

A reply is one JSON object with a `thought` and `actions`; a single action or a list of them will do. An action is the
core's own JSON with a `mark` where that has a place (a drag goes from `mark` to the mark, or marks, in `to`; without a
mark it happens where the pointer is). `within` says where in the mark, which matters on a slider or a map: fractions of
its width and height. Besides there is `type`, which clicks, clears and presses enter as well:

    {"do": "click", "mark": 5, "within": [0.8, 0.5]}
    {"do": "type", "mark": 3, "text": "Lisbon", "clear": true, "enter": true}
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec

from workalike.core.actions import Action, Drag, Opaque, kind
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.observation import Element, element_at
from workalike.core.screen import Box, Point
from workalike.dialects import jsontext, values
from workalike.dialects.gestures import Typing
from workalike.dialects.reply import ParsedReply

NAME = "som"
_KINDS: dict[str, type[Action]] = {str(made.__struct_config__.tag): made for made in get_args(Action)}
_PLACE = {"click": "at", "scroll": "at", "mouse_down": "at", "mouse_up": "at", "move": "to", "drag": "start"}
_NUMBERS = ("dx", "dy", "seconds", "index", "count")
_OURS = ("at", "to", "start", "path")
_MARKED_OR_NOT = ("scroll", "type")  # a click on no mark at all may be a slip
_SAME_PLACE = 1e-9
_MARK = re.compile(r"(?:mark\s*)?[#(\[]?\s*(\d{1,9})(?:\.0+)?\s*(?:[)\]](?:\s.*)?)?", re.IGNORECASE | re.DOTALL)
_WIDE = ("slider", "scrollbar", "canvas", "img", "figure", "application", "iframe", "video", "progressbar")


def parse(text: str, elements: Sequence[Element]) -> tuple[Action, ...]:
    """The actions of a reply, on the elements that were marked when it was made."""
    return read_reply(text, elements).actions


def format(actions: Sequence[Action], elements: Sequence[Element]) -> str:
    """The reply that reads as these actions; a place becomes the smallest marked element around it."""
    return write_reply(ParsedReply(tuple(actions)), elements)


def read_reply(text: str, elements: Sequence[Element]) -> ParsedReply:
    """The thought and the actions of a reply."""
    before, found = jsontext.read(text)
    thought, calls = _told(found)
    marked = {element.mark: element for element in elements if element.mark is not None}
    actions = tuple(action for call in calls for action in _read(call, marked))
    if not actions:
        raise Unreadable("there is no action in this reply", text)
    return ParsedReply(actions, "\n\n".join(part for part in (before, thought) if part) or None)


def write_reply(reply: ParsedReply, elements: Sequence[Element]) -> str:
    """A reply with its thought."""
    rest, calls = list(reply.actions), []
    while rest:
        typing = Typing.at_start(rest)
        calls.append(_write_typing(typing[0], elements) if typing else _write(rest[0], elements))
        del rest[: typing[1] if typing else 1]
    thought = {} if reply.thought is None else {"thought": reply.thought}
    return jsontext.dumps({**thought, "actions": calls})


def _told(found: list[Any]) -> tuple[str, list[Any]]:
    """The thought within the JSON, and the calls."""
    thoughts, calls = [], []
    for value in found:
        told = value.get("actions", value.get("action")) if isinstance(value, dict) and "do" not in value else None
        if isinstance(told, dict | list):
            thoughts.append(values.text(value.get("thought") or "", "thought"))
            value = told
        calls += value if isinstance(value, list) else [value]
    return "\n\n".join(thoughts), calls


def _read(call: object, marked: Mapping[int, Element]) -> tuple[Action, ...]:
    fields = dict(call) if isinstance(call, dict) else {}
    name = fields.pop("do", None)
    if name in _MARKED_OR_NOT and fields.get("mark", 0) is None:
        del fields["mark"]
    if not isinstance(name, str) or name not in (*_KINDS, "type") or name == "opaque":
        raise Unreadable(f"there is no action {values.shown(name)}; `do` must name one")
    if name == "type":
        return _read_typing(fields, marked)
    made = _KINDS[name]
    _only(name, fields, {*made.__struct_fields__} - {*_OURS} | _words_for_places(name))
    within = fields.pop("within", None)
    if "mark" in fields:
        fields[_PLACE[name]] = _spot(fields.pop("mark"), marked, within)
    elif within is not None:
        raise Unreadable("within says where in a mark, and there is no mark")
    if name == "drag":
        to = fields.pop("to", None)
        fields["path"] = [_spot(mark, marked) for mark in (to if isinstance(to, list) else [to])]
    return (_made({"do": name, **fields, **_checked(name, fields)}),)


def _words_for_places(name: str) -> set[str]:
    return {"mark", "within", *(["to"] if name == "drag" else [])} if name in _PLACE else set()


def _only(name: str, fields: Mapping[str, Any], known: set[str]) -> None:
    for field in fields:
        if field not in known:
            raise Unreadable(f"{name} has no field {values.shown(field)}, only {', '.join(sorted(known)) or 'none'}")


def _checked(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Keys in their one spelling, and no number that is none."""
    checked: dict[str, Any] = {}
    for field, value in fields.items():
        value = values.unquoted(value) if field in _NUMBERS else value
        if field in ("dx", "dy"):
            checked[field] = values.number(value, field)
        elif field == "seconds" and value is not None:
            checked[field] = values.seconds(value, field)
        elif field == "index" and value is not None:
            checked[field] = values.whole(value, field, 0, 10_000)
        elif field == "count":
            checked[field] = value
        elif field == "keys" and name == "hotkey":
            checked[field] = list(values.keys(value))
        elif field == "keys":  # one after the other: `ctrl+c` would be another thing
            checked[field] = [values.key(key) for key in (value if isinstance(value, list | tuple) else [value])]
        elif field == "key":
            checked[field] = values.key(value)
        elif field == "modifiers":
            checked[field] = list(values.modifiers(value))
        elif isinstance(value, str):
            checked[field] = values.text(value, field)
    return checked


def _made(fields: dict[str, Any]) -> Action:
    try:
        made: Action = msgspec.convert(fields, Action)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no {fields['do']}: {error}") from error
    return made


def _read_typing(fields: dict[str, Any], marked: Mapping[int, Element]) -> tuple[Action, ...]:
    _only("type", fields, {"mark", "text", "clear", "enter"})
    clear, enter = (values.unquoted(fields.get(flag, False)) for flag in ("clear", "enter"))
    if not (isinstance(clear, bool) and isinstance(enter, bool)):
        raise Unreadable("clear and enter of type must be true or false")
    at = Point(*_spot(fields["mark"], marked)) if "mark" in fields else None
    return Typing(values.text(fields.get("text"), "text"), at, clear, enter).actions


def _number(mark: object) -> object:
    """A mark's number also in quotes, as some models put every value, as a mark is called, or with the line it is
    listed in.

    >>> [_number(mark) for mark in ("5", 5.0, "#5", "mark 5", '[5] button "4"')]
    [5, 5, 5, 5, 5]
    """
    if isinstance(mark, list) and len(mark) == 1:
        mark = mark[0]
    if isinstance(mark, float) and mark.is_integer():
        return int(mark)
    found = _MARK.fullmatch(mark.strip()) if isinstance(mark, str) else None
    return int(found[1]) if found else mark


def _spot(mark: object, marked: Mapping[int, Element], within: object = None) -> tuple[float, float]:
    """The middle of a mark, or the place within it."""
    mark = _number(mark)
    element = marked.get(mark) if isinstance(mark, int) and not isinstance(mark, bool) else None
    if element is None:
        there = f"the highest is {max(marked)}" if marked else "nothing is marked"
        raise Unreadable(f"there is no mark {values.shown(mark)}; {there}")
    if element.box is None:
        raise Unreadable(f"it isn't known where mark {mark} is")
    if within is None:
        return element.box.centre.x, element.box.centre.y
    if not isinstance(within, list) or len(within) != 2:
        raise Unreadable(f"within must be two numbers from 0 to 1, not {values.shown(within)}")
    x, y = (values.number(values.unquoted(each), "within") for each in within)
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise Unreadable(f"within must be two numbers from 0 to 1, not {values.shown(within)}")
    return element.box.x + x * element.box.width, element.box.y + y * element.box.height


def _write(action: Action, elements: Sequence[Element]) -> dict[str, Any]:
    if isinstance(action, Opaque):
        raise Inexpressible(NAME, "opaque")
    name = kind(action)
    fields = {field: _written(value) for field, value in msgspec.to_builtins(action).items()}
    places = {field: fields.pop(field) for field in _OURS if field in fields}
    _writable(action, fields)
    where = places.get(_PLACE.get(name, ""))
    if where is not None:
        element = _marked(Point(*where), elements, action)
        fields |= {"mark": element.mark, **_within(Point(*where), element)}
    if isinstance(action, Drag):
        marks = [_marked(point, elements, action).mark for point in action.path]
        fields["to"] = marks[0] if len(marks) == 1 else marks
    return fields


def _written(value: Any) -> Any:
    """As models write it: a list, a whole number without its point."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def _writable(action: Action, fields: Mapping[str, Any]) -> None:
    """Refuse what could not be read again."""
    values.check_keys(tuple(fields.get("keys", ())), NAME, action)
    values.check_keys((fields["key"],) if "key" in fields else (), NAME, action)
    values.check_modifiers(tuple(fields.get("modifiers", ())), NAME, action)
    try:
        _checked(kind(action), fields)
    except Unreadable as error:
        raise Inexpressible(NAME, kind(action), error.reason) from error


def _write_typing(typing: Typing, elements: Sequence[Element]) -> dict[str, Any]:
    call: dict[str, Any] = {"do": "type"}
    if typing.at is not None:
        call["mark"] = _marked(typing.at, elements, typing.actions[0]).mark
    call["text"] = typing.text
    return call | ({"clear": True} if typing.clear else {}) | ({"enter": True} if typing.enter else {})


def _marked(point: Point, elements: Sequence[Element], action: Action) -> Element:
    element = element_at(elements, point)
    if element is None:
        raise Inexpressible(NAME, kind(action), f"nothing is marked at ({point.x:.4f}, {point.y:.4f})")
    return element


def _within(point: Point, element: Element) -> dict[str, Any]:
    """Where in an element a point is, for those where that matters."""
    box: Box | None = element.box
    if not box or not box.width * box.height or element.role not in _WIDE or box.centre.distance(point) <= _SAME_PLACE:
        return {}
    return {"within": [round((point.x - box.x) / box.width, 3), round((point.y - box.y) / box.height, 3)]}
