"""A demonstration where nobody is at hand to give one: a hand that does in a browser what an attempt at a task of the
town did, with pointer and keys, while the browser is recorded as a person's would be."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec

from workalike.core.actions import Action, Click, Hotkey, Press, Scroll, Terminate, Write
from workalike.core.errors import ActionFailed, BadInput
from workalike.core.key import Key, RowChange
from workalike.core.recording import RecordingEnd
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.env.keys import browser_key
from workalike.record.browser import BrowserRecorder
from workalike.runtime.serving import serving
from workalike.store.files import appearing
from workalike.store.runs import Run
from workalike.town.benchmark import setting_of
from workalike.town.server import COOKIE, App
from workalike.town.site import DOMAIN
from workalike.town.town import Town

_BY_HAND = (Click, Write, Press, Hotkey, Scroll, Terminate)
_TRIES = 3
_ARRIVES, _LOOKS = 0.05, 0.7
"""How often is looked whether a page has come; how long a hand rests before it acts again, as a person does, who does
not click twice in the time of a double click either."""


async def demonstrate(town: Town, run: Run, out: Path) -> str:
    """Record one of a run's solved attempts at the town, done again by hand, into a new folder; answers the task's id.
    It counts only where the town's rows then are those that the attempt left."""
    keys = {key.task_id: key for key in run.keys()}  # noqa: SIM118
    refused: list[str] = []
    async with serving(App(town)) as port:
        for trajectory in list(_followable(run))[:_TRIES]:
            try:
                with appearing(out) as place:
                    await _record(town, port, trajectory, keys[trajectory.task.id], place)
            except ActionFailed as error:
                refused.append(f"{trajectory.task.id}: {error}")
            else:
                return trajectory.task.id
    why = f": {refused[0]}" if refused else " by pointer and keys alone"
    raise BadInput(f"none of the attempts in {run.folder} could be done again{why}")


async def follow(recorder: BrowserRecorder, action: Action, size: Size, url: str) -> None:
    """Do one action in the page in front, and wait until the page that it leads to is there."""
    page = recorder.page.context.pages[-1]
    match action:
        case Click(at=at, count=count) if at is not None:
            x, y = at.x * size.width, at.y * size.height
            await page.mouse.move(x, y, steps=6)
            await page.mouse.click(x, y, click_count=count)
        case Write(text=text):
            await page.keyboard.type(text)
        case Press(keys=keys):
            for key in keys:
                await page.keyboard.press(browser_key(key))
        case Hotkey(keys=keys):
            await page.keyboard.press("+".join(browser_key(key) for key in keys))
        case Scroll(at=at, dx=dx, dy=dy):
            if at is not None:
                await page.mouse.move(at.x * size.width, at.y * size.height)
            await page.mouse.wheel(dx * 100, dy * 100)
        case _:
            raise ActionFailed(f"no hand can do {action} in a page")
    try:
        async with asyncio.timeout(30):
            while page.url != url:  # which may be a new tab's
                await asyncio.sleep(_ARRIVES)
                page = page.context.pages[-1]
    except TimeoutError:
        raise ActionFailed(f"it led to {page.url} and not to {url}") from None
    await page.wait_for_load_state("load")
    await asyncio.sleep(_LOOKS)


def _followable(run: Run) -> Iterator[Trajectory]:
    """What was done with pointer and keys alone and changed something, the short ones first."""
    found = (attempt.read().trajectory for attempt in run.attempts())
    fit = [each for each in found if each.extra.get("changes") and each.ending and _is_manual(each)]
    return iter(sorted(fit, key=lambda each: len(each.steps)))


def _is_manual(trajectory: Trajectory) -> bool:
    return all(isinstance(taken.action, _BY_HAND) and not taken.error for taken in trajectory.actions)


async def _record(town: Town, port: int, trajectory: Trajectory, key: Key, out: Path) -> RecordingEnd:
    attempt = town.open(setting_of(key))
    size = trajectory.steps[0].observation.size or Size(1440, 900)
    seen = [*(step.observation for step in trajectory.steps[1:]), trajectory.final]
    address = f"{trajectory.task.start_url}?{COOKIE}={attempt.token}"
    rule = f"--host-resolver-rules=MAP *.{DOMAIN} 127.0.0.1:{port}"
    recorder = BrowserRecorder(out, trajectory.task, address, headless=True, viewport=size, args=[rule])
    async with recorder:
        running = asyncio.create_task(recorder.run())
        try:
            await recorder.page.wait_for_load_state("load")
            for step, after in zip(trajectory.steps, seen, strict=True):
                for taken in step.actions:
                    if not isinstance(taken.action, Terminate):
                        await follow(recorder, taken.action, size, (after.url if after else None) or "")
        finally:
            recorder.stop()
            end = await running
    if town.changes(attempt.token) != msgspec.convert(trajectory.extra["changes"], tuple[RowChange, ...]):
        raise ActionFailed("what the hand did left other rows than the attempt")
    town.close(attempt.token)
    return end
