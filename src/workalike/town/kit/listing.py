"""What all listings have in common: numbers and pages read off an address, the address with something changed, how
often what can be filtered by occurs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from workalike.town.visit import PageVisit

T = TypeVar("T")
LONGEST = 9
"""How many digits a number in an address has at most that means anything."""


def whole(text: str | None) -> int | None:
    """A whole number of an address, or None where there is none that means anything.

    >>> whole("24"), whole("-1"), whole("1" + "0" * 24)
    (24, None, None)
    """
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= LONGEST else None


def page_number(visit: PageVisit) -> int:
    """The page that is asked for, the first where none is; a number that no list reaches is no page."""
    given = visit.query.get("page", "")
    if given.isdecimal() and len(given) > LONGEST:
        raise visit.missing("page")
    return max(1, whole(given) or 1)


def page_of(found: Sequence[T], page: int, size: int) -> Sequence[T]:
    return found[size * (page - 1) : size * page]


def pages_of(total: int, size: int) -> int:
    """
    >>> pages_of(49, 24)
    3
    """
    return -(-total // size)


def with_query(items: Iterable[tuple[str, str]], **changed: object) -> str:
    """The same query with something changed (None: taken out), back on its first page."""
    kept = [(name, value) for name, value in items if name not in changed and name not in ("page", "piece")]
    return "?" + urlencode([*kept, *((name, value) for name, value in changed.items() if value is not None)])


def counted(values: Iterable[Any]) -> list[tuple[Any, int]]:
    """How often each value occurs, in order of the values.

    >>> counted(["b", "a", "b"])
    [('a', 1), ('b', 2)]
    """
    counts: dict[Any, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return sorted(counts.items())
