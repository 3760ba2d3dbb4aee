"""The families from the other side: which one is asking, and actions put into its words. For whoever plays the model:
the oracle behind `workalike serve-oracle`, and tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workalike.core.contracts import Percept
from workalike.core.observation import Element, Observation
from workalike.core.screen import Size
from workalike.dialects.reply import ParsedReply
from workalike.families import FAMILIES, family
from workalike.families.turns import Turn
from workalike.models.asked import Asked
from workalike.models.messages import Reply
from workalike.models.wire.anthropic import TOOLSET


def speech_of(asked: Asked) -> str | None:
    """Which family asks: told by the model's name where that is a family's, by the API, or by what the prompt
    teaches; None when it is none of ours."""
    if asked.model in FAMILIES:
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
    said: ParsedReply,
    speech: str,
    screen: Size,
    elements: Sequence[Element] = (),
    asked: Asked | None = None,
) -> Reply:
    """Actions, with their thought, as a model of a family would say them. `elements` are the marked ones (for `som`);
    `asked` tells which version of a computer tool is spoken to. Raises `Inexpressible`."""
    made = family(speech, _settings(speech, asked))
    return made.write(said, Turn(0, Percept(Observation(size=screen, elements=tuple(elements)))))


def _settings(speech: str, asked: Asked | None) -> dict[str, Any]:
    """Places are those of the pictures that were really sent; Anthropic's tools of 2025 say how big those are."""
    tool = asked.computer if asked else None
    sized = tool is not None and speech.startswith("anthropic") and tool.version != TOOLSET
    return {"most": (tool.size.width, tool.size.height)} if tool and sized else {}


def _computer_use(taught: str) -> str:
    if "visit_url" in taught:
        return "fara-1.5" if "ask_user_question" in taught else "fara"
    return "qwen" if "1000x1000" in taught else "qwen-2.5"
