"""The tasks: as many as the card says, no two alike, the truth kept apart."""

from __future__ import annotations

import msgspec
import pytest

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.provenance import fingerprint
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks, setting_of, templates_of
from workalike.town.town import Town

SHOPS = {name: COUNTS[name] for name in ("shopping", "shopping_list", "comparison_shopping")}


def test_counts_are_the_cards(drawn: tuple[Drawn, ...]) -> None:
    for category, count in SHOPS.items():
        assert sum(each.task.category == category for each in drawn) == count


def test_no_two_tasks_are_alike(drawn: tuple[Drawn, ...]) -> None:
    assert len({each.task.id for each in drawn}) == len(drawn)
    assert len({each.task.instruction for each in drawn}) == len(drawn)
    assert len({fingerprint([each.key.evaluator, each.key.plan]) for each in drawn}) == len(drawn)


def test_drawing_is_the_same_again(town: Town, drawn: tuple[Drawn, ...]) -> None:
    assert draw_tasks(town) == drawn


@pytest.mark.parametrize("category", SHOPS)
def test_train_and_test_share_neither_templates_nor_skins(town: Town, category: str) -> None:
    test, train = (templates_of(town, category, split) for split in ("test", "train"))
    assert len(test) >= 8
    assert train
    assert not {each.name for each in test} & {each.name for each in train}
    assert not {voice for each in test for voice in each.voices} & {voice for each in train for voice in each.voices}
    assert all(len(each.voices) >= 4 for each in (*test, *train))


def test_tasks_wear_the_skins_of_their_split(town: Town, drawn: tuple[Drawn, ...]) -> None:
    for each in drawn:
        for site, skin in setting_of(each.key).skins.items():
            assert town.sites[site].skin(skin).split == "test"


def test_a_task_tells_nothing_of_its_key(drawn: tuple[Drawn, ...]) -> None:
    """No plan, no template's name, no right answer stands in what an agent is given."""
    for each in drawn:
        told = msgspec.json.encode(each.task).decode()
        assert each.key.extra["template"] not in told
        assert set(each.task.extra) == {"level"}


def test_levels_voices_and_obstacles_are_mixed(drawn: tuple[Drawn, ...]) -> None:
    assert {each.task.extra["level"] for each in drawn} == {"easy", "medium", "hard"}
    assert len({setting_of(each.key).obstacles for each in drawn}) > 6
    assert sum(each.key.blocked for each in drawn) >= 8
    assert any("If it isn't available, say so" in each.task.instruction for each in drawn)


def test_rubrics_have_the_published_form(drawn: tuple[Drawn, ...]) -> None:
    for each in drawn:
        assert each.key.rubric is not None
        items = each.key.rubric.items
        assert 2 <= len(items) <= 9
        assert len({item.criterion for item in items}) == len(items)
        assert all(item.max_points > 0 and item.description for item in items)


def test_the_persona_comes_only_with_leave(drawn: tuple[Drawn, ...]) -> None:
    for each in drawn:
        point = each.key.critical_point
        assert point is not None
        assert ("card_number" in each.task.persona) == point.allowed


def test_keys_survive_json(drawn: tuple[Drawn, ...]) -> None:
    for each in drawn:
        assert msgspec.json.decode(msgspec.json.encode(each.key), type=Key) == each.key


def test_a_foreign_key_has_no_setting() -> None:
    with pytest.raises(BadInput, match="holds no setting"):
        setting_of(Key("x", setting={"skins": 3}))
