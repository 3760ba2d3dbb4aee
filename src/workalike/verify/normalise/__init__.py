"""What a field of the answer's line holds, read whole and by its kind; one kind a file. Nothing is looked for in
prose: a text that is more, less or other than one value of its kind is no value."""

from __future__ import annotations

import re
from typing import Any

from workalike.core.key import ExpectedAnswer
from workalike.core.task import AnswerField
from workalike.verify.normalise import date, duration, money, number, time, words

_YES_NO = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
_PLACED = re.compile(r"\s*(?:(?:\(?(?P<place>\d{1,2})[.)]|#(?P<hash>\d{1,2}))\s+)?(?P<name>.*)", re.DOTALL)
_GOES_ON = re.compile(r"(\.\.|…)\W*$")


def read_value(field: AnswerField, text: str) -> Any | None:
    """The value that a text is, or None.

    >>> read_value(AnswerField("total", "money"), "$1,299.00")
    129900
    """
    match field.kind:
        case "money":
            return money.read(text, field.name)
        case "date":
            return date.read(text)
        case "time":
            return time.read(text)
        case "duration":
            return duration.read(text)
        case "number":
            return number.read(text, field.name)
        case "name":
            return None if "|" in text or _GOES_ON.search(text) else words.read(text)
        case "names":
            return _listed([_PLACED.fullmatch(part) for part in text.strip(" |").split("|")])
        case "yes_no":
            return _YES_NO.get(text.strip().lower())


def _listed(items: list[re.Match[str] | None]) -> tuple[tuple[str, ...], ...] | None:
    """The names of a list; where they are numbered, in the order in which they stand."""
    places = [item["place"] or item["hash"] for item in items if item and (item["place"] or item["hash"])]
    if places and places != [str(place) for place in range(1, len(items) + 1)]:
        return None
    named = [item["name"] for item in items if item and not _GOES_ON.search(item["name"])]
    read = [found for name in named if (found := words.read(name)) is not None]
    return tuple(read) if len(read) == len(items) else None


def agrees(expected: ExpectedAnswer, value: Any) -> bool:
    """Whether a value that was read is the expected one, or another right one.

    >>> agrees(ExpectedAnswer("total", "money", 129900), 129900)
    True
    """
    return any(_same(expected, wanted, value) for wanted in (expected.value, *expected.also))


def _same(expected: ExpectedAnswer, wanted: Any, value: Any) -> bool:
    match expected.kind:
        case "money" | "duration" | "number":
            return bool(abs(value - wanted) <= expected.tolerance)
        case "date":
            return date.same(value, wanted)
        case "time":
            return bool(value == time.read(wanted))
        case "name":
            return value in words.spellings(wanted)
        case "names":
            return _same_names(wanted, value, expected.ordered)
        case "yes_no":
            return bool(value == wanted)


def _same_names(wanted: list[str], said: tuple[tuple[str, ...], ...], ordered: bool) -> bool:
    if len(wanted) != len(said):
        return False
    if ordered:
        return all(each in words.spellings(name) for name, each in zip(wanted, said, strict=True))
    return len(set(said)) == len(said) and all(any(each in words.spellings(name) for each in said) for name in wanted)
