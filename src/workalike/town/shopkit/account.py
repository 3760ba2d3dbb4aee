"""A customer's corner: signing in, orders past and present, saved things, tracking, and the invoice to download."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.records import cancel_record, document, find_record
from workalike.town.kit.saving import add_or_remove
from workalike.town.render import long_date, money
from workalike.town.shopkit.browse import find_product, shop_page, signed_in
from workalike.town.shopkit.cart import describe
from workalike.town.shopkit.shop import Shop
from workalike.town.state import insert
from workalike.town.visit import PageVisit


class Account(msgspec.Struct, frozen=True):
    """The pages for one shop that belong to somebody."""

    shop: Shop

    def sign_in(self, visit: PageVisit) -> Response:
        if visit.request.method == "GET":
            return shop_page(self.shop, visit, "shop/sign_in.html", failed=False, then=visit.query.get("then", ""))
        given = (visit.form.get("email", "").strip().lower(), visit.form.get("password", ""))
        query = f"SELECT * FROM {self.shop.table('account')} WHERE email = ? AND password = ?"
        if visit.state.execute(query, given).fetchone() is None:
            return shop_page(self.shop, visit, "shop/sign_in.html", 401, failed=True, then=visit.form.get("then", ""))
        insert(visit.state, self.shop.table("session"), {"email": given[0]})
        then = visit.form.get("then", "")
        return visit.redirect(then if then.startswith("/") and not then.startswith("//") else "/account")

    def sign_out(self, visit: PageVisit) -> Response:
        visit.state.execute(f"DELETE FROM {self.shop.table('session')}")
        return visit.redirect("/")

    def overview(self, visit: PageVisit) -> Response:
        who = signed_in(self.shop, visit)
        if who is None:
            return visit.redirect("/sign-in?then=/account")
        orders = visit.state.execute(
            f"SELECT * FROM {self.shop.table('order')} WHERE account = ? ORDER BY placed DESC, id DESC", (who["email"],)
        ).fetchall()
        return shop_page(self.shop, visit, "shop/account.html", orders=[self._with_lines(visit, row) for row in orders])

    def order(self, visit: PageVisit) -> Response:
        """An order's page: for its owner, and for whoever placed it just now as a guest."""
        order = self._own_order(visit)
        return shop_page(self.shop, visit, "shop/order.html", order=self._with_lines(visit, order))

    def invoice(self, visit: PageVisit) -> Response:
        order = self._with_lines(visit, self._own_order(visit))
        lines = [
            f"{line['quantity']} x {line['name']}   {money(line['each'] * line['quantity'])}" for line in order["lines"]
        ]
        head = [f"Order {order['number']} of {order['placed']}", order["name"] or "", order["street"] or "", ""]
        tail = ["", f"Delivery: {order['delivery']}", f"Total: {money(order['total'])}"]
        name = f"{self.shop.name}-{order['number']}.pdf"
        return document(visit, f"{self.shop.title} - Invoice", [*head, *lines, *tail], name)

    def cancel(self, visit: PageVisit) -> Response:
        """Cancel what has not left yet."""
        order = self._own_order(visit)
        if order["status"] == "Processing":
            cancel_record(visit, self.shop.table("order"), order["number"])
        return visit.redirect(f"/order/{order['number']}")

    def track(self, visit: PageVisit) -> Response:
        """Find an order by its number and the ZIP code it goes to."""
        number, zip_code = visit.query.get("number", "").strip().upper(), visit.query.get("zip", "").strip()
        found = find_record(visit, self.shop.table("order"), number, "zip = ?", zip_code) if number else None
        order = self._with_lines(visit, found) if found else None
        return shop_page(self.shop, visit, "shop/track.html", number=number, zip_code=zip_code, order=order)

    def saved(self, visit: PageVisit) -> Response:
        table = self.shop.table("saved")
        rows = visit.state.execute(
            f"SELECT * FROM {table} WHERE account = ? ORDER BY id", (self._name(visit),)
        ).fetchall()
        products = [find_product(visit, row["product"]) for row in rows]
        return shop_page(self.shop, visit, "shop/saved.html", products=products)

    def save(self, visit: PageVisit) -> Response:
        """Put a thing on the list, or take it off."""
        product = find_product(visit, visit.form.get("product", ""))
        add_or_remove(visit, self.shop.table("saved"), account=self._name(visit), product=product["slug"])
        return visit.redirect("/saved")

    def _name(self, visit: PageVisit) -> str:
        who = signed_in(self.shop, visit)
        return who["email"] if who else ""

    def _own_order(self, visit: PageVisit) -> sqlite3.Row:
        row = find_record(visit, self.shop.table("order"), visit.part("number"), "account = ?", self._name(visit))
        if row is None:
            raise visit.missing("order")
        return row

    def _with_lines(self, visit: PageVisit, order: sqlite3.Row) -> dict[str, Any]:
        query = f"SELECT * FROM {self.shop.table('order_line')} WHERE number = ? ORDER BY id"
        rows = visit.state.execute(query, (order["number"],)).fetchall()
        lines = [describe(visit, row["sku"]) | {"quantity": row["quantity"], "each": row["each"]} for row in rows]
        return dict(order) | {
            "lines": lines,
            "arrives_text": _long(order["arrives"]),
            "placed_text": _long(order["placed"]),
        }


def _long(iso: str) -> str:
    return long_date(date.fromisoformat(iso))
