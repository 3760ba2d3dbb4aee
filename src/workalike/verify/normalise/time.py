"""Times of day, in minutes: `14:35`, `2:35 PM`, `2 p.m.`, `noon`."""

from __future__ import annotations

import re

_TIME = re.compile(
    r"(?:at\s)?(?:(?P<h>1[0-2]|0?[1-9])(?:[:.](?P<m>[0-5]\d))?\s?(?P<half>[ap])\.?\s?m\.?"
    r"|(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)(?::00)?(?:\s?h)?"
    r"|(?P<word>noon|midday|midnight))(?:\slocal time)?(?:\s\((?P<again>[^()]+)\))?",
    re.IGNORECASE,
)


def read(text: str) -> int | None:
    """
    >>> read("2:35 PM"), read("14:35"), read("noon"), read("2:35 or 3:35")
    (875, 875, 720, None)
    """
    match = _TIME.fullmatch(text)
    if match is None or (match["again"] and read(match["again"]) != read(text.partition(" (")[0])):
        return None
    if match["word"]:
        return 0 if match["word"].lower() == "midnight" else 720
    if match["h24"]:
        return int(match["h24"]) * 60 + int(match["m24"])
    return (int(match["h"]) % 12 + (12 if match["half"].lower() == "p" else 0)) * 60 + int(match["m"] or 0)
