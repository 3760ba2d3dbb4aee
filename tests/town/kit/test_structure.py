"""Goal structures: what tasks are made of, without any value."""

from __future__ import annotations

from msgspec.structs import replace

from workalike.core.key import ExpectedAnswer
from workalike.town.kit.structure import structure_of
from workalike.town.shopkit.tasks.goals import FillCart, SeeProduct
from workalike.town.shopkit.tasks.items import Item
from workalike.town.template import TaskDraft

MUG = Item("marlow", "mug", "Mug", "MF-1", 900, {"Color": "Sage"})
CUP = Item("kestrel", "cup", "Cup", "KM-1", 700)


def told(*goals: SeeProduct | FillCart) -> str:
    return structure_of(TaskDraft(goals, {}, (ExpectedAnswer("price", "money", 900),)))


def test_names_numbers_and_which_of_two_shops_make_no_new_structure() -> None:
    assert told(SeeProduct(MUG), FillCart("marlow", (MUG,))) == told(SeeProduct(CUP), FillCart("kestrel", (CUP,)))
    assert told(SeeProduct(MUG)) == told(SeeProduct(replace(MUG, quantity=3))) == "SeeProduct@1 -> money"


def test_another_site_one_more_thing_and_another_end_do() -> None:
    cart = FillCart("marlow", (MUG,))
    several = {
        told(cart),
        told(FillCart("marlow", (MUG, MUG))),
        told(replace(cart, until="checkout")),
        told(replace(cart, until="placed")),
        told(cart, FillCart("kestrel", (CUP,))),
        told(cart, FillCart("marlow", (CUP,))),
        structure_of(TaskDraft((cart,), {})),
        structure_of(TaskDraft((cart,), {}, wall={"marlow": "/p/"})),
    }
    assert len(several) == 8
