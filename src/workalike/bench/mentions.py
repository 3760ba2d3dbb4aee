"""Dates as texts write them: single days, two days of one month ("December 12-15, 2025"), and what only looks like one.

A mention can be written anew for other days in its own style; what cannot be read as plain days is `doubtful`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

import msgspec

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NAMES = rf"(?:{'|'.join(_MONTHS)}|sept|{'|'.join(month[:3] for month in _MONTHS)})(?![a-z])\.?"
_ORDINAL = r"(?:st|nd|rd|th)"
_TO = r"(?:\s*[-–—]\s*|\s+(?:to|through|thru|until|till)\s+)"
_LINK = rf"(?:{_TO}|\s*&\s*|\s+(?:and|or)\s+)(?:the\s+)?"
_JOIN = rf"(?P<join>{_LINK})"
_THINGS = (
    r"adults?|people|persons?|guests?|nights?|days?|weeks?|months?|years?|hours?|minutes?|rooms?|beds?|seats?|stars?"
    r"|child|children|kids?|infants?|bedrooms?|bathrooms?|baths?|tickets?|passengers?|travell?ers?|pax|others?|more|stops?|bags?|o'clock"
)
_NO_COUNT = rf"(?!\s*(?::\d|[ap]\.?m\b|%)|[/.]\d|,\d{{3}}\b|[-\s]+(?:{_THINGS})\b)"
_YEAR = r"(?:(?P<comma>\s*,\s*|\s+(?:of\s+|in\s+)?|-)(?P<year>20\d\d)(?!\d))?"
_MONTH = rf"\b(?P<month>{_NAMES})"
_FIRST = rf"(?P<first>\d{{1,2}})(?P<suffix>{_ORDINAL})?"
_LAST = rf"(?P<last>\d{{1,2}})(?P<last_suffix>{_ORDINAL})?"
_MONTH_FIRST = re.compile(
    rf"{_MONTH}(?P<gap>\s+(?:the\s+)?|-){_FIRST}\b(?:{_JOIN}{_LAST}\b{_NO_COUNT})?{_YEAR}", re.IGNORECASE
)
_DAY_FIRST = re.compile(
    rf"(?<![\w$€£:/.])(?<!\d-){_FIRST}(?:{_JOIN}{_LAST})?(?P<gap>\.?\s+(?:of\s+)?|-){_MONTH}{_YEAR}", re.IGNORECASE
)
_CUT = r"(?P<cut>[/.-])"
_NUMERIC = re.compile(rf"(?<![\d/])(?<!\d\.)(?P<a>\d{{1,2}}){_CUT}(?P<b>\d{{1,2}})(?P=cut)(?P<year>20\d\d)(?!\d)")
_YEAR_FIRST = re.compile(rf"(?<!\d)(?P<year>20\d\d){_CUT}(?P<a>\d{{1,2}})(?P=cut)(?P<b>\d{{1,2}})(?!\d)")
_RANGE = re.compile(rf"\s*,?{_LINK}(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s*(?:[^\w\s]|$)|\s+(?:in|at|for|on|from|with|of|that|which|and|or|to|using|via|by|near|as|is|are|the|a|if)\b"
)
_LONGEST = timedelta(days=183)

_ANY_YEAR = r"(?:19|20)\d\d(?!\d)"
_NUMBER = rf"\d{{1,2}}{_ORDINAL}?"
_DATE_LIKE = re.compile(
    rf"\b{_NAMES}\W{{0,3}}(?:{_NUMBER}(?:{_LINK}|\W{{1,3}}|\s+(?:of|in)\s+)){{0,4}}{_ANY_YEAR}"  # Feb 29, 2026
    rf"|\b{_NAMES}\s+{_NUMBER}{_TO}{_NUMBER}\b{_NO_COUNT}"  # Dec 28-2
    rf"|(?<!\d){_ANY_YEAR}\W{{1,3}}{_NAMES}"  # 2025 December
    rf"|(?<![\d/])\d{{1,2}}[/.-]\d{{1,2}}[/.-]{_ANY_YEAR}|(?<!\d){_ANY_YEAR}([/.-])\d{{1,2}}\1\d{{1,2}}(?!\d)"
    r"|(?<![\d/.])\d{1,2}/\d{1,2}/\d\d(?![\d/])"  # 12/20/25
    rf"|(?<![\d/])\d{{1,2}}/\d{{1,2}}\s*[-–—]\s*\d{{1,2}}/{_ANY_YEAR}",  # 12/12-15/2025
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?<![\d:$/])(?:\d{{1,2}}/)?{_NUMBER}{_TO}(?:the\s+)?$", re.IGNORECASE)
_AFTER = re.compile(
    rf",?(?:{_TO}(?:the\s+)?{_NUMBER}\b{_NO_COUNT}|{_LINK}\d{{1,2}}{_ORDINAL}\b(?!\s+[a-z]+\s))", re.IGNORECASE
)


class WrittenDay(msgspec.Struct, frozen=True):
    """A day as it stands in a text, with its year if one was written or borrowed from the end of its range."""

    month: int
    day: int
    year: int | None

    @property
    def date(self) -> date | None:
        return _date(self.year, self.month, self.day) if self.year else None


class Mention(msgspec.Struct, frozen=True):
    """A date as a text writes it: one day, or two of which the second borrows the first one's month."""

    start: int
    end: int
    text: str
    days: tuple[WrittenDay, ...]
    day_first: bool = False
    borrowed: bool = False

    @property
    def dates(self) -> tuple[date, ...]:
        """Its days, if the year is known."""
        return tuple(day.date for day in self.days if day.date)

    def written(self, days: Sequence[date], with_year: bool = False) -> str:
        """The mention for other days in the style of this one: order, padding, separators, month names, suffixes."""
        for pattern in (_YEAR_FIRST, _NUMERIC):
            if found := pattern.fullmatch(self.text):
                return _in_numbers(found, days[0], self.day_first, pattern is _YEAR_FIRST)
        for pattern in (_MONTH_FIRST, _DAY_FIRST):
            if found := pattern.fullmatch(self.text):
                words = _in_words(found, days, pattern is _MONTH_FIRST, with_year)
                return f"{words}." if self.text.endswith(".") and not words.endswith(".") else words
        raise AssertionError(f"a mention that no pattern matches: {self.text!r}")


