"""Numbers and counts: `4`, `four seats`, `1,250 g`, `none`. With a unit, the numbers beside that word count."""

from __future__ import annotations

import re

from workalike.core.key import Answer
from workalike.verify.normalise.span import Span, only

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_WORD = {word: number for number, word in enumerate(_WORDS)} | {"no": 0, "none": 0}
_VAGUE = {"one", "no"}  # "the better one", "no, it has": numbers only beside a unit, or when nothing else is there
_NUMBER = re.compile(rf"(?<![\w.,])-?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?|\b(?:{'|'.join(_WORD)})\b", re.IGNORECASE)
_NEXT = r"[\s\-–]*(?:[a-z-]+\s+){0,2}"


def find(text: str) -> list[Span]:
    """
    >>> [span.value for span in find("four seats of 1,250")]
    [4.0, 1250.0]
    """
    return [span for span in _find_all(text) if text[span.start : span.end].lower() not in _VAGUE]


def _find_all(text: str) -> list[Span]:
    return [Span(match.start(), match.end(), _value(match[0])) for match in _NUMBER.finditer(text)]


def agrees(expected: Answer, text: str) -> bool:
    wanted, slack = float(expected.value), expected.tolerance
    may = {float(value) for value in expected.also}
    found = _find_all(text)
    beside = [span for span in found if _beside(span, text, expected.unit)]
    return only(
        beside or find(text) or found, lambda value: bool(abs(value - wanted) <= slack), lambda value: value in may
    )


def _beside(span: Span, text: str, unit: tuple[str, ...]) -> bool:
    """Whether a number stands right before one of the unit's words (`4 free seats`), or right after it (`seats: 4`)."""
    if not unit:
        return False
    words = "|".join(re.escape(word) for word in sorted(unit, key=len, reverse=True))
    after = re.compile(rf"{_NEXT}(?:{words})\b", re.IGNORECASE)
    before = re.compile(rf"\b(?:{words})\s*(?:is|are|:|=|–|-)\s*$", re.IGNORECASE)
    return after.match(text, span.end) is not None or before.search(text[: span.start]) is not None


def _value(text: str) -> float:
    low = text.lower()
    return float(_WORD[low]) if low in _WORD else float(low.replace(",", ""))
