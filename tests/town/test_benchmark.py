"""The tasks: as many as the card says, no two alike, the truth kept apart."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from datetime import date

import msgspec
import pytest

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.provenance import fingerprint
from workalike.town.benchmark import (
    COUNTS,
    MOST_ALIKE,
    Drawn,
    draw_tasks,
    find_task,
    setting_of,
    task_ids,
    templates_of,
)
from workalike.town.index import IndexHit, look_up
from workalike.town.site import Split
from workalike.town.template import DEMANDS
from workalike.town.town import Town
from workalike.town.world import World

SHORTEST = 5
"""How long the name of a page is that is about one thing, and not about a whole city."""
SHOPS = {name: COUNTS[name] for name in ("shopping", "shopping_list", "comparison_shopping")}


def test_counts_are_the_cards(drawn: tuple[Drawn, ...]) -> None:
    for category, count in SHOPS.items():
        assert sum(each.task.category == category for each in drawn) == count


def test_no_two_tasks_are_alike(drawn: tuple[Drawn, ...]) -> None:
    assert len({each.task.id for each in drawn}) == len(drawn)
    assert len({each.task.instruction for each in drawn}) == len(drawn)
    assert len({fingerprint(each.key.evaluators) for each in drawn}) == len(drawn)


def truth_of(drawn: Drawn) -> str:
    return fingerprint([drawn.key.evaluators, drawn.key.critical_point])


def by_category(town: Town) -> list[Drawn]:
    """All tasks, those of every category as if there were no other."""
    return [each for category, count in COUNTS.items() for each in draw_tasks(town, counts={category: count})]


def test_drawing_is_the_same_again_and_for_every_category_alone(town: Town, drawn: tuple[Drawn, ...]) -> None:
    """So that one who asks for a few tasks of a pinned edition need not wait for all of them."""
    assert by_category(town) == list(drawn)
    assert set(task_ids("test")) == {each.task.id for each in drawn}


def test_one_task_is_drawn_as_it_stands_among_all(town: Town, drawn: tuple[Drawn, ...]) -> None:
    assert find_task(town, "hotels_3") == next(each for each in drawn if each.task.id == "hotels_3")
    with pytest.raises(BadInput, match="town has no task 'hotels_53'"):
        find_task(town, "hotels_53")


def test_where_nothing_is_pinned_all_are_drawn_to_have_one() -> None:
    """Nobody has tried whether the categories meet there."""
    counts, moved = {"shopping": 3, "hotels": 2}, Town(World(today=date(2026, 9, 1)))
    assert draw_tasks(moved, counts=counts, only={"hotels_2"}) == draw_tasks(moved, counts=counts)[4:]


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
    """No plan, no template's name, no right answer stands in what an agent is given, and the form of the answer does
    not tell what is there from what is sold out or walled."""
    for each in drawn:
        told = msgspec.json.encode(each.task).decode()
        assert each.key.extra["template"] not in told
        assert set(each.task.extra) == {"level", "canary"}
    names = ("shop-described", "shop-none-fits", "shop-walled", "hotel-with-things", "hotel-full-house", "hotel-walled")
    forms = {name: set[bool]() for name in (*names, "flight-any-seat", "flight-none-left", "flight-walled")}
    for each in drawn:
        forms.get(each.key.extra["template"], set()).add(bool(each.task.form))
    assert all(given == {False} for given in forms.values())


def test_fields_are_named_by_nouns_and_hold_no_truth(drawn: tuple[Drawn, ...]) -> None:
    for each in drawn:
        assert each.task.form is not None
        wanted = {expected.field: expected for expected in each.key.evaluators[0].answers}
        assert [field.name for field in each.task.form] == list(wanted)
        assert all(field.kind == wanted[field.name].kind for field in each.task.form)


@pytest.mark.parametrize("split", ["test", "train"])
def test_fields_are_named_in_the_words_of_every_voice(town: Town, split: Split) -> None:
    """Whoever reads what is asked knows which field is which."""
    there = town if split == "test" else Town(town.world.of("train"))
    lacking = []
    for template in (each for name in COUNTS for each in templates_of(there, name, split)):
        draws = (template.draw(there, there.world.rng("voices", template.name, go)) for go in range(400))
        for draft in itertools.islice((each for each in draws if each), 3):
            for voice in template.voices:
                said = stems(voice.format_map(draft.slots))
                lacking += [(template.name, voice, each.field) for each in draft.answers if stems(each.field) - said]
    assert lacking == []


def test_fields_are_named_in_the_words_of_the_instruction(drawn: tuple[Drawn, ...]) -> None:
    told = [(each.task, field) for each in drawn for field in each.task.form or ()]
    assert len(told) > 500
    assert [(task.id, field.name) for task, field in told if stems(field.name) - stems(task.instruction)] == []


def stems(text: str) -> set[str]:
    """The words of a text without the endings of plurals."""
    return {re.sub(r"(?<=..)(ie|e|y)?s?$", "", word) for word in re.findall(r"[a-z]+", text.lower())}


def test_relative_days_name_the_day_they_are_told_from(drawn: tuple[Drawn, ...]) -> None:
    told = re.compile(r"\b(tomorrow|from today|in \d+ (days|weeks)|this coming)\b")
    said = [each.task.instruction for each in drawn if told.search(each.task.instruction)]
    assert len(said) > 10
    assert [text for text in said if "(today is May 4, 2026)" not in text] == []


def test_levels_voices_and_obstacles_are_mixed(drawn: tuple[Drawn, ...]) -> None:
    assert {each.task.extra["level"] for each in drawn} == {"easy", "medium", "hard"}
    assert len({setting_of(each.key).obstacles for each in drawn}) > 6
    assert sum(each.key.evaluators[0].status == "blocked" for each in drawn) >= 8
    assert any("If they have none, say so" in each.task.instruction for each in drawn)


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


def test_no_more_than_six_tasks_share_a_goal_structure(drawn: tuple[Drawn, ...]) -> None:
    counts = Counter(each.key.extra["structure"] for each in drawn)
    assert max(counts.values()) <= MOST_ALIKE
    assert len(counts) >= len(drawn) / 4.1


@pytest.mark.parametrize("category", COUNTS)
def test_every_category_demands_much(drawn: tuple[Drawn, ...], category: str) -> None:
    """At least six of the twelve demands, three levels, and a third that takes four goals or more."""
    mine = [each for each in drawn if each.task.category == category]
    demanded = {demand for each in mine for demand in each.key.extra["demands"]}
    assert demanded <= set(DEMANDS)
    assert len(demanded) >= 6
    assert {each.task.extra["level"] for each in mine} == {"easy", "medium", "hard"}
    hard = [each for each in mine if each.task.extra["level"] == "hard"]
    assert 3 * len(hard) >= len(mine)
    assert all(len(each.key.plan["goals"]) >= 4 for each in hard)


def test_names_of_the_test_split_do_not_occur_in_train(town: Town) -> None:
    """Whoever learns the train split by heart has not met a thing, a house or a person of the other."""
    train = Town(town.world.of("train"))
    mine, theirs = names_of(town), names_of(train)
    assert len(mine) > 3000
    assert not mine & theirs
    trained = by_category(train)
    assert len({truth_of(each) for each in trained}) == len(trained)  # so drawn together they are the same ones
    told = " ".join(each.task.instruction for each in trained)
    assert not {name for name in mine if name in told}


def test_searching_for_the_instruction_does_not_find_the_target(town: Town, drawn: tuple[Drawn, ...]) -> None:
    """For three quarters of the tasks at least, on the search engine as a whole and within each site."""
    easy = [each.task.id for each in drawn if finds_itself(town, each)]
    assert 4 * len(easy) <= len(drawn), easy


def names_of(town: Town) -> set[str]:
    tables = {"marlow": "product", "kestrel": "product", "stayward": "hotel", "aldergate": "hotel"}
    things = {
        row["name"] for site, table in tables.items() for row in town.facts[site].execute(f"SELECT * FROM {table}")
    }
    people = {str(row["name"]) for site in ("marlow", "kestrel") for row in town.begin_rows(f"{site}_order")}
    return things | people | {str(row["name"]) for row in town.begin_rows("stayward_booking")}


def finds_itself(town: Town, drawn: Drawn) -> bool:
    """Whether the first page found by the instruction's own words, other than a site's front, is one that the task is
    about."""
    plan = json.dumps(drawn.key.plan["goals"])
    found, _ = look_up(town.index, drawn.task.instruction, most=60)
    firsts: dict[str, IndexHit] = {}
    for hit in found:
        if hit.path != "/":
            firsts.setdefault(hit.site, hit)
    things = [hit.path.rpartition("/")[2] for hit in firsts.values()]
    return any(f'"{thing}"' in plan for thing in things if len(thing) > SHORTEST)


def test_where_a_template_finds_nothing_more_the_next_takes_its_turn() -> None:
    """In this world there are too few evenings out for one of the templates."""
    poor = Town(World("bqqqqqqqqqqqqqqqq", date(2026, 9, 9)))
    drawn = draw_tasks(poor, counts={"ticketing": COUNTS["ticketing"]})
    assert len({fingerprint(each.key.evaluators) for each in drawn}) == COUNTS["ticketing"]
