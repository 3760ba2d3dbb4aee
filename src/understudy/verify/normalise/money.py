"""Sums of money: `$24.99`, `24.99 dollars`, `USD 1,299`. Each sum named must be the expected one or an allowed one."""

from __future__ import annotations

import re

from understudy.core.key import Answer

_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?"
_SUM = re.compile(
    rf"(?:US\$|\$|USD\s?)\s?(?P<a>{_AMOUNT})"
    rf"|(?P<b>{_AMOUNT})\s?(?:USD|US dollars|dollars|bucks)\b"
    r"|(?P<c>\d+)\s?(?:cents|¢)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?<![\w.,])({_AMOUNT})(?![\w]|[.,]\d)")


def sums(text: str) -> list[int]:
    """Every sum in a text, in cents; a bare number counts when nothing is marked as money.

    >>> sums("It costs $1,299.00 (was $1,499).")
    [129900, 149900]
    """
    marked = [_cents(match) for match in _SUM.finditer(text)]
    return marked or [round(float(number.replace(",", "")) * 100) for number in _BARE.findall(text)]


def agrees(expected: Answer, text: str) -> bool:
    wanted = round(float(expected.value) * 100)
    slack = round(expected.tolerance * 100)
    may = {round(float(value) * 100) for value in expected.also}
    found = sums(text)
    hits = [cents for cents in found if abs(cents - wanted) <= slack]
    return bool(hits) and all(cents in may for cents in found if cents not in hits)


def _cents(match: re.Match[str]) -> int:
    if match["c"]:
        return int(match["c"])
    return round(float((match["a"] or match["b"]).replace(",", "")) * 100)
