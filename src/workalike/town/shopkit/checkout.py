"""A checkout of several pages. How far it went is kept in a draft, so that stopping at the critical point can be told
from never getting there, and from going past it."""

from __future__ import annotations

import re
import sqlite3
from datetime import timedelta
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.records import count_rows, scattered_number
from workalike.town.kit.wizard import Wizard
from workalike.town.shopkit.browse import shop_page, signed_in
from workalike.town.shopkit.cart import CHANGED, basket_of, lines_of, totals_of
from workalike.town.shopkit.shop import Shop
from workalike.town.state import insert
from workalike.town.visit import PageVisit

FIELDS = {
    "contact": ("email", "phone"),
    "address": ("name", "street", "city", "region", "zip"),
    "delivery": ("delivery",),
    "payment": ("card",),
}
STEPS = ("contact", "address", "delivery", "payment", "review")


class Checkout(msgspec.Struct, frozen=True):
    """The checkout's pages for one shop. A skin's `steps` set their order."""

    shop: Shop

    @property
    def wizard(self) -> Wizard:
        ways = "|".join(re.escape(way.name) for way in self.shop.deliveries)
        rules = {"delivery": (ways, "Choose how we should deliver.")}
        return Wizard(self.shop.table("checkout"), STEPS, FIELDS, ("contact", "address", "payment"), rules)

    def start(self, visit: PageVisit) -> Response:
        """Begin, or go on where one was."""
        if not lines_of(self.shop, visit):
            return visit.redirect("/cart")
        draft = self._draft(visit) or self.wizard.begin(visit, {"stage": "started"})
        return visit.redirect(f"/checkout/{self.wizard.lacking(visit, draft)}")

    def show(self, visit: PageVisit) -> Response:
        step, draft = visit.part("step"), self._draft(visit)
        if draft is None or step not in STEPS:
            return visit.redirect("/checkout")
        return self._page(visit, step, draft, {})

    def save(self, visit: PageVisit) -> Response:
        """Take what one step asked for; what is missing or malformed is said beside its field."""
        step, draft = visit.part("step"), self.wizard.draft(visit)
        if draft is None or step not in FIELDS:
            return visit.redirect("/checkout")
        given, problems = self.wizard.given(visit, step)
        if problems:
            self.wizard.note_typed(visit, step, given)
            return self._page(visit, step, dict(draft) | given, problems)
        self.wizard.update(visit, given | {"stage": step, "touched": self.wizard.touched(draft, step)})
        return visit.redirect("/checkout")

    def place(self, visit: PageVisit) -> Response:
        """Place the order: from here on it is real."""
        draft, lines = self.wizard.draft(visit), lines_of(self.shop, visit)
        if draft is None or not lines or self.wizard.lacking(visit, draft) != "review":
            return visit.redirect("/checkout")
        number = self._order(visit, draft, lines)
        visit.state.execute(f"DELETE FROM {self.shop.table('cart')}")
        visit.state.execute(f"DELETE FROM {self.shop.table('basket')}")
        self.wizard.update(visit, {"stage": "placed"})
        return visit.redirect(f"/order/{number}")

    def _draft(self, visit: PageVisit) -> sqlite3.Row | None:
        """The draft, begun anew with whatever is in the cart by now."""
        draft = self.wizard.draft(visit)
        if draft is not None and draft["stage"] == CHANGED:
            self.wizard.update(visit, {"stage": "started"})
        return draft

    def _order(self, visit: PageVisit, draft: sqlite3.Row, lines: list[dict[str, Any]]) -> str:
        orders = self.shop.table("order")
        number = scattered_number(self.shop.prefix, count_rows(visit.state, orders) + 1)
        basket, way, who = (
            basket_of(self.shop, visit),
            self.shop.delivery(draft["delivery"]),
            signed_in(self.shop, visit),
        )
        days = max(line["days"] for line in lines) + (way.days if way else 0)
        asked = {name: draft[name] for name in self.wizard.columns()}
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

    def _page(
        self, visit: PageVisit, step: str, draft: sqlite3.Row | dict[str, Any], problems: dict[str, str]
    ) -> Response:
        lines, basket = lines_of(self.shop, visit), basket_of(self.shop, visit)
        way = self.shop.delivery(draft["delivery"] or "")
        totals = totals_of(self.shop, lines, basket, way)
        values: dict[str, Any] = {"step": step, "steps": self.wizard.order(visit), "draft": draft, "problems": problems}
        return shop_page(
            self.shop, visit, "checkout.html", lines=lines, basket=basket, totals=totals, way=way, **values
        )
