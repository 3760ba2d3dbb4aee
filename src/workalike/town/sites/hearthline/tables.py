"""The mutable tables of the portal."""

from __future__ import annotations

from workalike.core.key import RowPattern
from workalike.town.state import Table

_TOUR = "home TEXT NOT NULL, day TEXT, time TEXT, way TEXT, name TEXT, email TEXT, phone TEXT"
TABLES = (
    Table("hearthline_saved", "home TEXT NOT NULL"),
    Table("hearthline_search", "query TEXT NOT NULL"),
    Table("hearthline_draft", f"stage TEXT NOT NULL, touched INTEGER NOT NULL, {_TOUR}", "draft"),
    Table("hearthline_tour", f"number TEXT NOT NULL, {_TOUR}"),
)
CROSSED = (RowPattern("hearthline_draft", after={"touched": 1}), RowPattern("hearthline_tour"))
