"""Dates that stand in a task: which have passed, and how to roll them forward without changing what is asked.

A roll keeps weekdays and lengths of stay: every date of a task moves by the same whole number of weeks, in its
instruction and its rubric together, each in the style it was written in. What is not unambiguous is left and listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

import msgspec

from understudy.core.key import Criterion, Key, Rubric
from understudy.core.task import Task

LEAD = timedelta(days=14)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = r"(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?)"
_NUMERIC = r"\b(?P<a>\d{1,2})(?P<cut>[/.-])(?P<b>\d{1,2})(?P=cut)(?P<year>20\d\d)\b"
_ISO = r"\b(?P<year>20\d\d)-(?P<a>\d\d)-(?P<b>\d\d)\b"
_DAY = r"(?P<day>\d{1,2})(?P<suffix>st|nd|rd|th)?"
_YEAR = r"(?:(?P<comma>,?\s+)(?P<year>20\d\d)\b)?"
_WORDS = rf"\b{_MONTH}(?P<gap>\s+){_DAY}\b{_YEAR}"
_DAY_FIRST = rf"\b{_DAY}(?P<gap>\s+(?:of\s+)?){_MONTH}{_YEAR}"
_HOLIDAYS = re.compile(
    r"christmas|xmas|thanksgiving|new year|easter|halloween|valentine|black friday|cyber monday|labor day|memorial day"
    r"|independence day|4th of july|mother'?s day|father'?s day|hanukkah|ramadan|diwali|super bowl|oktoberfest",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*(?:-|–|—|to|through|thru|until|and)\s*", re.IGNORECASE)


class Mention(msgspec.Struct, frozen=True):
    """A date as a text writes it. `day` has the year it was written with or borrowed from the end of its range."""

    start: int
    end: int
    text: str
    month: int
    day: int
    year: int | None

    @property
    def date(self) -> date | None:
        return _date(self.year, self.month, self.day) if self.year else None


class Rolled(msgspec.Struct, frozen=True):
    """A task and key with their dates moved by `days`; `left` says what was not touched and why."""

    task: Task
    key: Key
    days: int = 0
    left: tuple[str, ...] = ()


def mentions(text: str) -> list[Mention]:
    """Every date a text names, in order; a date within a range borrows the year at the range's end."""
    taken: list[Mention] = []
    for found in sorted(_find(text), key=lambda mention: (mention.start, -mention.end)):
        if not taken or found.start >= taken[-1].end:
            taken.append(found)
    for index in range(len(taken) - 2, -1, -1):
        here, after = taken[index], taken[index + 1]
        if here.year is None and after.year and _RANGE.fullmatch(text[here.end : after.start]):
            earlier = (here.month, here.day) <= (after.month, after.day)
            taken[index] = msgspec.structs.replace(here, year=after.year if earlier else after.year - 1)
    return taken


def passed(text: str, today: date) -> list[Mention]:
    """The dates of a text that lie before today. A date without a year never does: it comes round again."""
    return [mention for mention in mentions(text) if mention.date and mention.date < today]


def roll(task: Task, key: Key, today: date) -> Rolled:
    """Move a task's dates so that the first lies two to three weeks ahead, if any has passed and all are plain."""
    gone = passed(task.instruction, today)
    if not gone:
        return Rolled(task, key)
    holiday = _HOLIDAYS.search(task.instruction)
    if holiday:
        return Rolled(task, key, left=(f"{task.id}: {gone[0].text} has passed, but {holiday[0]!r} fixes the date",))
    named = mentions(task.instruction)
    bare = [mention.text for mention in named if mention.year is None]
    if bare:
        return Rolled(task, key, left=(f"{task.id}: {gone[0].text} has passed, but {bare[0]!r} has no year",))
    days = {mention.date for mention in named if mention.date}
    weeks = -(-(today + LEAD - min(days)).days // 7)
    return _rolled(task, key, days, timedelta(weeks=weeks))


def _rolled(task: Task, key: Key, days: set[date], by: timedelta) -> Rolled:
    known = {(day.month, day.day): day for day in days}
    first, last = min(days), max(days)
    left: list[str] = []

    def moved(mention: Mention) -> date | None:
        day = mention.date or known.get((mention.month, mention.day))
        if day is None or not first <= day <= last:
            left.append(f"{task.id}: {mention.text!r} in the rubric is not a date of the task")
            return None
        return day + by

    instruction = _rewrite(task.instruction, moved)
    items = tuple(_move_criterion(item, moved) for item in key.rubric.items) if key.rubric else ()
    extra = {**task.extra, "dates": {"moved_by_days": by.days, "instruction": task.instruction}}
    return Rolled(
        msgspec.structs.replace(task, instruction=instruction, extra=extra),
        msgspec.structs.replace(key, rubric=Rubric(items) if key.rubric else None),
        by.days,
        tuple(left),
    )


def _move_criterion(item: Criterion, moved: Callable[[Mention], date | None]) -> Criterion:
    return Criterion(
        _rewrite(item.criterion, moved),
        _rewrite(item.description, moved),
        item.max_points,
        _rewrite(item.condition, moved) if item.condition else None,
    )


def _rewrite(text: str, moved: Callable[[Mention], date | None]) -> str:
    """The text with every date put where `moved` says, from the back so that places stay valid."""
    for mention in reversed(mentions(text)):
        day = moved(mention)
        if day is not None:
            text = text[: mention.start] + _in_style(mention, day) + text[mention.end :]
    return text


def _in_style(mention: Mention, day: date) -> str:
    """A date in the style another was written in: order, padding, separators, month names, suffixes."""
    found = re.fullmatch(_NUMERIC, mention.text)
    if found:
        numbers = (day.day, day.month) if _is_day_first(found) else (day.month, day.day)
        padded = len(found["a"]) == len(found["b"]) == 2
        one, two = (f"{number:02d}" if padded else str(number) for number in numbers)
        return f"{one}{found['cut']}{two}{found['cut']}{day.year}"
    if re.fullmatch(_ISO, mention.text):
        return day.isoformat()
    for pattern in (_WORDS, _DAY_FIRST):
        found = re.fullmatch(pattern, mention.text, re.IGNORECASE)
        if found:
            number = f"{day.day}{_suffix(day.day) if found['suffix'] else ''}"
            pair = (_month_name(found["month"], day.month), number)
            year = f"{found['comma']}{day.year}" if found["year"] else ""
            return found["gap"].join(pair if pattern is _WORDS else reversed(pair)) + year
    raise AssertionError(f"a mention that no pattern matches: {mention.text!r}")


def _find(text: str) -> Iterator[Mention]:
    for pattern in (_ISO, _NUMERIC):
        for found in re.finditer(pattern, text):
            month, day = int(found["a"]), int(found["b"])
            if pattern is _NUMERIC and _is_day_first(found):
                month, day = day, month
            if _date(int(found["year"]), month, day):
                yield Mention(found.start(), found.end(), found[0], month, day, int(found["year"]))
    for pattern in (_WORDS, _DAY_FIRST):
        for found in re.finditer(pattern, text, re.IGNORECASE):
            named = _month_number(found["month"])
            if named and _date(int(found["year"] or 2024), named, int(found["day"])):
                year = int(found["year"]) if found["year"] else None
                yield Mention(found.start(), found.end(), found[0], named, int(found["day"]), year)


def _is_day_first(found: re.Match[str]) -> bool:
    return int(found["a"]) > 12 >= int(found["b"])


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
