"""A plan carried out by plain requests, as the pages' own forms would."""

from __future__ import annotations

from workalike.town.caller import Caller
from workalike.town.shopkit.tasks.plan import Item, Order, ShopPlan, read_plan
from workalike.town.template import Plan


def perform(plan: Plan, caller: Caller) -> None:
    todo = read_plan(plan)
    if todo.sign_in:
        login = {"email": todo.sign_in.email, "password": todo.sign_in.password}
        caller.post(todo.sign_in.site, "/sign-in", login)
    _look_around(todo, caller)
    for item in todo.items:
        caller.post(item.site, "/cart/add", _choice(item) | {"quantity": item.quantity})
    for item in todo.saves:
        caller.post(item.site, "/saved", {"product": item.slug})
    if todo.promo:
        caller.post(todo.shop, "/cart/promo", {"code": todo.promo})
    if todo.gift:
        caller.post(todo.shop, "/cart/gift", {"gift": 1})
    if todo.cancel:
        caller.post(todo.cancel.site, f"/order/{todo.cancel.number}/cancel")
    if todo.checkout:
        caller.get(todo.checkout, "/checkout")
    if todo.touch:
        caller.post(todo.checkout or todo.shop, "/checkout/touch")
    if todo.order:
        _order(todo.order, todo.stop_at_review, caller)


def _look_around(todo: ShopPlan, caller: Caller) -> None:
    for item in todo.looks:
        caller.get(item.site, f"/p/{item.slug}")
    for site, topic in todo.pages:
        caller.get(site, f"/help/{topic}")
    if todo.track:
        caller.get(todo.track.site, "/track", number=todo.track.number, zip=todo.track.zip)


def _choice(item: Item) -> dict[str, object]:
    chosen = dict(zip(("first", "second"), item.options.values(), strict=False))
    return {"product": item.slug, **chosen}


def _order(order: Order, stop_at_review: bool, caller: Caller) -> None:
    who = order.persona
    caller.get(order.site, "/checkout")
    caller.post(order.site, "/checkout/contact", {"email": who["email"], "phone": who["phone"]})
    place = {
        "name": who["name"],
        "street": who["street"],
        "city": who["city"],
        "region": who["state"],
        "zip": who["zip"],
    }
    caller.post(order.site, "/checkout/address", place)
    caller.post(order.site, "/checkout/delivery", {"delivery": order.delivery})
    caller.post(order.site, "/checkout/payment", {"card": who["card_number"][-4:]})
    if not stop_at_review:
        caller.post(order.site, "/checkout/place")
