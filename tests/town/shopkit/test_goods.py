"""The goods of the world, and what each shop makes of them."""

from __future__ import annotations

from workalike.town.shopkit.goods import goods
from workalike.town.shopkit.kinds import COLOURS, KINDS
from workalike.town.shopkit.pictures import picture
from workalike.town.town import Town
from workalike.town.world import World


def test_goods_are_many_distinct_and_the_same_again() -> None:
    made = goods(World())
    assert len(made) > 2000
    assert len({good.slug for good in made}) == len({good.name for good in made}) == len(made)
    assert [good.number for good in made] == list(range(len(made)))
    assert goods.__wrapped__(World()) == made
    assert goods(World(2)) != made


def test_siblings_differ_in_their_telling_detail() -> None:
    families: dict[tuple[str, str], list[str]] = {}
    telling = {kind.slug: kind.telling for kind in KINDS}
    for good in goods(World()):
        detail = telling[good.kind]
        if detail:
            families.setdefault((good.kind, good.family), []).append(good.specs[detail])
            assert good.name.endswith(good.specs[detail])
    assert sum(len(values) > 1 for values in families.values()) > 200
    assert all(len(set(values)) == len(values) for values in families.values())


def test_the_shops_overlap_and_their_prices_differ(town: Town) -> None:
    prices = {
        site: {row["slug"]: row["price"] for row in town.facts[site].execute("SELECT slug, price FROM product")}
        for site in ("marlow", "kestrel")
    }
    both = prices["marlow"].keys() & prices["kestrel"].keys()
    assert len(both) > 1500
    assert len(prices["marlow"]) > len(both)
    assert sum(prices["marlow"][slug] != prices["kestrel"][slug] for slug in both) > 0.9 * len(both)


def test_every_kind_has_a_picture_and_every_colour_a_tone() -> None:
    for kind in KINDS:
        drawn = picture(kind.shape, "Sage" if "Color" in kind.options else "#8fa3ad")
        assert drawn.startswith(b"<svg")
        assert b"{t}" not in drawn
        for colour in (*kind.options.get("Color", ()), *kind.options.get("Wash", ()), *kind.options.get("Strap", ())):
            assert colour in COLOURS
