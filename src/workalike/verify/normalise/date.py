"""Dates: `2026-05-12`, `May 12, 2026`, `Tuesday, 12 May`, `5/12/2026`. One without a year fits any year in which its
weekday is the one that it names."""

from __future__ import annotations

import re
from datetime import date

_NAMES = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"(?:(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_BEHIND = re.compile(r"(?P<day>.+?)\s+\((?P<weekday>[a-z]+)\.?\)", re.IGNORECASE)
_DATE = re.compile(
    rf"{_WEEKDAY}(?:(?P<y>\d{{4}})(?P<sign>[-/])(?P<m>\d{{2}})(?P=sign)(?P<d>\d{{2}})"
    rf"|(?P<m1>{_MONTH})\.?\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y1>\d{{4}}))?"
    rf"|(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+(?:of\s+)?|-)(?P<m2>{_MONTH})\.?(?:(?:,?\s+|-)(?P<y2>\d{{4}}))?)"
    r"|(?P<m3>\d{1,2})/(?P<d3>\d{1,2})(?:/(?P<y3>\d{4}|\d{2}))?",
    re.IGNORECASE,
)
Day = tuple[int | None, int, int, str]


def read(text: str) -> Day | None:
    """Year or None, month and day; without a year also the weekday that it names, by its first letters.

    >>> read("Tuesday, May 12, 2026"), read("5/12"), read("May 12 or 13")
    ((2026, 5, 12, ''), (None, 5, 12, ''), None)
    """
    behind = _BEHIND.fullmatch(text)
    match = _DATE.fullmatch(f"{behind['weekday']}, {behind['day']}" if behind else text)
    if match is None:
        return None
    which = next(name for name in ("", "1", "2", "3") if match[f"d{name}"])
    given, named = match[f"y{which}"], match[f"m{which}"]
    month = _MONTHS.get(named.lower()) or int(named)
    year = None if given is None else int(given) + (2000 if len(given) == 2 else 0)
    try:
        day = date(year or 2024, month, int(match[f"d{which}"]))
    except ValueError:
        return None
    weekday = (match["weekday"] or "")[:3].lower()
    if year and weekday and _WEEKDAYS[day.weekday()] != weekday:
        return None
    return year, month, day.day, "" if year else weekday


def same(day: Day, wanted: str) -> bool:
    """Whether it is that day, in ISO's writing."""
    year, month, number, weekday = day
    right = date.fromisoformat(wanted)
    named = not weekday or weekday == _WEEKDAYS[right.weekday()]
    return named and (month, number) == (right.month, right.day) and year in (None, right.year)
