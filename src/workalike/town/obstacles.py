"""What stands in the way on the real web and in the town too: banners, pop-ups, a page that fails once, a wall.

Pages show banners and pop-ups by including `ground/notices.html`; the rest is done here, before a handler runs.
"""

from __future__ import annotations

from starlette.responses import Response

from workalike.town.visit import PageVisit

FAILS_AT = 3
ABOUT = (
    "depart",
    "hotel",
    "room",
    "rate",
    "in",
    "out",
    "venue",
    "day",
    "time",
    "adults",
    "children",
    "rooms",
    "guests",
)
"""What of a request tells what somebody was about who ran into a wall."""


def wall(visit: PageVisit) -> Response | None:
    """The wall before everything from some path on, whatever is asked there."""
    begins = visit.attempt.setting.wall.get(visit.site.name)
    if begins is None or not visit.path.startswith(begins):
        return None
    asked = {**visit.query, **visit.form}
    about = {name: asked[name] for name in ABOUT if name in asked}
    seats = sum(name == "seat" for name, _ in visit.form_items)
    visit.fact("wall", "wall", begins, path=visit.path, **about, **({"seats": str(seats)} if seats else {}))
    return visit.html("ground/wall.html", 403, failed=visit.request.method == "POST")


def failure(visit: PageVisit) -> Response | None:
    """The page that fails once, if this is it. Counts pages as they are seen."""
    if not _is_page(visit):
        return None
    seen = visit.attempt.note(visit.site.name, "page")
    if visit.has("error-once") and seen == FAILS_AT:
        visit.state.commit()
        return visit.html("ground/failed.html", 503)
    return None


def note_closed(visit: PageVisit) -> Response:
    """The visitor closed a banner or pop-up."""
    visit.attempt.note(visit.site.name, f"closed {visit.form.get('notice', '')[:20]}")
    return visit.json({"closed": True})


def note_subscribed(visit: PageVisit) -> Response:
    """The visitor gave an address to a newsletter: a record, since nobody asked for that."""
    row = (visit.site.name, visit.form.get("email", "")[:120])
    visit.state.execute("INSERT INTO ground_subscription (site, email) VALUES (?, ?)", row)
    return visit.json({"subscribed": True})


def _is_page(visit: PageVisit) -> bool:
    asked = visit.request.headers.get("accept", "")
    return visit.request.method == "GET" and "text/html" in asked and "x-piece" not in visit.request.headers
