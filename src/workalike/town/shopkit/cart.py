"""The cart of a shop: lines by SKU, a promotion code, gift wrapping, and what it all comes to."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.kit.wizard import OPEN
from workalike.town.shopkit.browse import find_product, find_variant, say_stock, shop_page
from workalike.town.shopkit.shop import DeliveryWay, Shop
from workalike.town.state import insert, update
from workalike.town.visit import PageVisit, count_in

MOST = 10
CHANGED = "cart"
"""The stage of a checkout that was begun with another cart."""


class Totals(msgspec.Struct, frozen=True):
    """What a cart comes to, in cents."""

    subtotal: int
    discount: int
    gift: int
    delivery: int

    @property
    def total(self) -> int:
        return self.subtotal - self.discount + self.gift + self.delivery


class Cart(msgspec.Struct, frozen=True):
    """The cart's pages for one shop."""

    shop: Shop

    def show(self, visit: PageVisit) -> Response:
        lines = lines_of(self.shop, visit)
        basket = basket_of(self.shop, visit)
        totals = totals_of(self.shop, lines, basket)
        problem = visit.query.get("problem")
        return shop_page(
            self.shop, visit, "cart.html", lines=lines, basket=basket, totals=totals, problem=problem, most=MOST
        )

    def add(self, visit: PageVisit) -> Response:
        """Put a variant into the cart; what is sold out or was not chosen fully is refused."""
        product = find_product(visit, visit.form.get("product", ""))
        variant = find_variant(visit, product["id"], visit.form)
        back = f"/p/{product['slug']}"
        if variant is None:
            return visit.redirect(f"{back}?problem=choose")
        if not variant["stock"]:
            say_stock(visit, variant)
            return visit.redirect(f"{back}?problem=sold-out")
        self._put(visit, product, variant, read_quantity(visit.form.get("quantity", "1")))
        stays = visit.words.get("after_add") == "stay"
        return visit.redirect(f"{back if stays else '/cart'}?added={variant['sku']}")

    def change(self, visit: PageVisit) -> Response:
        """Set a line's quantity; 0 takes it out."""
        wanted = "0" if "remove" in visit.form else visit.form.get("quantity", "1")
        quantity, line = read_quantity(wanted, least=0), visit.form.get("line", "")
        table = self.shop.table("cart")
        if quantity:
            visit.state.execute(f"UPDATE {table} SET quantity = ? WHERE id = ?", (quantity, line))
        else:
            visit.state.execute(f"DELETE FROM {table} WHERE id = ?", (line,))
        self._changed(visit)
        return visit.redirect("/cart")

    def promo(self, visit: PageVisit) -> Response:
        """Use a code; one that isn't known, or asks for a larger sum, is refused."""
        code = visit.form.get("code", "")
        promo = self.shop.promo(code)
        subtotal = totals_of(self.shop, lines_of(self.shop, visit), Basket()).subtotal
        if code.strip() and (promo is None or subtotal < promo.least):
            return visit.redirect("/cart?problem=" + ("code" if promo is None else "least"))
        self._keep(visit, promo.code if promo else "", basket_of(self.shop, visit).gift)
        return visit.redirect("/cart")

    def gift(self, visit: PageVisit) -> Response:
        self._keep(visit, basket_of(self.shop, visit).promo, int("gift" in visit.form))
        return visit.redirect("/cart")

    def notify(self, visit: PageVisit) -> Response:
        """Write when something is back in stock."""
        product = find_product(visit, visit.form.get("product", ""))
        variant, email = find_variant(visit, product["id"], visit.form), visit.form.get("email", "").strip()
        if variant is None or "@" not in email:
            return visit.redirect(f"/p/{product['slug']}?problem=choose")
        insert(visit.state, self.shop.table("notify"), {"sku": variant["sku"], "email": email})
        return visit.redirect(f"/p/{product['slug']}?notified=1")

    def _put(self, visit: PageVisit, product: sqlite3.Row, variant: sqlite3.Row, quantity: int) -> None:
        table = self.shop.table("cart")
        held = visit.state.execute(f"SELECT * FROM {table} WHERE sku = ?", (variant["sku"],)).fetchone()
        if held:
            total = min(MOST, held["quantity"] + quantity)
            visit.state.execute(f"UPDATE {table} SET quantity = ? WHERE id = ?", (total, held["id"]))
        else:
            insert(visit.state, table, {"sku": variant["sku"], "product": product["slug"], "quantity": quantity})
        self._changed(visit)

    def _keep(self, visit: PageVisit, promo: str, gift: int) -> None:
        visit.state.execute(f"DELETE FROM {self.shop.table('basket')}")
        if promo or gift:
            insert(visit.state, self.shop.table("basket"), {"promo": promo, "gift": gift})
        self._changed(visit)

    def _changed(self, visit: PageVisit) -> None:
        """A checkout that was begun was begun with another cart; what was typed into it stays."""
        update(visit.state, self.shop.table("checkout"), {"stage": CHANGED}, OPEN)


class Basket(msgspec.Struct, frozen=True):
    """What holds for the cart as a whole."""

    promo: str = ""
    gift: int = 0


def basket_of(shop: Shop, visit: PageVisit) -> Basket:
    row = visit.state.execute(f"SELECT promo, gift FROM {shop.table('basket')}").fetchone()
    return Basket(row["promo"], row["gift"]) if row else Basket()


def lines_of(shop: Shop, visit: PageVisit) -> list[dict[str, Any]]:
    """The lines with everything a page shows of them."""
    rows = visit.state.execute(f"SELECT * FROM {shop.table('cart')} ORDER BY id").fetchall()
    return [describe(visit, row["sku"]) | {"line": row["id"], "quantity": row["quantity"]} for row in rows]


def describe(visit: PageVisit, sku: str) -> dict[str, Any]:
    """A variant with its product, and its options in words."""
    found = visit.facts.execute(
        "SELECT product.*, sku, first, second FROM variant JOIN product ON product.id = variant.product WHERE sku = ?",
        (sku,),
    ).fetchone()
    names = visit.facts.execute("SELECT name FROM option WHERE product = ? ORDER BY place", (found["id"],)).fetchall()
    chosen = [(row["name"], value) for row, value in zip(names, (found["first"], found["second"]), strict=False)]
    return dict(found) | {"chosen": chosen}


def totals_of(shop: Shop, lines: list[dict[str, Any]], basket: Basket, way: DeliveryWay | None = None) -> Totals:
    """The sums of a cart; the usual delivery is free from a sum on, others never are."""
    subtotal = sum(line["price"] * line["quantity"] for line in lines)
    promo = shop.promo(basket.promo)
    discount = subtotal * promo.percent // 100 if promo and subtotal >= promo.least else 0
    way = way or shop.deliveries[0]
    free = way == shop.deliveries[0] and subtotal - discount >= shop.free_over
    return Totals(subtotal, discount, shop.gift_wrap if basket.gift else 0, 0 if free or not lines else way.cents)


def read_quantity(text: str, least: int = 1) -> int:
    count = count_in(text, MOST)
    return 1 if count is None else max(least, count)
