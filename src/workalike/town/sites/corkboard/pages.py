"""Boards with their notices, the form for a new one, and neighbours to write to."""

from __future__ import annotations

from starlette.responses import Response

from workalike.town.sites.corkboard.world import BOARDS, NEIGHBOURS, slug_of
from workalike.town.state import insert
from workalike.town.visit import PageVisit

MOST = 2000


def front(visit: PageVisit) -> Response:
    return visit.html("front.html", boards=BOARDS, neighbours={slug_of(name): name for name in NEIGHBOURS})


def board(visit: PageVisit) -> Response:
    slug = _board(visit)
    own = visit.state.execute("SELECT title, text FROM corkboard_notice WHERE board = ? ORDER BY id DESC", (slug,))
    pinned = visit.facts.execute("SELECT title, author FROM pinned WHERE board = ?", (slug,))
    return visit.html("board.html", slug=slug, title=BOARDS[slug], own=own.fetchall(), pinned=pinned.fetchall())


def write(visit: PageVisit) -> Response:
    slug = _board(visit)
    return visit.html("new.html", slug=slug, title=BOARDS[slug])


def post(visit: PageVisit) -> Response:
    slug = _board(visit)
    title, text = (visit.form.get(name, "").strip()[:MOST] for name in ("title", "text"))
    if not title or not text:
        return visit.redirect(f"/board/{slug}/new")
    insert(visit.state, "corkboard_notice", {"board": slug, "title": title, "text": text})
    return visit.redirect(f"/board/{slug}?pinned=1")


def member(visit: PageVisit) -> Response:
    return visit.html("neighbour.html", name=_neighbour(visit), sent="sent" in visit.query)


def send(visit: PageVisit) -> Response:
    name, text = _neighbour(visit), visit.form.get("text", "").strip()[:MOST]
    if not text:
        return visit.redirect(f"/neighbour/{slug_of(name)}")
    insert(visit.state, "corkboard_message", {"neighbour": name, "text": text})
    return visit.redirect(f"/neighbour/{slug_of(name)}?sent=1")


def _board(visit: PageVisit) -> str:
    slug = visit.part("board")
    if slug not in BOARDS:
        raise visit.missing("board")
    return slug


def _neighbour(visit: PageVisit) -> str:
    found = next((name for name in NEIGHBOURS if slug_of(name) == visit.part("who")), None)
    if found is None:
        raise visit.missing("neighbour")
    return found
