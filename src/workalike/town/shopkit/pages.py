"""All pages of a shop."""

from __future__ import annotations

from pathlib import Path

from workalike.town.kit.seller import SiteKit
from workalike.town.shopkit import shop as ranges
from workalike.town.shopkit import tables
from workalike.town.shopkit.account import Account
from workalike.town.shopkit.browse import ShopPages
from workalike.town.shopkit.cart import Cart
from workalike.town.shopkit.checkout import Checkout
from workalike.town.shopkit.shop import Shop
from workalike.town.site import PageRoute


def pages(shop: Shop) -> tuple[PageRoute, ...]:
    look, cart, checkout, account = ShopPages(shop), Cart(shop), Checkout(shop), Account(shop)
    post = ("POST",)
    return (
        PageRoute("/", look.front),
        PageRoute("/c/{category}", look.shelf),
        PageRoute("/d/{department}", look.department),
        PageRoute("/search", look.search),
        PageRoute("/suggest", look.suggestions),
        PageRoute("/p/{slug}", look.product),
        PageRoute("/p/{slug}/reviews", look.reviews),
        PageRoute("/p/{slug}/stock", look.stock),
        PageRoute("/pic/{slug}.svg", look.picture),
        PageRoute("/pic/c/{category}.svg", look.kind_picture),
        PageRoute("/size-guide", look.size_guide),
        PageRoute("/help/{topic}", look.help),
        PageRoute("/cart", cart.show),
        PageRoute("/cart/add", cart.add, post),
        PageRoute("/cart/change", cart.change, post),
        PageRoute("/cart/promo", cart.promo, post),
        PageRoute("/cart/gift", cart.gift, post),
        PageRoute("/notify", cart.notify, post),
        PageRoute("/checkout", checkout.start),
        PageRoute("/checkout/touch", checkout.wizard.touch, post),
        PageRoute("/checkout/place", checkout.place, post),
        PageRoute("/checkout/{step}", checkout.show),
        PageRoute("/checkout/{step}", checkout.save, post),
        PageRoute("/sign-in", account.sign_in, ("GET", "POST")),
        PageRoute("/sign-out", account.sign_out, post),
        PageRoute("/account", account.overview),
        PageRoute("/order/{number}", account.order),
        PageRoute("/order/{number}/invoice.pdf", account.invoice),
        PageRoute("/order/{number}/cancel", account.cancel, post),
        PageRoute("/track", account.track),
        PageRoute("/saved", account.saved),
        PageRoute("/saved", account.save, post),
    )


RETAIL = SiteKit(
    (Path(__file__).parent,),
    pages,
    tables.tables,
    tables.crossed,
    ranges.build,
    tables.begin,
    ranges.entries,
    thing="/p/",
    written=("review", "text", "seller"),
)
