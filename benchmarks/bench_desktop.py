"""A step on a desktop that changes nothing: how long it is waited for, in a real program."""

from __future__ import annotations

import asyncio
import shutil
import time
from statistics import median

from benchmarks import Figure
from workalike.core.actions import Action, Click, Move, Press
from workalike.core.contracts import Wants
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.env.desktop.environment import DesktopEnvironment

SIZE = Size(1000, 700)
TIMES = 15
MIDDLE = Point(0.5, 0.5)
IDLE: dict[str, Action] = {"a move": Move(MIDDLE), "a click": Click(MIDDLE), "a key": Press(("shift",))}


def measure() -> list[Figure]:
    if shutil.which("Xvfb") is None or shutil.which("mousepad") is None:
        return [Figure("there is no Xvfb or mousepad here", 0.0, "")]
    return asyncio.run(_measure())


async def _measure() -> list[Figure]:
    environment = DesktopEnvironment(size=SIZE, programs=[["mousepad"]])
    try:
        await environment.reset(Task("t", "look"), Wants())
        return [await _figure(environment, name) for name in IDLE]
    finally:
        await environment.close()


async def _figure(environment: DesktopEnvironment, name: str) -> Figure:
    """The median of some tries after the first, which may still move something."""
    taken = []
    for _ in range(TIMES + 1):
        start = time.perf_counter()
        await environment.act(IDLE[name])
        taken.append(time.perf_counter() - start)
    detail = f"worst {max(taken[1:]):.2f} s"
    return Figure(f"{name} that changes nothing in an editor", median(taken[1:]), "s", "< 0.3", detail)
