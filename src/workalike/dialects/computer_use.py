"""The `computer_use` tool, in the variants that Qwen-VL models and the Fara models built on them were trained with.

A variant says which calls there are, what `type` and `scroll` mean, and where the final answer stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Button,
    Click,
    Drag,
    Hotkey,
    Memorize,
    Move,
    Press,
    ReadPage,
    Scroll,
    Search,
    Terminate,
    Visit,
    Wait,
    Write,
    kind,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects import jsontext
from workalike.dialects.arguments import Arguments
from workalike.dialects.gestures import Typing, joined, pressed
from workalike.dialects.reply import ParsedReply
from workalike.dialects.values import amount, check_chord, check_keys, duration, placed, shown, status

TOOL = "computer_use"
Call = dict[str, Any]


class Variant(msgspec.Struct, frozen=True):
    """One model's edition of the tool."""

    dialect: str
    space: Space
    calls: frozenset[str]
    keys: Mapping[str, str] = {}
    typing: bool = False  # `type` clicks, clears and presses enter, too
    needs_place: bool = False  # a click always tells where
    scroll_at: bool = False  # `scroll` may tell where
    scroll_cells: bool = False  # scroll amounts are cells of the grid, not pixels
    answer: Literal["thought", "argument", "call", "nowhere"] = "nowhere"


_CLICKS: dict[str, tuple[Button, int]] = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
_CLICK_NAMES = {clicked: name for name, clicked in _CLICKS.items()}
_OTHER_NAMES = {
    "click": "left_click",
    "hover": "mouse_move",
    "keypress": "key",
    "input_text": "type",
    "sleep": "wait",
    "stop": "terminate",
}


def read_reply(text: str, screen: Size, variant: Variant) -> ParsedReply:
    """The thought and the actions of a reply."""
    thought, calls = jsontext.read(text)
    actions = [action for call in calls for action in _read(call, thought, screen, variant)]
    return ParsedReply(pressed(joined(_answered(actions))), thought or None)


def write_reply(reply: ParsedReply, screen: Size, variant: Variant) -> str:
    """A reply that reads as these actions."""
    thought = reply.thought or ""
    calls = [{"name": TOOL, "arguments": call} for call in _write(reply.actions, screen, variant)]
    told = [a.answer for a in reply.actions if isinstance(a, Terminate) and a.answer is not None]
    if told and variant.answer == "thought":
        if thought not in ("", told[-1]):
            raise Inexpressible(variant.dialect, "terminate", "its thought is the answer, and the two differ")
        thought = told[-1].strip()
    return jsontext.write(thought, calls, variant.dialect)


def _read(call: object, thought: str, screen: Size, variant: Variant) -> tuple[Action, ...]:
    fields = _fields(call)
    said = fields.get("action")
    name = _OTHER_NAMES.get(said, said) if isinstance(said, str) else ""
    arguments = Arguments(name, fields, screen, variant.space)
    if name in _CLICKS:
        return (Click(_click_place(arguments, variant), *_CLICKS[name]),)
    if name in ("scroll", "hscroll"):
        return (_read_scroll(arguments, screen, variant),)
    if name == "type":
        return _read_typing(arguments, variant)
    if name == "terminate":
        return (_read_terminate(arguments, thought, variant),)
    return (_read_plain(name or shown(said), arguments),)


def _read_plain(name: str, arguments: Arguments) -> Action:
    match name:
        case "key":
            return arguments.chord("keys", "text")
        case "mouse_move":
            return Move(arguments.to("coordinate"))
        case "left_click_drag":
            return Drag((arguments.to("coordinate"),), arguments.at("start_coordinate"))
        case "wait":
            return Wait(arguments.seconds("time", "duration"))
        case "visit_url":
            return Visit(arguments.text("url"))
        case "web_search":
            return Search(arguments.text("query"))
        case "history_back":
            return Back()
        case "refresh":
            return Press(("f5",))
        case "pause_and_memorize_fact":
            return Memorize(arguments.text("fact"))
        case "ask_user_question":
            return Ask(arguments.text("question"))
        case "read_page_answer_question":
            return ReadPage(arguments.text("question"))
        case "answer":
            return Terminate("success", arguments.text("text", "answer"))
        case _:
            raise Unreadable(f"computer_use has no action {name}")


