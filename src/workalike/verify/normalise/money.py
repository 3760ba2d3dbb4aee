"""Sums of money in the pages' own currency, in cents: `$24.99`, `24.99 dollars`, `USD 1,299`. What it is for may stand
behind it as the field's name says it: `$63.00 per person and night`."""

from __future__ import annotations

import re

from workalike.verify.normalise.words import tokens

_SUM = re.compile(
    r"(?:(?:USD?\s?\$|\$|USD)\s?)?(?P<whole>\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.(?P<part>\d{1,2}))?"
    r"(?:\s?(?:USD|U\.?S\.? dollars|dollars|dollar|\$))?(?:\s?(?:per|/|a)\s?(?P<per>[a-z ]+))?",
    re.IGNORECASE,
)


def read(text: str, field: str = "") -> int | None:
    """
    >>> read("$1,299.5"), read("24.99 USD"), read("€21.00"), read("$21 or $22"), read("$21 per night", "total")
    (129950, 2499, None, None, None)
    """
    match = _SUM.fullmatch(text)
    if match is None or not set(tokens(match["per"] or "")) <= set(tokens(field)):
        return None
    return int(match["whole"].replace(",", "")) * 100 + int((match["part"] or "").ljust(2, "0"))
