"""What the runner costs apart from browser and model: a step's overhead, and an attempt that stops at once."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from benchmarks import Figure
from understudy.bench.attempt import Limits, StoredSink, attempt
from understudy.bench.plan import Plan
from understudy.bench.run import Means, run_async
from understudy.core.actions import Action, Terminate, Wait
from understudy.core.contracts import Decision, Sight, Wants
from understudy.core.observation import ImageRef, Observation
from understudy.core.screen import Size
from understudy.core.task import Task
from understudy.core.trajectory import Taken
from understudy.env.stage import Stage
from understudy.store.runs import RunInfo, RunWriter

STEPS, ATTEMPTS, JOBS = 300, 609, 4


def measure() -> list[Figure]:
    return [*asyncio.run(_overhead()), *asyncio.run(_attempts())]


class _Still:
    """An environment that costs nothing: every picture is new, as a browser's would be."""

    def __init__(self) -> None:
        self._count = 0

    async def reset(self, task: Task, wants: Wants = Wants()) -> Sight:
        return await self.observe(wants)

    async def act(self, action: Action) -> Taken:
        return Taken(action, 0.0, 0.0)

    async def observe(self, wants: Wants = Wants(), taken: tuple[Taken, ...] = ()) -> Sight:
        self._count += 1
        picture = b"\x89PNG" + self._count.to_bytes(8, "big") + bytes(150_000)
        return Sight(Observation(ImageRef.of(picture), Size(1440, 900), url="http://a/"), picture, taken)

    async def close(self) -> None:
        pass


class _Patient:
    """An agent that waits, and decides at once."""

    name, wants = "patient", Wants()

    async def begin(self, task: Task) -> None:
        self._left = STEPS

    async def decide(self, sight: Sight) -> Decision:
        self._left -= 1
        return Decision((Wait(0),) if self._left else (Terminate(),))

    async def close(self) -> None:
        pass


async def _overhead() -> list[Figure]:
    task = Task("t", "wait")
    with tempfile.TemporaryDirectory() as folder, RunWriter(Path(folder) / "run", RunInfo("r", "", {}), [task]) as run:
        _, writer = run.begin(task, 1)
        start = time.perf_counter()
        await attempt(_Patient(), _Still(), task, StoredSink(run.pictures, writer), Limits(steps=STEPS + 1))
        each = (time.perf_counter() - start) / STEPS
        writer.close()
    return [Figure("a step apart from browser and model, written and synced", each * 1000, "ms", "≤ 5")]


async def _attempts() -> list[Figure]:
    contexts = await _bare_contexts(100)
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(benchmark="town", agent="idle", repeats=1)
        start = time.perf_counter()
        first = await run_async(plan, Path(folder) / "one", means=Means(jobs=JOBS))
        count = first.finished
        repeats = max(1, round(ATTEMPTS / count))
        plan = Plan(benchmark="town", agent="idle", repeats=repeats)
        start = time.perf_counter()
        summary = await run_async(plan, Path(folder) / "many", means=Means(jobs=JOBS))
        each = (time.perf_counter() - start) / summary.finished
    detail = f"{summary.finished} attempts, {JOBS} at once"
    return [
        Figure("an attempt that stops at once", each * 1000, "ms", "< 150", detail),
        Figure("the same / a bare context with a page, as many at once", each / contexts),
    ]


async def _bare_contexts(count: int) -> float:
    """Seconds for each bare context with a blank page, `JOBS` at once."""
    async with Stage() as stage:
        browser = await stage.browser()
        left = iter(range(count))

        async def work() -> None:
            for _ in left:
                context = await browser.new_context()
                await context.new_page()
                await context.close()

        start = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(JOBS)))
        return (time.perf_counter() - start) / count
