"""How days, times and people are put into words."""

from __future__ import annotations

from datetime import date

from workalike.town.bookkit.slots import Party
from workalike.town.render import long_date

SPELT = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def when(day: date, today: date) -> dict[str, str]:
    """A day: absolute in some words, told from today in others."""
    ahead, now = (day - today).days, f"(today is {today:%B} {today.day}, {today.year})"
    soon = f"on {day:%A}, {day:%B} {day.day}"
    if ahead == 1:
        soon = f"tomorrow {now}"
    elif ahead <= 6:
        soon = f"this coming {day:%A} {now}"
    elif ahead in (7, 14, 21):
        soon = f"{('a week', 'two weeks', 'three weeks')[ahead // 7 - 1]} from today {now}"
    short = f"{day:%B} {day.day}"
    return {
        "day": short,
        "weekday": f"{day:%A}, {short}",
        "exact": long_date(day),
        "soon": soon,
    }


def said_time(time: str) -> str:
    """
    >>> said_time("19:30"), said_time("12:00")
    ('7:30 pm', '12 pm')
    """
    hours, minutes = map(int, time.split(":"))
    return f"{(hours - 1) % 12 + 1}{f':{minutes:02d}' if minutes else ''} {'am' if hours < 12 else 'pm'}"


def people(party: Party) -> str:
    """
    >>> people(Party("guests=2")), people(Party("adults=2,children=1"))
    ('two', '2 adults and 1 child')
    """
    if list(party.counts) == ["guests"]:
        return spelt(party.size)
    one = {"adults": "adult", "children": "child", "seniors": "senior"}
    parts = [f"{count} {name if count > 1 else one[name]}" for name, count in party.counts.items()]
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def spelt(count: int) -> str:
    """
    >>> spelt(4), spelt(14)
    ('four', '14')
    """
    return SPELT[count] if count < len(SPELT) else str(count)


def article(name: str) -> str:
    """
    >>> article("Italian"), article("Thai")
    ('an Italian', 'a Thai')
    """
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
