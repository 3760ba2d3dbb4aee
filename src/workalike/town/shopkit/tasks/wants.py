"""Things that a task describes instead of naming them: a shelf, some details, and which of what fits is meant."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from workalike.town.shopkit.kinds import BY_SLUG, Kind
from workalike.town.shopkit.tasks.draws import any_variant, item_by_sku
from workalike.town.shopkit.tasks.items import Item, ShopHunt
from workalike.town.town import Town

MEANT = msgspec.json.decode((Path(__file__).parent / "meant.json").read_bytes(), type=dict[str, str])
"""What one would say who does not know, or does not say, what a shelf is called."""
ORDERS = {"price-low": "the cheapest", "price-high": "the most expensive", "rating": "the best rated"}
_RANKS: dict[str, Callable[[sqlite3.Row], float]] = {
    "price-low": lambda row: row["price"],
    "price-high": lambda row: -row["price"],
    "rating": lambda row: -row["rating"],
}
_UNITS = {
    "L": (33.814, "fl oz"),
    "ml": (0.033814, "fl oz"),
    "cm": (0.3937, "inches"),
    "m": (3.2808, "feet"),
    "kg": (2.2046, "lb"),
    "g": (0.035274, "oz"),
}
"""What a unit comes to in another one."""
APART = 1.07
LIKED = 4.2


class Want(msgspec.Struct, frozen=True):
    """Something described: the thing that is meant, with how it is found; everything that has the details, the meant
    one first; the details themselves, and the words for all of it."""

    item: Item
    fitting: tuple[sqlite3.Row, ...]
    specs: dict[str, str]
    details: str
    words: str

    @property
    def kind(self) -> Kind:
        assert self.item.hunt is not None
        return BY_SLUG[self.item.hunt.category]

    @property
    def meant(self) -> str:
        return MEANT[self.kind.slug]


def draw_want(
    town: Town,
    rng: Random,
    site: str,
    count: int = 2,
    order: str = "",
    kinds: Sequence[Kind] = (),
    where: str = "1",
    least: int = 2,
    rough: bool = False,
) -> Want | None:
    """Of everything on a shelf with so many details, the first in some order: clearly the first, in stock, and not the
    only one. `rough` tells the size in other units than the shop does."""
    kind = rng.choice(kinds or tuple(BY_SLUG.values()))
    sort = order or rng.choice(tuple(ORDERS))
    specs = _details(town, rng, site, kind, count, rough)
    if specs is None:
        return None
    rows = sorted(fitting(town, site, kind, specs, where), key=lambda row: (_RANKS[sort](row), row["id"]))
    if len(rows) < max(2, least) or _RANKS[sort](rows[0]) == _RANKS[sort](rows[1]) or not rows[0]["stock"]:
        return None
    item = any_variant(town, site, rows[0]["slug"])
    hunt = ShopHunt(kind.slug, kind.title, kind.department, specs, sort)
    said = tell(kind, specs, rough)
    if item is None or said is None:
        return None
    words = f"{ORDERS[sort]} {MEANT[kind.slug]}, {said}"
    return Want(replace(item, hunt=hunt), tuple(rows), specs, said, words)


def draw_choice(
    town: Town,
    rng: Random,
    site: str,
    count: int = 2,
    kinds: Sequence[Kind] = (),
    colour: bool = False,
    tone: str = "",
) -> Want | None:
    """Something of which several are as right: with details, for at most a price, liked by customers; in a colour,
    `tone` or any, where that matters."""
    kind = rng.choice(kinds or tuple(BY_SLUG.values()))
    specs = _details(town, rng, site, kind, count, False)
    rows = fitting(town, site, kind, specs, "stock > 0") if specs else []
    if specs is None or len(rows) < 4 or (colour and "Color" not in kind.options):
        return None
    most = sorted(row["price"] for row in rows)[len(rows) // 2] // 100 + rng.randint(0, 4)
    good = [row for row in rows if row["price"] <= 100 * most and row["rating"] >= LIKED]
    tone = tone or rng.choice(kind.options["Color"]) if colour else ""
    skus = _skus(town, site, good, tone)
    if not 2 <= len(good) < len(rows) or len({sku for sku, _ in skus}) < 2:
        return None
    first = min((row for row in good if any(slug == row["slug"] for _, slug in skus)), key=lambda row: row["price"])
    item = item_by_sku(town, site, next(sku for sku, slug in skus if slug == first["slug"]))
    hunt = ShopHunt(kind.slug, kind.title, kind.department, specs, "price-low")
    said = tell(kind, specs)
    assert said is not None
    bounds = f"rated {LIKED} or better, for at most ${most}{f', in {tone.lower()}' if tone else ''}"
    words = f"any {MEANT[kind.slug]}, {said}, {bounds}"
    found = replace(item, hunt=hunt, any_of=tuple(sorted(sku for sku, _ in skus)), exact=False)
    return Want(found, tuple(good), specs, said, words)


def fitting(town: Town, site: str, kind: Kind, specs: dict[str, str], where: str = "1") -> list[sqlite3.Row]:
    """Everything on a shelf that has some details."""
    having = " AND EXISTS (SELECT 1 FROM spec WHERE spec.product = product.id AND name = ? AND value = ?)" * len(specs)
    values = [text for pair in specs.items() for text in pair]
    query = f"SELECT * FROM product WHERE category = ? AND {where}{having} ORDER BY id"
    return town.facts[site].execute(query, (kind.slug, *values)).fetchall()


def tell(kind: Kind, specs: dict[str, str], rough: bool = False) -> str | None:
    """Details as one would ask for them; the size in other units where it is to be rough.

    >>> tell(BY_SLUG["kettles"], {"Power": "1800 W", "Capacity": "1.5 L"}, rough=True)
    'power 1800 W, capacity about 51 fl oz'
    """
    said = []
    for name, value in specs.items():
        about = roughly(value, kind.specs[name]) if rough and name == kind.telling else value
        if about is None:
            return None
        said.append(f"{name.lower()} {about}")
    return ", ".join(said)


def roughly(value: str, others: Sequence[str]) -> str | None:
    """A measure in another unit, rounded, where that still tells it from all others; None where it does not."""
    mine = _measured(value)
    if mine is None:
        return None
    said = round(mine[0])
    rest = [found[0] for each in others if each != value and (found := _measured(each))]
    clear = all(abs(mine[0] - said) * APART < abs(other - said) for other in rest)
    return f"about {said} {mine[1]}" if clear and said > 1 else None


def amount(text: str) -> float | None:
    """How much of something there is, in the unit that it is written in first: grams and millilitres where it can be.

    >>> amount("1 kg"), amount("80 bags"), amount("20,000 mAh")
    (1000.0, 80.0, 20000.0)
    """
    match = re.match(r"([\d.,]+) ?(\S*)", text)
    if match is None:
        return None
    return float(match[1].replace(",", "")) * (1000 if match[2] in ("kg", "L") else 1)


def _measured(text: str) -> tuple[float, str] | None:
    match = re.fullmatch(r"([\d.]+) (L|ml|cm|m|kg|g)", text)
    if match is None:
        return None
    times, unit = _UNITS[match[2]]
    return float(match[1]) * times, unit


def _details(town: Town, rng: Random, site: str, kind: Kind, count: int, rough: bool) -> dict[str, str] | None:
    """The details of some thing on a shelf; its size only where it is to be told roughly, for names tell it."""
    names = [name for name in kind.specs if name != kind.telling]
    if rough and kind.telling is None:
        return None
    if len(names) < count - rough:
        return None
    chosen = rng.sample(names, count - rough) + ([kind.telling] if rough and kind.telling else [])
    row = rng.choice(town.facts[site].execute("SELECT id FROM product WHERE category = ?", (kind.slug,)).fetchall())
    held = dict(town.facts[site].execute("SELECT name, value FROM spec WHERE product = ?", (row["id"],)).fetchall())
    return {name: held[name] for name in kind.specs if name in chosen}


def _skus(town: Town, site: str, rows: Sequence[sqlite3.Row], colour: str) -> list[tuple[str, str]]:
    """The variants of some products that are in stock, in a colour where one is asked for."""
    query = "SELECT sku FROM variant WHERE product = ? AND stock > 0 AND (first = ? OR ? = '') ORDER BY sku"
    return [
        (each["sku"], row["slug"])
        for row in rows
        for each in town.facts[site].execute(query, (row["id"], colour, colour))
    ]
