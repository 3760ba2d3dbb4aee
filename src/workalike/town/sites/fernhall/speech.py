"""How a look says dates, times and sums in its language; pages and the oracle go by the same words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from workalike.town.render import money

Words = Mapping[str, str]


def say_day(words: Words, day: date | str) -> str:
    """A date as it is written out."""
    when = date.fromisoformat(day) if isinstance(day, str) else day
    weekday = words["weekdays"].split("|")[when.weekday()]
    month = words["months"].split("|")[when.month - 1]
    return words["date"].format(weekday=weekday, month=month, day=when.day, year=when.year)


def say_time(words: Words, time: str) -> str:
    """A time by the clock that is usual there.

    >>> say_time({"clock": "12"}, "14:05"), say_time({"clock": "24"}, "14:05")
    ('2:05 PM', '14:05')
    """
    if words["clock"] == "24":
        return time
    hours, minutes = int(time[:2]), time[3:]
    return f"{(hours - 1) % 12 + 1}:{minutes} {'AM' if hours < 12 else 'PM'}"


def say_money(words: Words, cents: int) -> str:
    """
    >>> say_money({"comma": ","}, 13050), say_money({"comma": "."}, 13050)
    ('130,50 $', '$130.50')
    """
    return money(cents) if words["comma"] == "." else f"{cents // 100},{cents % 100:02d} $"


def say_slot(words: Words, day: date | str, time: str) -> str:
    """A time of a day, as the choice of it is called."""
    return f"{say_day(words, day)}, {say_time(words, time)}"
