"""How the oracle buys: options and counters, the cart, its code and wrapping, the checkout in whatever order it
comes."""

from __future__ import annotations

import re

from workalike.core.actions import Action
from workalike.town.look import OracleView
from workalike.town.mess import icon_of
from workalike.town.moves import fill_all, pay
from workalike.town.shopkit.tasks.finding import be_at_product, choose, enter
from workalike.town.shopkit.tasks.items import Item

SIGN_IN = re.compile(rf"(sign in|{icon_of('Sign in')})$", re.IGNORECASE)
TRACK = re.compile(r"^(track an order|where is my order)$", re.IGNORECASE)
HELP = re.compile(r"^(delivery|shipping rates)$", re.IGNORECASE)
GIFT = re.compile(r"^gift wrapping", re.IGNORECASE)
CONTACT = {"E-mail address": "email", "Phone number": "phone"}
ADDRESS = {"Full name": "name", "Street address": "street", "City": "city", "State": "state", "ZIP code": "zip"}


def buy(look: OracleView, item: Item) -> Action | None:
    """Have an item in the cart."""
    if look.was_at(item.site, rf"/(cart|p/{item.slug})\?added={item.sku}"):
        return None
    add = look.word(item.site, "add")
    return be_at_product(look, item) or choose(look, item) or _count(look, item) or look.click("button", add)


def open_cart(look: OracleView, site: str) -> Action | None:
    if look.at(site, "/cart"):
        return None
    word = re.escape(look.word(site, "cart"))
    link = re.compile(rf"^((view|open) )?[\d\s()\[\]]*{word}[\d\s()\[\]]*$", re.IGNORECASE)
    return enter(look, site) or look.click("link", link, up=True)


def use_code(look: OracleView, site: str, code: str) -> Action | None:
    if look.clicked("button", "Apply", site, "/cart"):
        return None
    field = look.word(site, "code")
    return open_cart(look, site) or look.fill("textbox", field, code) or look.click("button", "Apply")


def wrap(look: OracleView, site: str) -> Action | None:
    if look.clicked("checkbox", GIFT, site, "/cart"):
        return None
    return open_cart(look, site) or look.click("checkbox", GIFT)


def open_checkout(look: OracleView, site: str) -> Action | None:
    if look.was_at(site, "/checkout/"):
        return None
    return open_cart(look, site) or look.click("button", look.word(site, "checkout"))


def order(look: OracleView, site: str, delivery: str, persona: dict[str, str]) -> Action | None:
    """Answer every step of the checkout and place the order."""
    if look.went(site, "/checkout/", "/order/"):
        return None
    step = look.path.removeprefix("/checkout/") if look.at(site, "/checkout/") else None
    if step is None:
        return open_cart(look, site) or look.click("button", look.word(site, "checkout"))
    if step == "review":
        return look.click("button", look.word(site, "place"))
    return _answer(look, step, delivery, persona) or look.click("button", look.word(site, "continue"))


def _answer(look: OracleView, step: str, delivery: str, persona: dict[str, str]) -> Action | None:
    if step == "delivery":
        return look.tick("radio", delivery)
    if step == "payment":
        return pay(look, persona)
    return fill_all(look, CONTACT if step == "contact" else ADDRESS, persona)


def _count(look: OracleView, item: Item) -> Action | None:
    """Set how many, whatever the counter looks like."""
    wanted = str(item.quantity)
    widget = look.find("spinbutton", "Quantity")
    if widget is not None:
        return None if widget.value == wanted else look.click("button", "Increase quantity")
    if look.find("combobox", "Quantity"):
        return look.pick("Quantity", wanted)
    return look.fill("textbox", "Quantity", wanted)
