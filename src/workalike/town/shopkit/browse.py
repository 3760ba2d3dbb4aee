"""Looking around in a shop: its front page, shelves, suggestions, a product's page and what belongs to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.listing import labels_of, page_number, with_query
from workalike.town.shopkit.kinds import BY_SLUG, COLOURS, DEPARTMENTS, KINDS, TONES
from workalike.town.shopkit.listing import SORTS, read_ask, run_ask, suggest
from workalike.town.shopkit.pictures import picture
from workalike.town.shopkit.reviews import FEW, quirk_of, reviews_of, spread
from workalike.town.shopkit.shop import Shop
from workalike.town.shopkit.sizes import CLOTHES, SHOES
from workalike.town.visit import PageVisit


class ShopPages(msgspec.Struct, frozen=True):
    """The pages of one shop that change nothing."""

    shop: Shop

    def front(self, visit: PageVisit) -> Response:
        def pick(where: str, order: str) -> list[sqlite3.Row]:
            return visit.facts.execute(f"SELECT * FROM product WHERE {where} ORDER BY {order} LIMIT 8").fetchall()

        return self._page(
            visit,
            "front.html",
            deals=pick("was IS NOT NULL AND stock > 0", "rank"),
            best=pick("stock > 0", "reviews DESC, id"),
            kinds=KINDS,
        )

    def shelf(self, visit: PageVisit) -> Response:
        """A category's goods."""
        kind = BY_SLUG.get(visit.part("category"))
        if kind is None:
            raise visit.missing("category")
        return self._listing(visit, kind.title, category=kind.slug, department=kind.department)

    def department(self, visit: PageVisit) -> Response:
        wanted = visit.part("department")
        names = {name.lower().replace(" & ", "-"): name for name in DEPARTMENTS}
        if wanted not in names:
            raise visit.missing("department")
        return self._listing(visit, names[wanted], department=names[wanted])

    def search(self, visit: PageVisit) -> Response:
        """What matches the words somebody typed."""
        asked = visit.query.get("q", "").strip()
        return self._listing(visit, f"Results for “{asked}”" if asked else "All products")

    def suggestions(self, visit: PageVisit) -> Response:
        return visit.json(suggest(visit.facts, visit.query.get("q", "")))

    def product(self, visit: PageVisit) -> Response:
        row = find_product(visit, visit.part("slug"))
        kind = BY_SLUG[row["category"]]
        near = visit.facts.execute(
            "SELECT * FROM product WHERE category = ? AND id != ? ORDER BY family != ?, rank LIMIT 4",
            (row["category"], row["id"], row["family"]),
        ).fetchall()
        specs = visit.facts.execute("SELECT name, value FROM spec WHERE product = ? ORDER BY place", (row["id"],))
        return self._page(
            visit,
            "product.html",
            product=row,
            kind=kind,
            specs=specs.fetchall(),
            options=options_of(visit.facts, row["id"]),
            near=near,
            arrives=visit.today + timedelta(row["days"]),
            colours=COLOURS,
        )

    def stock(self, visit: PageVisit) -> Response:
        """Fetched when somebody has chosen a variant: whether it is there."""
        row = find_product(visit, visit.part("slug"))
        variant = find_variant(visit, row["id"], visit.query)
        if variant is None:
            raise visit.missing("variant")
        return visit.json({"text": say_stock(visit, variant), "left": variant["stock"]})

    def reviews(self, visit: PageVisit) -> Response:
        """The latest few are fetched when somebody scrolls there; on a page of their own stand more."""
        row = find_product(visit, visit.part("slug"))
        piece = "x-piece" in visit.request.headers
        said = reviews_of(
            row, visit.rng("reviews", row["slug"]), visit.today, quirk_of(visit.town.world, self.shop, row)
        )
        values: dict[str, Any] = {"product": row, "spread": spread(row), "shown": said[:FEW] if piece else said}
        if piece:
            return visit.html("shop/reviews.html", **values)
        return self._page(visit, "shop/all_reviews.html", **values)

    def picture(self, visit: PageVisit) -> Response:
        row = find_product(visit, visit.part("slug"))
        view = visit.query.get("view", "0")
        asked = visit.query.get("color", "")
        tone = asked if asked in COLOURS else own_colour(visit.facts, row) or row["tone"]
        drawn = picture(row["shape"], tone, int(view) if view.isdigit() else 0, visit.words.get("paper", "#f4f2ee"))
        return visit.drawing(drawn)

    def kind_picture(self, visit: PageVisit) -> Response:
        """What stands for a whole category."""
        kind = BY_SLUG.get(visit.part("category"))
        if kind is None:
            raise visit.missing("picture")
        tone = TONES[KINDS.index(kind) % len(TONES)]
        return visit.file(picture(kind.shape, tone, ground=visit.words.get("paper", "#f4f2ee")), "image/svg+xml")

    def size_guide(self, visit: PageVisit) -> Response:
        return self._page(visit, "shop/sizes.html", clothes=CLOTHES, shoes=SHOES)

    def help(self, visit: PageVisit) -> Response:
        topic = visit.part("topic")
        if topic not in ("delivery", "returns", "contact", "offers"):
            raise visit.missing("page")
        return self._page(visit, "shop/help.html", topic=topic)

    def _listing(
        self, visit: PageVisit, title: str, category: str | None = None, department: str | None = None
    ) -> Response:
        items = visit.request.query_params.multi_items()
        ask = read_ask(items, category, None if category else department, page_number(visit))
        found = run_ask(visit.facts, ask)
        if category:
            asked = {name: "|".join(values) for name, values in ask.specs.items()}
            visit.fact(category, "found", found.total, most=ask.high or "", **asked)
        values: dict[str, Any] = {"ask": ask, "found": found, "title": title, "items": items, "sorted_by": ask.sort}
        values["sorts"] = labels_of(SORTS)
        values |= {"with_query": with_query, "kinds": DEPARTMENTS.get(department or "", ()), "department": department}
        if visit.query.get("piece"):
            return visit.html("shop/cards.html", **values)
        return self._page(visit, "listing.html", **values)

    def _page(self, visit: PageVisit, template: str, **values: Any) -> Response:
        return shop_page(self.shop, visit, template, **values)


