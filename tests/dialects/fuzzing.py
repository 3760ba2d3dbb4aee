"""Inputs to throw at readers: what dialects write, broken in all manner of ways, and things made of their pieces."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    Memorize,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible
from workalike.core.screen import Point

_P, _Q = Point(0.25, 0.5), Point(0.75, 0.125)
ACTIONS: tuple[Action, ...] = (
    Click(_P),
    Click(_P, "right"),
    Click(_P, count=2),
    Click(_P, count=3, modifiers=("ctrl",)),
    Click(),
    Move(_P),
    Drag((_P,), _Q),
    Drag((_P, _Q), _Q),
    Drag((_P,)),
    Scroll(dy=5, at=_P),
    Scroll(dy=300, unit="pixels", at=_P),
    Scroll(dx=-2),
    Write('it\'s "so"\\ π\n'),
    Write(""),
    Press(("enter", "a")),
    Hotkey(("ctrl", "shift", "t")),
    KeyDown("shift"),
    Wait(2),
    KeyUp("shift"),
    MouseDown(_P),
    MouseUp(),
    Wait(),
    Wait(0),
    Visit("https://example.test/?a=1&b=2"),
    Back(),
    Memorize("a fact"),
    Ask("which?"),
    Terminate("success", "42"),
    Terminate("failure"),
)
_PIECES = (
    *("(", ")", "[", "]", "{", "}", "'", '"', "\\", "\n", ",", ":", "=", ".", "-", "+", "`", "```", "#", "<", ">", "*"),
    *(
        "\0",
        "\r",
        "\t",
        " ",
        "\ud800",
        "\u2028",
        "é",
        "𝔘",
        "٣",
        "0",
        "1",
        "1e999",
        "-0",
        "NaN",
        "Infinity",
        "None",
        "null",
    ),
    *("true", "9" * 30, "9" * 5000, "0.5", "x=", "y=", "lambda:", "f'{x}'", "**", "import os", "eval", "__import__"),
    *("pyautogui.", "computer.", "click", "keys=", "message=", "<tool_call>", "</tool_call>", "</think>", "<think>"),
    *(
        '"action":',
        '"type":',
        '"coordinate":',
        '"keys":',
        '"text":',
        '"mark":',
        '"do":',
        "Action:",
        "Thought:",
        "start_box=",
    ),
    *(
        "content=",
        "<point>",
        "<|box_start|>",
        "## Code:",
        "## Thought:",
        "```python\n",
        "\\u",
        "\\x",
        "\\N{",
        "\\ud800",
    ),
)
_LEAVES: tuple[Any, ...] = (
    *(None, True, 0, -1, 3, 10**30, 0.5, float("nan"), float("inf"), "", "left", "ctrl+c", "a b", "\ud800", "é"),
    *([], {}, [1, 2], [1, 2, 3, 4], ["ctrl", "a"], {"x": 1, "y": 2}, [{"x": 1, "y": 2}], "{", (1, 2)),
)
_ROOTS = ("pyautogui.", "pyautogui.", "pyautogui.", "computer.", "time.", "os.", "")
_FUNCTIONS = (
    *(
        "click",
        "doubleClick",
        "tripleClick",
        "moveTo",
        "move",
        "dragTo",
        "drag",
        "mouseDown",
        "mouseUp",
        "scroll",
        "hscroll",
    ),
    *("write", "typewrite", "press", "hotkey", "keyDown", "keyUp", "sleep", "wait", "terminate", "hold", "alert"),
)
_PARAMETERS = (
    "x",
    "y",
    "clicks",
    "button",
    "keys",
    "message",
    "presses",
    "interval",
    "duration",
    "key",
    "status",
    "answer",
)
_CALLS = (
    *("key", "type", "mouse_move", "left_click", "scroll", "hscroll", "left_click_drag", "wait", "terminate", "answer"),
    *("visit_url", "refresh", "ask_user_question", "triple_click", "none such"),
)
_KEYS = (
    "type",
    "action",
    "actions",
    "input",
    "name",
    "x",
    "y",
    "keys",
    "coordinate",
    "path",
    "text",
    "button",
    "content",
)


def seeds(write: Callable[[list[Action]], Any]) -> list[Any]:
    """What a dialect writes for actions it can say."""
    written = []
    for action in ACTIONS:
        try:
            written.append(write([action]))
        except Inexpressible:
            continue
    return written


def texts(seeds: list[str], count: int, chance: random.Random) -> Iterator[str]:
    """Generated and mutated texts, and now and then a monster."""
    for number in range(count):
        if number % 1000 == 999:
            yield _monster(chance, seeds)
        elif number % 3 == 0:
            yield _generated(chance)
        else:
            yield _mutated(chance.choice(seeds), seeds, chance)


def objects(seeds: list[Any], count: int, chance: random.Random) -> Iterator[Any]:
    """Generated and mutated API objects."""
    for number in range(count):
        if number % 5 == 0:
            yield _thing(chance, 4)
        else:
            broken = json.loads(json.dumps(chance.choice(seeds)))
            for _ in range(chance.randrange(1, 4)):
                broken = _broken(broken, chance)
            yield broken


def _generated(chance: random.Random) -> str:
    match chance.randrange(4):
        case 0:
            return "".join(chance.choice(_PIECES) for _ in range(chance.randrange(1, 25)))
        case 1:
            return json.dumps(_thing(chance, 4))
        case 2:
            call = {"name": "computer_use", "arguments": {"action": chance.choice(_CALLS), **_fields(chance)}}
            return f"<tool_call>{json.dumps(call)}</tool_call>"
        case _:
            return "\n".join(_code(chance) for _ in range(chance.randrange(1, 4)))


def _fields(chance: random.Random) -> dict[str, Any]:
    return {chance.choice(_KEYS): chance.choice(_LEAVES) for _ in range(chance.randrange(4))}


def _code(chance: random.Random) -> str:
    """A call that is Python at least."""
    values = [repr(chance.choice(_LEAVES)) for _ in range(chance.randrange(4))]
    named = [f"{chance.choice(_PARAMETERS)}={chance.choice(_LEAVES)!r}" for _ in range(chance.randrange(3))]
    return f"{chance.choice(_ROOTS)}{chance.choice(_FUNCTIONS)}({', '.join(values + named)})"


def _mutated(text: str, seeds: list[str], chance: random.Random) -> str:
    for _ in range(chance.choice([1, 1, 2, 4])):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(8):
            case 0:
                text = text[:at] + text[at + chance.randrange(1, 12) :]
            case 1:
                text = text[:at] + chance.choice(_PIECES) + text[at:]
            case 2:
                text = text[:at] + chance.choice(_PIECES) + text[at + chance.randrange(1, 8) :]
            case 3:
                text = text[:at] + chance.choice(seeds)[chance.randrange(10) :]
            case 4:
                text = text.translate({ord(chance.choice("0123456789")): chance.choice("0123456789")})
            case 5:
                text = text + "\n" + chance.choice(seeds)
            case 6:
                text = text[:at] + text[at : at + 30] * chance.randrange(2, 4) + text[at + 30 :]
            case _:
                text = (
                    text[:at] + chr(chance.choice([chance.randrange(128), chance.randrange(0x11000)])) + text[at + 1 :]
                )
    return text


def _monster(chance: random.Random, seeds: list[str]) -> str:
    """Something long or deep, at times longer than is read at all."""
    pieces = [*_PIECES, chance.choice(seeds), "a.", "a(", "[[", '{"a":', "not ", "-", "\n\n", " ", ")\n\n"]
    piece = "".join(chance.choice(pieces) for _ in range(chance.choice([1, 1, 2, 3])))
    length = chance.choice([5_000, 60_000, 199_000, 250_000])
    core = piece * (length // len(piece))
    return chance.choice(["", chance.choice(seeds)]) + core + chance.choice(["", "x", chance.choice(seeds)])


def _thing(chance: random.Random, depth: int) -> Any:
    shape = chance.randrange(4) if depth else 0
    if shape == 0:
        return copy.deepcopy(chance.choice(_LEAVES))
    if shape == 1:
        return [_thing(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(_KEYS): _thing(chance, depth - 1) for _ in range(chance.randrange(6))}


def _broken(thing: Any, chance: random.Random) -> Any:
    """One change somewhere within."""
    inside = isinstance(thing, dict | list) and len(thing) > 0 and chance.random() < 0.85
    if not inside:
        return _thing(chance, 2)
    key = chance.choice(list(thing)) if isinstance(thing, dict) else chance.randrange(len(thing))
    match chance.randrange(8):
        case 0:
            del thing[key]
        case 1 if isinstance(thing, dict):
            thing[chance.choice(_KEYS)] = _thing(chance, 2)
        case 2 if isinstance(thing, list):
            thing.insert(key, thing[key])
        case _:
            thing[key] = _broken(thing[key], chance)
    return thing
