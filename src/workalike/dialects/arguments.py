"""The arguments of one call, read field by field with errors that name the call and the field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workalike.core.actions import Hotkey, Press
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects import values

_PAIR = re.compile(r"\s*[\[(]?\s*([-+.0-9]{1,20})\s*,\s*([-+.0-9]{1,20})\s*[\])]?\s*")


class Arguments:
    """A call as it was made: its name, its fields, and the screen its places are on."""

    def __init__(self, name: str, fields: Mapping[str, Any], screen: Size, space: Space) -> None:
        self.name, self.fields, self.screen, self.space = name, fields, screen, space

    def has(self, field: str) -> bool:
        return self.fields.get(field) is not None

    def text(self, *names: str) -> str:
        """The first of these fields that is there."""
        return values.text(self._first(names), f"{names[0]} of {self.name}")

    def text_or_none(self, field: str) -> str | None:
        return self.text(field) if self.has(field) else None

    def number(self, *names: str) -> int | float:
        return values.number(values.unquoted(self._first(names)), f"{names[0]} of {self.name}")

    def seconds(self, *names: str) -> int | float | None:
        """A length of time, None where it isn't told."""
        value = values.unquoted(self._first(names))
        return None if value is None else values.seconds(value, f"{names[0]} of {self.name}")

    def flag(self, field: str, default: bool) -> bool:
        value = values.unquoted(self.fields.get(field))
        if value is not None and not isinstance(value, bool):
            raise Unreadable(f"{field} of {self.name} must be true or false, not {values.shown(value)}")
        return default if value is None else value

    def chord(self, *names: str) -> Press | Hotkey:
        return values.chord(self._first(names))

    def modifiers(self, field: str) -> tuple[str, ...]:
        return values.modifiers(self.fields.get(field))

    def at(self, field: str) -> Point | None:
        """A pair of coordinates, None where it isn't told."""
        pair = self.fields.get(field)
        if pair is None or pair == []:
            return None
        if isinstance(pair, str) and (found := _PAIR.fullmatch(pair)):
            pair = [found[1], found[2]]
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise Unreadable(f"{field} of {self.name} must be two numbers, not {values.shown(pair)}")
        x, y = map(values.unquoted, pair)
        return values.place(x, y, self.screen, self.space)

    def to(self, field: str) -> Point:
        at = self.at(field)
        if at is None:
            raise Unreadable(f"{self.name} needs {field}")
        return at

    def _first(self, names: tuple[str, ...]) -> Any:
        return next((self.fields[name] for name in names if self.has(name)), None)
