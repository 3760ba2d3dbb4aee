"""Texts that mention what the annotator's picture showed and the model's will not: the mark, the crop, coordinates,
code.

Searching gigabytes for many words at once is slow in Python, so every pattern begins with rare letters that a
substring search finds at full speed. That is why a mark is only looked for in lower case: "Red circle" at the head of
a sentence is missed, and nothing else is.
"""

from __future__ import annotations

import re
import string
from typing import Literal

LeakKind = Literal["mentions the marker", "mentions coordinates", "mentions code"]

_SHAPES = "circle|dot|mark|box|rectangle|bounding|arrow|cross|square|outline|border|frame|highlight|pointer"
_FRACTION = r"-?(?:0?\.\d+|1\.\d{2,})"
_PIXELS = r"-?\d{2,5}(?:\.[05])?(?![.\d])(?: ?px)?"  # with more decimals it is a place on a map, or a value
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
_NUMBER_HEADS = "-x.0123456789"
_CODE = re.compile(r"pyautogui\.\w+")
_PROGRAM = re.compile(
    r"(?i)\b(?:scripts?|editor|terminal|notebook|imports?|line \d+)\b|\.py\b"
)  # the screen shows code
_A_SHAPE = re.compile(r"(?<![A-Za-z])an? (?:[a-z]+ )?$", re.IGNORECASE)
_MARKED = re.compile(r"(?:ed|ing|by|with|in|inside|within|using|of|at|under) an? (?:[a-z]+ )?$", re.IGNORECASE)
_SHOWN = re.compile(
    r" (?:icon|button|badge|symbol|logo|emoji|shape|sign|line|layer|with an?)\b"
    r"|s? (?:on|in|of) (?:the|a|an|this|its) (?:[a-z]+ )?(?:map|chart|graph|plot|slide|canvas|drawing|photo|diagram"
    r"|flag|logo|calendar|painting|poster)\b"
)

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
    """Whether a text is worth a closer look; always True where `leaks` finds something. A single character is
    looked for at many times the speed of a word or a pattern, so digits are asked for first: there are no coordinates
    without."""
    return (
        "pyautogui" in text
        or "cropped" in text
        or _MARK.search(text) is not None
        or (any(map(text.__contains__, string.digits)) and _may_tell_place(text))
    )


def _may_tell_place(text: str) -> bool:
    return (
        "oordinate" in text
        or ("(" in text and _PLACE.search(text) is not None)
        or _from_bracket(text, "[", _SQUARE)
        or _from_sign(text, "=")
        or _from_sign(text, ":")
        or ("," in text and _TWO_NUMBERS.search(text) is not None and _POSITION.search(text) is not None)
    )


def _from_bracket(text: str, bracket: str, pattern: re.Pattern[str]) -> bool:
    """Whether a pattern that begins with a bracket is found: going from one bracket to the next is faster than a
    search, since hardly any holds a number."""
    at = text.find(bracket)
    while at >= 0:
        if text[at + 1 : at + 2] in _NUMBER_HEADS and pattern.match(text, at):
            return True
        at = text.find(bracket, at + 1)
    return False


def _from_sign(text: str, sign: str) -> bool:
    """Whether an x stands before a sign, and a place after it; in the same way."""
    at = text.find(sign)
    while at >= 0:
        start = at - 1 if text[at - 1] != " " else at - 2
        if start >= 0 and text[start] == "x" and _XY.match(text, start):
            return True
        at = text.find(sign, at + 1)
    return False


def leaks(text: str) -> list[tuple[LeakKind, str]]:
    """What a text gives away, at most once a kind, with the words that do.

    >>> leaks("Click the button in the red circle at (0.51, 0.32).")
    [('mentions the marker', 'red circle'), ('mentions coordinates', '(0.51, 0.32)')]
    """
    found: dict[LeakKind, str] = {}
    for kind, letters, pattern in _PATTERNS if may_leak(text) else ():
        if kind not in found and letters in text:
            matches = (match for match in pattern.finditer(text) if not _is_shown(text, match, kind))
            first = next(matches, None)
            if first is not None:
                found[kind] = _words(text, first)
    return list(found.items())


def _is_shown(text: str, match: re.Match[str], kind: LeakKind) -> bool:
    """Whether what is told is on the screen itself, for all a reader can tell: a shape that is red in a drawing or on a
    map, or a program that somebody writes."""
    if kind == "mentions code":
        return _PROGRAM.search(text) is not None
    if kind == "mentions coordinates" or not match[0].startswith("red "):
        return False
    before = text[max(0, match.start() - 30) : match.start()]
    a_shape = _A_SHAPE.search(before) is not None and _MARKED.search(before) is None
    return a_shape or _SHOWN.match(text, match.end()) is not None


def _words(text: str, match: re.Match[str]) -> str:
    """A match from the start of its first word, on one line; a mark's with what was done in red."""
    start = match.start() - len(" in ") if match[0] == "red" else match.start()
    while start and text[start - 1].isalpha():
        start -= 1
    return " ".join(text[start : match.end()].split())[:80]
