"""The oracle solves tasks through the page, with pointer and keyboard, in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from tests.town.browser import chromium, solve
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.core.outcomes import solved
from workalike.runtime.serving import serving
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks
from workalike.town.look import Past
from workalike.town.oracle import next_action
from workalike.town.server import App
from workalike.town.town import Town
from workalike.town.world import Split, World
from workalike.verify.state import judge

HIDDEN = "flights_24"
"""What is chosen there is hidden by the filter that an earlier look has set."""
SAMPLE = ("shop-described", "shop-list-fast", "shop-any", "shop-weigh-buy", "shop-walled")


async def solve_all(town: Town, app: App, drawn: Sequence[Drawn], at_once: int = 2) -> dict[str, str]:
    """Let the oracle do tasks side by side; what went wrong, by task."""
    wrong: dict[str, str] = {}
    turns = asyncio.Semaphore(at_once)
    async with serving(app) as port, chromium(port) as web:

        async def one(each: Drawn) -> None:
            async with turns:
                left, answer, _ = await solve(town, web, each)
            verdict = judge(each.key, left.changes, answer, left.shown)
            if not solved(verdict.outcome, "town", each.key.reports):
                wrong[each.task.id] = verdict.reason

        await asyncio.gather(*map(one, drawn))
    return wrong


async def test_the_oracle_solves_a_sample(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(drawn)}
    hidden = [each for each in drawn if each.task.id == HIDDEN]
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE] + hidden) == {}
    assert len(hidden) == 1


@pytest.mark.sweep
@pytest.mark.parametrize("split", ["test", "train"])
@pytest.mark.parametrize("category", COUNTS)
async def test_the_oracle_solves_every_task(category: str, split: Split) -> None:
    town = Town(World().of(split))
    assert await solve_all(town, App(town), draw_tasks(town, counts={category: COUNTS[category]})) == {}


async def test_the_oracle_is_a_pure_function(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    """Asked again with the same sights, also after a journey through JSON, it does the same at every step."""
    async with serving(app) as port, chromium(port) as web:
        _, _, past = await solve(town, web, drawn[0])
    key = msgspec.json.decode(msgspec.json.encode(drawn[0].key), type=Key)
    told = msgspec.json.decode(msgspec.json.encode(past), type=list[Past])
    for place, step in enumerate(told):
        assert next_action(key, step.observation, told[:place]) == step.action


def test_a_key_of_another_version_is_told(drawn: tuple[Drawn, ...]) -> None:
    plan = {"goals": [{"goal": "GoalOfOld"}], "line": "ANSWER: done"}
    with pytest.raises(BadInput, match="another version"):
        next_action(Key("x", plan=plan), Observation())
