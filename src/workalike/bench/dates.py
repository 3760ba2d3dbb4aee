"""Dates that stand in a task: which have passed, and how to roll them forward without changing what is asked.

A roll keeps weekdays and lengths of stay: every date of a task moves by the same whole number of weeks, in its
instruction and its rubric together, each in the style it was written in. Where one of them is not unambiguous, the
whole task is left as it is and listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

import msgspec

from workalike.bench.mentions import Mention, WrittenDay, doubtful, has_ended, is_day_first, mentions
from workalike.core.key import Criterion, Key, Rubric
from workalike.core.task import Task

LEAD = timedelta(days=14)
_HOLIDAYS = re.compile(
    r"christmas|xmas|thanksgiving|new year|easter|halloween|valentine|black friday|cyber monday|labor day|memorial day"
    r"|independence day|4th of july|mother'?s day|father'?s day|hanukkah|ramadan|diwali|super bowl|oktoberfest",
    re.IGNORECASE,
)
_LOOKING_BACK = re.compile(
    r"\b(?:published|submitted|created|announced|released|posted|played|introduced|founded|historical(?:ly)?"
    r"|(?:stock|share|closing) price|how many days)\b",
    re.IGNORECASE,
)


class Rolled(msgspec.Struct, frozen=True):
    """A task and key with their dates moved by `days`; `left` says what was not touched and why."""

    task: Task
    key: Key
    days: int = 0
    left: tuple[str, ...] = ()


class _Read(msgspec.Struct, frozen=True):
    """What was found in a task's instruction, and in all texts of its rubric."""

    day_first: bool
    named: tuple[Mention, ...]
    judged: tuple[Mention, ...]
    doubts: tuple[str, ...]

    def gone(self, today: date) -> list[str]:
        """Everything that has passed, in its own words."""
        plain = [mention.text for mention in (*self.named, *self.judged) if _has_passed(mention, today)]
        return list(dict.fromkeys([*plain, *(doubt for doubt in self.doubts if has_ended(doubt, today))]))

    @property
    def days(self) -> list[date]:
        return [day for mention in self.named for day in mention.dates]


def passed(text: str, today: date) -> list[Mention]:
    """The dates of a text that lie before today. A date without a year never does: it comes round again."""
    return [mention for mention in mentions(text) if _has_passed(mention, today)]


def roll(task: Task, key: Key, today: date) -> Rolled:
    """Move a task's dates so that the first lies two to three weeks ahead, if any has passed and all are plain."""
    read = _read(task, key)
    gone = read.gone(today)
    if not gone:
        return Rolled(task, key)
    why = _obstacle(task, read, today)
    if why:
        have = "has" if len(gone) == 1 else "have"
        return Rolled(task, key, left=(f"{task.id}: {', '.join(gone)} {have} passed, but {why}",))
    weeks = -(-(today + LEAD - min(read.days)).days // 7)
    return _rolled(task, key, read, timedelta(weeks=weeks))


def _read(task: Task, key: Key) -> _Read:
    rubric = list(_texts(key))
    order = is_day_first("\n".join([task.instruction, *rubric]))
    found = [mentions(text, order) for text in (task.instruction, *rubric)]
    doubts = [doubtful(text, each) for text, each in zip((task.instruction, *rubric), found, strict=True)]
    return _Read(
        order,
        tuple(found[0]),
        tuple(mention for each in found[1:] for mention in each),
        tuple(dict.fromkeys(doubt for each in doubts for doubt in each)),
    )


def _obstacle(task: Task, read: _Read, today: date) -> str | None:
    """Why a task's dates cannot be rolled without guessing, if so."""
    if read.doubts:
        return "names no plain day" if read.gone(today) == [*read.doubts] else f"{read.doubts[0]!r} is no plain day"
    if not any(_has_passed(mention, today) for mention in read.named):
        return "only the rubric names it"
    for words, says in ((_HOLIDAYS, "fixes the date"), (_LOOKING_BACK, "tells of the past")):
        if found := words.search(task.instruction):
            return f"{found[0]!r} {says}"
    bare = next((mention.text for mention in read.named if not mention.dates), None)
    if bare:
        return f"{bare!r} has no year"
    foreign = next((mention.text for mention in read.judged if not _resolve(mention, read.days)), None)
    return f"{foreign!r} in the rubric is not a date of the task" if foreign else None


def _rolled(task: Task, key: Key, read: _Read, by: timedelta) -> Rolled:
    def move(text: str) -> str:
        return _rewrite(text, read, by)

    items = [
        Criterion(
            move(item.criterion), move(item.description), item.max_points, item.condition and move(item.condition)
        )
        for item in (key.rubric.items if key.rubric else ())
    ]
    extra = {**task.extra, "dates": {"moved_by_days": by.days, "instruction": task.instruction}}
    return Rolled(
        msgspec.structs.replace(task, instruction=move(task.instruction), extra=extra),
        msgspec.structs.replace(key, rubric=Rubric(tuple(items)) if key.rubric else None),
        by.days,
    )


def _rewrite(text: str, read: _Read, by: timedelta) -> str:
    """The text with every date moved, from the back so that places stay valid."""
    year_after = None
    for mention in reversed(mentions(text, read.day_first)):
        days = [day + by for day in _resolve(mention, read.days)]
        alone = mention.borrowed and any(day.year != year_after for day in days)
        text = text[: mention.start] + mention.written(days, with_year=alone) + text[mention.end :]
        year_after = days[0].year
    return text


def _resolve(mention: Mention, days: list[date]) -> list[date]:
    """The days that are meant by a mention, all of them from the task's first to its last; none if that is unclear."""
    found = [_within(day, min(days), max(days)) for day in mention.days]
    known = [day for day in found if day]
    return known if len(known) == len(found) else []


def _within(day: WrittenDay, first: date, last: date) -> date | None:
    """The day as a date from the first to the last; a day without a year must lie there once."""
    years = [day.year] if day.year else range(first.year, last.year + 1)
    dates = [written.date for year in years if (written := WrittenDay(day.month, day.day, year)).date]
    inside = [each for each in dates if each and first <= each <= last]
    return inside[0] if len(inside) == 1 else None


def _has_passed(mention: Mention, today: date) -> bool:
    return any(day < today for day in mention.dates)


def _texts(key: Key) -> Iterable[str]:
    for item in key.rubric.items if key.rubric else ():
        yield from (item.criterion, item.description, *([item.condition] if item.condition else []))
