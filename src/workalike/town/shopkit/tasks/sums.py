"""What a sum at a shop rests on: the total as the cart shows it, or everything it is made of."""

from __future__ import annotations

from workalike.core.key import FactPattern
from workalike.town.render import money
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.goals import FillCart
from workalike.town.shopkit.tasks.items import Item, price_of

Groups = tuple[tuple[FactPattern, ...], ...]
GIFT = ("gift wrapping", "price")


def total_shown(goal: FillCart) -> Groups:
    """The total itself, or each of its inputs."""
    whole = FactPattern(goal.site, "cart", "total", value=money(goal.sums.total))
    inputs: list[tuple[FactPattern, ...]] = [(price_of(item),) for item in goal.items]
    inputs.append(delivery_of(goal.site, goal.sums.subtotal - goal.sums.discount, goal.items[0]))
    inputs += [(FactPattern(goal.site, *GIFT),)] if goal.gift else []
    inputs += [(FactPattern(goal.site, goal.promo, "percent"),)] if goal.promo else []
    return tuple((whole, *group) for group in inputs)


def delivered_shown(item: Item) -> Groups:
    """What one piece costs with the first way of delivery, which nobody has to put into a cart for."""
    return ((price_of(item),), delivery_of(item.site, item.price, item))


def delivery_of(site: str, cents: int, item: Item) -> tuple[FactPattern, ...]:
    """What the first way of delivery costs for a sum: told with the product, or by the shop's rule. What stands there
    matters, since beside another sum it costs something else."""
    shop = SHOPS[site]
    first = shop.deliveries[0]
    if cents >= shop.free_over:
        return FactPattern(site, item.slug, "delivery", value="free"), FactPattern(site, "delivery", "free over")
    fee = money(first.cents)
    return tuple(FactPattern(site, *named, value=fee) for named in ((item.slug, "delivery"), ("delivery", first.name)))
