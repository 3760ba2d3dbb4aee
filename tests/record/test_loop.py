"""The loop closes: what was recorded and reduced is done again in a fresh place and comes to the same end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.programs import needs
from tests.record.conftest import TASK, Desktops, Recorded
from tests.record.test_session import Worker
from tests.town.browser import chromium, solve
from workalike.core.actions import Action, Click, Hotkey, Press, Scroll, Terminate, Write
from workalike.core.contracts import Wants
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.env import chromium as browsers
from workalike.env.desktop import DesktopEnvironment
from workalike.env.desktop_display import VirtualDesktop
from workalike.env.keys import browser_key
from workalike.models.server.serving import serving
from workalike.record.browser import BrowserRecorder
from workalike.record.settings import RecordSettings
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import reduce_recording
from workalike.store.recordings import Recording
from workalike.store.trajectories import read_trajectory
from workalike.town.benchmark import Drawn, draw_tasks, setting_of
from workalike.town.server import COOKIE, App
from workalike.town.town import Town

LOOK = Wants(picture=False, elements=True, tree=True)
LINES = "first line\nzweite Zeile: ä € ñ\n"


def reduced(recording: Path, out: Path) -> Trajectory:
    found = Recording(recording)
    reduce_recording(found, out, settings_of(found.header.settings))
    return read_trajectory(out / "trajectory.jsonl").trajectory


def actions_of(trajectory: Trajectory) -> list[Action]:
    return [taken.action for taken in trajectory.actions if not isinstance(taken.action, Terminate)]


async def test_an_editor_is_worked_recorded_and_worked_again(desktops: Desktops, tmp_path: Path) -> None:
    needs("mousepad")
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
        sight = await environment.observe(LOOK)
        (text,) = [element.value for element in sight.observation.elements or () if element.role == "text"]
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


async def follow(recorder: BrowserRecorder, action: Action, size: Size, url: str) -> None:
    """Do in a page what the oracle did, as a person would: with pointer and keys, looking where it led to."""
    page = recorder.page.context.pages[-1]
    match action:
        case Click(at=at, count=count) if at is not None:
            x, y = at.x * size.width, at.y * size.height
            await page.mouse.move(x, y, steps=3)
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
            raise AssertionError(f"a person cannot do {action} in a page")
    async with asyncio.timeout(30):
        while page.url != url:  # which may be a new tab's
            await asyncio.sleep(0.05)
            page = page.context.pages[-1]
    await page.wait_for_load_state("load")
    await asyncio.sleep(
        0.7
    )  # a person looks before acting again, and does not click twice in the time of a double click


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
        assert town.changes(attempt.token) == wanted, "the person did what the oracle did"
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
        assert town.changes(fresh.token) == wanted, "done again, it changes the same rows"


def merged(actions: list[Action]) -> list[type[Action]]:
    """The kinds of actions as a reducer sees them: what is typed or scrolled in one go is one action."""
    kinds: list[type[Action]] = []
    for action in actions:
        if not (kinds and kinds[-1] is type(action) and isinstance(action, Write | Scroll)):
            kinds.append(type(action))
    return kinds


def drawn_for_people(town: Town, most: int) -> list[Drawn]:
    """Tasks that change something and can be done within pages."""
    return [each for each in draw_tasks(town) if each.key.evaluator and each.key.evaluator.changes][:most]


@pytest.mark.sweep
@pytest.mark.parametrize("number", [0, 1, 2, 5])  # 3 and 4 want a menu hovered over, and hovering is no action
async def test_a_task_of_the_town(tmp_path: Path, number: int) -> None:
    try:
        browsers.find()
    except BadInput as problem:
        pytest.skip(str(problem))
    town = Town()
    async with serving(App(town)) as port:
        await loop(town, drawn_for_people(town, 6)[number], port, tmp_path)
