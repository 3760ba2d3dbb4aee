"""Texts that mention what the annotator's picture showed and the model's will not: the mark, the crop, coordinates,
code.

Searching gigabytes for many words at once is slow in Python, so every pattern begins with rare letters that a
substring search finds at full speed. That is why a mark is only looked for in lower case: "Red circle" at the head of
a sentence is missed, and nothing else is.
"""

from __future__ import annotations

import re
from typing import Literal

LeakKind = Literal["mentions the marker", "mentions coordinates", "mentions code"]

_SHAPES = "circle|dot|mark|box|rectangle|bounding|arrow|cross|square|outline|border|frame|highlight|pointer"
_FRACTION, _PIXELS = r"-?(?:0?\.\d+|1\.\d{2,})", r"-?\d{2,5}(?:\.\d+)?(?: ?px)?"
_AND_Y = r" ?, ?(?:y ?[=:] ?)?"
_NO_YEARS = r"(?!(?:19|20)\d\d ?, ?(?:19|20)\d\d\b)"
_LEADING = r"(?:[ :=]|\b(?:of|at|are|is|near|around|about|approximately)\b)*\(?(?:x ?[=:] ?)?"
_A_WORD = r"(?!(?:and|on|in|at|to|px|pixels?)\b)[A-Za-z]"

_MARK = re.compile(  # what stands before is asked last, for speed
    rf"red(?:[ -](?<![A-Za-z]red[ -])(?:{_SHAPES})[a-z]*"
    r"|(?<=circled in red)\b|(?<=boxed in red)\b|(?<=ringed in red)\b|(?<=outlined in red)\b)"
)
_CROP = re.compile(r"cropped (?:image|picture|screenshot|area|region|patch|view|section|part)s?")
_WORD = re.compile(rf"oordinate(?!s? \d+ {_A_WORD})s?{_LEADING}-?\d[\d.]*")  # but people coordinate 3 meetings, too
_POSITION = re.compile(rf"osition(?:s|ed)?{_LEADING}{_NO_YEARS}(?:{_FRACTION} ?, ?{_FRACTION}|{_PIXELS} ?, {_PIXELS})")
_TWO_NUMBERS = re.compile(r",(?<=\d,|[ x],) ?-?\.?\d")
_XY = re.compile(rf"x ?[=:] ?(?:{_FRACTION}|{_PIXELS})(?: ?[,;] ?(?:and )?| and | )y ?[=:] ?(?:{_FRACTION}|{_PIXELS})")
_PLACE = re.compile(  # most brackets hold no number, and one look ahead tells
    rf"\((?=[-x.\d])(?:x ?[=:] ?)?{_NO_YEARS}(?:{_FRACTION}{_AND_Y}{_FRACTION}|{_PIXELS}{_AND_Y}{_PIXELS})\)"
)
_SQUARE = re.compile(  # shorter numbers are a list of something
    rf"\[(?=[-x.\d])(?:x ?[=:] ?)?{_NO_YEARS}(?:{_FRACTION}{_AND_Y}{_FRACTION}|\d{{3,5}}{_AND_Y}\d{{3,5}})\]"
)
_CODE = re.compile(r"pyautogui(?:\.\w+)?")

_PATTERNS: tuple[tuple[LeakKind, str, re.Pattern[str]], ...] = (  # with letters to look for first where that is faster
    ("mentions the marker", "", _MARK),
    ("mentions the marker", "cropped", _CROP),
    ("mentions coordinates", "oordinate", _WORD),
    ("mentions coordinates", "osition", _POSITION),
    ("mentions coordinates", "(", _PLACE),
    ("mentions coordinates", "[", _SQUARE),
    ("mentions coordinates", "y", _XY),
    ("mentions code", "pyautogui", _CODE),
)


def may_leak(text: str) -> bool:
    """Whether a long text is worth a closer look; always True where `leaks` finds something. A single character is
    looked for at many times the speed of a pattern, so it is asked for first."""
    return (
        "oordinate" in text
        or "pyautogui" in text
        or "cropped" in text
        or ("(" in text and _PLACE.search(text) is not None)
        or ("[" in text and _SQUARE.search(text) is not None)
        or (("=" in text or ":" in text) and _XY.search(text) is not None)
        or ("," in text and _TWO_NUMBERS.search(text) is not None and _POSITION.search(text) is not None)
        or _MARK.search(text) is not None
    )


def leaks(text: str) -> list[tuple[LeakKind, str]]:
    """What a text gives away, at most once a kind, with the words that do.

    >>> leaks("Click the button in the red circle at (0.51, 0.32).")
    [('mentions the marker', 'red circle'), ('mentions coordinates', '(0.51, 0.32)')]
    """
    found: dict[LeakKind, str] = {}
    for kind, letters, pattern in _PATTERNS:
        match = None if kind in found or letters not in text else pattern.search(text)
        if match is not None:
            found[kind] = _words(text, match)
    return list(found.items())


def _words(text: str, match: re.Match[str]) -> str:
    """A match from the start of its first word, on one line; a mark's with what was done in red."""
    start = match.start() - len(" in ") if match[0] == "red" else match.start()
    while start and text[start - 1].isalpha():
        start -= 1
    return " ".join(text[start : match.end()].split())[:80]
