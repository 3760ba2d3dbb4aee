"""Rows that changed, against the rows that were to change: each intended change is one real one, used once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from workalike.core.key import Containing, Digits, OneOf, RowChange, RowPattern, Saying, Scalar, Wanted, Within


def match_rows(
    patterns: Sequence[RowPattern], changes: Sequence[RowChange]
) -> tuple[list[RowPattern], list[RowChange]]:
    """Pair intended with real changes, each used once; returns the patterns and the changes left over.

    A pattern without `before` wants an inserted row, one without `after` a deleted one, with neither any change."""
    wanted = [pattern for pattern in patterns for _ in range(pattern.times)]
    holder: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for spot, change in enumerate(changes):
            if spot in tried or not fits(wanted[index], change):
                continue
            tried.add(spot)
            if spot not in holder or place(holder[spot], tried):
                holder[spot] = index
                return True
        return False

    missing = [wanted[index] for index in range(len(wanted)) if not place(index, set())]
    return missing, [change for spot, change in enumerate(changes) if spot not in holder]


def fits(pattern: RowPattern, change: RowChange) -> bool:
    """Whether a change is of a pattern's kind and has the values it names."""
    if pattern.table != change.table:
        return False
    if not pattern.before and not pattern.after:
        return True
    same_kind = bool(pattern.before) == bool(change.before) and bool(pattern.after) == bool(change.after)
    return same_kind and _has(change.before, pattern.before) and _has(change.after, pattern.after)


def _has(row: Mapping[str, Scalar], wanted: Mapping[str, Wanted]) -> bool:
    return all(column in row and satisfies(row[column], value) for column, value in wanted.items())


def satisfies(value: Scalar, wanted: Wanted) -> bool:
    """Whether a row's value is the wanted one, or satisfies the predicate that stands there."""
    match wanted:
        case OneOf(values):
            return value in values
        case Within(low, high):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and (low is None or value >= low) and (high is None or value <= high)  # type: ignore[operator]
        case Digits(digits):
            return re.sub(r"\D", "", str(value)) == re.sub(r"\D", "", digits)
        case Saying(text):
            return _words(str(value)) == _words(text)
        case Containing(text):
            return text.casefold() in str(value).casefold()
        case _:
            return value == wanted


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
