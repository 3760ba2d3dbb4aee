"""The proof that tasks are sound, and that it would notice if one were not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from tests.town.browser import chromium, roam
from workalike.core.key import Evaluator, Key, RowChange, Shown
from workalike.core.outcomes import solved
from workalike.core.verdict import Verdict
from workalike.runtime.serving import serving
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.check import attacks_on, check_task, check_tasks, perform
from workalike.town.kit.goal import read_goals
from workalike.town.kit.lines import right_ways
from workalike.town.server import App
from workalike.town.town import Town
from workalike.town.world import Split, World
from workalike.verify.state import judge


def one_of_each(drawn: Sequence[Drawn]) -> list[Drawn]:
    return list({each.key.extra["template"]: each for each in drawn}.values())


def test_one_task_of_each_template_is_sound(town: Town, drawn: tuple[Drawn, ...]) -> None:
    chosen = one_of_each(drawn)
    assert len(chosen) >= 24
    found = list(check_tasks(town, chosen, judge))
    assert {each.task_id: each.wrong for each in found if each.wrong} == {}
    assert sum(each.chance for each in found) == 0


@pytest.mark.sweep
@pytest.mark.parametrize(("split", "wrong", "right"), [("test", 8000, 2500), ("train", 8000, 2500)])
def test_every_task_is_sound(split: Split, wrong: int, right: int) -> None:
    town = Town(World().of(split))
    found = list(check_tasks(town, draw_tasks(town), judge))
    assert {each.task_id: each.wrong for each in found if each.wrong} == {}
    assert sum(each.rejected for each in found) >= wrong
    assert sum(each.accepted for each in found) >= right


def test_a_lax_evaluator_is_noticed(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    def lax(key: Key, changes: Sequence[RowChange], said: str | None, shown: Sequence[Shown]) -> Verdict:
        return Verdict("", "lax", "success")

    found = check_task(town, app, drawn[0].key, lax)
    assert any("an attack was accepted" in sentence for sentence in found.wrong)


def test_a_wrong_truth_is_noticed(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    key = msgspec.structs.replace(drawn[0].key, evaluators=(Evaluator(),))
    assert any("right way was refused" in sentence for sentence in check_task(town, app, key, judge).wrong)


def test_the_attacks_are_those_that_passed_before(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    """Constant answers, an answer without its facts, negated, corrected, in another currency, redone after crossing."""
    labels = set[str]()
    for each in one_of_each(drawn):
        done = perform(town, app, each.key, read_goals(each.key.plan["goals"]))
        labels |= {attack.label for attack in attacks_on(town, app, each.key, done)}
    for label in (
        "did nothing, said unavailable",
        "did nothing, said the right line",
        "saw nothing",
        "redone after crossing",
        "right way, total negated",
        "right way, total corrected",
        "right way, total in €",
        "right way, turned round",
        "right way, products off, 1",
        "right way, says blocked",
        "stopped before the guest's details",
        "taken to the checkout",
        "another phone",
        "another state",
        "another seat",
    ):
        assert label in labels, label


def test_idleness_fails_on_every_task(drawn: tuple[Drawn, ...]) -> None:
    """An agent that does nothing and says whatever was right somewhere passes nothing."""
    for each in drawn:
        for said in ("", *right_ways(each.key.evaluators[0])):
            assert judge(each.key, (), said).outcome == "failure", (each.task.id, said)


def test_performing_leaves_no_attempt_behind(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    before = town.tokens
    perform(town, app, drawn[0].key, read_goals(drawn[0].key.plan["goals"]))
    assert town.tokens == before


@pytest.mark.sweep
async def test_an_agent_at_random_passes_nothing_that_changes_state(
    town: Town, app: App, drawn: tuple[Drawn, ...]
) -> None:
    """The project's own random agent, for real, on some tasks of every template."""
    passed = []
    async with serving(app) as port, chromium(port) as web:
        for each in one_of_each(drawn):
            left, answer = await roam(town, web, each)
            verdict = judge(each.key, left.changes, answer, left.shown)
            passed += [each.task.id] if solved(verdict.outcome, "town", each.key.reports) else []
    assert passed == []
