"""Sums of money in the pages' own currency, in cents: `$24.99`, `24.99 dollars`, `USD 1,299`."""

from __future__ import annotations

import re

_SUM = re.compile(
    r"(?:(?:US\s?\$|\$|USD)\s?)?(?P<whole>\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.(?P<part>\d{1,2}))?"
    r"(?:\s?(?:USD|US dollars|dollars|dollar|\$))?",
    re.IGNORECASE,
)


def read(text: str) -> int | None:
    """
    >>> read("$1,299.5"), read("24.99 USD"), read("€21.00"), read("$21 or $22")
    (129950, 2499, None, None)
    """
    match = _SUM.fullmatch(text)
    return int(match["whole"].replace(",", "")) * 100 + int((match["part"] or "").ljust(2, "0")) if match else None
