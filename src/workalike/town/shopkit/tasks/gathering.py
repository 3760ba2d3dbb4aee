"""Lists of things that are described: each in its own goal, at one shop or at both, within a budget, in sizes and
numbers that have to be worked out."""

from __future__ import annotations

from datetime import date
from random import Random

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer, FactPattern
from workalike.town.persona import draw_persona
from workalike.town.render import long_date, money
from workalike.town.shopkit.kinds import BY_SLUG
from workalike.town.shopkit.shops import KESTREL, MARLOW, SHOPS
from workalike.town.shopkit.tables import customers
from workalike.town.shopkit.tasks.described import SIZED, bought, measure, variants_of
from workalike.town.shopkit.tasks.draws import any_variant, draw_shop, phrase, skus_of, template
from workalike.town.shopkit.tasks.goals import FillCart, ReadHelp, SaveProducts, SeeProduct, ShopSignIn
from workalike.town.shopkit.tasks.items import Item, price_of
from workalike.town.shopkit.tasks.reading import ReadSizes, SeeOrder
from workalike.town.shopkit.tasks.shopping import gone
from workalike.town.shopkit.tasks.sums import total_shown
from workalike.town.shopkit.tasks.wants import Want, amount, draw_choice, draw_want
from workalike.town.template import TaskDraft
from workalike.town.town import Town

PACKS = {
    "teas": "cups, at a bag each",
    "puzzles": "puzzle pieces in all",
    "tool-sets": "tools in all",
    "notebooks": "pages in all",
}
"""What comes in packs, and what the packs are counted in."""
COLOURS = ("Black", "White", "Sage", "Navy", "Terracotta", "Sand", "Charcoal")


def wants_of(
    town: Town, rng: Random, site: str, count: int, choice: bool = False, order: str = ""
) -> list[Want] | None:
    """So many things of different kinds; with `choice`, any that fits is right, else the first in some order."""
    found: dict[str, Want] = {}
    for _ in range(40):
        size = rng.randint(1, 2)
        want = draw_choice(town, rng, site, size) if choice else draw_want(town, rng, site, size, order)
        if want is not None:
            found.setdefault(want.kind.slug, want)
        if len(found) == count:
            return list(found.values())
    return None


