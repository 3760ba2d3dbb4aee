"""Looking around on the jobs board: the front page, results, a posting, employers, help."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.listing import labels_of, page_number, typed_so_far, with_query
from workalike.town.kit.records import count_rows
from workalike.town.kit.saving import is_saved
from workalike.town.refkit.prose import tell
from workalike.town.sites.fairlead.listing import DAYS, PAYS, RANGES, SORTS, TITLES, read_query, run_query
from workalike.town.sites.fairlead.world import ROLES, pay_text
from workalike.town.visit import PageVisit


def front(visit: PageVisit) -> Response:
    newest = "SELECT * FROM job WHERE closed = 0 ORDER BY posted DESC, id LIMIT 6"
    fields = "SELECT field, count(*) AS count FROM job WHERE closed = 0 GROUP BY field ORDER BY field"
    known = "SELECT * FROM employer ORDER BY size DESC LIMIT 8"
    return board_page(
        visit,
        "front.html",
        newest=visit.facts.execute(newest).fetchall(),
        fields=visit.facts.execute(fields).fetchall(),
        known=visit.facts.execute(known).fetchall(),
    )


def results(visit: PageVisit) -> Response:
    items = visit.request.query_params.multi_items()
    ask = read_query(items, page_number(visit))
    found = run_query(visit.town.world, visit.facts, ask)
    if ask.page > max(1, found.pages):
        raise visit.missing("page")
    visit.fact("results", "openings", found.total, **ask.context)
    values: dict[str, Any] = {"ask": ask, "found": found, "items": items, "with_query": with_query}
    if visit.query.get("piece"):
        return visit.file(board_part(visit, "jobs/cards.html", **values).encode(), "text/html")
    return board_page(
        visit, "results.html", **values, sorts=labels_of(SORTS), sorted_by=ask.sort, pays=PAYS, ranges=RANGES,
        days=DAYS, titles=TITLES,
    )  # fmt: skip


def posting(visit: PageVisit) -> Response:
    job = find_job(visit, visit.part("id"))
    sent = visit.state.execute(
        "SELECT * FROM fairlead_application WHERE job = ? AND status != 'Withdrawn'", (job["id"],)
    ).fetchone()
    body = [tell(visit, job["req"], text) for text in msgspec.json.decode(job["body"], type=list[str])]
    return board_page(
        visit,
        "posting.html",
        job=job,
        body=body,
        duties=msgspec.json.decode(job["duties"], type=list[str]),
        wants=msgspec.json.decode(job["wants"], type=list[str]),
        is_saved=is_saved(visit, "fairlead_saved", job=job["id"]),
        sent=sent,
    )


def employers(visit: PageVisit) -> Response:
    query = (
        "SELECT employer.*, sum(job.closed = 0) AS open FROM employer LEFT JOIN job ON job.employer = slug"
        " GROUP BY slug ORDER BY employer.name"
    )
    return board_page(visit, "jobs/employers.html", rows=visit.facts.execute(query).fetchall())


def employer(visit: PageVisit) -> Response:
    slug = visit.part("slug")
    row = visit.facts.execute("SELECT * FROM employer WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("employer")
    jobs = visit.facts.execute("SELECT * FROM job WHERE employer = ? AND closed = 0 ORDER BY title, id", (slug,))
    followed = is_saved(visit, "fairlead_followed", employer=slug)
    about = tell(visit, slug, row["about"])
    openings = jobs.fetchall()
    visit.fact(slug, "openings", len(openings))
    return board_page(visit, "employer.html", employer=row, about=about, openings=openings, is_followed=followed)


def suggestions(visit: PageVisit) -> Response:
    """Titles and employers that hold what was typed."""
    typed = typed_so_far(visit.query.get("q", "")).lower()
    names = visit.facts.execute("SELECT name FROM employer ORDER BY name").fetchall()
    found = [role.title for role in ROLES if typed in role.title.lower()]
    found += [row["name"] for row in names if typed in row["name"].lower()]
    return visit.json(found[:6] if typed else [])


def help_page(visit: PageVisit) -> Response:
    return board_page(visit, "jobs/help.html")


def find_job(visit: PageVisit, number: str) -> sqlite3.Row:
    found = visit.facts.execute("SELECT * FROM job WHERE id = ?", (number,)).fetchone()
    if found is None:
        raise visit.missing("posting")
    return found  # type: ignore[no-any-return]


def board_page(visit: PageVisit, template: str, **values: Any) -> Response:
    return visit.html(template, **_common(visit), saved_count=count_rows(visit.state, "fairlead_saved"), **values)


def board_part(visit: PageVisit, template: str, **values: Any) -> str:
    return visit.part_html(template, **_common(visit), **values)


def _common(visit: PageVisit) -> dict[str, Any]:
    def ago(posted: str) -> str:
        days = (visit.today - date.fromisoformat(posted)).days
        return "Yesterday" if days == 1 else f"{days} days ago"

    return {"pay_text": pay_text, "ago": ago, "asked": visit.query, "day_of": date.fromisoformat}