def _fields(call: object) -> dict[str, Any]:
    """The arguments of a call, given with the tool's name around them or bare."""
    fields = call.get("arguments", call) if isinstance(call, dict) else None
    fields = jsontext.loads(fields) if isinstance(fields, str) else fields
    name = call.get("name", TOOL) if isinstance(call, dict) else None
    if not isinstance(fields, dict) or name != TOOL:
        raise Unreadable(f"a call must be an object of {TOOL} with its arguments, not {shown(call)} {shown(name)}")
    return fields


def _click_place(arguments: Arguments, variant: Variant) -> Point | None:
    return arguments.to("coordinate") if variant.needs_place else arguments.at("coordinate")


def _read_scroll(arguments: Arguments, screen: Size, variant: Variant) -> Scroll:
    across, down = _scale(screen, variant)
    pixels, at = arguments.number("pixels"), arguments.at("coordinate")
    if arguments.name == "hscroll":
        return Scroll(dx=pixels * across, unit="pixels", at=at)
    return Scroll(dy=-pixels * down, unit="pixels", at=at)


def _scale(screen: Size, variant: Variant) -> tuple[float, float]:
    """How many pixels of the screen a unit of scrolling is, across and down."""
    if not variant.scroll_cells:
        return 1, 1
    wide, high = variant.space.cell(screen)
    return wide * screen.width, high * screen.height


def _read_typing(arguments: Arguments, variant: Variant) -> tuple[Action, ...]:
    text = arguments.text("text", "text_value")
    if not variant.typing:
        return (Write(text),)
    clear, enter = arguments.flag("delete_existing_text", False), arguments.flag("press_enter", True)
    return Typing(text, arguments.at("coordinate"), clear, enter).actions


def _read_terminate(arguments: Arguments, thought: str, variant: Variant) -> Terminate:
    answer = arguments.text_or_none("answer")
    if answer is None and variant.answer == "thought":
        answer = thought or None
    return Terminate(status(arguments.fields.get("status", "success")), answer)


def _answered(actions: Sequence[Action]) -> Iterator[Action]:
    """An answer and the end that follows it, as one."""
    answer: Terminate | None = None
    for action in actions:
        if answer is not None and isinstance(action, Terminate) and action.answer is None:
            yield Terminate(action.status, answer.answer)
            answer = None
            continue
        if answer is not None:
            yield answer
        answer = action if isinstance(action, Terminate) and action.answer is not None else None
        if answer is None:
            yield action
    if answer is not None:
        yield answer


def _write(actions: Sequence[Action], screen: Size, variant: Variant) -> Iterator[Call]:
    rest = list(actions)
    while rest:
        typing = Typing.at_start(rest) if variant.typing else None
        if typing is not None:
            yield _typing(typing[0], rest[0], screen, variant)
        else:
            yield from _calls(rest[0], screen, variant)
        del rest[: typing[1] if typing else 1]


def _calls(action: Action, screen: Size, variant: Variant) -> Iterator[Call]:
    for call in _any_calls(action, screen, variant):
        if call["action"] not in variant.calls:
            raise Inexpressible(variant.dialect, kind(action), f"it has no {call['action']}")
        yield call


def _any_calls(action: Action, screen: Size, variant: Variant) -> Iterator[Call]:
    match action:
        case Click():
            yield _click(action, screen, variant)
        case Drag():
            yield from _drag(action, screen, variant)
        case Scroll():
            yield from _scroll(action, screen, variant)
        case Move(to=to):
            yield _at("mouse_move", to, action, screen, variant)
        case Press(keys=keys):
            for key in check_keys(keys, variant.dialect, action):
                yield _keys((key,), variant)
        case Hotkey(keys=keys):
            yield _keys(check_chord(keys, variant.dialect, action), variant)
        case Terminate():
            yield from _terminate(action, variant)
        case _:
            yield _words(action, variant)


