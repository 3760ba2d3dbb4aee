"""Goals: as plain JSON and back, concatenated over sites, each with near misses of its own."""

from __future__ import annotations

import pytest

from workalike.core.errors import BadInput
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks
from workalike.town.kit.goal import KINDS, all_misses, read_goals, write_goals
from workalike.town.kit.truth import evaluators_of
from workalike.town.shopkit.tasks.goals import FillCart
from workalike.town.template import TaskDraft
from workalike.town.town import Town


def test_goals_survive_json(drawn: tuple[Drawn, ...]) -> None:
    kinds = set()
    for each in drawn:
        goals = read_goals(each.key.plan["goals"])
        assert write_goals(goals) == each.key.plan["goals"]
        kinds |= {type(goal).__name__ for goal in goals}
    assert kinds >= {"FillCart", "SeeProduct", "FlyTrip", "FindBooking", "BookRoom", "SeeHouse"}
    assert kinds <= set(KINDS)


def test_a_plan_of_another_version_is_told() -> None:
    with pytest.raises(BadInput, match="another version"):
        read_goals([{"goal": "Teleport"}])
    with pytest.raises(BadInput, match="another version"):
        read_goals([{"goal": "FillCart", "site": 3}])


def test_goals_over_several_sites_are_concatenated(town: Town) -> None:
    """A plan of a shop's, an airline's and a hotel's goals wants the rows of all three, and has the misses of each."""
    counts = {category: COUNTS[category] for category in ("shopping", "flights", "hotels")}
    by_template = {each.key.extra["template"]: each for each in draw_tasks(town, "train", counts)}
    names = ("shop-cheapest", "flight-cancel", "hotel-book")
    parts = [read_goals(by_template[name].key.plan["goals"]) for name in names]
    whole = TaskDraft(tuple(goal for part in parts for goal in part), {})
    (way,) = evaluators_of(town, whole)
    wanted = [pattern for name in names for pattern in by_template[name].key.evaluators[0].changes]
    assert list(way.changes) == wanted
    assert len(way.reached) == 1
    labels = [label for label, _ in all_misses(whole.goals, town)]
    assert {"the neighbour instead", "not cancelled", "stopped before the guest's details"} <= set(labels)


def test_a_miss_replaces_its_goal_alone(town: Town, drawn: tuple[Drawn, ...]) -> None:
    goals = next(
        found
        for each in drawn
        if len(found := read_goals(each.key.plan["goals"])) == 2 and isinstance(found[1], FillCart)
    )
    for label, others in all_misses(goals, town):
        assert sum(goal in others for goal in goals) >= 1, label
        assert others != goals, label
