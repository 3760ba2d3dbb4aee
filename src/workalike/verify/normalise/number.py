"""Numbers and counts: `4`, `four`, `1,250`. Behind it may stand what is counted, by the field's own name or another
writing of it (`m` for metres): seats are no stars, and only a rating is out of five: `4.3/5`."""

from __future__ import annotations

import re

from workalike.verify.normalise.words import tokens

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_RATED = {"rating", "ratings", "score", "star", "stars"}
_UNITS = (
    {"m", "metre", "metres", "meter", "meters"}, {"km", "kilometre", "kilometres", "kilometer", "kilometers"},
    {"mi", "mile", "miles"}, {"ft", "foot", "feet"}, {"g", "gram", "grams"}, {"kg", "kilogram", "kilograms"},
    {"yr", "yrs", "year", "years"}, {"population", "people", "inhabitants"},
    {"position", "positions", "opening", "openings"},
)  # fmt: skip
_WORD = {word: number for number, word in enumerate(_WORDS)} | {"none": 0}
_NUMBER = re.compile(
    rf"#?(?P<n>-?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?|{'|'.join(_WORD)})"
    r"(?:(?P<scale>\s?(?:/|out of)\s?5)|\s?(?P<unit>[a-z -]+))?",
    re.IGNORECASE,
)


def read(text: str, field: str = "") -> float | None:
    """
    >>> read("four"), read("1,250"), read("4 seats", "extra-legroom seats"), read("4 or 5")
    (4.0, 1250.0, 4.0, None)
    """
    match = _NUMBER.fullmatch(text)
    named = set(tokens(field))
    rated = bool(named & _RATED) and "reviews" not in named
    if match is None or (match["scale"] and not rated):
        return None
    if not set(tokens(match["unit"] or "")) <= _units(named):
        return None
    low = match["n"].lower()
    return float(_WORD[low]) if low in _WORD else float(low.replace(",", ""))


def _units(named: set[str]) -> set[str]:
    called = named | {word.removesuffix("s") for word in named}
    others = set[str]().union(*(group for group in _UNITS if group & called))
    return called | others | ({"stars", "star"} if named & _RATED else set())
