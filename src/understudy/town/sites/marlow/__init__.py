"""Marlow & Finch: a home-and-living department store."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from understudy.town.shopkit import browse, shop
from understudy.town.shopkit.cart import Cart
from understudy.town.shopkit.checkout import Checkout
from understudy.town.shopkit.templates_test import templates
from understudy.town.site import Page, Site, Skin

SHOP = shop.Shop("marlow", "MF", 0.8, 1.0, 0.2, {"Standard": (595, 4), "Express": (1450, 2)}, 7500)
CART, CHECKOUT = Cart(SHOP), Checkout(SHOP)

SITE = Site(
    name="marlow",
    title="Marlow & Finch",
    about="Things for a home well lived in: kitchen, clothing, travel, electronics.",
    folder=Path(__file__).parent,
    also_folders=(Path(shop.__file__).parent,),
    skins=(
        Skin("linen", "train", {"cart": "Basket", "add": "Add to basket", "checkout": "Proceed to checkout"}),
        Skin("harbour", "test", {"cart": "Bag", "add": "Add to bag", "checkout": "Checkout"}),
    ),
    pages=(
        Page("/", browse.front),
        Page("/c/{category}", browse.shelf),
        Page("/search", browse.search),
        Page("/p/{slug}", browse.product),
        Page("/pic/{slug}.svg", browse.product_picture),
        Page("/cart", CART.show),
        Page("/cart/add", CART.add, ("POST",)),
        Page("/cart/change", CART.change, ("POST",)),
        Page("/checkout", CHECKOUT.start),
        Page("/checkout/touch", CHECKOUT.touch, ("POST",)),
    ),
    tables=shop.tables("marlow"),
    build=partial(shop.build, SHOP),
    entries=shop.entries,
    templates=templates(SHOP),
)
