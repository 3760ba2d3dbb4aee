"""The oracle of the shops: goal by goal, from what is visible and what was done."""

from __future__ import annotations

import re
from functools import partial

from workalike.core.actions import Action, Press
from workalike.town.look import FIELDS, Look
from workalike.town.moves import Goal, pursue
from workalike.town.shopkit.tasks.finding import be_at_product, enter
from workalike.town.shopkit.tasks.plan import Item, Parcel, ShopPlan, SignIn, read_plan
from workalike.town.shopkit.tasks.till import open_cart, open_checkout, order, use_code, wrap
from workalike.town.template import Plan

ADD = re.compile(r"^(add to (basket|bag|cart|trolley|crate)|put in tote)$", re.IGNORECASE)
SAVE = re.compile(
    r"^(save for later|add to favourites|add to wish list|remember this|keep for another day|pin this)$", re.IGNORECASE
)
SIGN_IN = re.compile(r"sign in$", re.IGNORECASE)
TRACK = re.compile(r"^(track an order|where is my order)$", re.IGNORECASE)
TOPICS = {"delivery": re.compile(r"^(delivery|shipping rates)$", re.IGNORECASE)}


def oracle(plan: Plan, look: Look) -> Action:
    todo = read_plan(plan)
    return pursue(look, _goals(todo, look), todo.said[0])


def _goals(todo: ShopPlan, look: Look) -> list[Goal]:
    """What is to be done, in order."""
    goals: list[Goal] = []
    if todo.sign_in:
        goals.append(partial(_sign_in, look, todo.sign_in))
    goals += [partial(_inspect, look, item) for item in todo.looks]
    goals += [partial(_read, look, *page) for page in todo.pages]
    goals += [partial(_buy, look, item) for item in todo.items]
    goals += [partial(_save, look, item) for item in todo.saves]
    if todo.promo:
        goals.append(partial(use_code, look, todo.shop, todo.promo))
    if todo.gift:
        goals.append(partial(wrap, look, todo.shop))
    if (todo.promo or todo.gift) and not todo.checkout:
        goals.append(partial(open_cart, look, todo.shop))
    if todo.cancel:
        goals.append(partial(_cancel, look, todo.cancel))
    if todo.track:
        goals.append(partial(_track, look, todo.track))
    if todo.checkout:
        goals.append(partial(open_checkout, look, todo.checkout))
    if todo.order:
        goals.append(partial(order, look, todo.order))
    return goals


def _sign_in(look: Look, who: SignIn) -> Action | None:
    if look.was_at(who.site, "/account"):
        return None
    if look.at(who.site, "/sign-in"):
        return (
            look.fill(FIELDS, "E-mail address", who.email)
            or look.fill(FIELDS, "Password", who.password)
            or look.click("button", "Sign in")
        )
    return enter(look, who.site) or look.click("link", SIGN_IN, up=True)


def _inspect(look: Look, item: Item) -> Action | None:
    """See a product's page, with the options chosen where the task names some."""
    if any(_is_chosen(Look(seen), item) for seen in look.seen):
        return None
    return be_at_product(look, item) or _choose(look, item)


def _buy(look: Look, item: Item) -> Action | None:
    if look.was_at(item.site, rf"/(cart|p/{item.slug})\?added={item.sku}"):
        return None
    return be_at_product(look, item) or _choose(look, item) or _count(look, item) or look.click("button", ADD)


def _save(look: Look, item: Item) -> Action | None:
    if look.clicked("button", SAVE, item.site, f"/p/{item.slug}$"):
        return None
    return be_at_product(look, item) or look.click("button", SAVE)


def _is_chosen(look: Look, item: Item) -> bool:
    if not look.at(item.site, f"/p/{item.slug}$"):
        return False
    return all(_option_is(look, name, value) for name, value in item.options.items())


def _option_is(look: Look, name: str, value: str) -> bool:
    pill, drop = look.find("radio", value), look.find("combobox", name)
    return (pill is not None and "checked" in pill.states) or (drop is not None and drop.value == value)


def _choose(look: Look, item: Item) -> Action | None:
    for name, value in item.options.items():
        if _option_is(look, name, value):
            continue
        if look.find("combobox", name):
            return look.pick(name, value)
        return look.tick("radio", value)
    return None


def _count(look: Look, item: Item) -> Action | None:
    """Set how many, whatever the counter looks like."""
    wanted = str(item.quantity)
    widget = look.find("spinbutton", "Quantity")
    if widget is not None:
        return None if widget.value == wanted else look.click("button", "Increase quantity")
    if look.find("combobox", "Quantity"):
        return look.pick("Quantity", wanted)
    return look.fill("textbox", "Quantity", wanted)


def _read(look: Look, site: str, topic: str) -> Action | None:
    """Read one of the shop's own pages."""
    if look.was_at(site, f"/help/{topic}"):
        return None
    return enter(look, site) or look.click("link", TOPICS[topic])


def _cancel(look: Look, parcel: Parcel) -> Action | None:
    if look.clicked("button", "Cancel this order", parcel.site, f"/order/{parcel.number}"):
        return None
    if look.at(parcel.site, f"/order/{parcel.number}"):
        return look.click("button", "Cancel this order")
    return look.click("link", parcel.number)


def _track(look: Look, parcel: Parcel) -> Action | None:
    if look.was_at(parcel.site, rf"/track\?number={parcel.number}&"):
        return None
    if look.at(parcel.site, "/track"):
        return (
            look.fill("textbox", "Order number", parcel.number)
            or look.fill("textbox", "Delivery ZIP code", parcel.zip)
            or Press(("enter",))
        )
    return enter(look, parcel.site) or look.click("link", TRACK)
