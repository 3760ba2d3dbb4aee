"""How fast actions are read: AgentNet's code against the JSON rows it comes in and against the syntax tree alone, and
one reply of each family."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial

from benchmarks import Figure, interleaved, median_seconds
from workalike.core.actions import Action, Click, Write
from workalike.core.observation import Element
from workalike.core.screen import Box, Point
from workalike.dialects import anthropic, fara, openai, pyautogui, qwen, som, uitars
from workalike.dialects.pyautogui import reader
from workalike.dialects.values import DEFAULT_SCREEN

ROWS = 2_000
ROW_CHARACTERS = 4_000  # AgentNet: 1.68 GB in 421,453 steps
REPLIES = 2_000
_KINDS = (
    *["pyautogui.click(x={x}, y={y})"] * 60,
    *["pyautogui.write(message='{word}')"] * 8,
    *["pyautogui.moveTo(x={x}, y={y})\npyautogui.dragTo(x={y}, y={x}, button='left')"] * 6,
    *["pyautogui.moveTo(x={x}, y={y})\npyautogui.scroll(-5)"] * 6,
    *["pyautogui.press(keys=['enter'])"] * 5,
    *["pyautogui.hotkey(keys=['ctrl', 'c'])"] * 5,
    *["pyautogui.doubleClick(x={x}, y={y})"] * 4,
    *["pyautogui.rightClick(x={x}, y={y})"] * 3,
    *["computer.terminate(status='success')"] * 3,
)


def measure() -> list[Figure]:
    return [*_code(), *_replies()]


def _code() -> list[Figure]:
    codes = _codes(random.Random(1))
    full, bare = _rows(codes, ROW_CHARACTERS), _rows(codes, 0)
    taken = interleaved(
        {
            "rows": lambda: [json.loads(row) for row in full],
            "bare": lambda: [json.loads(row) for row in bare],
            "fast": lambda: [pyautogui.parse(code) for code in codes],
            "tree": lambda: [reader.read(code, DEFAULT_SCREEN, pyautogui.FRACTIONS) for code in codes],
        },
        times=9,
    )
    each = taken["fast"] / ROWS * 1e6
    return [
        Figure("canonical code, against json.loads of its rows", taken["fast"] / taken["rows"], aim="≤ 0.4"),
        Figure("canonical code, against json.loads of rows of code alone", taken["fast"] / taken["bare"]),
        Figure(
            "the same by syntax tree alone, against json.loads", taken["tree"] / taken["rows"], detail="for comparison"
        ),
        Figure("syntax tree alone, against canonical code", taken["tree"] / taken["fast"], aim="≥ 5"),
        Figure("canonical code, each", each, "µs", aim="a few"),
    ]


def _codes(chance: random.Random) -> list[str]:
    fractions = ((round(chance.random(), 4), round(chance.random(), 4)) for _ in range(ROWS))
    return [chance.choice(_KINDS).format(x=x, y=y, word=f"word {x}") for x, y in fractions]


def _rows(codes: list[str], characters: int) -> list[str]:
    """Steps as AgentNet has them, with texts of about the size it has."""
    words = "The window shows a list of settings, and the one to change is near the top. "
    text = (words * (characters // 4 // len(words) + 1))[: characters // 4]
    texts = dict.fromkeys(("observation", "thought", "action", "reflection"), text)
    return [json.dumps({"index": index, "value": {**texts, "code": code}}) for index, code in enumerate(codes)]


def _replies() -> list[Figure]:
    actions: list[Action] = [Click(Point(0.5, 0.5)), Write("it's a text of middling length")]
    marked = (Element("textbox", "name", Box(0.4, 0.4, 0.2, 0.2), 1),)
    readers: dict[str, Callable[[], object]] = {
        "pyautogui": partial(pyautogui.parse, pyautogui.format(actions)),
        "fara-7b": partial(fara.parse, fara.format(actions)),
        "fara-1.5": partial(fara.parse, fara.format(actions, variant=fara.FARA_15), variant=fara.FARA_15),
        "qwen-3": partial(qwen.parse, qwen.format(actions)),
        "openai": partial(openai.parse, openai.format(actions)),
        "anthropic": partial(anthropic.parse, anthropic.format(actions)),
        "uitars": partial(uitars.parse, uitars.format(actions)),
        "som": partial(som.parse, som.format(actions, marked), marked),
    }
    return [
        Figure(f"a click and a text, {name}", median_seconds(partial(_again, read)) / REPLIES * 1e6, "µs")
        for name, read in readers.items()
    ]


def _again(read: Callable[[], object]) -> None:
    for _ in range(REPLIES):
        read()
