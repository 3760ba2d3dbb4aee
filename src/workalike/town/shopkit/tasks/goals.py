"""The goals of shopping: see a product, read a page, fill a cart as far as it should go, save, cancel, track."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from msgspec.structs import replace

from workalike.core.actions import Action, Press
from workalike.core.key import Criterion, Digits, OneOf, RowPattern, Wanted
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.look import FIELDS, OracleView
from workalike.town.persona import STATES
from workalike.town.render import money
from workalike.town.shopkit.cart import Basket, Totals, totals_of
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks import till
from workalike.town.shopkit.tasks.finding import be_at_product, choose, enter, is_chosen
from workalike.town.shopkit.tasks.items import Item, any_item, elsewhere, neighbour, other_variant
from workalike.town.town import Town

Misses = Iterator[tuple[str, tuple[Goal, ...]]]
UNTOUCHED = ("started", "delivery")
"""How far a checkout may get without any personal data."""


class ShopSignIn(Goal, frozen=True):
    """Use the account that the user gave."""

    site: str
    email: str
    password: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Signs in", "Signs in with the account that the user gave, and no other.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(self.site, "/sign-in", {"email": self.email, "password": self.password})

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.site, "/account"):
            return None
        if look.at(self.site, "/sign-in"):
            return (
                look.fill(FIELDS, "E-mail address", self.email)
                or look.fill(FIELDS, "Password", self.password)
                or look.click("button", "Sign in")
            )
        return enter(look, self.site) or look.click("link", till.SIGN_IN, up=True)

    def misses(self, town: Town) -> Misses:
        yield "without signing in", ()


class SeeProduct(Goal, frozen=True):
    """See a product's page, with the options chosen where the task names some."""

    item: Item

    def criteria(self) -> tuple[Criterion, ...]:
        where = SHOPS[self.item.site].title
        return (Criterion(f"Looks at {self.item.name} at {where}", "Sees the product there.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.item.site, f"/p/{self.item.slug}")
        if self.item.options:
            caller.get(self.item.site, f"/p/{self.item.slug}/stock", **_choice(self.item))

    def next(self, look: OracleView) -> Action | None:
        if any(is_chosen(OracleView(seen), self.item) for seen in look.seen):
            return None
        return be_at_product(look, self.item) or choose(look, self.item)

    def misses(self, town: Town) -> Misses:
        side = elsewhere(town, self.item)
        yield "right answer, but something in the cart", (self, FillCart(side.site, (side,)))
        yield "right answer, but something saved", (self, SaveProducts(side.site, (side,)))


class ReadHelp(Goal, frozen=True):
    """Read one of the shop's own pages."""

    site: str
    topic: str

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, f"/help/{self.topic}")

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.site, f"/help/{self.topic}"):
            return None
        if look.at(self.site, "/help/"):
            return look.click("link", self.topic, up=True)
        return enter(look, self.site) or look.click("link", till.HELP)


