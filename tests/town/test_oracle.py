"""The oracle solves tasks through the page, with pointer and keyboard, in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from tests.town.browser import chromium, solve
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.models.server.serving import serving
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks
from workalike.town.look import Past
from workalike.town.oracle import next_action, template_of
from workalike.town.server import App
from workalike.town.town import Town
from workalike.verify.state import judge

SAMPLE = ("shop-buy-variant", "shop-order-for-me", "shop-cheapest", "shop-compare-buy", "shop-wall-at-checkout")


async def solve_all(town: Town, app: App, drawn: Sequence[Drawn], at_once: int = 2) -> dict[str, str]:
    """Let the oracle do tasks side by side; what went wrong, by task."""
    wrong: dict[str, str] = {}
    turns = asyncio.Semaphore(at_once)
    async with serving(app) as port, chromium(port) as web:

        async def one(each: Drawn) -> None:
            async with turns:
                changes, answer, _ = await solve(town, web, each)
            verdict = judge(each.key, changes, answer)
            if verdict.outcome != "success":
                wrong[each.task.id] = verdict.reason

        await asyncio.gather(*map(one, drawn))
    return wrong


async def test_the_oracle_solves_a_sample(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    by_template = {each.key.extra["template"]: each for each in reversed(drawn)}
    assert await solve_all(town, app, [by_template[name] for name in SAMPLE]) == {}


@pytest.mark.sweep
@pytest.mark.parametrize("split", ["test", "train"])
@pytest.mark.parametrize("category", COUNTS)
async def test_the_oracle_solves_every_task(town: Town, app: App, category: str, split: str) -> None:
    drawn = draw_tasks(town, split, {category: COUNTS[category]})  # type: ignore[arg-type]
    assert await solve_all(town, app, drawn) == {}


async def test_the_oracle_is_a_pure_function(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    """Asked again with the same sights, also after a journey through JSON, it does the same at every step."""
    async with serving(app) as port, chromium(port) as web:
        _, _, past = await solve(town, web, drawn[0])
    key = msgspec.json.decode(msgspec.json.encode(drawn[0].key), type=Key)
    told = msgspec.json.decode(msgspec.json.encode(past), type=list[Past])
    for place, step in enumerate(told):
        assert next_action(key, step.observation, told[:place]) == step.action


def test_a_key_of_another_version_is_told(drawn: tuple[Drawn, ...]) -> None:
    with pytest.raises(BadInput, match="another version"):
        template_of(Key("x", extra={"template": "shop-of-old"}))
