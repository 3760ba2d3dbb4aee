"""Chains over sites: sound, of many structures, and never over one site where they claim to be over several."""

from __future__ import annotations

import re

from tests.town.test_oracle import solve_all
from workalike.core.key import Key
from workalike.town.benchmark import Drawn, draw_tasks
from workalike.town.check import check_task
from workalike.town.refkit.tasks import TEMPLATES
from workalike.town.server import App
from workalike.town.town import Town
from workalike.verify.state import judge

CATEGORY = "compositional_tasks"
SAMPLE = ("chain-founder-basket", "chain-near-work", "chain-winner")


def sites_of(key: Key) -> set[str]:
    """The sites whose facts must have been shown, or whose rows change."""
    way = key.evaluators[0]
    shown = {pattern.site for group in way.shown for pattern in group}
    return shown | {row.table.partition("_")[0] for row in (*way.changes, *way.reached)}


def test_every_template_makes_sound_tasks(town: Town, app: App) -> None:
    """One task of each template; `workalike tasks town --check` goes through all of them."""
    for split, least in (("test", 14), ("train", 4)):
        names = {each.name for each in TEMPLATES if each.split == split}
        assert len(names) >= least
        drawn = draw_tasks(town, split, {CATEGORY: len(names)})  # type: ignore[arg-type]
        assert {each.key.extra["template"] for each in drawn} == names
        for each in drawn:
            assert check_task(town, app, each.key, judge).wrong == (), each.task.instruction


def test_chains_go_over_sites_and_demand_much(town: Town) -> None:
    drawn = draw_tasks(town, "test", {CATEGORY: 55})
    demands = {demand for each in drawn for demand in each.key.extra["demands"]}
    assert len(demands) >= 6
    structures = [each.key.extra["structure"] for each in drawn]
    assert max(structures.count(each) for each in structures) <= 6
    for each in drawn:
        if "chain over sites" in each.key.extra["demands"]:
            assert len(sites_of(each.key)) >= 2, each.task.instruction
        assert not re.search(r"[{}]|  | ,", each.task.instruction), each.task.instruction
    wide = [each for each in drawn if len(sites_of(each.key)) >= 3]
    assert len(wide) >= 12
    hard = [each for each in drawn if each.task.extra["level"] == "hard"]
    assert len(hard) >= 55 / 3
    assert all(len(each.key.plan["goals"]) >= 4 for each in hard)


async def test_the_oracle_solves_a_sample(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(drawn)}
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE]) == {}
