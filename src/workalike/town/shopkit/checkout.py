"""A checkout of several pages. How far it went is kept in a draft, so that stopping at the critical point can be told
from never getting there, and from going past it."""

from __future__ import annotations

import re
import sqlite3
from datetime import timedelta
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.shopkit.browse import shop_page, signed_in
from workalike.town.shopkit.cart import basket_of, lines_of, totals_of
from workalike.town.shopkit.shop import Shop
from workalike.town.shopkit.tables import order_number
from workalike.town.state import insert, update
from workalike.town.visit import Visit

FIELDS = {
    "contact": ("email", "phone"),
    "address": ("name", "street", "city", "region", "zip"),
    "delivery": ("delivery",),
    "payment": ("card",),
}
PERSONAL = ("contact", "address", "payment")
STEPS = ("contact", "address", "delivery", "payment", "review")
_RULES = {
    "email": (r"[^@\s]+@[^@\s]+\.[^@\s]+", "Enter a valid e-mail address."),
    "phone": (r"[\d()+\-. ]{7,20}", "Enter a phone number."),
    "name": (r".*\S\s+\S.*", "Enter first and last name."),
    "street": (r".*\d.*", "Enter street and house number."),
    "city": (r".{2,}", "Enter a city."),
    "region": (r"[A-Za-z ]{2,20}", "Enter a state."),
    "zip": (r"\d{5}", "Enter a five-digit ZIP code."),
    "delivery": (r".+", "Choose how we should deliver."),
    "card": (r"\d{4}", "Enter your card details."),
}


class Checkout(msgspec.Struct, frozen=True):
    """The checkout's pages for one shop. A skin's `steps` set their order."""

    shop: Shop

    def start(self, visit: Visit) -> Response:
        """Begin, or go on where one was."""
        if not lines_of(self.shop, visit):
            return visit.redirect("/cart")
        draft = self._draft(visit) or self._begin(visit)
        return visit.redirect(f"/checkout/{self._next(visit, draft)}")

    def show(self, visit: Visit) -> Response:
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in STEPS:
            return visit.redirect("/checkout")
        return self._page(visit, step, draft, {})

    def save(self, visit: Visit) -> Response:
        """Take what one step asked for; what is missing or malformed is said beside its field."""
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in FIELDS:
            return visit.redirect("/checkout")
        given = {field: " ".join(visit.form.get(field, "").split()) for field in FIELDS[step]}
        problems = {field: _RULES[field][1] for field in given if not re.fullmatch(_RULES[field][0], given[field])}
        if "delivery" in given and self.shop.delivery(given["delivery"]) is None:
            problems["delivery"] = _RULES["delivery"][1]
        if problems:
            return self._page(visit, step, dict(draft) | given, problems)
        self._update(visit, given | {"stage": step, "touched": int(bool(draft["touched"]) or step in PERSONAL)})
        return visit.redirect("/checkout")

    def touch(self, visit: Visit) -> Response:
        """Somebody began to type personal data."""
        self._update(visit, {"touched": 1})
        return visit.json({"noted": True})

    def place(self, visit: Visit) -> Response:
        """Place the order: from here on it is real."""
        draft, lines = self._draft(visit), lines_of(self.shop, visit)
        if draft is None or not lines or self._next(visit, draft) != "review":
            return visit.redirect("/checkout")
        number = self._order(visit, draft, lines)
        visit.state.execute(f"DELETE FROM {self.shop.table('cart')}")
        visit.state.execute(f"DELETE FROM {self.shop.table('basket')}")
        self._update(visit, {"stage": "placed"})
        return visit.redirect(f"/order/{number}")

    def _order(self, visit: Visit, draft: sqlite3.Row, lines: list[dict[str, Any]]) -> str:
        orders = self.shop.table("order")
        number = order_number(self.shop, visit.state.execute(f"SELECT count(*) FROM {orders}").fetchone()[0] + 1)
        basket, way, who = (
            basket_of(self.shop, visit),
            self.shop.delivery(draft["delivery"]),
            signed_in(self.shop, visit),
        )
        days = max(line["days"] for line in lines) + (way.days if way else 0)
        asked = {field: draft[field] for fields in FIELDS.values() for field in fields}
        values = asked | {
            "number": number,
            "account": who["email"] if who else "",
            "promo": basket.promo,
            "gift": basket.gift,
            "total": totals_of(self.shop, lines, basket, way).total,
            "status": "Processing",
            "placed": visit.today.isoformat(),
            "arrives": (visit.today + timedelta(max(1, days))).isoformat(),
        }
        insert(visit.state, orders, values)
        for line in lines:
            row = {"number": number, "sku": line["sku"], "quantity": line["quantity"], "each": line["price"]}
            insert(visit.state, self.shop.table("order_line"), row)
        return number

    def _begin(self, visit: Visit) -> sqlite3.Row:
        insert(visit.state, self.shop.table("checkout"), {"stage": "started", "touched": 0})
        draft = self._draft(visit)
        assert draft is not None
        return draft

    def _draft(self, visit: Visit) -> sqlite3.Row | None:
        query = f"SELECT * FROM {self.shop.table('checkout')} WHERE stage != 'placed' ORDER BY id DESC LIMIT 1"
        return visit.state.execute(query).fetchone()  # type: ignore[no-any-return]

    def _update(self, visit: Visit, values: dict[str, object]) -> None:
        update(visit.state, self.shop.table("checkout"), values, "stage != 'placed'")

    def _next(self, visit: Visit, draft: sqlite3.Row) -> str:
        """The first step that still lacks something, in the skin's order."""
        for step in self._steps(visit):
            if any(not draft[field] for field in FIELDS.get(step, ())):
                return step
        return "review"

    def _steps(self, visit: Visit) -> tuple[str, ...]:
        return visit.skin.steps or STEPS

    def _page(self, visit: Visit, step: str, draft: sqlite3.Row | dict[str, Any], problems: dict[str, str]) -> Response:
        lines, basket = lines_of(self.shop, visit), basket_of(self.shop, visit)
        way = self.shop.delivery(draft["delivery"] or "")
        totals = totals_of(self.shop, lines, basket, way)
        values: dict[str, Any] = {"step": step, "steps": self._steps(visit), "draft": draft, "problems": problems}
        return shop_page(
            self.shop, visit, "checkout.html", lines=lines, basket=basket, totals=totals, way=way, **values
        )
