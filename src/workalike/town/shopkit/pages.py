"""All pages of a shop."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from workalike.town.shopkit import shop as ranges
from workalike.town.shopkit import tables
from workalike.town.shopkit.account import Account
from workalike.town.shopkit.browse import Browse
from workalike.town.shopkit.cart import Cart
from workalike.town.shopkit.checkout import Checkout
from workalike.town.shopkit.shop import Shop
from workalike.town.site import Page, Site, Skin
from workalike.town.template import Template


def shop_site(
    shop: Shop, about: str, folder: Path, skins: tuple[Skin, ...], templates: tuple[Template, ...] = ()
) -> Site:
    """A shop as a site of the town: its own looks over the mechanics all shops share."""
    return Site(
        name=shop.name,
        title=shop.title,
        about=about,
        folder=folder,
        also_folders=(Path(__file__).parent,),
        skins=skins,
        pages=pages(shop),
        tables=tables.tables(shop.name),
        build=partial(ranges.build, shop),
        begin=partial(tables.begin, shop),
        entries=ranges.entries,
        templates=templates,
    )


def pages(shop: Shop) -> tuple[Page, ...]:
    look, cart, checkout, account = Browse(shop), Cart(shop), Checkout(shop), Account(shop)
    post = ("POST",)
    return (
        Page("/", look.front),
        Page("/c/{category}", look.shelf),
        Page("/d/{department}", look.department),
        Page("/search", look.search),
        Page("/suggest", look.suggestions),
        Page("/p/{slug}", look.product),
        Page("/p/{slug}/reviews", look.reviews),
        Page("/pic/{slug}.svg", look.picture),
        Page("/pic/c/{category}.svg", look.kind_picture),
        Page("/size-guide", look.size_guide),
        Page("/help/{topic}", look.help),
        Page("/cart", cart.show),
        Page("/cart/add", cart.add, post),
        Page("/cart/change", cart.change, post),
        Page("/cart/promo", cart.promo, post),
        Page("/cart/gift", cart.gift, post),
        Page("/notify", cart.notify, post),
        Page("/checkout", checkout.start),
        Page("/checkout/touch", checkout.touch, post),
        Page("/checkout/place", checkout.place, post),
        Page("/checkout/{step}", checkout.show),
        Page("/checkout/{step}", checkout.save, post),
        Page("/sign-in", account.sign_in, ("GET", "POST")),
        Page("/sign-out", account.sign_out, post),
        Page("/account", account.overview),
        Page("/order/{number}", account.order),
        Page("/order/{number}/invoice.pdf", account.invoice),
        Page("/order/{number}/cancel", account.cancel, post),
        Page("/track", account.track),
        Page("/saved", account.saved),
        Page("/saved", account.save, post),
    )
