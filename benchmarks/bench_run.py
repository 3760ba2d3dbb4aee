"""What the runner costs apart from browser and model: a step's overhead, and an attempt that stops at once."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
from playwright.async_api import Browser

from benchmarks import Figure
from workalike.bench.attempt import attempt
from workalike.bench.journal import AttemptJournal
from workalike.bench.loading import load_benchmark
from workalike.bench.run import RunResources, run_async
from workalike.bench.sandbox import town_sandbox
from workalike.core.actions import Action, Terminate, Wait
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.browser.stage import Stage
from workalike.env.policy.proxy import Proxy
from workalike.env.policy.reach import Policy
from workalike.store.config import AttemptLimits, RunConfig
from workalike.store.runs import RunInfo, RunWriter

STEPS, ATTEMPTS, JOBS, BARE = 300, 609, 4, 100


def measure() -> list[Figure]:
    return [*asyncio.run(_overhead()), *asyncio.run(_attempts())]


class _Still:
    """An environment that costs nothing: every picture is new, as a browser's would be."""

    def __init__(self) -> None:
        self._count = 0

    async def reset(self, task: Task, wants: Wants = Wants()) -> Percept:
        return await self.observe(wants)

    async def act(self, action: Action) -> ActionResult:
        return ActionResult(action, 0.0, 0.0)

    async def observe(self, wants: Wants = Wants(), taken: tuple[ActionResult, ...] = ()) -> Percept:
        self._count += 1
        picture = b"\x89PNG" + self._count.to_bytes(8, "big") + bytes(150_000)
        return Percept(Observation(ImageRef.of(picture), Size(1440, 900), url="http://a/"), picture, taken)

    async def close(self) -> None:
        pass


class _Patient:
    """An agent that waits, and decides at once."""

    name, wants = "patient", Wants()

    async def begin(self, task: Task) -> None:
        self._left = STEPS

    async def decide(self, percept: Percept) -> Decision:
        self._left -= 1
        return Decision((Wait(0),) if self._left else (Terminate(),))

    async def close(self) -> None:
        pass


async def _overhead() -> list[Figure]:
    task = Task("t", "wait")
    with tempfile.TemporaryDirectory() as folder, RunWriter(Path(folder) / "run", RunInfo("r", "", {}), [task]) as run:
        _, writer = run.begin(task, 1)
        start = time.perf_counter()
        await attempt(_Patient(), _Still(), task, AttemptJournal(run.pictures, writer), AttemptLimits(steps=STEPS + 1))
        each = (time.perf_counter() - start) / STEPS
        writer.close()
    return [Figure("a step apart from browser and model, written and synced", each * 1000, "ms", "≤ 5")]


async def _attempts() -> list[Figure]:
    config = RunConfig(benchmark="town", agent="idle", repeats=1)
    loaded = load_benchmark(config)
    assert loaded.town is not None
    async with town_sandbox(loaded.town) as sandbox, Stage() as stage:
        browser, tasks = await stage.browser(), itertools.cycle(loaded.task_set.tasks)

        async def opened() -> None:
            context = await browser.new_context()
            await context.new_page()
            await context.close()

        async def looked() -> None:
            task = next(tasks)
            stay = sandbox.open(task, loaded.task_set.keys[task.id])
            await _look_twice(browser, Policy.of(sandbox.reach), str(stay.task.start_url))
            stay.close()

        contexts, looks = await _each(opened, BARE), await _each(looked, BARE)
    each, count = await _ours(config, len(loaded.task_set.tasks))
    return [
        Figure("an attempt that stops at once", each * 1000, "ms", "< 150", f"{count} attempts, {JOBS} at once"),
        Figure("… against a bare context with a page", each / contexts, "×"),
        Figure("… against one that also opens the first page and takes both pictures", each / looks, "×"),
    ]


async def _ours(config: RunConfig, tasks: int) -> tuple[float, int]:
    """Seconds for each attempt of a whole run, its beginning and end included; and how many they were."""
    with tempfile.TemporaryDirectory() as folder:
        config = msgspec.structs.replace(config, repeats=max(1, round(ATTEMPTS / tasks)))
        start = time.perf_counter()
        summary = await run_async(config, Path(folder) / "run", resources=RunResources(jobs=JOBS))
        return (time.perf_counter() - start) / summary.finished, summary.finished


async def _look_twice(browser: Browser, policy: Policy, url: str) -> None:
    proxy = Proxy(policy)
    port = await proxy.open()
    context = await browser.new_context(
        viewport={"width": 1440, "height": 900}, proxy={"server": f"http://127.0.0.1:{port}"}
    )
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await page.goto(url)
    for _ in range(2):
        await session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    await context.close()
    await proxy.close()


async def _each(work: Callable[[], Awaitable[None]], count: int) -> float:
    """Seconds for each of so many works, `JOBS` at once."""
    left = iter(range(count))

    async def several() -> None:
        for _ in left:
            await work()

    start = time.perf_counter()
    await asyncio.gather(*(several() for _ in range(JOBS)))
    return (time.perf_counter() - start) / count
