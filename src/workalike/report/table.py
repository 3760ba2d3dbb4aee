"""A table as a plain value, before anybody decides whether it is drawn in a terminal, a page or a paper; and how
numbers are written in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from workalike.statistics.intervals import Estimate

NONE = "–"
RowKind = Literal["plain", "total", "published"]


class TableRow(msgspec.Struct, frozen=True):
    """One row; `total` is one over the others, `published` one that somebody else measured."""

    cells: tuple[str, ...]
    kind: RowKind = "plain"


class ReportTable(msgspec.Struct, frozen=True):
    """A table: its `name` is short and plain, the `note` stands below it. `labels` columns on the left are words, the
    rest numbers. What is a `detail` is left out of a terminal."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""
    labels: int = 1
    detail: bool = False


class ReportSection(msgspec.Struct, frozen=True):
    """Tables that belong together, and the figures among them by name."""

    title: str
    tables: tuple[ReportTable, ...]
    figures: tuple[str, ...] = ()


def percent(share: float | None, digits: int = 1) -> str:
    """
    >>> percent(0.3841), percent(None)
    ('38.4', '–')
    """
    return NONE if share is None else f"{100 * share:.{digits}f}"


def interval(found: Estimate) -> str:
    """A rate in % with its interval.

    >>> interval(Estimate(0.5, 0.25, 0.75, 4)), interval(Estimate(0.5)), interval(Estimate(None))
    ('50.0 (25.0–75.0)', '50.0', '–')
    """
    if found.low is None or found.high is None:
        return percent(found.mean)
    return f"{percent(found.mean)} ({percent(found.low)}–{percent(found.high)})"


def counted(count: int, of: int) -> str:
    """A count with what it is of, and the share that makes.

    >>> counted(3, 12), counted(0, 0)
    ('3 of 12 (25.0 %)', '–')
    """
    return f"{count} of {of} ({percent(count / of)} %)" if of else NONE


def share_of(found: Estimate) -> str:
    """A share as a count of a number, with its interval.

    >>> share_of(Estimate(0.5, 0.25, 0.75, 4)), share_of(Estimate(None))
    ('2 of 4: 50.0 (25.0–75.0)', '–')
    """
    if found.mean is None:
        return NONE
    return f"{round(found.mean * found.count)} of {found.count}: {interval(found)}"


def signed(share: float | None) -> str:
    """
    >>> signed(0.031), signed(-0.2), signed(0.0)
    ('+3.1', '−20.0', '0.0')
    """
    if share is None:
        return NONE
    told = f"{100 * abs(share):.1f}"
    return told if told == "0.0" else f"{'+' if share > 0 else '−'}{told}"


def chance(p: float | None) -> str:
    """
    >>> chance(0.0312), chance(0.00001)
    ('0.031', '< 0.001')
    """
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def words(name: str) -> str:
    """A name out of the code as a reader reads it.

    >>> words("critical_point_crossed")
    'critical point crossed'
    """
    return name.replace("_", " ")


def rows_of(cells: Sequence[Sequence[str]]) -> tuple[TableRow, ...]:
    return tuple(TableRow(tuple(each)) for each in cells)
