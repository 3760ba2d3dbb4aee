"""The first page, a run, two of them side by side, and a run that goes on, in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.cluster.plain import PlainCluster, in_place_of_ray
from tests.report.made_runs import make_run
from tests.viewer.pages import axe, key_of, opened
from tests.viewer.sample import SCREEN, hostile_run, plain_run, png
from workalike.bench.run import RunResources, run_async
from workalike.cluster.ray_cluster import RayChoice
from workalike.core.actions import Click
from workalike.core.observation import Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop
from workalike.report.reading import read_results
from workalike.store.config import RunConfig
from workalike.store.runs import RunInfo, RunWriter

MIXED = {"one": ["success", "failure"], "two": ["failure", "failure"], "three": ["refused", "success"]}
BETTER = {"one": ["success", "success"], "two": ["failure", "success"], "three": ["refused", "success"]}


async def test_the_first_page_lists_what_there_is(tmp_path: Path) -> None:
    plain_run(tmp_path / "runs" / "mixed", MIXED)
    hostile_run(tmp_path / "runs" / "hostile")
    async with opened(tmp_path) as page:
        assert await page.locator("a.card").count() == 2
        await expect(page.locator(".score")).to_have_count(2)
        assert "6 attempts at 3 tasks, 33 % success" in await page.inner_text("main")
        assert await axe(page) == []
        plain_run(tmp_path / "runs" / "new", MIXED)
        await expect(page.locator("a.card")).to_have_count(3)
        await page.click("a.card:has-text('mixed')")
        await page.wait_for_selector("tbody tr")
        await page.keyboard.press("h")
        await page.wait_for_selector("a.card")


async def test_the_bar_of_a_run_that_solved_all_is_full(tmp_path: Path) -> None:
    plain_run(tmp_path / "all", {"one": ["success", "success"]})
    plain_run(tmp_path / "half", {"one": ["success", "failure"]})
    async with opened(tmp_path) as page:
        await expect(page.locator(".score")).to_have_count(2)
        left = (
            "(bar, kind) => bar.getBoundingClientRect().right - bar.querySelector(kind).getBoundingClientRect().right"
        )
        for card, kind in (("all", ".success"), ("half", ".failure")):
            assert await page.locator(f"a.card:has-text('{card}') .score").evaluate(left, kind) == pytest.approx(0)


async def test_a_run_is_sorted_filtered_searched_and_shown_as_a_grid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = plain_run(tmp_path / "mixed", MIXED)
    async with opened(run, f"#/run/{key_of(run)}") as page:
        assert await page.locator("tbody tr").count() == 6
        assert "33 % success" in await page.inner_text("#tally")
        await page.click("th button:has-text('Steps')")
        await page.click("th button:has-text('Steps')")
        assert "Do the three" in await page.locator("tbody tr").first.inner_text()
        await page.select_option("select[aria-label='Only this verdict']", "failure")
        assert await page.locator("tbody tr").count() == 3
        await page.select_option("select[aria-label='Only this category']", "travel")
        assert await page.locator("tbody tr").count() == 1
        assert "outcome=failure" in page.url
        await page.select_option("select[aria-label='Only this verdict']", "")
        await page.select_option("select[aria-label='Only this category']", "")
        await page.click("summary")
        await page.fill("input[aria-label='At least so many steps']", "5")
        await page.keyboard.press("Enter")
        assert await page.locator("tbody tr").count() == 2
        await page.fill("input[aria-label='At least so many steps']", "")
        await page.keyboard.press("/")
        await page.keyboard.type("two")
        await expect(page.locator("tbody tr")).to_have_count(2)
        assert await axe(page) == []
        await page.fill("input[type=search]", "")
        await page.keyboard.press("Escape")
        await page.keyboard.press("g")
        await page.wait_for_selector(".grid")
        await expect(page.locator(".grid .cell.failure")).to_have_count(3)
        assert await page.locator(".grid .cell.other").count() == 1
        assert await axe(page) == []
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".page-trajectory")
        assert "%2F1.1/1" in page.url
        await page.keyboard.press("ArrowDown")
        await page.wait_for_url("**%2F2.1/1")
        await page.click("#crumbs a")
        await page.click("a:text('Search thoughts and typed text')")
        await expect(page.locator(".found tbody tr")).to_have_count(6)
        await page.fill("input[type=search]", "three")
        await expect(page.locator(".found tbody tr")).to_have_count(2)
        await page.click(".found tbody a >> nth=0")
        await page.wait_for_selector(".page-trajectory .strip button")


async def test_a_run_is_filtered_by_level_end_time_and_cost(tmp_path: Path) -> None:
    run = make_run(tmp_path / "som", 0.3, count=9, repeats=1, seed=5)
    results = read_results(run).results
    assert {each.stop for each in results} == {"terminated", "out_of_steps"}
    times, costs = sorted(each.seconds for each in results), sorted(each.usage.cost or 0.0 for each in results)
    long, dear = (times[3] + times[4]) / 2, (costs[5] + costs[6]) / 2
    choices = {
        "level": ("easy", sum(each.level == "easy" for each in results)),
        "end": ("out_of_steps", sum(each.stop == "out_of_steps" for each in results)),
    }
    bounds = {
        "seconds": (long, sum(each > long for each in times)),
        "dollars": (dear, sum(each > dear for each in costs)),
    }
    async with opened(run, f"#/run/{key_of(run)}") as page:
        rows = page.locator("tbody tr")
        await expect(rows).to_have_count(9)
        for name, (choice, count) in choices.items():
            await page.select_option(f"select[aria-label='Only this {name}']", choice)
            await expect(rows).to_have_count(count)
            await page.select_option(f"select[aria-label='Only this {name}']", "")
        await page.click("summary")
        for name, (least, count) in bounds.items():
            for value, left in ((str(least), count), ("", 9)):
                await page.fill(f"input[aria-label='At least so many {name}']", value)
                await page.keyboard.press("Enter")
                await expect(rows).to_have_count(left)


async def test_two_runs_side_by_side_where_they_differ(tmp_path: Path) -> None:
    plain_run(tmp_path / "a", MIXED)
    plain_run(tmp_path / "b", BETTER, agent="other")
    keys = f"{key_of(tmp_path, 'a')}/{key_of(tmp_path, 'b')}"
    async with opened(tmp_path, f"#/compare/{keys}", color_scheme="dark") as page:
        assert await page.locator("tbody tr").count() == 2
        assert "a alone succeeds at 0, b alone at 2" in await page.inner_text("main")
        assert await axe(page) == []
        await page.click("tbody a >> nth=0")
        await page.wait_for_selector(".side")
        assert await page.locator(".side .frame").count() == 2
        await page.keyboard.press("d")
        assert "step=2" in page.url
        assert "Step 2 of" in await page.inner_text(".place")
        assert await axe(page) == []


async def test_a_run_is_watched_as_it_goes_on(tmp_path: Path) -> None:
    tasks = [Task("one", "Do it live"), Task("two", "And this")]
    with RunWriter(tmp_path / "run", RunInfo("r", "2026-01-01T00:00:00Z", {"agent": "som"}), tasks) as run:
        _, first = run.begin(tasks[0], 1)
        shot = run.pictures.put(png("white"), SCREEN)
        step = Step(Observation(shot, SCREEN), (ActionResult(Click(Point(0.5, 0.5))),))
        first.step(step)
        key = key_of(tmp_path, "run")
        async with opened(tmp_path, f"#/run/{key}") as page:
            await page.wait_for_selector(".chip.live")
            assert await page.locator("tbody tr").count() == 1
            _, second = run.begin(tasks[1], 1)
            await expect(page.locator("tbody tr")).to_have_count(2)
            await page.click("tbody a >> nth=0")
            await page.wait_for_selector(".strip button")
            assert await page.locator(".strip button").count() == 1
            first.step(step)
            await expect(page.locator(".strip button")).to_have_count(2)
            assert await page.locator(".strip button[aria-current=true]").inner_text() == "2 click"
            first.finish(Stop("terminated"))
            await expect(page.locator(".task")).to_contain_text("terminated")
        second.close()


async def test_a_run_on_workers_is_watched_as_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_ray(monkeypatch, lambda: PlainCluster("a"))
    plan = RunConfig(benchmark="town", agent="oracle", split="train", repeats=1, limit=2)
    means = RunResources(jobs=1, ray=RayChoice())
    going = asyncio.create_task(run_async(plan, tmp_path / "run", resources=means))
    try:
        while not any(tmp_path.rglob("trajectory.jsonl")):
            assert not going.done(), going
            await asyncio.sleep(0.1)
        async with opened(tmp_path, f"#/run/{key_of(tmp_path, 'run')}") as page:
            await page.wait_for_selector(".chip.live")
            assert await page.locator("tbody tr").count() == 1
            await expect(page.locator("tbody tr")).to_have_count(2, timeout=120_000)
            await page.click("tbody a >> nth=1")
            await page.wait_for_selector(".strip button")
            await expect(page.locator(".task")).to_contain_text("terminated", timeout=120_000)
    finally:
        summary = await going
    assert summary.finished == 2
