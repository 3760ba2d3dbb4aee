"""UI-TARS 1.5: `Thought: …`, then `Action: click(start_box='(x,y)')`, several with an empty line between them.

    >>> parse("Thought: Send it.\\nAction: type(content='hello\\\\n')")
    (Write(text='hello'), Press(keys=('enter',)))

Places are pixels of the smart-resized picture, also written `<|box_start|>(x,y)<|box_end|>`, `<point>x y</point>` or
as a box whose centre counts. A line break at the end of a text submits it. A scroll names a direction and no
amount: it is five notches. Calling the user is asking what the thought says. A text whose quote and bracket are not
closed is a reply cut off, not an action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workalike.core.actions import (
    Action,
    Ask,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    Move,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
    kind,
)
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.keyboard import modifier
from workalike.core.screen import Point, Size
from workalike.core.spaces import ResizedPixels, Space
from workalike.dialects import values
from workalike.dialects.gestures import pressed
from workalike.dialects.reply import ParsedReply

NAME = "uitars"
RESIZED = ResizedPixels(min_pixels=100 * 28 * 28)
NOTCHES = 5

WHAT_NOW = "I cannot go on without you. What should I do?"
"""What is asked by a call of the user that says nothing."""

_FENCE = "```"  # the prompt shows its form in one
_THOUGHT = re.compile(r"\A\s*\**(?:Thought|Reflection|Action_Summary):\**[ \t]*")
_NAMES = (
    "click|left_single|left_double|right_single|hover|drag|select|hotkey|press|keydown|keyup|release|scroll|type|wait"
    "|finished|call_user"
)
_ACTION = re.compile(r"^[ \t]*\**Action:\**", re.MULTILINE)
_ACTION_INLINE = re.compile(rf"\bAction:[ \t]*(?=(?:{_NAMES})\()")
_CALL = re.compile(rf"\s*(?:{_NAMES})\(")
_ENDS_CALL = re.compile(r"\)[ \t\r]*(?:#|\Z)")
_CONTENT = re.compile(r"\s*content\s*=\s*(['\"])(.*)\Z", re.DOTALL)
_COMMENTED = re.compile(r"['\"][ \t]*\)[ \t]*#")
_BOXED = re.compile(r"\b(start_box|end_box)='\(([0-9]+), *([0-9]+)\)'")
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


def read_reply(text: str, screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> ParsedReply:
    """The thought and the actions of a reply."""
    bare = values.readable(text).strip().removeprefix(_FENCE).removesuffix(_FENCE)
    starts = list(_ACTION.finditer(bare))
    if not starts and not _CALL.match(bare):
        starts = list(_ACTION_INLINE.finditer(bare))
    before, calls = (bare[: starts[-1].start()], bare[starts[-1].end() :]) if starts else ("", bare)
    thought = _THOUGHT.sub("", before).strip()
    actions = [action for call in _apart(calls) for action in _read(call, thought, screen, space)]
    return ParsedReply(pressed(actions), thought or None)


def with_box_tokens(reply: str) -> str:
    """A reply with the tokens around its places that the model wrote them with and that servers leave out, being
    special ones. In the history it was trained on they stand.

    >>> with_box_tokens("Thought: Go.\\nAction: click(start_box='(10,20)')")
    "Thought: Go.\\nAction: click(start_box='<|box_start|>(10,20)<|box_end|>')"
    """
    thought, action, calls = reply.partition("Action:")
    return thought + action + _BOXED.sub(r"\1='<|box_start|>(\2,\3)<|box_end|>'", calls)


def format(actions: Sequence[Action], screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> str:
    """The calls of some actions, after `Action: `."""
    return write_reply(ParsedReply(tuple(actions)), screen, space)


def write_reply(reply: ParsedReply, screen: Size = values.DEFAULT_SCREEN, space: Space = RESIZED) -> str:
    """A reply with its thought. Who calls the user thinks the question."""
    asked = [action.question for action in reply.actions if isinstance(action, Ask)]
    thought = (reply.thought or "") if not asked else asked[-1].strip()
    if "" in (question.strip() for question in asked):
        raise Inexpressible(NAME, "ask", "the thought is the question, and there is none")
    if len(asked) > 1 or (asked and reply.thought not in (None, thought)):
        raise Inexpressible(NAME, "ask", "the thought is the question, and there is more than one")
    if _ACTION.search(thought):
        raise Inexpressible(NAME, "a thought", "it holds a line that begins an action")
    calls = "\n\n".join(_write(reply.actions, screen, space))
    return f"Thought: {thought}\nAction: {calls}" if thought else f"Action: {calls}"


def _apart(calls: str) -> list[str]:
    """Call by call: one begins on a line of its own where the one before has ended."""
    if not calls.strip():
        raise Unreadable("there is no action in this reply")
    apart: list[list[str]] = []
    ended = True
    for line in calls.strip().split("\n"):
        if not apart or (ended and _CALL.match(line)):
            apart.append([])
        apart[-1].append(line)
        ended = _ENDS_CALL.search(line) is not None if line.strip() else ended
    return ["\n".join(lines).strip() for lines in apart]


def _read(call: str, thought: str, screen: Size, space: Space) -> tuple[Action, ...]:
    name, bracket, inside = call.partition("(")
    if not bracket:
        raise Unreadable("not a call", call)
    if name in ("type", "finished"):
        return _read_content(name, inside)
    fields = _fields(inside, call)
    start = _place(fields, ("start_box", "point", "start_point"), screen, space)
    match name:
        case "click" | "left_single" | "left_double" | "right_single" | "hover":
            return (_read_pointer(name, start),)
        case "drag" | "select":
            end = _place(fields, ("end_box", "end_point"), screen, space)
            if end is None:
                raise Unreadable("a drag needs an end_box", call)
            return (Drag((end,), start),)
        case "hotkey" | "press" | "keydown" | "keyup" | "release":
            return (_read_keys(name, fields),)
        case "scroll":
            return (_read_scroll(fields.get("direction", ""), start),)
        case "wait":
            return (_read_wait(fields),)
        case "call_user":
            return (Ask(thought or WHAT_NOW),)
        case _:
            raise Unreadable(f"there is no action {values.shown(name)}", call)


def _fields(inside: str, call: str) -> dict[str, str]:
    """The arguments by name; one number that stands alone has none. A missing last bracket does no harm here."""
    fields = {field[1]: field[2] if field[2] is not None else field[3] for field in _FIELD.finditer(inside)}
    rest = _uncommented(_FIELD.sub("", inside)).removesuffix(")").strip(", \n")
    if rest and (fields or not _NUMBER.fullmatch(rest)):
        raise Unreadable("not a call", call)
    return {"": rest} if rest else fields


def _read_keys(name: str, fields: dict[str, str]) -> Action:
    named = (fields.get("key") or fields.get("hotkey") or fields.get("press") or "").split()
    if name == "hotkey":
        return values.chord(list(named))
    if len(named) != 1:
        raise Unreadable(f"{name} takes one key, not {values.shown(' '.join(named))}")
    key = values.key(named[0])
    if name in ("keyup", "release"):
        return KeyUp(key)
    # The published agent holds what is pressed until its release. For other keys than modifiers that release often
    # never comes, and pressing them is all that was meant.
    return KeyDown(key) if name == "keydown" or modifier(key) else Press((key,))


def _read_wait(fields: dict[str, str]) -> Wait:
    told = next((fields[name] for name in ("", "time", "seconds", "duration") if name in fields), "").strip()
    if told and not _NUMBER.fullmatch(told):
        raise Unreadable(f"wait takes a number of seconds, not {values.shown(told)}")
    return Wait(values.seconds(values.unquoted(told), "the time of wait") if told else None)


def _read_content(name: str, inside: str) -> tuple[Action, ...]:
    """A text up to the last quote that ends a call: models leave quotes within it as they are."""
    found = _CONTENT.match(inside)
    body = None if found is None else _quoted(found[2], found[1])
    if body is None and _uncommented(inside) != ")":
        raise Unreadable(f"{name} takes a content in quotes with a bracket after them", inside)
    text = _ESCAPE.sub(lambda escape: _MEANT.get(escape[1], escape[0]), body or "")
    if name == "finished":
        return (Terminate("success", None if body is None else text),)
    if body is None:
        raise Unreadable("type takes a content")
    enter = Press(("enter",))
    if not text.endswith("\n"):
        return (Write(text),)
    return (Write(text[:-1]), enter) if text != "\n" else (enter,)


def _quoted(rest: str, quote: str) -> str | None:
    """What stands before the quote and the bracket at the end, or before those that a comment follows; None where
    there are none."""
    whole = rest.rstrip()
    inner = whole.removesuffix(")").rstrip()
    if whole.endswith(")") and inner.endswith(quote):
        return inner[:-1]
    last = whole.rfind("\n") + 1
    commented = [found.start() for found in _COMMENTED.finditer(whole, last) if found[0][0] == quote]
    return whole[: commented[-1]] if commented else None


def _uncommented(rest: str) -> str:
    """The end of a call without quotes, and without a comment after it."""
    before, _, last = rest.rstrip().rpartition("\n")
    return f"{before}\n{last.partition('#')[0]}".strip()


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
