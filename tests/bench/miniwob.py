"""MiniWoB++'s pages as a benchmark of one's own: each started by its own script, with a seed, and judged by the reward
that it gives itself. The pages are fetched when the sweep runs, and are not kept here; `MINIWOB` names a clone."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.staticfiles import StaticFiles

from workalike.core.contracts import Case, Needs, On, PictureSource, Reach, ScreenAccess
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict
from workalike.runtime.sandbox import PlainSandbox, PlainSession
from workalike.runtime.serving import serving

ASKED = "Do what the box at the top of the page asks for."
START = "core.EPISODE_MAX_TIME = 600000; Math.seedrandom({seed!r}); core.startEpisodeReal();"


def pages() -> Path:
    return Path(os.environ["MINIWOB"]) / "miniwob" / "html"


class Episode(PlainSession):
    async def prepare(self, screen: ScreenAccess) -> bool:
        await screen.evaluate(START.format(seed=self.task.id))
        return True

    async def facts(self, screen: ScreenAccess) -> dict[str, Any]:
        return {"reward": await screen.evaluate("WOB_REWARD_GLOBAL")}


class MiniWob:
    name = "miniwob"
    on: On = "browser"
    verifiers = (f"{__name__}:Rewarded",)

    def tasks(self, options: Mapping[str, Any]) -> Iterator[tuple[Task, Key]]:
        for page in sorted((pages() / "miniwob").glob("*.html")):
            yield Task(page.stem, ASKED, page.stem, start_url=f"http://localhost/miniwob/{page.name}"), Key(page.stem)

    @asynccontextmanager
    async def sandbox(self) -> AsyncIterator[PlainSandbox]:
        async with serving(StaticFiles(directory=pages())) as port:
            yield PlainSandbox(Reach(hosts={"localhost": f"127.0.0.1:{port}"}), Episode)


class Rewarded:
    name, needs = "rewarded", Needs()

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}

    def estimate(self, case: Case) -> Usage:
        return Usage()

    async def judge(self, case: Case, pictures: PictureSource) -> Verdict:
        reward = float(case.trajectory.extra["reward"])
        return Verdict(case.id, self.name, "success" if reward > 0 else "failure", measures={"reward": reward})
