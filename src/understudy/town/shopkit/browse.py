"""Looking around in a shop: the front page, shelves with search, filters and sorting, and a product's page."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from starlette.responses import Response

from understudy.town.shopkit.kinds import BY_SLUG, KINDS
from understudy.town.shopkit.pictures import picture
from understudy.town.visit import Visit

PER_PAGE = 24
SORTS = {
    "featured": "rank",
    "price-low": "price, id",
    "price-high": "price DESC, id",
    "rating": "rating DESC, reviews DESC, id",
}


def front(visit: Visit) -> Response:
    picks = visit.facts.execute("SELECT * FROM product WHERE was IS NOT NULL ORDER BY rank LIMIT 8").fetchall()
    return visit.html("front.html", picks=picks, kinds=KINDS)


def shelf(visit: Visit) -> Response:
    """A category's goods."""
    kind = BY_SLUG.get(visit.part("category"))
    if kind is None:
        raise visit.missing("department")
    return _listing(visit, kind.title, "category = ?", [kind.slug])


def search(visit: Visit) -> Response:
    """What matches the words somebody typed."""
    asked = visit.query.get("q", "").strip()
    match = match_words(asked)
    if match is None:
        return _listing(visit, "All products", "1", [])
    return _listing(visit, f"Results for “{asked}”", "id IN (SELECT rowid FROM words WHERE words MATCH ?)", [match])


def match_words(asked: str) -> str | None:
    """Somebody's words as a query of the index: every word must occur, the last may be unfinished."""
    found = re.findall(r"[\w.]+", asked.lower())
    quoted = [f'"{word}"' for word in found]
    return " ".join([*quoted[:-1], quoted[-1] + "*"]) if quoted else None


def product(visit: Visit) -> Response:
    row = find_product(visit, visit.part("slug"))
    return visit.html(
        "product.html",
        product=row,
        specs=visit.facts.execute("SELECT name, value FROM spec WHERE product = ?", (row["id"],)).fetchall(),
        options=options_of(visit, row["id"]),
        variants=variants_of(visit, row["id"]),
        kind=BY_SLUG[row["category"]],
    )


def find_product(visit: Visit, slug: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM product WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("product")
    return row  # type: ignore[no-any-return]


def options_of(visit: Visit, product: int) -> list[dict[str, Any]]:
    """The choices a product leaves, each with its values in order."""
    names = visit.facts.execute("SELECT place, name FROM option WHERE product = ? ORDER BY place", (product,))
    columns = ("first", "second")
    return [
        {
            "name": row["name"],
            "field": columns[row["place"]],
            "values": [
                each[0]
                for each in visit.facts.execute(
                    f"SELECT {columns[row['place']]} FROM variant WHERE product = ? GROUP BY 1 ORDER BY min(sku)",
                    (product,),
                )
            ],
        }
        for row in names.fetchall()
    ]


def variants_of(visit: Visit, product: int) -> list[dict[str, Any]]:
    found = visit.facts.execute("SELECT * FROM variant WHERE product = ? ORDER BY sku", (product,))
    return [dict(row) for row in found]


def product_picture(visit: Visit) -> Response:
    row = find_product(visit, visit.part("slug"))
    return visit.file(picture(row["shape"], row["tone"]), "image/svg+xml")


def _listing(visit: Visit, title: str, where: str, values: list[object]) -> Response:
    sort = visit.query.get("sort", "featured")
    sort = sort if sort in SORTS else "featured"
    page = max(1, int(visit.query.get("page", "1")) if visit.query.get("page", "1").isdigit() else 1)
    total = visit.facts.execute(f"SELECT count(*) FROM product WHERE {where}", values).fetchone()[0]
    rows = visit.facts.execute(
        f"SELECT * FROM product WHERE {where} ORDER BY {SORTS[sort]} LIMIT ? OFFSET ?",
        [*values, PER_PAGE, PER_PAGE * (page - 1)],
    ).fetchall()
    pages = (total + PER_PAGE - 1) // PER_PAGE
    return visit.html(
        "listing.html",
        title=title,
        products=rows,
        total=total,
        page=page,
        pages=pages,
        sort=sort,
        query=dict(visit.query),
    )
