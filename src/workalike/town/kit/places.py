"""Names of places in addresses, and how far places are apart on the maps that sites draw."""

from __future__ import annotations

import re
import sqlite3
from math import hypot


def slug_of(name: str) -> str:
    """
    >>> slug_of("The Corn Hall, Port Merrow")
    'the-corn-hall-port-merrow'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def yards(row: sqlite3.Row, x: int = 0, y: int = 0) -> int:
    """How far a place is from another on a map of steps of fifty yards, as the crow flies and rounded to ten."""
    return round(5 * hypot(row["x"] - x, row["y"] - y)) * 10
