"""A report in a terminal, as wide as it is: a table that does not fit breaks its cells before brackets and deviations,
then falls into several, each with the rows' names again."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from workalike.core.plain import plain
from workalike.report.table import ReportSection, ReportTable, TableRow

if TYPE_CHECKING:
    from rich.console import Console

_BETWEEN, _AROUND = 3, 2
"""Columns that a table's own drawing takes between two cells, and at its ends."""


def render(sections: Sequence[ReportSection], remarks: Sequence[str], width: int, colour: bool = False) -> str:
    """All tables but the details, and what must be said of them."""
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(
        file=out, width=width, highlight=False, force_terminal=colour, color_system="auto" if colour else None
    )
    for section in sections:
        for table in section.tables:
            if not table.detail:
                _draw(console, table, width)
    for line in remarks:
        console.print(Text(plain(line), style="dim"))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines()) + "\n"


def fitted(table: ReportTable, width: int) -> list[ReportTable]:
    """The table as one or several that fit into a width, as far as that can be."""
    if _width(table) <= width:
        return [table]
    broken = _broken(table, " (")
    if _width(broken) > width:
        broken = _broken(broken, " ±")
    return [broken] if _width(broken) <= width else _split(broken, width)


def _broken(table: ReportTable, before: str) -> ReportTable:
    """The same with long cells in two lines: what stands in brackets, or a deviation, goes below, and heads are broken
    between words."""
    rows = tuple(
        TableRow((*row.cells[: table.labels], *(_below(cell, before) for cell in row.cells[table.labels :])), row.kind)
        for row in table.rows
    )
    widest = [max((_longest(row.cells[place]) for row in rows), default=0) for place in range(len(table.head))]
    head = tuple(_folded(name, max(9, wide)) for name, wide in zip(table.head, widest, strict=True))
    return msgspec.structs.replace(table, head=head, rows=rows)


def _below(cell: str, before: str) -> str:
    return cell.replace(before, f"\n{before.strip()}")


def _split(table: ReportTable, width: int) -> list[ReportTable]:
    """Several tables of as many columns as fit, each with the columns of words before them."""
    wide = [_column(table, place) for place in range(len(table.head))]
    start = _AROUND + sum(wide[: table.labels]) + _BETWEEN * (table.labels - 1)
    groups: list[list[int]] = [[]]
    room = start
    for place in range(table.labels, len(table.head)):
        if groups[-1] and room + _BETWEEN + wide[place] > width:
            groups.append([])
            room = start
        groups[-1].append(place)
        room += _BETWEEN + wide[place]
    return [_columns(table, [*range(table.labels), *group]) for group in groups]


def _columns(table: ReportTable, places: Sequence[int]) -> ReportTable:
    rows = tuple(TableRow(tuple(row.cells[place] for place in places), row.kind) for row in table.rows)
    return msgspec.structs.replace(table, head=tuple(table.head[place] for place in places), rows=rows)


def _draw(console: Console, table: ReportTable, width: int) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console.print(Text(plain(table.title), style="bold"))
    for part in fitted(table, width):
        drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
        for place, name in enumerate(part.head):
            drawn.add_column(Text(plain(name)), justify="left" if place < part.labels else "right", overflow="fold")
        for row in part.rows:
            style = {"plain": None, "total": "bold", "published": "dim"}[row.kind]
            drawn.add_row(*(Text(plain(cell)) for cell in row.cells), style=style)
        console.print(drawn)
        console.print()
    if table.note:
        console.print(Text(plain(table.note), style="dim"))
        console.print()


def _width(table: ReportTable) -> int:
    columns = len(table.head)
    return _AROUND + sum(_column(table, place) for place in range(columns)) + _BETWEEN * (columns - 1)


def _column(table: ReportTable, place: int) -> int:
    return max(_longest(table.head[place]), *(_longest(row.cells[place]) for row in table.rows), 0)


def _longest(cell: str) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, cell.split("\n")))


def _folded(name: str, wide: int) -> str:
    """A head in lines of at most this width, broken between words only."""
    lines = [""]
    for word in name.split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if _longest(joined) > wide and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = joined
    return "\n".join(lines)
