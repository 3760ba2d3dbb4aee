"""The families from the other side: which one is asking, and actions put into its words. For whoever plays the model:
the oracle behind `workalike serve-oracle`, and tests.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, get_args

from msgspec.structs import replace

from workalike.core.actions import Action, Ask, Back, Scroll, Terminate, Visit
from workalike.core.errors import Inexpressible
from workalike.core.observation import Element
from workalike.core.screen import Point, Size
from workalike.core.spaces import FittedPixels, Fractions, ResizedPixels
from workalike.dialects import anthropic, fara, openai, pyautogui, qwen, som, uitars
from workalike.dialects.gestures import scrolls_by, scrolls_in
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import Part, Reply, Text, ToolCall
from workalike.models.server.asked import Asked
from workalike.models.wire.anthropic import TOOLSET

Speech = Literal[
    "som", "fara", "fara-1.5", "opencua", "opencua-relative", "uitars", "qwen", "qwen-2.5", "openai", "anthropic"
]
SPEECHES: tuple[Speech, ...] = get_args(Speech)
_IN_PIXELS = ("fara", "fara-1.5", "qwen", "qwen-2.5", "openai")
_ANSWER_IN_THOUGHT = ("fara", "qwen-2.5")
_CENTRE = Point(0.5, 0.5)
_LISTED = re.compile(r'^\[(\d+)\] (\w+) "(.*?)"(?: = "(.*?)")?(?: \((.*?)\))?$', re.MULTILINE)


def speech_of(asked: Asked) -> Speech | None:
    """Which family asks: told by the model's name where that is a family's, by the API, or by what the prompt
    teaches; None when it is none of ours."""
    if asked.model in SPEECHES:
        return asked.model
    if asked.computer is not None:
        return "anthropic" if asked.api == "messages" else "openai"
    taught = "\n".join(message.text for message in asked.request.messages[:2])
    if "pyautogui" in taught:
        return "opencua-relative" if "Coordinates are fractions" in taught else "opencua"
    if "start_box" in taught:
        return "uitars"
    if "computer_use" in taught:
        return _computer_use(taught)
    return "som" if '"mark"' in taught else None


def speak(
    said: Said,
    speech: Speech,
    screen: Size,
    elements: Sequence[Element] = (),
    asked: Asked | None = None,
) -> Reply:
    """Actions, with their thought, as a model of a family would say them. `elements` are the marked ones (for `som`);
    `asked` tells which version of a computer tool is spoken to. Scrolls are told in the family's unit, and an answer
    where it has a place for one. Raises `Inexpressible`."""
    said = _in_words_of(speech, said)
    match speech:
        case "som":
            return _text(som.write_reply(said, elements))
        case "fara" | "fara-1.5":
            return _text(fara.write_reply(said, screen, fara.FARA_7B if speech == "fara" else fara.FARA_15))
        case "qwen" | "qwen-2.5":
            return _text(qwen.write_reply(said, screen, qwen.QWEN_3 if speech == "qwen" else qwen.QWEN_25))
        case "opencua" | "opencua-relative":
            space = ResizedPixels() if speech == "opencua" else Fractions()
            return _text(pyautogui.write_reply(_with_action(said), screen, space))
        case "uitars":
            return _text(uitars.write_reply(said, screen))
        case "openai":
            return _openai(said, screen)
        case "anthropic":
            return _anthropic(said, screen, asked)


def listed(text: str) -> tuple[Element, ...]:
    """The elements in a list as `som` writes it: marks, roles, names, values and states, but no places.

    >>> listed('[3] textbox "To" = "Lisbon" (focused)')[0].value
    'Lisbon'
    """
    return tuple(
        Element(role, name, mark=int(mark), value=value or None, states=tuple(states.split(", ")) if states else ())
        for mark, role, name, value, states in _LISTED.findall(text)
    )


def _in_words_of(speech: Speech, said: Said) -> Said:
    """The same in terms that a family has: scrolls in its unit, and the final answer in the thought where the call has
    no place for it."""
    actions = said.actions
    if speech == "uitars":
        actions = scrolls_by(uitars.NOTCHES, actions)
    else:
        actions = scrolls_in("pixels" if speech in _IN_PIXELS else "notches", actions)
    if speech == "openai":
        actions = tuple(replace(a, at=a.at or _CENTRE) if isinstance(a, Scroll) else a for a in actions)
    if speech not in _ANSWER_IN_THOUGHT:
        return replace(said, actions=actions)
    answer = next((a.answer for a in actions if isinstance(a, Terminate) and a.answer is not None), None)
    bare = tuple(replace(a, answer=None) if isinstance(a, Terminate) else a for a in actions)
    return replace(said, actions=bare, thought=said.thought if answer is None else answer)


def _computer_use(taught: str) -> Speech:
    if "visit_url" in taught:
        return "fara-1.5" if "ask_user_question" in taught else "fara"
    return "qwen" if "1000x1000" in taught else "qwen-2.5"


def _text(words: str) -> Reply:
    return Reply((Text(words),))


def _with_action(said: Said) -> Said:
    return Said(said.actions, said.thought, said.observation_text, said.action_text or said.thought or "the next move")


def _openai(said: Said, screen: Size) -> Reply:
    """Pages are moved between with functions of ours, everything else is a computer call."""
    own = _own_calls(said.actions)
    if own:
        return _called(said, own)
    items = openai.format(said.actions, screen)
    if items[0]["type"] == "message":
        return _text("".join(piece["text"] for piece in items[0]["content"]))
    actions = [action for item in items for action in item["actions"]]
    return _called(said, [ToolCall("call_1", "computer", {"actions": actions})])


def _anthropic(said: Said, screen: Size, asked: Asked | None) -> Reply:
    own = _own_calls(said.actions)
    if own:
        return _called(said, own)
    blocks = anthropic.format(said.actions, screen, _fitted(asked, screen))
    calls = [block for block in blocks if block["type"] == "tool_use"]
    if not calls:
        return _text("".join(block["text"] for block in blocks))
    return _called(said, [ToolCall(f"toolu_{n}", "computer", block["input"]) for n, block in enumerate(calls, 1)])


def _fitted(asked: Asked | None, screen: Size) -> FittedPixels:
    """The space of the pictures that were really sent; the tools of 2025 say how big those are."""
    tool = asked.computer if asked else None
    if tool is not None and tool.version != TOOLSET:
        return FittedPixels(tool.size)
    return FittedPixels()


def _own_calls(actions: Sequence[Action]) -> list[ToolCall]:
    if not any(isinstance(action, Visit | Back | Ask) for action in actions):
        return []
    return [ToolCall(f"call_{number}", *_own_call(action)) for number, action in enumerate(actions, 1)]


def _own_call(action: Action) -> tuple[str, dict[str, Any]]:
    match action:
        case Visit(url=url):
            return "visit_url", {"url": url}
        case Back():
            return "go_back", {}
        case Ask(question=question):
            return "ask_user", {"question": question}
        case _:
            raise Inexpressible("computer", "a mix", "moving between pages and acting on one are told apart here")


def _called(said: Said, calls: Sequence[ToolCall]) -> Reply:
    words: tuple[Part, ...] = (Text(said.thought),) if said.thought else ()
    return Reply((*words, *calls), "calls")
