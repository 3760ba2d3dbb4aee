"""Goals of reading at a shop: what customers say, what size one needs, what an order held."""

from __future__ import annotations

from workalike.core.actions import Action, Visit
from workalike.core.key import Criterion
from workalike.town import moves
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.look import OracleView
from workalike.town.shopkit.tasks.finding import be_at_product, enter, narrow_shelf
from workalike.town.shopkit.tasks.goals import FillCart, Misses
from workalike.town.shopkit.tasks.items import Item, ShopHunt, any_item, elsewhere
from workalike.town.site import DOMAIN
from workalike.town.town import Town

REVIEWS = "Read all reviews"


class ReadReviews(Goal, frozen=True):
    """Read everything that customers say about a product."""

    item: Item

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Reads the reviews of {self.item.name}", "Opens them and reads them all.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.item.site, f"/p/{self.item.slug}")
        caller.get(self.item.site, f"/p/{self.item.slug}/reviews")

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.item.site, f"/p/{self.item.slug}/reviews"):
            return None
        return be_at_product(look, self.item) or look.click("link", REVIEWS)

    def misses(self, town: Town) -> Misses:
        side = elsewhere(town, self.item)
        yield "right answer, but something in the cart", (self, FillCart(side.site, (side,)))


class ReadSizes(Goal, frozen=True):
    """Look up sizes in the shop's guide, from a product that comes in sizes."""

    item: Item

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Looks up the size", "Opens the size guide and reads the right size off it.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.item.site, f"/p/{self.item.slug}")
        caller.get(self.item.site, "/size-guide")

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.item.site, "/size-guide"):
            return None
        return be_at_product(look, self.item) or look.click("link", "Size guide")


class SeeOrder(Goal, frozen=True):
    """Look at an order of the account that is signed in."""

    site: str
    number: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Opens order {self.number}", "Finds it among the account's orders and reads it.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, f"/order/{self.number}")

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(self.site, f"/order/{self.number}$"):
            return None
        if look.at(self.site, "/account$"):
            return look.click("link", self.number)
        return Visit(f"http://{self.site}.{DOMAIN}/account")


class SeeShelf(Goal, frozen=True):
    """See a shelf narrowed to some details, and that nothing is left on it."""

    site: str
    category: str
    title: str
    department: str
    specs: dict[str, str]

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Looks through {self.title}", "Finds that nothing has all the details at once.", 4.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(self.site, f"/c/{self.category}", **{f"spec.{name}": value for name, value in self.specs.items()})

    def next(self, look: OracleView) -> Action | None:
        hunt = ShopHunt(self.category, self.title, self.department, self.specs)
        if any(self._shown_in(OracleView(seen)) for seen in look.seen):
            return None
        return enter(look, self.site) or narrow_shelf(look, self.site, hunt)

    def _shown_in(self, look: OracleView) -> bool:
        asked = moves.query(look.url)
        narrowed = all(value in asked.get(f"spec.{name}", ()) for name, value in self.specs.items())
        return narrowed and look.at(self.site, f"/c/{self.category}$")

    def misses(self, town: Town) -> Misses:
        side = any_item(town, self.site)
        yield "reported, but bought something", (self, FillCart(self.site, (side,)))