def mentions(text: str, day_first: bool | None = None) -> list[Mention]:
    """Every date a text names, in order; a date within a range borrows the year at the range's end.

    `day_first` says how 03/04/2025 is read; by default as the other numbers of the text tell, else month first.
    """
    order = is_day_first(text) if day_first is None else day_first
    taken: list[Mention] = []
    for found in sorted(_find(text, order), key=lambda mention: (mention.start, -mention.end)):
        if not taken or found.start >= taken[-1].end:
            taken.append(found)
    for index in range(len(taken) - 2, -1, -1):
        here, after = taken[index], taken[index + 1]
        if here.days[0].year is None and after.days[0].year and _RANGE.fullmatch(text[here.end : after.start]):
            taken[index] = _borrow(here, after.days[0])
    return taken


def is_day_first(text: str) -> bool:
    """Whether a text writes 24/11/2025 and nowhere 11/24/2025."""
    pairs = [(int(found["a"]), int(found["b"])) for found in _NUMERIC.finditer(text)]
    return any(a > 12 >= b for a, b in pairs) and not any(b > 12 >= a for a, b in pairs)


def doubtful(text: str, found: Sequence[Mention]) -> list[str]:
    """What looks like a date, or like one end of a range, and is not within the mentions that were found."""
    spans = [like.span() for like in _DATE_LIKE.finditer(text)]
    for mention in found:
        if before := _BEFORE.search(text[max(0, mention.start - 24) : mention.start]):
            spans.append((mention.start - len(before[0]), mention.end))
        if after := _AFTER.match(text, mention.end):
            spans.append((mention.start, after.end()))
    return list(dict.fromkeys(text[start:end] for start, end in sorted(spans) if not _covered(text, start, end, found)))


def has_ended(doubt: str, today: date) -> bool:
    """Whether what only looks like a date lies in the past in any case, by its year and month."""
    years = re.findall(rf"(?<!\d){_ANY_YEAR}", doubt) or [f"20{short}" for short in re.findall(r"/(\d\d)$", doubt)]
    months = [number for name in re.findall(rf"\b{_NAMES}", doubt, re.IGNORECASE) if (number := _month_number(name))]
    if not years:
        return False
    year, month = int(years[-1]), months[-1] if months else 12
    return date(year, month, monthrange(year, month)[1]) < today


def _covered(text: str, start: int, end: int, found: Sequence[Mention]) -> bool:
    """Whether every digit of a span, and thereby what is a date in it, belongs to a mention."""
    digits = [at for at in range(start, end) if text[at].isdigit()]
    return all(any(mention.start <= at < mention.end for mention in found) for at in digits)


def _borrow(here: Mention, after: WrittenDay) -> Mention:
    """The mention with the year of the range's end, or the one before; a range of over half a year is left without."""
    last, end = here.days[-1], after.date
    if end is None or after.year is None:
        return here
    year = after.year if (last.month, last.day) <= (after.month, after.day) else after.year - 1
    dates = [_date(year, day.month, day.day) for day in here.days]
    if any(day is None or (year != after.year and end - day > _LONGEST) for day in dates):
        return here
    days = tuple(msgspec.structs.replace(day, year=year) for day in here.days)
    return msgspec.structs.replace(here, days=days, borrowed=True)


