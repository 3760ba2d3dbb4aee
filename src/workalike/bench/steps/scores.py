"""What one step earned, and the names by which actions are grouped in reports."""

from __future__ import annotations

from typing import Literal

import msgspec

ScorerName = Literal["2025-08", "2026", "strict"]
COORDINATE = (
    "click",
    "doubleclick",
    "rightclick",
    "middleclick",
    "tripleclick",
    "moveto",
    "dragto",
    "scroll",
    "hscroll",
)
CONTENT = ("write", "press", "hotkey")
RIGHT = 1.0 - 1e-9


class StepScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step's score and what each kind of true action contributed; `why` says what kept a prediction from being
    read."""

    total: float
    kinds: dict[str, float] = {}
    why: str = ""


NOTHING = StepScore(0.0)


def group(kind: str) -> str:
    """Which of the three reported groups a kind of action belongs to."""
    if kind in COORDINATE:
        return "coordinate"
    return "content" if kind in CONTENT else "function"
