"""The pages of Waymark: finding places by kind and ZIP code, on a list and on a map, and one place with its hours."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.listing import SortOrder, labels_of, with_query
from workalike.town.kit.records import count_rows
from workalike.town.kit.saving import is_saved, saved_values, toggle
from workalike.town.refkit.geography import District, Metro, find_zip, metro_of, metros, miles
from workalike.town.refkit.places import DAYS, KINDS, hours_text
from workalike.town.refkit.prose import tell
from workalike.town.visit import PageVisit

PlaceHit = tuple[sqlite3.Row, float | None]
"""A place, and how far it is."""
SORTS: dict[str, SortOrder[Callable[[PlaceHit], Any]]] = {
    "name": SortOrder("Name", lambda hit: ()),
    "near": SortOrder("Distance", lambda hit: () if hit[1] is None else (hit[1], hit[0]["id"])),
    "rating": SortOrder("Rating", lambda hit: (-hit[0]["rating"], hit[0]["id"])),
}
MIDDLE, SCALE = 300, 1.1
"""The map's middle, and how many of its units a tenth of a mile is."""


class DrawnMap(msgspec.Struct, frozen=True):
    """What the map of an area shows, in its own units."""

    districts: list[tuple[str, int, int]]
    pins: list[tuple[int, int, int]]
    start: tuple[int, int] | None
    bend: int


def front(visit: PageVisit) -> Response:
    return _page(visit, "front.html", metros=metros(visit.town.world))


def find(visit: PageVisit) -> Response:
    """Places of a kind around a ZIP code, or anywhere."""
    kind, sort = visit.query.get("kind", ""), visit.query.get("sort", "name")
    start = find_zip(visit.town.world, visit.query.get("zip", ""))
    hits = found_places(visit.facts, kind, start, sort)
    drawn = None
    if start:
        drawn = _map(metro_of(visit.town.world, start.metro), [row for row, _ in hits], (start.x, start.y))
    items = list(visit.request.query_params.multi_items())
    return _page(
        visit, "find.html", hits=hits if start or kind else [], start=start, drawn=drawn, items=items,
        sorts=labels_of(SORTS), sorted_by=sort, with_query=with_query,
    )  # fmt: skip


def found_places(facts: sqlite3.Connection, kind: str, start: District | None, sort: str) -> list[PlaceHit]:
    """What fits, with its distance, in an order."""
    where = "(? = '' OR kind = ?) AND (? = '' OR metro = ?)"
    metro = start.metro if start else ""
    rows = facts.execute(f"SELECT * FROM place WHERE {where} ORDER BY name, id", (kind, kind, metro, metro)).fetchall()
    here = (start.x, start.y) if start else None
    hits = [(row, miles((row["x"], row["y"]), here) if here else None) for row in rows]
    return sorted(hits, key=SORTS.get(sort, SORTS["name"]).key)


def place(visit: PageVisit) -> Response:
    row = _find(visit, visit.part("id"))
    spans = msgspec.json.decode(row["hours"], type=list[tuple[int, int] | None])
    hours = [(day, hours_text(span)) for day, span in zip(DAYS, spans, strict=True)]
    kept = is_saved(visit, "waymark_kept", place=row["id"])
    drawn = _map(metro_of(visit.town.world, row["metro"]), [row], None)
    note = tell(visit, str(row["id"]), row["note"])
    return _page(visit, "place.html", place=row, hours=hours, note=note, drawn=drawn, is_kept=kept)


def keep(visit: PageVisit) -> Response:
    row = _find(visit, visit.form.get("place", ""))
    toggle(visit, "waymark_kept", place=row["id"])
    return visit.redirect(f"/place/{row['id']}")


def kept(visit: PageVisit) -> Response:
    rows = [_find(visit, number) for number in saved_values(visit, "waymark_kept", "place")]
    return _page(visit, "map/kept.html", rows=rows)


def _find(visit: PageVisit, number: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM place WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise visit.missing("place")
    return row  # type: ignore[no-any-return]


def _map(metro: Metro, rows: Iterable[sqlite3.Row], start: tuple[int, int] | None) -> DrawnMap:
    def at(x: int, y: int) -> tuple[int, int]:
        return round(MIDDLE + x * SCALE), round(MIDDLE - y * SCALE)

    return DrawnMap(
        [(each.name, *at(each.x - 20, each.y + 18)) for each in metro.districts],
        [(number, *at(row["x"], row["y"])) for number, row in enumerate(rows, 1)],
        at(*start) if start else None,
        sum(map(ord, metro.name)) % 90,
    )


def _page(visit: PageVisit, template: str, **values: Any) -> Response:
    count = count_rows(visit.state, "waymark_kept")
    return visit.html(template, kept_count=count, kinds=KINDS, asked=visit.query, **values)
