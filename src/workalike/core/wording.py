"""What was done and what it took, in plain words: what the oracle says of its actions, how a step is told that nobody
described, and the bill."""

from __future__ import annotations

import re

from workalike.core.actions import (
    Ask,
    Click,
    CloseTab,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    Memorize,
    MouseDown,
    MouseUp,
    Move,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
    kind,
)
from workalike.core.trajectory import ActionResult, Usage

_TIMES = {1: "Click", 2: "Double-click", 3: "Triple-click"}
_ICONS = re.compile("[\ue000-\uf8ff]")
"""Signs of icon fonts: nobody can read them."""


def in_words(taken: ActionResult) -> str:
    """One sentence that says what an action did, and to what where that is known.

    >>> in_words(ActionResult(Hotkey(("ctrl", "s"))))
    'Press ctrl+s.'
    """
    on = _target(taken)
    match taken.action:
        case Click(button=button, count=count, modifiers=held):
            way = "" if button == "left" else f" with the {button} button"
            return f"{_TIMES.get(count, 'Click')} {on}{way}{_holding(held)}."
        case Move():
            return f"Move the pointer to {on}."
        case Drag(modifiers=held):
            return f"Drag {on}{_holding(held)}."
        case Scroll(dx=dx, dy=dy):
            ways = [
                way for way, turned in (("down", dy > 0), ("up", dy < 0), ("right", dx > 0), ("left", dx < 0)) if turned
            ]
            return f"Scroll {' and '.join(ways)} on {on}."
        case Write(text=text):
            return f'Type "{text}".'
        case Press(keys=keys):
            return f"Press {', '.join(keys)}."
        case Hotkey(keys=keys):
            return f"Press {'+'.join(keys)}."
        case KeyDown(key=key) | KeyUp(key=key):
            return f"{'Hold' if isinstance(taken.action, KeyDown) else 'Release'} {key}."
        case MouseDown(button=button) | MouseUp(button=button):
            return f"{'Hold' if isinstance(taken.action, MouseDown) else 'Release'} the {button} button on {on}."
        case Wait(seconds=seconds):
            return "Wait." if seconds is None else f"Wait for {seconds:g} s."
        case Visit(url=text):
            return f"Go to {text}."
        case Search(query=text) | Ask(question=text) | ReadPage(question=text) | Memorize(fact=text):
            return f'{kind(taken.action).replace("_", " ").capitalize()}: "{text}".'
        case SwitchTab(index=index):
            return f"Switch to tab {index + 1}."
        case CloseTab():
            return "Close the tab."
        case Terminate(status=status, answer=answer):
            return f"End with {status}: {answer}" if answer else f"End with {status}."
        case Opaque():
            return "Do something that could not be read."
        case other:
            return f"{kind(other).replace('_', ' ').capitalize()}."


def bill(usage: Usage) -> str:
    """What it took, in a line; a price that is unknown is called that.

    >>> bill(Usage(2, 1200, 34, cost=None, unaccounted=1))
    '1,200 tokens in, 34 out, an unknown price; at least: 1 request may have been charged without saying so'
    >>> bill(Usage(2, cost=None))
    'an unknown number of tokens, an unknown price'
    """
    told = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    if not usage.input_tokens and (usage.requests or usage.unaccounted):
        told = "an unknown number of tokens"
    unknown = usage.cost is None or (usage.unaccounted and not usage.requests)
    cost = "an unknown price" if unknown else f"${usage.cost:.4f}"
    requests = "request" if usage.unaccounted == 1 else "requests"
    more = f"; at least: {usage.unaccounted} {requests} may have been charged without saying so"
    return f"{told}, {cost}{more if usage.unaccounted else ''}"


def _target(taken: ActionResult) -> str:
    name = " ".join(_ICONS.sub(" ", taken.hit.name).split()) if taken.hit is not None else ""
    if taken.hit is None:
        return "a place on the screen"
    return f'the {taken.hit.role} "{name}"' if name else f"the {taken.hit.role}"


def _holding(modifiers: tuple[str, ...]) -> str:
    return f" while holding {'+'.join(modifiers)}" if modifiers else ""
