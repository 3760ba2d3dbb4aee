"""What hangs on the boards already, and who lives next door."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from workalike.town.site import IndexEntry
from workalike.town.state import Table
from workalike.town.world import World

BOARDS = {
    "news": "Town news",
    "reviews": "Businesses reviewed",
    "market": "For sale",
    "events": "Events",
    "talk": "Town talk",
}
NEIGHBOURS = ("Dana Pell", "Ivo Marsh", "Ruth Calder", "Samir Quill", "Greta Holm", "Tobias Wren")
_PINNED = {
    "news": ("The bridge is painted", "Quarry Road reopens", "New hours at the library"),
    "reviews": ("Good bread on Mill Lane", "Slow but friendly", "My shoes, mended twice"),
    "market": ("A cargo bike", "Garden chairs, four of them", "Piano, to be collected"),
    "events": ("Choir on Thursday", "Chess in the park", "Harvest supper"),
    "talk": ("Who feeds the swans?", "The clock is four minutes slow", "Thanks for the ladder"),
}
TABLES = (
    Table("corkboard_notice", "board TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL"),
    Table("corkboard_message", "neighbour TEXT NOT NULL, text TEXT NOT NULL"),
)


def slug_of(name: str) -> str:
    """
    >>> slug_of("Dana Pell")
    'dana-pell'
    """
    return name.lower().replace(" ", "-")


def build(world: World, facts: sqlite3.Connection) -> None:
    facts.execute("CREATE TABLE pinned (board TEXT, title TEXT, author TEXT)")
    rng = world.rng("corkboard")
    rows = [(board, title, rng.choice(NEIGHBOURS)) for board, titles in _PINNED.items() for title in titles]
    facts.executemany("INSERT INTO pinned VALUES (?,?,?)", rows)


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    return (
        IndexEntry(f"/board/{slug}", f"{title} on Corkboard", "Notices of neighbours") for slug, title in BOARDS.items()
    )
