"""How the oracle pays: the cart, its code and wrapping, and the steps of the checkout in whatever order they come."""

from __future__ import annotations

import re

from workalike.core.actions import Action
from workalike.town.look import FIELDS, Look
from workalike.town.moves import pay
from workalike.town.shopkit.tasks.finding import enter
from workalike.town.shopkit.tasks.plan import Order

CART = re.compile(
    r"^(basket \(\d+\)|(bag|tote) ?\d+|\d+ ?cart|(trolley|crate) \[\d+\]|view (bag|tote)|open (trolley|crate))$",
    re.IGNORECASE,
)
CHECKOUT = re.compile(
    r"^(proceed to checkout|checkout|go to checkout|pay for these|on to payment|start checkout)$", re.IGNORECASE
)
CONTINUE = re.compile(r"^(continue|save and continue|next|continue to next step|keep going)$", re.IGNORECASE)
PLACE = re.compile(
    r"^(place order|buy now|place your order|confirm and pay|send my order|order with payment)$", re.IGNORECASE
)
CODE = re.compile(r"^(promotion code|voucher|coupon code|discount code|reward code|deal code)$", re.IGNORECASE)
GIFT = re.compile(r"^gift wrapping", re.IGNORECASE)
CONTACT = {"E-mail address": "email", "Phone number": "phone"}
ADDRESS = {"Full name": "name", "Street address": "street", "City": "city", "State": "state", "ZIP code": "zip"}


def open_cart(look: Look, site: str) -> Action | None:
    if look.at(site, "/cart"):
        return None
    return enter(look, site) or look.click("link", CART, up=True)


def use_code(look: Look, site: str, code: str) -> Action | None:
    if look.clicked("button", "Apply", site, "/cart"):
        return None
    return open_cart(look, site) or look.fill("textbox", CODE, code) or look.click("button", "Apply")


def wrap(look: Look, site: str) -> Action | None:
    if look.clicked("checkbox", GIFT, site, "/cart"):
        return None
    return open_cart(look, site) or look.click("checkbox", GIFT)


def open_checkout(look: Look, site: str) -> Action | None:
    if look.was_at(site, "/checkout/"):
        return None
    return open_cart(look, site) or look.click("button", CHECKOUT)


def order(look: Look, wanted: Order) -> Action | None:
    """Answer every step of the checkout and place the order."""
    if look.was_at(wanted.site, "/order/"):
        return None
    step = look.path.removeprefix("/checkout/") if look.at(wanted.site, "/checkout/") else None
    if step is None:
        return open_cart(look, wanted.site) or look.click("button", CHECKOUT)
    if step == "review":
        return look.click("button", PLACE)
    return _answer(look, step, wanted) or look.click("button", CONTINUE)


def _answer(look: Look, step: str, wanted: Order) -> Action | None:
    if step == "delivery":
        return look.tick("radio", wanted.delivery)
    if step == "payment":
        return pay(look, wanted.persona)
    for label, field in (CONTACT if step == "contact" else ADDRESS).items():
        move = look.fill(FIELDS, label, wanted.persona[field])
        if move is not None:
            return move
    return None
