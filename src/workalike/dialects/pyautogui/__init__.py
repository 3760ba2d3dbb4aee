"""PyAutoGUI code, in which AgentNet stores actions and OpenCUA models write them.

    >>> parse("pyautogui.moveTo(x=0.4, y=0.5)\\npyautogui.scroll(-3)")
    (Scroll(dx=0, dy=3, unit='notches', at=Point(x=0.4, y=0.5), modifiers=()),)

The space says what the coordinates are: fractions (AgentNet), pixels of the screen (PyAutoGUI itself), or pixels of
the smart-resized picture (OpenCUA-7B and larger). Scrolls are counted in wheel notches; PyAutoGUI's positive amounts
go up, the core's go down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workalike.core.actions import Action
from workalike.core.errors import Unreadable
from workalike.core.screen import Size
from workalike.core.spaces import Fractions, ScreenPixels, Space
from workalike.dialects.pyautogui import canonical, reader, writer
from workalike.dialects.reply import ParsedReply
from workalike.dialects.values import DEFAULT_SCREEN, readable

FRACTIONS = Fractions()
PIXELS = ScreenPixels()

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^`\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{2,} *(Observation|Thought|Action|Code)(?: *:|[ \t]*$)[ \t]*\n?", re.MULTILINE)
_BARE_HEADING = re.compile(r"^(Observation|Thought|Action|Code):[ \t]*\n?", re.MULTILINE)


def parse(code: str, screen: Size = DEFAULT_SCREEN, space: Space = FRACTIONS) -> tuple[Action, ...]:
    """The actions of some code, given bare or in a code fence."""
    actions = canonical.read(readable(code), screen, space)
    if actions is not None:
        return actions
    bare, lines_before = _unfenced(code)
    if lines_before:
        actions = canonical.read(readable(bare.rstrip("\n")), screen, space)
        if actions is not None:
            return actions
    return reader.read(bare, screen, space, lines_before)


def format(
    actions: Sequence[Action], screen: Size = DEFAULT_SCREEN, space: Space = FRACTIONS, native: bool = False
) -> str:
    """The code of some actions: AgentNet's spelling, or with `native` PyAutoGUI's own where the two differ
    (`hotkey('ctrl', 'c')` for `hotkey(keys=['ctrl', 'c'])`, `time.sleep(2)` for `computer.wait(duration=2)`)."""
    return writer.write(actions, screen, space, native)


def read_reply(text: str, screen: Size = DEFAULT_SCREEN, space: Space = FRACTIONS) -> ParsedReply:
    """An OpenCUA turn: `## Observation:`, `## Thought:`, `## Action:`, `## Code:`, whichever of them there are. Where
    there are none, what stands before the code is the thought."""
    parts = _sections(readable(text))
    if "Code" not in parts and parts and not _FENCE.search(text):
        raise Unreadable("the reply has no code", text)
    return ParsedReply(
        parse(parts.get("Code", text), screen, space),
        thought=_words(parts.get("Thought")) if parts else _before_code(text),
        observation_text=_words(parts.get("Observation")),
        action_text=_words(parts.get("Action")),
    )


def write_reply(reply: ParsedReply, screen: Size = DEFAULT_SCREEN, space: Space = FRACTIONS) -> str:
    """A turn as OpenCUA models are trained to write it."""
    code = f"```python\n{format(reply.actions, screen, space)}\n```"
    named = {"Observation": reply.observation_text, "Thought": reply.thought, "Action": reply.action_text, "Code": code}
    return "\n\n".join(f"## {name}:\n{text}" for name, text in named.items() if text is not None)


def _unfenced(code: str) -> tuple[str, int]:
    """The code within a fence, with the number of lines before it."""
    fences = list(_FENCE.finditer(code))
    if len(fences) > 1:
        raise Unreadable(f"there are {len(fences)} blocks of code, and only one can be meant", code)
    if not fences:
        return code, 0
    return fences[0][2], code.count("\n", 0, fences[0].start(2))


def _sections(text: str) -> dict[str, str]:
    """The parts of a reply by heading; of two with the same name the last counts."""
    found = list(_HEADING.finditer(text)) or list(_BARE_HEADING.finditer(text))
    ends = [*(match.start() for match in found), len(text)][1:]
    return {match[1]: text[match.end() : end] for match, end in zip(found, ends, strict=True)}


def _before_code(text: str) -> str | None:
    fence = _FENCE.search(text)
    return text[: fence.start()].strip() or None if fence else None


def _words(text: str | None) -> str | None:
    """A section without the code, which has no heading of its own where the others' are bare."""
    return None if text is None else _FENCE.sub("", text).strip()
