"""Typed comparison of a free answer with the expected value, one value type a file.

All of them take whatever words a sensible person would use and stay strict about the value: every sum, date or time
that is named must be the expected one or one the key allows; a neighbour's value is never accepted along the way.
"""

from __future__ import annotations

from collections.abc import Callable

from workalike.core.key import Answer, AnswerKind
from workalike.verify.normalise import (
    choice,
    date,
    duration,
    money,
    name,
    names,
    number,
    pairs,
    statement,
    time,
    yes_no,
)

_AGREES: dict[AnswerKind, Callable[[Answer, str], bool]] = {
    "money": money.agrees,
    "date": date.agrees,
    "time": time.agrees,
    "duration": duration.agrees,
    "number": number.agrees,
    "name": name.agrees,
    "choice": choice.agrees,
    "set": names.agrees_as_set,
    "order": names.agrees_in_order,
    "pairs": pairs.agrees,
    "yes_no": yes_no.agrees,
    "statement": statement.agrees,
    "text": name.agrees,
}


def agrees(expected: Answer, text: str) -> bool:
    """Whether a text gives the expected answer, whatever words it puts it in.

    >>> agrees(Answer("money", 24.99), "It costs $24.99.")
    True
    """
    return bool(text.strip()) and _AGREES[expected.kind](expected, text)
