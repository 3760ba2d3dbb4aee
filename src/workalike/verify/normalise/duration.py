"""Lengths of time, in minutes: `5h 20m`, `5 hours and 20 minutes`, `320 min`."""

from __future__ import annotations

import re

from workalike.core.key import Answer
from workalike.verify.normalise.span import Span, only

_DURATION = re.compile(
    r"(?<![\w.])(?P<h>\d+(?:\.\d+)?)\s?-?(?:hours?|hrs?|h)(?![a-z])\.?"
    r"(?:(?:\s|,|and)*(?P<m>\d{1,2})\s?-?(?:minutes?|mins?|m)?(?![\w:]))?"
    r"|(?<![\w.])(?P<clock>\d{1,2}:[0-5]\d)\s?(?:hours?|hrs?|h)\b"
    r"|(?<![\w.])(?P<only>\d+)\s?-?(?:minutes?|mins?)\b",
    re.IGNORECASE,
)


def find(text: str) -> list[Span]:
    """
    >>> [span.value for span in find("5h 20m outbound, 310 minutes back")]
    [320, 310]
    """
    return [Span(match.start(), match.end(), _minutes(match)) for match in _DURATION.finditer(text)]


def agrees(expected: Answer, text: str) -> bool:
    wanted, slack, may = int(expected.value), expected.tolerance, {int(value) for value in expected.also}
    return only(find(text), lambda minutes: bool(abs(minutes - wanted) <= slack), lambda minutes: minutes in may)


def _minutes(match: re.Match[str]) -> int:
    if match["only"]:
        return int(match["only"])
    if match["clock"]:
        hours, minutes = match["clock"].split(":")
        return int(hours) * 60 + int(minutes)
    return round(float(match["h"]) * 60) + int(match["m"] or 0)
