"""Typed comparison of a free answer with the expected value, one value type a file."""

from __future__ import annotations

from collections.abc import Callable

from understudy.core.key import Answer, AnswerKind
from understudy.verify.normalise import money

_AGREES: dict[AnswerKind, Callable[[Answer, str], bool]] = {
    "money": money.agrees,
}


def agrees(expected: Answer, text: str) -> bool:
    """Whether a text gives the expected answer, whatever words it puts it in."""
    return bool(text.strip()) and _AGREES[expected.kind](expected, text)
