"""A seed and a date, from which everything follows."""

from __future__ import annotations

from datetime import date

import pytest

from workalike.core.errors import BadInput
from workalike.town.world import PINNED, World, edition


def test_the_edition_pins_seed_and_date() -> None:
    assert edition("town") == edition("town@1") == World(1, PINNED[1])
    assert edition("town").label == "town@1"


def test_a_moved_date_is_labelled() -> None:
    moved = edition("town@1", "2027-01-15")
    assert moved.today == date(2027, 1, 15)
    assert moved.label == "town@1, 2027-01-15"
    assert edition("town", "now").today == date.today()


@pytest.mark.parametrize(("name", "today"), [("town@9", None), ("village", None), ("town", "tomorrow")])
def test_bad_names_and_dates_say_what_to_do(name: str, today: str | None) -> None:
    with pytest.raises(BadInput, match=r"town@1|2026-05-04"):
        edition(name, today)


def test_chance_is_the_same_by_name_and_apart_between_names() -> None:
    world = World()
    assert world.rng("a", 1).random() == world.rng("a", 1).random()
    assert world.rng("a", 1).random() != world.rng("a", 2).random()
    assert World(2).rng("a", 1).random() != world.rng("a", 1).random()