def _find(text: str, day_first: bool) -> Iterator[Mention]:
    for pattern in (_YEAR_FIRST, _NUMERIC):
        for found in pattern.finditer(text):
            month, day, year = int(found["a"]), int(found["b"]), int(found["year"])
            swapped = pattern is _NUMERIC and (month > 12 or (day_first and day <= 12))
            if swapped:
                month, day = day, month
            if _date(year, month, day):
                yield Mention(found.start(), found.end(), found[0], (WrittenDay(month, day, year),), swapped)
    for pattern in (_MONTH_FIRST, _DAY_FIRST):
        for found in pattern.finditer(text):
            whole = pattern is _DAY_FIRST or _is_range(found)
            end = found.end() if whole else found.end("suffix") if found["suffix"] else found.end("first")
            if days := _days_of(found, whole):
                yield Mention(found.start(), end, text[found.start() : end], days)


def _is_range(found: re.Match[str]) -> bool:
    """Whether the second number is a day as well: in `March 4 and 10 restaurants` it is not."""
    if not found["last"] or found["year"] or found["last_suffix"] or re.fullmatch("[-–—]", found["join"]):
        return True
    return _GOES_ON.match(found.string, found.end()) is not None


def _days_of(found: re.Match[str], whole: bool) -> tuple[WrittenDay, ...]:
    """The days of a match in words; none if there is no such month or day, or the second lies before the first."""
    month = _month_number(found["month"])
    if month is None or (found["month"] == "may" and not (found["year"] or found["suffix"])):  # 3 may be too few
        return ()
    year = int(found["year"]) if found["year"] else None
    numbers = [int(number) for number in (found["first"], found["last"])[: 1 + whole] if number]
    if numbers != sorted(numbers) or not all(_date(year or 2024, month, number) for number in numbers):
        return ()
    return tuple(WrittenDay(month, number, year) for number in numbers)


def _in_numbers(found: re.Match[str], day: date, day_first: bool, year_first: bool) -> str:
    if day_first and day.day <= 12:  # 05/12/2026 would be read as the 12th of May
        return f"{day.day} {_MONTHS[day.month - 1].capitalize()} {day.year}"
    pair = (day.day, day.month) if day_first else (day.month, day.day)
    padded = len(found["a"]) == len(found["b"]) == 2
    numbers = [f"{number:02d}" if padded else str(number) for number in pair]
    return found["cut"].join([str(day.year), *numbers] if year_first else [*numbers, str(day.year)])


def _in_words(found: re.Match[str], days: Sequence[date], month_first: bool, with_year: bool) -> str:
    """One day or two; two that no longer lie in one month are both written out, with both years if these differ."""
    first, last = days[0], days[-1]
    numbers = [_number(first, found["suffix"])]
    if len(days) == 2:
        numbers.append(_number(last, found["last_suffix"]))
    join, gap = found["join"] or "", found["gap"]
    comma = found["comma"] or (", " if month_first else " ")
    year = f"{comma}{last.year}" if found["year"] or with_year else ""
    if (first.year, first.month) == (last.year, last.month):
        return _one(found, join.join(numbers), last.month, gap, month_first) + year
    early = f"{comma}{first.year}" if year and first.year != last.year else ""
    wide = f" {join} " if join.strip() == join else re.sub(r"the\s+$", "", join) if month_first else join
    one, two = (
        _one(found, number, day.month, gap, month_first) for number, day in zip(numbers, (first, last), strict=True)
    )
    return f"{one}{early}{wide}{two}{year}"


def _one(found: re.Match[str], number: str, month: int, gap: str, month_first: bool) -> str:
    name = _month_name(found["month"], month)
    return f"{name}{gap}{number}" if month_first else f"{number}{gap}{name}"


def _number(day: date, like: str | None) -> str:
    return f"{day.day}{_suffix(day.day) if like else ''}"


def _date(year: int | None, month: int, day: int) -> date | None:
    try:
        return date(year or 0, month, day)
    except ValueError:
        return None


def _month_number(name: str) -> int | None:
    plain = name.lower().rstrip(".")
    for number, month in enumerate(_MONTHS, 1):
        if plain == month or plain == month[:3] or (plain == "sept" and number == 9):
            return number
    return None


def _month_name(like: str, number: int) -> str:
    full = _MONTHS[number - 1]
    short = full != "may" and like.rstrip(".").lower() not in _MONTHS
    name = full[:3] + ("." if like.endswith(".") else "") if short else full
    return name.upper() if like.isupper() else name.capitalize() if like[0].isupper() else name


def _suffix(day: int) -> str:
    if 11 <= day <= 13:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