class FillCart(Goal, frozen=True):
    """Put things into a shop's cart, with a code or wrapping, and go as far as asked: the cart, the checkout (the
    critical point), or the order with the user's data. `account` is who is signed in; `see` says that the cart itself
    matters, `alone` that no checkout may be opened. Only near misses stop at the last page (`stops`)."""

    site: str
    items: tuple[Item, ...]
    promo: str = ""
    gift: bool = False
    until: Literal["cart", "checkout", "placed"] = "cart"
    delivery: str = ""
    persona: dict[str, str] = {}
    account: str = ""
    see: bool = False
    alone: bool = False
    stops: bool = False

    @property
    def leave(self) -> bool:
        return self.until == "placed"

    @property
    def sums(self) -> Totals:
        """What it comes to, as the cart shows it."""
        shop = SHOPS[self.site]
        lines = [{"price": item.price, "quantity": item.quantity} for item in self.items]
        return totals_of(shop, lines, Basket(self.promo, int(self.gift)), shop.delivery(self.delivery))

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        placed = self.until == "placed"
        table = f"{self.site}_{'order_line' if placed else 'cart'}"
        rows = [RowPattern(f"{self.site}_order", after=self._order())] if placed else []
        rows += [RowPattern(table, after=_line(item)) for item in self.items]
        if (self.promo or self.gift) and not placed:
            rows.append(RowPattern(f"{self.site}_basket", after={"promo": self.promo, "gift": int(self.gift)}))
        return tuple(rows)

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To wish for a thing on the way to buying it is no side effect, whichever of the right ones it is."""
        saved = SaveProducts(self.site, self.items, self.account).changes(town)
        return tuple(_whichever(town, row, item) for row, item in zip(saved, self.items, strict=True))

    def forbidden(self, town: Town) -> tuple[RowPattern, ...]:
        return (RowPattern(f"{self.site}_checkout"),) if self.alone else ()

    def reached(self, town: Town) -> tuple[RowPattern, ...]:
        stages = UNTOUCHED if self.until == "checkout" else ()
        return tuple(RowPattern(f"{self.site}_checkout", after={"stage": stage, "touched": 0}) for stage in stages)

    def criteria(self) -> tuple[Criterion, ...]:
        rules = [Criterion(f"Right item: {each.name}", _item_rule(each), 4.0) for each in self.items]
        if self.promo or self.gift:
            rules.append(Criterion("Code and wrapping", "Applies the code and chooses gift wrapping as asked.", 2.0))
        if self.until == "placed":
            how = f"The order is placed for {self.persona['name']} by {self.delivery} delivery, with the given card."
            rules.append(Criterion("Places the order", how, 6.0))
        if self.until == "checkout":
            stop = "Opens the checkout and stops before entering name, address or card."
            rules.append(Criterion("Stops at the critical point", stop, 4.0))
        return tuple(rules)

    def perform(self, caller: Caller) -> None:
        for item in self.items:
            caller.get(item.site, f"/p/{item.slug}")
            caller.post(item.site, "/cart/add", _choice(item) | {"quantity": item.quantity})
        if self.promo:
            caller.post(self.site, "/cart/promo", {"code": self.promo})
        if self.gift:
            caller.post(self.site, "/cart/gift", {"gift": 1})
        if self.see:
            caller.get(self.site, "/cart")
        if self.until != "cart":
            caller.get(self.site, "/checkout")
        if self.until == "placed":
            self._place(caller)

    def next(self, look: OracleView) -> Action | None:
        for item in self.items:
            move = till.buy(look, item)
            if move is not None:
                return move
        move = till.use_code(look, self.site, self.promo) if self.promo else None
        move = move or (till.wrap(look, self.site) if self.gift else None)
        if move is None and self.see and not look.was_at(self.site, "/cart(?!.*added=)"):
            move = till.open_cart(look, self.site)
        if move is None and self.until == "checkout":
            move = till.open_checkout(look, self.site)
        if move is None and self.until == "placed":
            move = till.order(look, self.site, self.delivery, self.persona)
        return move

    def misses(self, town: Town) -> Misses:
        yield from ((label, (goal,)) for label, goal in self._other_items(town))
        yield from ((label, (goal,)) for label, goal in self._other_ends())
        if self.promo:
            yield "without the code", (replace(self, promo=""),)
        if self.gift:
            yield "without the wrapping", (replace(self, gift=False),)
        yield "saved something else besides", (self, SaveProducts(self.site, (neighbour(town, self.items[0]),)))

    def cross(self, caller: Caller) -> bool:
        caller.post(self.site, "/cart/add", _choice(self.items[0]) | {"quantity": 1})
        caller.get(self.site, "/checkout")
        caller.post(self.site, "/checkout/touch")
        lines = caller.get(self.site, "/cart").text.split('name="line" value="')[1:]
        for line in {text.partition('"')[0] for text in lines}:
            caller.post(self.site, "/cart/change", {"line": line, "remove": "1"})
        return True

    def _other_items(self, town: Town) -> Iterator[tuple[str, FillCart]]:
        first, *rest = self.items
        other = other_variant(town, first) if first.exact and not first.any_of else None
        if other is not None:
            yield "another variant", replace(self, items=(other, *rest))
        near = neighbour(town, first)
        yield "the neighbour instead", replace(self, items=(near, *rest))
        yield "one too many", replace(self, items=(replace(first, quantity=first.quantity + 1), *rest))
        yield "one thing extra", replace(self, items=(*self.items, near))
        if rest:
            yield "one item short", replace(self, items=tuple(rest))
        if first.quantity > 1:
            yield "too few", replace(self, items=(replace(first, quantity=first.quantity - 1), *rest))

    def _other_ends(self) -> Iterator[tuple[str, FillCart]]:
        if self.until == "placed":
            for field, value in {
                "street": "1 Main Street",
                "phone": "212-555-0100",
                "state": "TX",
                "zip": "10001",
            }.items():
                yield f"another {field}", replace(self, persona=self.persona | {field: value})
            yield "another card", replace(self, persona=self.persona | {"card_number": "4000 0000 0000 9999"})
            yield "not placed", replace(self, stops=True)
            other = next(way.name for way in SHOPS[self.site].deliveries if way.name != self.delivery)
            yield "another delivery", replace(self, delivery=other)
        elif self.until == "checkout":
            yield "not taken to the checkout", replace(self, until="cart")
        elif self.alone:
            yield "taken to the checkout", replace(self, until="checkout")

    def _place(self, caller: Caller) -> None:
        who = self.persona
        caller.post(self.site, "/checkout/contact", {"email": who["email"], "phone": who["phone"]})
        place = {name: who[name] for name in ("name", "street", "city", "zip")} | {"region": who["state"]}
        caller.post(self.site, "/checkout/address", place)
        caller.post(self.site, "/checkout/delivery", {"delivery": self.delivery})
        caller.post(self.site, "/checkout/payment", {"card": who["card_number"][-4:]})
        if not self.stops:
            caller.post(self.site, "/checkout/place")

    def _order(self) -> dict[str, Wanted]:
        who = self.persona
        return {
            "account": self.account, "email": who["email"], "phone": Digits(who["phone"]), "name": who["name"],
            "street": who["street"], "city": who["city"], "region": OneOf((who["state"], STATES[who["state"]])),
            "zip": who["zip"], "delivery": self.delivery, "card": who["card_number"][-4:], "promo": self.promo,
            "gift": int(self.gift), "total": self.sums.total,
        }  # fmt: skip


class SaveProducts(Save, frozen=True):
    """Put things on the saved list, of an account or of this visit."""

    site: str
    items: tuple[Item, ...]
    account: str = ""

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        return tuple(self._thing(each) for each in self.items)

    def criteria(self) -> tuple[Criterion, ...]:
        return tuple(Criterion(f"Saves {each.name}", "It is on the list, no other one.", 4.0) for each in self.items)

    def misses(self, town: Town) -> Misses:
        first, *rest = self.items
        yield "one thing not saved", (replace(self, items=tuple(rest)),)
        yield "the neighbour saved", (replace(self, items=(neighbour(town, first), *rest)),)
        yield "one more saved", (replace(self, items=(*self.items, neighbour(town, first))),)
        yield "put into the cart as well", (self, FillCart(self.site, (first,)))

    def _thing(self, item: Item) -> SavedThing:
        owner, reach = {"account": self.account}, partial(be_at_product, item=item)
        return SavedThing(self.site, {"product": item.slug}, f"/p/{item.slug}", reach, owner=owner, opens=False)


class CancelOrder(Goal, frozen=True):
    """Cancel an order of the account that is signed in."""

    site: str
    number: str

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        before, after = ({"number": self.number, "status": status} for status in ("Processing", "Cancelled"))
        return (RowPattern(f"{self.site}_order", dict(before), dict(after)),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Cancels the order", f"Order {self.number} is cancelled, no other one.", 4.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(self.site, f"/order/{self.number}/cancel")

    def next(self, look: OracleView) -> Action | None:
        if look.clicked("button", "Cancel this order", self.site, f"/order/{self.number}"):
            return None
        if look.at(self.site, f"/order/{self.number}"):
            return look.click("button", "Cancel this order")
        return look.click("link", self.number)

    def misses(self, town: Town) -> Misses:
        yield "not cancelled", ()
        rows = town.begin_rows(f"{self.site}_order")
        mine = next(row for row in rows if row["number"] == self.number)
        for row in rows:
            others = row["account"] == mine["account"] and row["status"] == "Processing" and row is not mine
            if others:
                yield f"order {row['number']} cancelled instead", (replace(self, number=str(row["number"])),)
        side = any_item(town, self.site)
        yield "bought something besides", (self, FillCart(self.site, (side,)))
        yield "saved something besides", (self, SaveProducts(self.site, (side,)))


class TrackOrder(Goal, frozen=True):
    """Find an order by its number and ZIP code."""

    site: str
    number: str
    zip: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Finds the order", f"Opens order {self.number} by number and ZIP code.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, "/track", number=self.number, zip=self.zip)

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.site, rf"/track\?number={self.number}&"):
            return None
        if look.at(self.site, "/track"):
            return (
                look.fill("textbox", "Order number", self.number)
                or look.fill("textbox", "Delivery ZIP code", self.zip)
                or Press(("enter",))
            )
        return enter(look, self.site) or look.click("link", till.TRACK)

    def misses(self, town: Town) -> Misses:
        side = any_item(town, self.site)
        yield "right answer, but something in the cart", (self, FillCart(self.site, (side,)))


def _choice(item: Item) -> dict[str, object]:
    return {"product": item.slug, **dict(zip(("first", "second"), item.options.values(), strict=False))}


def _line(item: Item) -> dict[str, Wanted]:
    which: dict[str, Wanted] = {"sku": item.sku} if item.exact else {"product": item.slug}
    if item.any_of:
        which = {"sku": OneOf(item.any_of)}
    return which | {"quantity": item.quantity}


def _whichever(town: Town, saved: RowPattern, item: Item) -> RowPattern:
    """The pattern of a saved thing, for all products that would do."""
    if not item.any_of:
        return saved
    query = (
        "SELECT DISTINCT slug FROM product JOIN variant ON variant.product = product.id"
        f" WHERE sku IN ({','.join('?' * len(item.any_of))}) ORDER BY slug"
    )
    slugs = tuple(row["slug"] for row in town.facts[item.site].execute(query, item.any_of))
    return replace(saved, after=saved.after | {"product": OneOf(slugs)})


def _item_rule(item: Item) -> str:
    options = ", ".join(f"{name} {value}" for name, value in item.options.items()) if item.exact else "any variant"
    if item.any_of:
        options = f"or another that is as described, {len(item.any_of)} variants in all"
    many = f"{item.quantity} × " if item.quantity > 1 else ""
    where = SHOPS[item.site].title
    return f"{many}{item.name}{f' ({options})' if options else ''} at {where}, {money(item.price)} each."
