"""Lengths of time, in minutes: `5h 20m`, `5 hours and 20 minutes`, `320 min`, `5:20`."""

from __future__ import annotations

import re

_DURATION = re.compile(
    r"(?P<h>\d{1,4}(?:\.\d{1,4})?)\s?-?(?:hours?|hrs?|h)\.?"
    r"(?:(?:\s|,|and)*(?P<m>\d{1,2})\s?-?(?:minutes?|mins?|m)?\.?)?"
    r"|(?P<clock>\d{1,2}:[0-5]\d)(?:\s?(?:hours?|hrs?|h))?"
    r"|(?P<only>\d{1,6})\s?-?(?:minutes?|mins?|m)\.?",
    re.IGNORECASE,
)
_HOURS = {"half an hour": "30 min", "an hour": "1 h", "one hour": "1 h"}
_SPOKEN = re.compile("|".join(_HOURS), re.IGNORECASE)


def read(text: str) -> int | None:
    """
    >>> read("5h 20m"), read("320 minutes"), read("5 h 20 min or more")
    (320, 320, None)
    """
    match = _DURATION.fullmatch(_SPOKEN.sub(lambda said: _HOURS[said[0].lower()], " ".join(text.split())))
    if match is None:
        return None
    if match["only"]:
        return int(match["only"])
    if match["clock"]:
        hours, minutes = match["clock"].split(":")
        return int(hours) * 60 + int(minutes)
    return round(float(match["h"]) * 60) + int(match["m"] or 0)
