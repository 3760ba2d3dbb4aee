"""Times of day, in minutes: `14:35`, `2:35 PM`, `2 p.m.`, `noon`."""

from __future__ import annotations

import re

from workalike.core.key import Answer
from workalike.verify.normalise.span import Span, only

_TIME = re.compile(
    r"(?<![\d:.])(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\d:.$])(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)(?![\d:]|\s?h(?:ours|rs|r)?\b)"
    r"|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)


def find(text: str) -> list[Span]:
    """
    >>> [span.value for span in find("leaves at 2:35 PM, arrives 17:05")]
    [875, 1025]
    """
    return [Span(match.start(), match.end(), _minutes(match)) for match in _TIME.finditer(text)]


def agrees(expected: Answer, text: str) -> bool:
    wanted, may = read(expected.value), {read(value) for value in expected.also}
    return only(find(text), lambda minutes: bool(minutes == wanted), lambda minutes: minutes in may)


def read(clock: str) -> int:
    """
    >>> read("14:35")
    875
    """
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def _minutes(match: re.Match[str]) -> int:
    if match["word"]:
        return 0 if match["word"].lower() == "midnight" else 720
    if match["h24"]:
        return int(match["h24"]) * 60 + int(match["m24"])
    hours = int(match["h"]) % 12 + (12 if match["half"].lower() == "p" else 0)
    return hours * 60 + int(match["m"] or 0)
