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
_FRACTION, _PIXELS = r"-?(?:[01]?\.\d{2,})", r"-?\d{2,5}(?:\.\d+)?(?: ?px)?"
_AND_Y = r" ?, ?(?:y ?[=:] ?)?"
_MARK = re.compile(rf"red (?<![A-Za-z]red )(?:{_SHAPES})[a-z]*")  # what stands before is asked last, for speed
_CROP = re.compile(r"cropped (?:image|picture|screenshot|area|region|patch|view|section|part)s?")
_WORD = re.compile(
    r"oordinates?(?:[ :=]|\b(?:of|at|are|is|near|around|about|approximately)\b)*\(?(?:x ?[=:] ?)?-?\d[\d.]*"
)
_PLACE = re.compile(  # most brackets hold no number, and one look ahead tells
    rf"\((?=[-x.\d])(?:x ?[=:] ?)?(?:{_FRACTION}{_AND_Y}{_FRACTION}|{_PIXELS}{_AND_Y}{_PIXELS})\)"
)
_CODE = re.compile(r"pyautogui(?:\.\w+)?")

_PATTERNS: tuple[tuple[LeakKind, re.Pattern[str]], ...] = (
    ("mentions the marker", _MARK),
    ("mentions the marker", _CROP),
    ("mentions coordinates", _WORD),
    ("mentions coordinates", _PLACE),
    ("mentions code", _CODE),
)


def may_leak(text: str) -> bool:
    """Whether a long text is worth a closer look; always True where `leaks` finds something."""
    return (
        "oordinate" in text
        or "pyautogui" in text
        or "cropped" in text
        or _PLACE.search(text) is not None
        or _MARK.search(text) is not None
    )


def leaks(text: str) -> list[tuple[LeakKind, str]]:
    """What a text gives away, at most once a kind, with the words that do.

    >>> leaks("Click the button in the red circle at (0.51, 0.32).")
    [('mentions the marker', 'red circle'), ('mentions coordinates', '(0.51, 0.32)')]
    """
    found: dict[LeakKind, str] = {}
    for kind, pattern in _PATTERNS:
        match = None if kind in found else pattern.search(text)
        if match is not None:
            found[kind] = _words(text, match)
    return list(found.items())


def _words(text: str, match: re.Match[str]) -> str:
    """A match from the start of its first word, on one line."""
    start = match.start()
    while start and text[start - 1].isalpha():
        start -= 1
    return " ".join(text[start : match.end()].split())[:80]
