"""Sums of money, in cents: `$24.99`, `24.99 dollars`, `USD 1,299`."""

from __future__ import annotations

import re

from workalike.core.key import Answer
from workalike.verify.normalise.span import Span, only

_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?"
_MARKED = re.compile(
    rf"(?:US\$|\$|USD)\s?(?P<a>{_AMOUNT})(?!\d)"
    rf"|(?<![\w.,])(?P<b>{_AMOUNT})\s?(?:USD|US dollars|dollars|bucks)\b"
    r"|(?<![\w.,])(?P<c>\d+)\s?(?:cents\b|¢)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.,$])(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{2}(?![\w%]|[.,]\d)")
_WHOLE = re.compile(r"(?<![\w.,$])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\w%]|[.,]\d)")


def find(text: str) -> list[Span]:
    """Every sum in a text. Where none is marked as money, numbers with two decimals count, then whole numbers.

    >>> [span.value for span in find("It costs $1,299.00 (was $1,499).")]
    [129900, 149900]
    """
    marked = [Span(match.start(), match.end(), _cents(match)) for match in _MARKED.finditer(text)]
    if marked:
        return marked
    bare = list(_BARE.finditer(text)) or list(_WHOLE.finditer(text))
    return [Span(match.start(), match.end(), _read(match[0])) for match in bare]


def agrees(expected: Answer, text: str) -> bool:
    wanted, slack = cents(expected.value), cents(expected.tolerance)
    may = {cents(value) for value in expected.also}
    return only(find(text), lambda value: bool(abs(value - wanted) <= slack), lambda value: value in may)


def cents(dollars: float | str) -> int:
    return round(float(dollars) * 100)


def _cents(match: re.Match[str]) -> int:
    return int(match["c"]) if match["c"] else _read(match["a"] or match["b"])


def _read(number: str) -> int:
    return cents(number.replace(",", ""))
