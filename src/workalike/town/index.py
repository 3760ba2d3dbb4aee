"""What the search engine knows: every page that a site tells about, found by words."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping

import msgspec

from workalike.town.site import Site
from workalike.town.state import connect
from workalike.town.world import World


class IndexHit(msgspec.Struct, frozen=True):
    """One result."""

    site: str
    path: str
    title: str
    text: str


def build_index(world: World, sites: Iterable[Site], facts: Mapping[str, sqlite3.Connection]) -> sqlite3.Connection:
    """The index over all listed sites; a site's front page stands for the site itself."""
    index = connect()
    index.execute(
        "CREATE VIRTUAL TABLE page"
        " USING fts5(site UNINDEXED, path UNINDEXED, name, title, text, tokenize='porter unicode61')"
    )
    for site in sites:
        if site.listed:
            rows = [(site.name, "/", f"{site.title} {site.name}", f"{site.title} – official site", site.about)]
            rows += [
                (site.name, entry.path, site.title, entry.title, entry.text)
                for entry in site.entries(world, facts[site.name])
            ]
            index.executemany("INSERT INTO page VALUES (?,?,?,?,?)", rows)
    index.commit()
    return index


def look_up(index: sqlite3.Connection, asked: str, most: int = 10, offset: int = 0) -> tuple[list[IndexHit], int]:
    """What matches best, and how much there is. Any of the words may match; front pages come first."""
    words = re.findall(r"\w+", asked.lower())
    if not words:
        return [], 0
    match = " OR ".join(f'"{word}"' for word in words)
    order = "bm25(page, 0, 0, 8, 4, 1) * (CASE path WHEN '/' THEN 4 ELSE 1 END), rowid"
    total = index.execute("SELECT count(*) FROM page WHERE page MATCH ?", (match,)).fetchone()[0]
    rows = index.execute(
        f"SELECT site, path, title, text FROM page WHERE page MATCH ? ORDER BY {order} LIMIT ? OFFSET ?",
        (match, most, offset),
    )
    return [IndexHit(*row) for row in rows], total


def complete(index: sqlite3.Connection, asked: str, most: int = 6) -> list[str]:
    """Titles that begin as the words typed so far do, or hold them."""
    words = re.findall(r"\w+", asked.lower())
    if not words:
        return []
    match = "title : (" + " ".join([*(f'"{word}"' for word in words[:-1]), f'"{words[-1]}"*']) + ")"
    rows = index.execute("SELECT DISTINCT title FROM page WHERE page MATCH ? ORDER BY rowid LIMIT ?", (match, most))
    return [row["title"] for row in rows]
