"""What a shopping task comes down to, as plain data that requests, the oracle and near misses all go by."""

from __future__ import annotations

import msgspec

from workalike.town.template import Plan


class Hunt(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an item is found when the task does not name it: a category's shelf, filtered and sorted. `above` and
    `below` bound the price, in dollars, that a price filter may be set to."""

    category: str
    title: str
    department: str
    specs: dict[str, str] = {}
    sort: str = "price-low"
    above: int | None = None
    below: int | None = None


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One variant of a product at a shop. Where `exact` is False any variant of the product will do."""

    site: str
    slug: str
    name: str
    sku: str
    price: int
    options: dict[str, str] = {}
    quantity: int = 1
    exact: bool = True
    hunt: Hunt | None = None


class SignIn(msgspec.Struct, frozen=True):
    """Whose account to use."""

    site: str
    email: str
    password: str


class Parcel(msgspec.Struct, frozen=True):
    """An order placed earlier: to be found by its number and ZIP code."""

    site: str
    number: str
    zip: str = ""


class Order(msgspec.Struct, frozen=True):
    """Where the order goes and how."""

    site: str
    delivery: str
    persona: dict[str, str]


class ShopPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything to be done, in this order: sign in, look at products and pages, fill carts, save, set code and
    wrapping, cancel, track, open the checkout, order; then say the answer. `wrong` are answers near the right one,
    by what is wrong with them; `touch` (personal data typed) and `stop_at_review` happen
    only in near misses; `walled` says that a wall ends it."""

    said: tuple[str, ...]
    sign_in: SignIn | None = None
    looks: tuple[Item, ...] = ()
    pages: tuple[tuple[str, str], ...] = ()
    items: tuple[Item, ...] = ()
    saves: tuple[Item, ...] = ()
    promo: str = ""
    gift: bool = False
    cancel: Parcel | None = None
    track: Parcel | None = None
    checkout: str | None = None
    order: Order | None = None
    wrong: dict[str, str] = {}
    touch: bool = False
    stop_at_review: bool = False
    walled: bool = False

    @property
    def shop(self) -> str:
        """The shop of a plan that has one."""
        return self.items[0].site


def read_plan(plan: Plan) -> ShopPlan:
    return msgspec.convert(plan, ShopPlan)
