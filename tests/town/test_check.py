"""The proof that tasks are sound, and that it would notice if one were not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from tests.town.browser import chromium, roam
from workalike.core.key import Evaluator, Key, RowChange
from workalike.core.verdict import Verdict
from workalike.models.server.serving import serving
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.chance import chance_of, changes_state
from workalike.town.check import check_task, check_tasks, idle_misses, perform
from workalike.town.server import App
from workalike.town.town import Town
from workalike.verify.state import judge


def one_of_each(drawn: Sequence[Drawn]) -> list[Drawn]:
    return list({each.key.extra["template"]: each for each in drawn}.values())


def test_one_task_of_each_template_is_sound(town: Town, drawn: tuple[Drawn, ...]) -> None:
    chosen = one_of_each(drawn)
    assert len(chosen) >= 24
    wrong = {found.task_id: found.wrong for found in check_tasks(town, chosen, judge) if found.wrong}
    assert wrong == {}


@pytest.mark.sweep
@pytest.mark.parametrize("split", ["test", "train"])
def test_every_task_is_sound(town: Town, split: str) -> None:
    found = list(check_tasks(town, draw_tasks(town, split), judge))  # type: ignore[arg-type]
    assert {each.task_id: each.wrong for each in found if each.wrong} == {}
    assert all(each.rejected >= 3 for each in found)


def test_a_lax_evaluator_is_noticed(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    def lax(key: Key, changes: Sequence[RowChange], answer: str | None) -> Verdict:
        return Verdict("", "lax", "success")

    found = check_task(town, app, drawn[0].key, lax)
    assert any("near miss was accepted" in sentence for sentence in found.wrong)


def test_a_wrong_truth_is_noticed(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    key = msgspec.structs.replace(drawn[0].key, evaluator=Evaluator())
    assert any("right way was refused" in sentence for sentence in check_task(town, app, key, judge).wrong)


def test_idleness_fails_on_every_task(drawn: tuple[Drawn, ...]) -> None:
    for each in drawn:
        for miss in idle_misses(each.key):
            if miss.plan == {}:
                answer = each.key.plan["said"][0] if miss.answer is None else miss.answer
                assert judge(each.key, (), answer).outcome != "success", (each.task.id, miss.label)


def test_performing_leaves_no_attempt_behind(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    before = town.tokens
    perform(town, app, drawn[0].key, drawn[0].key.plan)
    assert town.tokens == before


def test_chance_passes_nothing_that_changes_state(drawn: tuple[Drawn, ...]) -> None:
    chances = {each.task.id: chance_of(each.task, each.key, judge) for each in drawn}
    for each in drawn:
        if changes_state(each.key):
            assert chances[each.task.id] == 0
    assert sum(chances.values()) / len(chances) < 0.02


@pytest.mark.sweep
async def test_an_agent_at_random_passes_nothing_that_changes_state(
    town: Town, app: App, drawn: tuple[Drawn, ...]
) -> None:
    """The project's own random agent, for real, on some tasks of every template that wants something done."""
    passed = []
    async with serving(app) as port, chromium(port) as web:
        for each in [each for each in one_of_each(drawn) if changes_state(each.key)]:
            changes, answer = await roam(town, web, each)
            passed += [each.task.id] if judge(each.key, changes, answer).success else []
    assert passed == []
