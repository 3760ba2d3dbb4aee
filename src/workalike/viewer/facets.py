"""Distributions over a dataset's fields: for every value of a field the rows that have it, and the words of the filter
language that ask for it. Fields that tell nearly every row apart (ids, free texts) have none."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

MOST_TEXTS, MOST_NUMBERS, MOST_LISTED, LONGEST = 60, 12, 2_000, 40
BINS = 12
_FREE = ("id", "task_id", "instruction", "reason", "natural_language_task", "actual_task")
_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_Value = str | bool | int | float


class Facet(msgspec.Struct, frozen=True):
    """The rows (by number, from 1, in order) for which `where` is true."""

    field: str
    name: str
    where: str
    rows: array[int]


class FacetCollector:
    """Gathers the values of every field, row by row."""

    def __init__(self) -> None:
        self._single: dict[str, dict[_Value, array[int]]] = {}
        self._listed: dict[str, dict[str, array[int]]] = {}
        self._numbers: dict[str, array[float]] = {}
        self._dropped: set[str] = set()
        self._rows = 0

    def add(self, row: int, fields: Mapping[str, Any]) -> None:
        self._rows = row
        for name, value in _flat(fields):
            if isinstance(value, bool | str):
                self._note(self._single, name, value, row, MOST_TEXTS)
            elif isinstance(value, int | float) and math.isfinite(value):
                self._number(name, row, value)
            elif isinstance(value, list):
                for each in {each for each in value if isinstance(each, str)}:
                    self._note(self._listed, name, each, row, MOST_LISTED)

    def numbers(self) -> dict[str, array[float]]:
        """Every field of numbers as a column, with nan where a row has none."""
        for column in self._numbers.values():
            _fill(column, self._rows)
        return self._numbers

    def facets(self) -> Iterator[Facet]:
        """The distributions, each field's values in the order in which they are shown."""
        for name, values in self._single.items():
            for value, rows in sorted(values.items(), key=lambda each: -len(each[1])):
                yield Facet(name, _shown(value), f"{name} == {quoted(value)}", rows)
        for name, listed in self._listed.items():
            for text, rows in sorted(listed.items(), key=lambda each: -len(each[1])):
                yield Facet(name, text, f"{name} contains {quoted(text)}", rows)
        for name, column in self.numbers().items():
            yield from _of_numbers(name, column)

    def _number(self, name: str, row: int, value: float) -> None:
        column = self._numbers.setdefault(name, array("d"))
        _fill(column, row - 1)
        if len(column) == row - 1:
            column.append(value)

    def _note(self, table: dict[str, Any], name: str, value: Any, row: int, most: int) -> None:
        if name in self._dropped:
            return
        values = table.setdefault(name, {})
        if value not in values and (len(values) >= most or (isinstance(value, str) and len(value) > LONGEST)):
            self._dropped.add(name)
            del table[name]
            return
        values.setdefault(value, array("I")).append(row)


def quoted(value: _Value) -> str:
    """A value as the filter language writes it.

    >>> quoted("it's"), quoted(True), quoted(7.0)
    ("'it\\\\'s'", 'true', '7')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(int(value)) if value == int(value) else f"{value:f}".rstrip("0")


def _of_numbers(name: str, column: array[float]) -> Iterator[Facet]:
    known = [(value, row) for row, value in enumerate(column, 1) if not math.isnan(value)]
    different = sorted({value for value, _ in known})
    if not different:
        return
    if len(different) <= MOST_NUMBERS:
        rows: dict[float, array[int]] = {value: array("I") for value in different}
        for value, row in known:
            rows[value].append(row)
        for value in different:
            yield Facet(name, quoted(value), f"{name} == {quoted(value)}", rows[value])
        return
    width = _width(different)
    bins: dict[int, array[int]] = {}
    for value, row in known:
        bins.setdefault(math.floor(value / width), array("I")).append(row)
    for place in sorted(bins):
        low, high = quoted(place * width), quoted((place + 1) * width)
        yield Facet(name, f"{low} to {high}", f"{name} >= {low} and {name} < {high}", bins[place])


def _width(different: list[float]) -> float:
    """A round width that makes some ten bins of all but the few largest values."""
    most = different[min(len(different) - 1, int(len(different) * 0.98))]
    rough = max(most - different[0], 1e-9) / BINS
    power = float(10 ** math.floor(math.log10(rough)))
    return next((power * step for step in (1, 2, 5, 10) if power * step >= rough), power * 10)


def _flat(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields, and those of the objects among them, by names that the filter language knows."""
    for name, value in fields.items():
        inner = value.items() if isinstance(value, dict) else ()
        for whole, held in ((name, value), *((f"{name}.{part}", held) for part, held in inner)):
            if _NAME.fullmatch(whole) and whole.rpartition(".")[2] not in _FREE:
                yield whole, held


def _fill(column: array[float], length: int) -> None:
    column.extend([math.nan] * (length - len(column)))


def _shown(value: _Value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