def shop_page(shop: Shop, visit: PageVisit, template: str, status: int = 200, **values: Any) -> Response:
    """A page with what every page's head shows: departments, how much is in the cart, who is signed in."""
    count = visit.state.execute(f"SELECT coalesce(sum(quantity), 0) FROM {shop.table('cart')}").fetchone()[0]
    who = signed_in(shop, visit)
    return visit.html(template, status, shop=shop, departments=DEPARTMENTS, cart_count=count, who=who, **values)


def signed_in(shop: Shop, visit: PageVisit) -> sqlite3.Row | None:
    """The account that is signed in, or None."""
    account, session = shop.table("account"), shop.table("session")
    query = f"SELECT {account}.* FROM {session} JOIN {account} USING (email) ORDER BY {session}.id DESC LIMIT 1"
    return visit.state.execute(query).fetchone()  # type: ignore[no-any-return]


def find_product(visit: PageVisit, slug: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM product WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("product")
    return row  # type: ignore[no-any-return]


def options_of(facts: sqlite3.Connection, product: int) -> list[dict[str, Any]]:
    """The choices a product leaves, each with its values in order."""
    found = []
    for row in facts.execute("SELECT place, name FROM option WHERE product = ? ORDER BY place", (product,)).fetchall():
        field = ("first", "second")[row["place"]]
        query = f"SELECT {field} FROM variant WHERE product = ? GROUP BY 1 ORDER BY min(sku)"
        found.append(
            {"name": row["name"], "field": field, "choices": [each[0] for each in facts.execute(query, (product,))]}
        )
    return found


def own_colour(facts: sqlite3.Connection, product: sqlite3.Row) -> str | None:
    """The colour that a product is shown in before one is chosen: the first that it comes in."""
    query = "SELECT first FROM variant WHERE product = ? ORDER BY stock = 0, sku LIMIT 1"
    first = facts.execute(query, (product["id"],)).fetchone()["first"]
    return first if first in COLOURS else None


def find_variant(visit: PageVisit, product: int, chosen: Mapping[str, str]) -> sqlite3.Row | None:
    """The variant of a product that somebody's choice of options makes."""
    query = "SELECT * FROM variant WHERE product = ? AND first = ? AND second = ?"
    return visit.facts.execute(query, (product, chosen.get("first", ""), chosen.get("second", ""))).fetchone()  # type: ignore[no-any-return]


def say_stock(visit: PageVisit, variant: sqlite3.Row) -> str:
    """How many there are of a variant, in words that are a fact of its own."""
    left = variant["stock"]
    text = "Sold out" if not left else f"Only {left} left" if left <= 5 else "In stock"
    return visit.fact(variant["sku"], "stock", text)
