"""Dates: `May 12, 2026`, `12 May`, `5/12/2026`, `2026-05-12`, `May 12–15`. A date without a year fits any year."""

from __future__ import annotations

import re

from workalike.core.key import Answer
from workalike.verify.normalise.span import Span, only

_NAMES = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"[0-3]?\d(?:st|nd|rd|th)?"
_DATE = re.compile(
    r"(?<![\d-])(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"
    rf"|\b(?P<m1>{_MONTH})\.?\s+(?P<d1>{_DAY})\b(?:\s*(?:–|-|—|to|through)\s*(?P<d1b>{_DAY})\b(?!\s*:))?(?:,?\s+(?P<y1>\d{{4}}))?"
    rf"|\b(?P<d2>{_DAY})\s+(?:of\s+)?(?P<m2>{_MONTH})\b\.?(?:,?\s+(?P<y2>\d{{4}}))?"
    r"|(?<![\d/])(?P<n>\d{1,2}/\d{1,2}(?:/\d{4}|/\d{2})?)(?![\d/])",
    re.IGNORECASE,
)
Day = tuple[int | None, int, int]


def find(text: str) -> list[Span]:
    """
    >>> [span.value for span in find("Tuesday, May 12, 2026 to 5/15")]
    [(2026, 5, 12), (None, 5, 15)]
    """
    return [Span(match.start(), match.end(), day) for match in _DATE.finditer(text) for day in _days(match)]


def agrees(expected: Answer, text: str) -> bool:
    wanted, may = read(expected.value), [read(value) for value in expected.also]
    return only(find(text), lambda day: _same(day, wanted), lambda day: any(_same(day, each) for each in may))


def read(iso: str) -> Day:
    """
    >>> read("2026-05-12")
    (2026, 5, 12)
    """
    year, month, day = iso.split("-")
    return int(year), int(month), int(day)


def _days(match: re.Match[str]) -> list[Day]:
    if match["iso"]:
        return [read(match["iso"])]
    if match["n"]:
        parts = [int(part) for part in match["n"].split("/")]
        year = None if len(parts) < 3 else parts[2] + (2000 if parts[2] < 100 else 0)
        return [(year, parts[0], parts[1])]
    which = "1" if match["m1"] else "2"
    year = int(match[f"y{which}"]) if match[f"y{which}"] else None
    days = [match[f"d{which}"], match["d1b"]] if which == "1" else [match["d2"]]
    return [(year, _MONTHS[match[f"m{which}"].lower()], int(re.sub(r"\D", "", day))) for day in days if day]


def _same(day: Day, wanted: Day) -> bool:
    return day[1:] == wanted[1:] and day[0] in (None, wanted[0])
