"""A checkout of several pages. Each stage is kept in a draft, so that stopping before the critical point can be told from
never getting there."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from understudy.town.shopkit.cart import lines_of, subtotal
from understudy.town.shopkit.shop import Shop
from understudy.town.visit import Visit


class Checkout(msgspec.Struct, frozen=True):
    """The checkout's pages for one shop."""

    shop: Shop

    def start(self, visit: Visit) -> Response:
        lines = lines_of(self.shop, visit)
        if not lines:
            return visit.redirect("/cart")
        table = self.shop.table("checkout")
        if visit.state.execute(f"SELECT 1 FROM {table}").fetchone() is None:
            visit.state.execute(f"INSERT INTO {table} (stage) VALUES ('started')")
        return visit.html("checkout.html", lines=lines, total=subtotal(self.shop, visit))

    def touch(self, visit: Visit) -> Response:
        """Somebody began to enter personal data."""
        visit.state.execute(f"UPDATE {self.shop.table('checkout')} SET touched = 1")
        return visit.json({"saved": True})