def three(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    wants = wants_of(town, rng, shop.name, 3)
    return TaskDraft(tuple(FillCart(shop.name, (want.item,)) for want in wants), told(wants)) if wants else None


def four_choices(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    wants = wants_of(town, rng, shop.name, 4, choice=True)
    if wants is None:
        return None
    *rest, last = (FillCart(shop.name, (want.item,)) for want in wants)
    return TaskDraft((*rest, replace(last, until="checkout")), told(wants))


def left_over(town: Town, rng: Random) -> TaskDraft | None:
    """Four things, the cheapest of each kind, and what remains of a budget when they are delivered."""
    shop = draw_shop(rng)
    wants = wants_of(town, rng, shop.name, 4, order="price-low")
    if wants is None:
        return None
    whole = FillCart(shop.name, tuple(want.item for want in wants), see=True)
    total = whole.sums.total
    budget = (total // 5000 + 2) * 5000
    near = {
        "the total": total,
        "without one thing": budget - total + wants[0].item.price,
        "a dollar off": budget - total + 100,
    }
    *rest, last = (FillCart(shop.name, (want.item,)) for want in wants)
    return TaskDraft(
        (*rest, replace(last, see=True)),
        told(wants) | {"budget": money(budget), "way": shop.deliveries[0].name.lower()},
        (ExpectedAnswer("left over", "money", budget - total),),
        shown=total_shown(whole),
        near={label: {"left over": cents} for label, cents in near.items() if cents != budget - total},
    )


def each_where_cheaper(town: Town, rng: Random) -> TaskDraft | None:
    """Two things that both shops have; each goes into the cart of the shop that asks less."""
    pairs = [draw_shared(town, rng) for _ in range(2)]
    if None in pairs or len({pair[0].kind.slug for pair in pairs if pair}) < 2:
        return None
    goals: list[SeeProduct] = []
    carts = []
    for pair in pairs:
        assert pair is not None
        looks = (replace(pair[0].item, options={}), pair[1])
        goals += [SeeProduct(item) for item in looks]
        low = min((item for item in looks), key=lambda item: item.price)
        item = any_variant(town, low.site, low.slug)
        assert item is not None
        carts.append(FillCart(low.site, (item,), alone=True))
    if carts[0].site == carts[1].site:
        return None
    said = {"shop1": MARLOW.title, "shop2": KESTREL.title, **_numbered([pair[0].words for pair in pairs if pair])}
    return TaskDraft((*goals, *carts), said, shown=tuple((price_of(goal.item),) for goal in goals))


def draw_shared(town: Town, rng: Random, order: str = "") -> tuple[Want, Item] | None:
    """Something described by what Marlow has, and the same thing at Kestrel, at another price and in stock there."""
    want = draw_want(town, rng, "marlow", order=order)
    there = any_variant(town, "kestrel", want.item.slug) if want else None
    if want is None or there is None or there.price == want.item.price:
        return None
    return want, replace(there, options={})


def with_fallback(town: Town, rng: Random) -> TaskDraft | None:
    """One thing is sold out as it is wanted; the list says what to take instead."""
    shop = draw_shop(rng)
    first = draw_want(town, rng, shop.name, 1, kinds=[kind for kind in BY_SLUG.values() if len(kind.options) == 2])
    others = wants_of(town, rng, shop.name, 2)
    lost = variants_of(town, first, "stock = 0") if first else []
    if first is None or others is None or not lost:
        return None
    missing, (instead, besides) = rng.choice(lost), others
    if first.kind.slug in (instead.kind.slug, besides.kind.slug):
        return None
    goals = (SeeProduct(missing), FillCart(shop.name, (instead.item,)), FillCart(shop.name, (besides.item,)))
    said = told([first, instead, besides]) | {"options": phrase(missing)}
    return TaskDraft(goals, said, shown=((gone(missing),),))


def enough(town: Town, rng: Random) -> TaskDraft | None:
    """How many packs are needed has to be worked out from what a pack holds."""
    shop, goals, lines = draw_shop(rng), list[FillCart](), list[str]()
    for slug in rng.sample(tuple(PACKS), 2):
        kind = BY_SLUG[slug]
        want = draw_want(town, rng, shop.name, 1, kinds=[kind])
        if want is None or kind.telling is None:
            return None
        query = "SELECT value FROM spec WHERE product = ? AND name = ?"
        held = amount(town.facts[shop.name].execute(query, (want.fitting[0]["id"], kind.telling)).fetchone()["value"])
        assert held
        count = rng.randint(2, 4)
        needed = int(held * (count - 1) + rng.randint(1, int(held)))
        goals.append(FillCart(shop.name, (replace(want.item, quantity=count),)))
        lines.append(f"{want.words}: as many as it takes for {needed} {PACKS[slug]}")
    return TaskDraft(tuple(goals), {"shop": shop.title, **_numbered(lines)})


def order_fast(town: Town, rng: Random) -> TaskDraft | None:
    """Two things ordered with leave, by the fastest way that the shop has."""
    shop, who = draw_shop(rng), draw_persona(rng)
    wants = wants_of(town, rng, shop.name, 2)
    if wants is None:
        return None
    way = min(shop.deliveries, key=lambda each: each.days)
    items = tuple(replace(want.item, any_of=tuple(skus_of(town, want.item))) for want in wants)
    order = FillCart(shop.name, items, until="placed", delivery=way.name, persona=who)
    looks = (SeeProduct(replace(item, options={})) for item in items)
    return TaskDraft((ReadHelp(shop.name, "delivery"), *looks, order), told(wants), persona=who)


def keep_for_later(town: Town, rng: Random) -> TaskDraft | None:
    """Things onto the saved list of an account."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    wants = wants_of(town, rng, shop.name, rng.randint(2, 3))
    email = customer.persona["email"]
    held = {row["product"] for row in town.begin_rows(f"{shop.name}_saved") if row["account"] == email}
    if wants is None or held & {want.item.slug for want in wants}:
        return None
    login = {"email": email, "password": customer.password}
    goals = (ShopSignIn(shop.name, **login), SaveProducts(shop.name, tuple(want.item for want in wants), email))
    return TaskDraft(goals, told(wants) | login, persona=login)


def one_colour(town: Town, rng: Random) -> TaskDraft | None:
    """Several things in one colour, whichever they are."""
    shop, colour = draw_shop(rng), rng.choice(COLOURS)
    kinds = [kind for kind in BY_SLUG.values() if tuple(kind.options) == ("Color",) and colour in kind.options["Color"]]
    found = [draw_choice(town, rng, shop.name, 1, [kind], True, colour) for kind in rng.sample(kinds, 3)]
    wants = [want for want in found if want is not None]
    if len(wants) < 3:
        return None
    *rest, last = (FillCart(shop.name, (want.item,)) for want in wants)
    return TaskDraft((*rest, replace(last, until="checkout")), told(wants))


def family_sizes(town: Town, rng: Random) -> TaskDraft | None:
    """Clothes for three people, of whom only measures are known."""
    shop = draw_shop(rng)
    goals, lines, sizes = list[FillCart](), list[str](), list[str]()
    for kind in rng.sample(SIZED, 3):
        want = draw_want(town, rng, shop.name, 1, kinds=[kind])
        size, said = measure(rng, kind)
        fits = [item for item in variants_of(town, want, "stock > 0") if item.options["Size"] == size] if want else []
        if want is None or not fits:
            return None
        goals.append(FillCart(shop.name, (fits[0],)))
        lines.append(f"{want.words}, in {fits[0].options['Color'].lower()}, for somebody with {said}")
        sizes.append(size)
    guide = ReadSizes(replace(goals[0].items[0], options={}))
    shown = tuple((FactPattern(shop.name, "size guide", size),) for size in sizes)
    return TaskDraft((guide, *goals), {"shop": shop.title, **_numbered(lines)}, shown=shown)


def as_last_time(town: Town, rng: Random) -> TaskDraft | None:
    """What was bought before once more, and something new."""
    shop = draw_shop(rng)
    customer = rng.choice(customers(shop, town.world))
    who = customer.persona
    orders = [row for row in town.begin_rows(f"{shop.name}_order") if row["account"] == who["email"]]
    order, want = rng.choice(orders), draw_want(town, rng, shop.name)
    if want is None or sum(row["placed"] == order["placed"] for row in orders) > 1:
        return None
    items = bought(town, shop.name, str(order["number"]))
    if want.item.slug in {item.slug for item in items}:
        return None
    login = {"email": who["email"], "password": customer.password}
    goals = (
        ShopSignIn(shop.name, **login),
        SeeOrder(shop.name, str(order["number"])),
        FillCart(shop.name, tuple(items), account=who["email"]),
        FillCart(shop.name, (want.item,), account=who["email"]),
    )
    said = {"want": want.words, "placed": long_date(date.fromisoformat(str(order["placed"])))}
    shown = ((FactPattern(shop.name, str(order["number"]), "line"),),)
    return TaskDraft(goals, told([want]) | login | said, persona=login, shown=shown)


def one_each(town: Town, rng: Random) -> TaskDraft | None:
    """One thing from each shop, and no checkout."""
    one, two = draw_want(town, rng, "marlow"), draw_choice(town, rng, "kestrel", 1)
    if one is None or two is None or one.kind == two.kind:
        return None
    said = {"shop1": MARLOW.title, "shop2": KESTREL.title, "one": one.words, "two": two.words}
    return TaskDraft(tuple(FillCart(want.item.site, (want.item,), alone=True) for want in (one, two)), said)


def with_code(town: Town, rng: Random) -> TaskDraft | None:
    """The best code for a list, and what it comes to."""
    shop = draw_shop(rng)
    wants = wants_of(town, rng, shop.name, 2, order="price-high")
    if wants is None:
        return None
    items = tuple(want.item for want in wants)
    bare = FillCart(shop.name, items).sums.subtotal
    best = max((promo for promo in shop.promos if bare >= promo.least), key=lambda promo: promo.percent, default=None)
    if best is None:
        return None
    whole = FillCart(shop.name, items, best.code, see=True)
    total, plain = whole.sums.total, replace(whole, promo="").sums.total
    goals = (
        ReadHelp(shop.name, "offers"),
        FillCart(shop.name, items[:1]),
        FillCart(shop.name, items[1:], best.code, see=True),
    )
    near = {"without the code": {"total": plain}, "one thing forgotten": {"total": total - items[0].price}}
    return TaskDraft(
        goals,
        told(wants) | {"way": shop.deliveries[0].name.lower()},
        (ExpectedAnswer("total", "money", total),),
        shown=total_shown(whole),
        near={label: value for label, value in near.items() if value["total"] != total},
    )


def which_is_missing(town: Town, rng: Random) -> TaskDraft | None:
    """One of three is sold out as it is wanted: get the others, and say which it was."""
    shop = draw_shop(rng)
    first = draw_want(town, rng, shop.name, 1, kinds=[kind for kind in BY_SLUG.values() if len(kind.options) == 2])
    others = wants_of(town, rng, shop.name, 2)
    lost = variants_of(town, first, "stock = 0") if first else []
    if first is None or others is None or not lost or first.kind in [want.kind for want in others]:
        return None
    missing, place = rng.choice(lost), rng.randint(1, 3)
    lines = [want.words for want in others]
    lines.insert(place - 1, f"{first.words}, {phrase(missing)}")
    goals = (SeeProduct(missing), *(FillCart(shop.name, (want.item,)) for want in others))
    near = {f"says {number}": {"missing": number} for number in (1, 2, 3) if number != place}
    return TaskDraft(
        goals,
        {"shop": shop.title, **_numbered(lines)},
        (ExpectedAnswer("missing", "number", place),),
        shown=((gone(missing),),),
        near=near,
    )


def behind_wall(town: Town, rng: Random) -> TaskDraft | None:
    shop = draw_shop(rng)
    wants = wants_of(town, rng, shop.name, 2)
    if wants is None:
        return None
    one, two = (FillCart(shop.name, (want.item,)) for want in wants)
    return TaskDraft(
        (one, replace(two, until="checkout")), told(wants), wall={shop.name: "/checkout"}, truth=(one, two)
    )


def told(wants: list[Want]) -> dict[str, str]:
    return {"shop": SHOPS[wants[0].item.site].title, **_numbered([want.words for want in wants])}


def _numbered(lines: list[str]) -> dict[str, str]:
    """A list in prose and in lines."""
    prose = "; ".join(f"({number}) {line}" for number, line in enumerate(lines, 1))
    return {"items": prose, "lines": "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))} | {
        f"item{number}": line for number, line in enumerate(lines, 1)
    }


TEMPLATES = (
    template(
        "list-three-described", "shopping_list", "medium", three, demands=("described not named", "many criteria")
    ),
    template("list-choices", "shopping_list", "hard", four_choices, demands=("open choice", "described not named")),
    template("list-one-each", "shopping_list", "easy", one_each, demands=("chain over sites", "open choice")),
    template("list-left-over", "shopping_list", "hard", left_over, demands=("budget and fallback", "arithmetic")),
    template("list-enough", "shopping_list", "medium", enough, demands=("per unit", "arithmetic")),
    template("list-cheaper", "shopping_list", "hard", each_where_cheaper, demands=("chain over sites", "arithmetic")),
    template("list-later", "shopping_list", "easy", keep_for_later, demands=("described not named", "many criteria")),
    template("list-sizes", "shopping_list", "hard", family_sizes, demands=("fuzzy size", "described not named")),
    template(
        "list-instead", "shopping_list", "medium", with_fallback, demands=("budget and fallback", "many criteria")
    ),
    template("list-fast", "shopping_list", "hard", order_fast, demands=("described not named", "prose")),
    template("list-one-colour", "shopping_list", "medium", one_colour, demands=("open choice", "many criteria")),
    template("list-as-before", "shopping_list", "hard", as_last_time, demands=("form from a document",)),
    template("list-code", "shopping_list", "medium", with_code, demands=("prose", "arithmetic")),
    template("list-which", "shopping_list", "medium", which_is_missing, demands=("described not named", "evidence")),
    template("list-walled", "shopping_list", "medium", behind_wall, demands=("described not named",)),
)
