"""The mutable state of one attempt: a small database in memory, copied from one image, and its row-level difference."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from workalike.core.key import RowChange, Scalar

TableKind = Literal["record", "draft", "trace"]
Rows = dict[str, dict[int, dict[str, Scalar]]]


class Table(msgspec.Struct, frozen=True):
    """A table of mutable state. `columns` is SQL; an `id` comes first by itself. A record is what a task may be about
    (an order, a cart's line), a draft is how far somebody got (a checkout's stage), a trace matters to nobody
    (a banner that was closed)."""

    name: str
    columns: str
    kind: TableKind = "record"


def blank(tables: Iterable[Table]) -> sqlite3.Connection:
    """An empty state with these tables."""
    state = connect()
    for table in tables:
        state.execute(f"CREATE TABLE {table.name} (id INTEGER PRIMARY KEY AUTOINCREMENT, {table.columns})")
    state.commit()
    return state


def connect(image: bytes | None = None) -> sqlite3.Connection:
    """A database in memory, a copy of `image` when one is given. Rows are read by column name."""
    state = sqlite3.connect(":memory:", check_same_thread=False)
    state.row_factory = sqlite3.Row
    if image is not None:
        state.deserialize(image)
    return state


def insert(state: sqlite3.Connection, table: str, values: dict[str, object]) -> None:
    """Insert one row by column names."""
    columns, marks = ", ".join(values), ", ".join("?" * len(values))
    state.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))


def update(state: sqlite3.Connection, table: str, values: Mapping[str, object], where: str) -> None:
    """Change rows by column names."""
    pairs = ", ".join(f"{name} = ?" for name in values)
    state.execute(f"UPDATE {table} SET {pairs} WHERE {where}", tuple(values.values()))


def read_rows(state: sqlite3.Connection, tables: Iterable[Table]) -> Rows:
    """Everything that stands in the state, by table and id."""
    return {
        table.name: {row["id"]: dict(row) for row in state.execute(f"SELECT * FROM {table.name} ORDER BY id")}
        for table in tables
    }


def difference(before: Rows, after: Rows) -> tuple[RowChange, ...]:
    """The rows that differ, in a fixed order: by table as declared, then by id."""
    changes = []
    for table, old in before.items():
        new = after[table]
        for row in sorted({*old, *new}):
            was, now = old.get(row, {}), new.get(row, {})
            if was != now:
                changes.append(RowChange(table, was, now))
    return tuple(changes)
