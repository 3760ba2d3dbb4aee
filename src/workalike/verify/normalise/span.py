"""A value found at a place in a text, and the rule most types share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec


class Span(msgspec.Struct, frozen=True):
    """A value and the characters it was read from."""

    start: int
    end: int
    value: Any


def only(found: Iterable[Span], same: Callable[[Any], bool], may: Callable[[Any], bool]) -> bool:
    """Whether the expected value is among those found, and all others are ones that may be mentioned."""
    values = [span.value for span in found]
    return any(map(same, values)) and all(same(value) or may(value) for value in values)
