"""What all listings have in common: what an address asks for, facets and how often they occur, orders, pages, and what
was typed so far where something is suggested."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import msgspec

from workalike.town.visit import PageVisit

T = TypeVar("T")
Key = TypeVar("Key", bound=str | Callable[[Any], Any])
LONGEST = 9
"""How many digits a number in an address has at most that means anything."""
SHORTEST = 2
"""How many letters are typed before anything is suggested."""


class AddressQuery(msgspec.Struct, frozen=True):
    """What an address asks for: values by name, in their order."""

    values: Mapping[str, tuple[str, ...]]

    def one(self, name: str, known: Collection[str] | None = None, usual: str = "") -> str:
        """The last value of a name; the usual one where there is none or it is not known."""
        value = self.values.get(name, (usual,))[-1]
        return value if known is None or value in known else usual

    def all(self, name: str, known: Collection[str] | None = None) -> tuple[str, ...]:
        """Every value of a name, of those that are known."""
        return tuple(value for value in self.values.get(name, ()) if known is None or value in known)

    def number(self, name: str) -> int | None:
        return whole(self.one(name))


class SortOrder(msgspec.Struct, Generic[Key], frozen=True):
    """An order of a listing: what it is called, and what it goes by: a key, or columns of a database."""

    label: str
    key: Key


def read_address(items: Iterable[tuple[str, str]]) -> AddressQuery:
    """
    >>> read_address([("stars", "4"), ("stars", "5"), ("sort", "odd")]).all("stars")
    ('4', '5')
    """
    values: dict[str, tuple[str, ...]] = {}
    for name, value in items:
        values[name] = (*values.get(name, ()), value)
    return AddressQuery(values)


def is_let_through(value: object, chosen: Collection[object]) -> bool:
    """Whether a facet lets something through: any of the values that are chosen will do, and none is no filter."""
    return not chosen or value in chosen


def labels_of(orders: Mapping[str, SortOrder[Any]]) -> dict[str, str]:
    return {name: order.label for name, order in orders.items()}


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


def paged(found: Sequence[T], page: int, size: int) -> tuple[list[T], int, int]:
    """What stands on a page, how much was found, and how many pages that makes."""
    return list(found[size * (page - 1) : size * page]), len(found), pages_of(len(found), size)


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


def typed_so_far(text: str) -> str:
    """What is suggested by: nothing until enough was typed.

    >>> typed_so_far(" new  yo"), typed_so_far("n")
    ('new yo', '')
    """
    typed = " ".join(text.split())
    return typed if len(typed) >= SHORTEST else ""
