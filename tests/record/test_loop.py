"""The loop closes: what was recorded and reduced is done again in a fresh place and comes to the same end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from tests.programs import needs
from tests.record.conftest import TASK, Desktops, Recorded
from tests.record.test_session import Worker
from tests.town.browser import chromium, solve
from workalike.bench.demonstration import follow
from workalike.core.actions import Action, Click, Scroll, Terminate, Write
from workalike.core.contracts import Wants
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.env.browser import chromium as browsers
from workalike.env.desktop.display import VirtualDesktop
from workalike.env.desktop.environment import DesktopEnvironment
from workalike.record.browser import BrowserRecorder
from workalike.record.settings import RecordSettings
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import reduce_recording
from workalike.runtime.serving import serving
from workalike.store.recordings import Recording
from workalike.store.trajectories import read_trajectory
from workalike.town.benchmark import Drawn, draw_tasks, setting_of
from workalike.town.server import COOKIE, App
from workalike.town.town import Town
from workalike.town.world import World

LOOK = Wants(picture=False, elements=True, tree=True)
LINES = "first line\nzweite Zeile: ä € ñ\n"


def reduced(recording: Path, out: Path) -> Trajectory:
    found = Recording(recording)
    reduce_recording(found, out, settings_of(found.header.settings))
    return read_trajectory(out / "trajectory.jsonl").trajectory


def actions_of(trajectory: Trajectory) -> list[Action]:
    return [taken.action for taken in trajectory.actions if not isinstance(taken.action, Terminate)]


async def test_an_editor_is_worked_recorded_and_worked_again(desktops: Desktops, tmp_path: Path) -> None:
    needs("openbox", "mousepad")  # which puts it where the hands look for it
    desktop = desktops(("mousepad",))
    with Recorded(tmp_path / "r", desktop, RecordSettings()):
        await asyncio.to_thread(edit, desktop)
    trajectory = reduced(tmp_path / "r", tmp_path / "t")
    hits = {taken.hit.role for taken in trajectory.actions if isinstance(taken.action, Click) and taken.hit}
    assert hits == {"text"}, "the element an action hit stands in its step"
    environment = DesktopEnvironment(size=Size(1280, 800), programs=[["mousepad"]])
    try:
        await environment.reset(TASK, LOOK)
        for action in actions_of(trajectory):
            assert (await environment.act(action)).error is None
        percept = await environment.observe(LOOK)
        (text,) = [element.value for element in percept.observation.elements or () if element.role == "text"]
    finally:
        await environment.close()
    assert text == "FIRST " + LINES + "zweite Zeile: ä € ñ\n"


def edit(desktop: VirtualDesktop) -> None:
    """Write two lines, copy the second one to the end, and change the first."""
    worker = Worker(desktop)
    worker.click(640, 400)
    worker.type(LINES)
    worker.hands.press("up")
    worker.hands.hotkey(("shift", "end"))
    worker.hands.hotkey(("ctrl", "c"))
    worker.hands.hotkey(("ctrl", "end"))
    worker.hands.hotkey(("ctrl", "v"))
    worker.hands.press("enter")
    worker.hands.hotkey(("ctrl", "home"))
    worker.type("FIRST ")
    worker.click(640, 500)


async def loop(town: Town, drawn: Drawn, port: int, folder: Path) -> None:
    """Let the oracle do a task, a person do the same and be recorded, and the recording be done again."""
    async with chromium(port) as web:
        wanted, _, past = await solve(town, web, drawn)
        done: list[Action] = [each.action for each in past if not isinstance(each.action, Terminate)]
        after = [each.observation.url or "" for each in past][1:]
        size = past[0].observation.size
        assert size
        attempt = town.open(setting_of(drawn.key))
        address = f"{drawn.task.start_url}?{COOKIE}={attempt.token}"
        rule = f"--host-resolver-rules=MAP *.town.localhost 127.0.0.1:{port}"
        recorder = BrowserRecorder(folder / "r", drawn.task, address, headless=True, viewport=size, args=[rule])
        async with recorder:
            run = asyncio.create_task(recorder.run())
            await recorder.page.wait_for_load_state("load")
            for action, url in zip(done, after, strict=True):
                await follow(recorder, action, size, url)
            recorder.stop()
            await run
        assert town.changes(attempt.token) == wanted.changes, "the person did what the oracle did"
        trajectory = reduced(folder / "r", folder / "t")
        assert [type(action) for action in actions_of(trajectory)] == merged(done)
        fresh = town.open(setting_of(drawn.key))
        task = msgspec.structs.replace(drawn.task, start_url=f"{drawn.task.start_url}?{COOKIE}={fresh.token}")
        environment = web.environment()
        try:
            await environment.reset(task, Wants(picture=False))
            for action in actions_of(trajectory):
                assert (await environment.act(action)).error is None
        finally:
            await environment.close()
        assert town.changes(fresh.token) == wanted.changes, "done again, it changes the same rows"


def merged(actions: list[Action]) -> list[type[Action]]:
    """The kinds of actions as a reducer sees them: what is typed or scrolled in one go is one action."""
    kinds: list[type[Action]] = []
    for action in actions:
        if not (kinds and kinds[-1] is type(action) and isinstance(action, Write | Scroll)):
            kinds.append(type(action))
    return kinds


def drawn_for_people(town: Town, most: int) -> list[Drawn]:
    """Tasks that change something and can be done within pages, without hovering over a menu, which is no action."""
    found = [each for each in draw_tasks(town) if each.key.evaluators[0].changes]
    return [each for each in found if '"hunt"' not in json.dumps(each.key.plan)][:most]


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(4))
async def test_a_task_of_the_town(tmp_path: Path, number: int) -> None:
    try:
        browsers.find()
    except BadInput as problem:
        pytest.skip(str(problem))
    town = Town(World().of("train"))
    async with serving(App(town)) as port:
        await loop(town, drawn_for_people(town, 4)[number], port, tmp_path)
