"""The oracle solves tasks through the page, with pointer and keyboard, in a real browser."""

from __future__ import annotations

import pytest

from tests.town.browser import chromium, solve
from understudy.town.benchmark import draw_tasks
from understudy.town.server import App, serving
from understudy.town.town import Town
from understudy.verify.state import judge


async def solve_all(town: Town, app: App, limit: int | None = None) -> list[str]:
    wrong = []
    async with serving(app) as port, chromium(port) as browser:
        for drawn in draw_tasks(town)[:limit]:
            changes, answer, _ = await solve(town, browser, drawn)
            verdict = judge(drawn.key, changes, answer)
            if verdict.outcome != "success":
                wrong.append(f"{drawn.task.id}: {verdict.reason}")
    return wrong


async def test_the_oracle_solves_a_sample(town: Town, app: App) -> None:
    assert await solve_all(town, app, 3) == []


@pytest.mark.sweep
async def test_the_oracle_solves_every_task(town: Town, app: App) -> None:
    assert await solve_all(town, app) == []
