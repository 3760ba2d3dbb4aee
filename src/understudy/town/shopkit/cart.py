"""The cart of a shop: lines by SKU, and what they come to."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
from starlette.responses import Response

from understudy.town.shopkit.browse import find_product
from understudy.town.shopkit.shop import Shop
from understudy.town.visit import Visit

MOST = 10


class Cart(msgspec.Struct, frozen=True):
    """The cart's pages for one shop."""

    shop: Shop

    def show(self, visit: Visit) -> Response:
        return visit.html("cart.html", lines=lines_of(self.shop, visit), total=subtotal(self.shop, visit))

    def add(self, visit: Visit) -> Response:
        """Put a variant into the cart; what is sold out or was not chosen fully is refused."""
        product = find_product(visit, visit.form.get("product", ""))
        chosen = (product["id"], visit.form.get("first", ""), visit.form.get("second", ""))
        variant = visit.facts.execute(
            "SELECT * FROM variant WHERE product = ? AND first = ? AND second = ?", chosen
        ).fetchone()
        if variant is None:
            return visit.redirect(f"/p/{product['slug']}?problem=choose")
        if not variant["stock"]:
            return visit.redirect(f"/p/{product['slug']}?problem=sold-out")
        self._put(visit, product, variant, read_quantity(visit.form.get("quantity", "1")))
        return visit.redirect("/cart?added=" + product["slug"])

    def change(self, visit: Visit) -> Response:
        """Set a line's quantity; 0 takes it out."""
        quantity, line = read_quantity(visit.form.get("quantity", "1"), least=0), visit.form.get("line", "")
        table = self.shop.table("cart")
        if quantity:
            visit.state.execute(f"UPDATE {table} SET quantity = ? WHERE id = ?", (quantity, line))
        else:
            visit.state.execute(f"DELETE FROM {table} WHERE id = ?", (line,))
        return visit.redirect("/cart")

    def _put(self, visit: Visit, product: sqlite3.Row, variant: sqlite3.Row, quantity: int) -> None:
        table = self.shop.table("cart")
        held = visit.state.execute(f"SELECT * FROM {table} WHERE sku = ?", (variant["sku"],)).fetchone()
        if held:
            total = min(MOST, held["quantity"] + quantity)
            visit.state.execute(f"UPDATE {table} SET quantity = ? WHERE id = ?", (total, held["id"]))
        else:
            row = (variant["sku"], product["slug"], quantity)
            visit.state.execute(f"INSERT INTO {table} (sku, product, quantity) VALUES (?, ?, ?)", row)


def lines_of(shop: Shop, visit: Visit) -> list[dict[str, Any]]:
    """The lines with everything a page shows of them."""
    lines = []
    for row in visit.state.execute(f"SELECT * FROM {shop.table('cart')} ORDER BY id"):
        found = visit.facts.execute(
            "SELECT product.*, sku, first, second, variant.price AS each FROM variant"
            " JOIN product ON product.id = variant.product WHERE sku = ?",
            (row["sku"],),
        ).fetchone()
        lines.append(dict(found) | {"line": row["id"], "quantity": row["quantity"]})
    return lines


def subtotal(shop: Shop, visit: Visit) -> int:
    return sum(line["each"] * line["quantity"] for line in lines_of(shop, visit))


def read_quantity(text: str, least: int = 1) -> int:
    return min(MOST, max(least, int(text))) if text.isdigit() else 1