def _words(action: Action, variant: Variant) -> Call:
    match action:
        case Write(text=text):
            return {"action": "type", "text": text}
        case Wait(seconds=None):
            return {"action": "wait"}
        case Wait(seconds=float() | int() as seconds):
            return {"action": "wait", "time": duration(seconds, variant.dialect, action)}
        case Visit(url=url):
            return {"action": "visit_url", "url": url}
        case Search(query=query):
            return {"action": "web_search", "query": query}
        case Back():
            return {"action": "history_back"}
        case Memorize(fact=fact):
            return {"action": "pause_and_memorize_fact", "fact": fact}
        case Ask(question=question):
            return {"action": "ask_user_question", "question": question}
        case ReadPage(question=question):
            return {"action": "read_page_answer_question", "question": question}
        case _:
            raise Inexpressible(variant.dialect, kind(action))


def _at(name: str, point: Point, action: Action, screen: Size, variant: Variant) -> Call:
    return {"action": name, "coordinate": list(placed(point, screen, variant.space, variant.dialect, action))}


def _keys(keys: tuple[str, ...], variant: Variant) -> Call:
    return {"action": "key", "keys": [variant.keys.get(key, key) for key in keys]}


def _typing(typing: Typing, action: Action, screen: Size, variant: Variant) -> Call:
    call: Call = {"action": "type", "text": typing.text}
    if typing.at is not None:
        call = _at("type", typing.at, action, screen, variant) | call
    return call | {"press_enter": typing.enter, "delete_existing_text": typing.clear}


def _click(click: Click, screen: Size, variant: Variant) -> Call:
    name = _CLICK_NAMES.get((click.button, click.count))
    if name is None or click.modifiers:
        raise Inexpressible(variant.dialect, "click", "no such button, count or held key")
    if click.at is not None:
        return _at(name, click.at, click, screen, variant)
    if variant.needs_place:
        raise Inexpressible(variant.dialect, "click", "it always tells where")
    return {"action": name}


def _drag(drag: Drag, screen: Size, variant: Variant) -> Iterator[Call]:
    if len(drag.path) > 1 or drag.modifiers or drag.button != "left":
        raise Inexpressible(variant.dialect, "drag", "only straight ones with the left button and no key held")
    if drag.start is not None:
        yield _at("mouse_move", drag.start, drag, screen, variant)
    yield _at("left_click_drag", drag.end, drag, screen, variant)


def _scroll(scroll: Scroll, screen: Size, variant: Variant) -> Iterator[Call]:
    if scroll.unit != "pixels" or scroll.modifiers:
        reason = "its amounts are pixels and no key is held; convert notches with gestures.scrolls_in"
        raise Inexpressible(variant.dialect, "scroll", reason)
    where: Call = {}
    if scroll.at is not None and variant.scroll_at:
        where = _at("scroll", scroll.at, scroll, screen, variant)
    elif scroll.at is not None:
        yield _at("mouse_move", scroll.at, scroll, screen, variant)
    wide, high = _scale(screen, variant)
    up, right = _amount(-scroll.dy / high, scroll, variant), _amount(scroll.dx / wide, scroll, variant)
    if up or not right:
        yield where | {"action": "scroll", "pixels": up}
    if right:
        yield {"action": "hscroll", "pixels": right}


def _amount(units: float, scroll: Scroll, variant: Variant) -> int | float:
    return amount(round(units) if variant.scroll_cells and abs(units) < 1e9 else units, variant.dialect, scroll)


def _terminate(end: Terminate, variant: Variant) -> Iterator[Call]:
    if end.answer is not None and variant.answer == "nowhere":
        raise Inexpressible(variant.dialect, "terminate", "it has no place for an answer")
    if end.answer is not None and variant.answer == "call":
        yield {"action": "answer", "text": end.answer}
    if variant.answer != "argument":
        yield {"action": "terminate", "status": end.status}
    elif end.status != "success":
        raise Inexpressible(variant.dialect, "terminate", "it ends with an answer and no status")
    else:
        yield {"action": "terminate"} | ({} if end.answer is None else {"answer": end.answer})
