"""Sites one reads: pages with a title, prose and a box of facts, found by words, by kind or by date, and kept."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from workalike.town.kit.listing import page_number, paged, typed_so_far, with_query
from workalike.town.kit.records import count_rows
from workalike.town.kit.saving import is_saved, saved_values, toggle
from workalike.town.refkit.prose import facts_in, plain, tell
from workalike.town.site import IndexEntry, PageRoute
from workalike.town.state import Table, insert
from workalike.town.visit import PageVisit
from workalike.town.world import World

FOLDER = Path(__file__).parent
PER_PAGE = 12
SCHEMA = """
CREATE TABLE page (slug TEXT PRIMARY KEY, title TEXT, kind TEXT, lead TEXT, body TEXT, box TEXT, day TEXT, by TEXT,
  tone INTEGER);
CREATE VIRTUAL TABLE word USING fts5(slug UNINDEXED, title, text, tokenize='porter unicode61');
"""


class WrittenPage(msgspec.Struct, frozen=True):
    """An article or a story. Texts hold facts between marks; `box` are rows of a name, a value and, where another page
    tells more about it, that page's slug."""

    slug: str
    title: str
    kind: str
    lead: str
    body: tuple[str, ...] = ()
    box: tuple[tuple[str, str, str], ...] = ()
    day: str = ""
    by: str = ""
    tone: int = 0

    def told(self) -> dict[str, str]:
        """Every fact of it, by field."""
        found = {name.lower(): value for name, value, _ in self.box}
        for text in (self.lead, *self.body):
            found |= facts_in(text)
        return found


def build_pages(facts: sqlite3.Connection, pages: Iterable[WrittenPage]) -> None:
    facts.executescript(SCHEMA)
    for page in pages:
        values = msgspec.structs.asdict(page) | {
            "body": msgspec.json.encode(page.body).decode(),
            "box": msgspec.json.encode(page.box).decode(),
        }
        facts.execute(f"INSERT INTO page VALUES ({','.join('?' * len(values))})", tuple(values.values()))
        text = " ".join(plain(each) for each in (page.lead, *page.body))
        facts.execute("INSERT INTO word VALUES (?,?,?)", (page.slug, page.title, text))


def read_tables(site: str) -> tuple[Table, ...]:
    return (Table(f"{site}_kept", "page TEXT NOT NULL"), Table(f"{site}_asked", "q TEXT NOT NULL", "trace"))


def entries(world: World, facts: sqlite3.Connection) -> Iterable[IndexEntry]:
    """What the search engine knows: the sections. Pages are found on the site itself."""
    for row in facts.execute("SELECT kind, count(*) AS count FROM page GROUP BY kind ORDER BY kind"):
        yield IndexEntry(f"/section/{quote(row['kind'])}", f"Section {row['kind']}", f"{row['count']} pages.")


def front(visit: PageVisit) -> Response:
    kinds = "SELECT kind, count(*) AS count FROM page GROUP BY kind ORDER BY kind"
    newest = visit.facts.execute("SELECT * FROM page ORDER BY day DESC, slug LIMIT 40").fetchall()
    some = visit.rng("front", visit.today).sample(newest, 9) if not newest[0]["day"] else newest[:9]
    return _page(visit, "front.html", kinds=visit.facts.execute(kinds).fetchall(), some=some)


def search(visit: PageVisit) -> Response:
    """What holds the words, the best first."""
    asked, page = " ".join(visit.query.get("q", "").split()), page_number(visit)
    words = re.findall(r"\w+", asked.lower())
    rows: list[sqlite3.Row] = []
    if words:
        match = " OR ".join(f'"{word}"' for word in words)
        query = (
            "SELECT page.* FROM word JOIN page ON page.slug = word.slug WHERE word MATCH ?"
            " ORDER BY bm25(word, 0, 5, 1), page.slug"
        )
        rows = visit.facts.execute(query, (match,)).fetchall()
        insert(visit.state, f"{visit.site.name}_asked", {"q": asked[:80]})
    return _list(visit, rows, page, f"“{asked}”" if asked else "", asked)


def by_kind(visit: PageVisit) -> Response:
    """Everything of a kind: by name, or the newest first where pages have days."""
    kind, page = visit.part("kind"), page_number(visit)
    rows = visit.facts.execute("SELECT * FROM page WHERE kind = ? ORDER BY day DESC, title", (kind,)).fetchall()
    if not rows:
        raise visit.missing("section")
    return _list(visit, rows, page, kind, "")


def read(visit: PageVisit) -> Response:
    row = visit.facts.execute("SELECT * FROM page WHERE slug = ?", (visit.part("slug"),)).fetchone()
    if row is None:
        raise visit.missing("page")
    kept = is_saved(visit, f"{visit.site.name}_kept", page=row["slug"])
    boxed = msgspec.json.decode(row["box"], type=list[tuple[str, str, str]])
    body = [tell(visit, row["slug"], text) for text in msgspec.json.decode(row["body"], type=list[str])]
    lead = tell(visit, row["slug"], row["lead"])
    return _page(visit, "read.html", row=row, lead=lead, body=body, box=boxed, is_kept=kept)


def keep(visit: PageVisit) -> Response:
    """Keep a page; asked again, it is let go."""
    slug = visit.form.get("page", "")
    if visit.facts.execute("SELECT 1 FROM page WHERE slug = ?", (slug,)).fetchone() is None:
        raise visit.missing("page")
    toggle(visit, f"{visit.site.name}_kept", page=slug)
    return visit.redirect(f"/read/{slug}")


def kept_pages(visit: PageVisit) -> Response:
    slugs = saved_values(visit, f"{visit.site.name}_kept", "page")
    rows = [visit.facts.execute("SELECT * FROM page WHERE slug = ?", (slug,)).fetchone() for slug in slugs]
    return _page(visit, "ref/kept.html", rows=rows)


def suggestions(visit: PageVisit) -> Response:
    typed = typed_so_far(visit.query.get("q", "")).lower()
    rows = visit.facts.execute(
        "SELECT title FROM page WHERE lower(title) LIKE ? ORDER BY title LIMIT 6", (f"{typed}%",)
    )
    return visit.json([row["title"] for row in rows] if typed else [])


ROUTES = (
    PageRoute("/", front),
    PageRoute("/search", search),
    PageRoute("/suggest", suggestions),
    PageRoute("/section/{kind}", by_kind),
    PageRoute("/read/{slug}", read),
    PageRoute("/kept", kept_pages),
    PageRoute("/kept", keep, ("POST",)),
)


class _Asked(msgspec.Struct, frozen=True):
    page: int


class _Found(msgspec.Struct, frozen=True):
    pages: int
    total: int


def _list(visit: PageVisit, rows: list[sqlite3.Row], page: int, title: str, asked: str) -> Response:
    shown, total, pages = paged(rows, page, PER_PAGE)
    found = _Found(pages, total)
    if page > max(1, found.pages):
        raise visit.missing("page")
    items = list(visit.request.query_params.multi_items())
    return _page(
        visit, "list.html", rows=shown, found=found, ask=_Asked(page), heading=title, items=items,
        with_query=with_query, searched=asked,
    )  # fmt: skip


def _page(visit: PageVisit, template: str, **values: Any) -> Response:
    count = count_rows(visit.state, f"{visit.site.name}_kept")
    common: dict[str, Any] = {"kept_count": count, "day_of": date.fromisoformat, "plain": plain, "asked": visit.query}
    return visit.html(template, **common, **values)
