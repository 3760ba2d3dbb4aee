"""The shared browser: started when needed, started anew when it dies, attached to when it runs elsewhere."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from playwright.async_api import Error as PlaywrightError

from tests.env.web import HOST, Actor, Web
from tests.programs import needs
from workalike.core.actions import Click, SwitchTab
from workalike.core.errors import BadInput, Infrastructure
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.env.browser import chromium
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import GUARDS, Stage
from workalike.env.desktop.display import VirtualDesktop
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def kill(stage: Stage) -> None:
    """The browser dies as it would in real life."""
    browser = await stage.browser()
    session = await browser.new_browser_cdp_session()
    gone = asyncio.Event()
    browser.on("disconnected", lambda _: gone.set())
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(5):
            await session.send("Browser.crash")
    async with asyncio.timeout(10):
        await gone.wait()


async def test_a_browser_that_dies_is_replaced(web: Web) -> None:
    async with Stage() as stage:
        actor = Actor(stage.environment(Policy(hosts={HOST: web.place})), web)
        await actor.open("<title>first</title>")
        await kill(stage)
        with pytest.raises(Infrastructure):
            await actor.do(Click(Point(0.5, 0.5)))
        with pytest.raises(Infrastructure):
            await actor.look()
        percept = await actor.open("<title>second</title>")
        assert percept.observation.title == "second"
        await actor.environment.close()


async def test_attempts_at_once_do_not_see_each_other(stage: Stage, web: Web) -> None:
    actors = [Actor(stage.environment(Policy(hosts={HOST: web.place})), web) for _ in range(4)]
    page = "<script>document.title = localStorage.n = (+localStorage.n || 0) + 1</script><button>Go</button>"
    await asyncio.gather(*(actor.open(page) for actor in actors))
    assert await asyncio.gather(*(actor.title() for actor in actors)) == ["1"] * 4
    await asyncio.gather(*(actor.click("Go") for actor in actors))
    await asyncio.gather(*(actor.environment.close() for actor in actors))


async def test_an_executable_that_is_none_is_infrastructure() -> None:
    with pytest.raises(Infrastructure, match="did not start"):
        async with Stage(BrowserSettings(executable="/bin/false")):
            pass


@asynccontextmanager
async def running(folder: Path, *flags: str) -> AsyncIterator[str]:
    """A browser started by somebody else, with a port to attach to."""
    process = await asyncio.create_subprocess_exec(
        str(chromium.find()),
        *("--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={folder}", *flags),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(30):
            while b"DevTools listening on" not in (line := await process.stderr.readline()):
                assert line, "the browser ended"
        yield f"http://{line.decode().split('://')[1].split('/')[0]}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def test_a_browser_elsewhere_is_attached_to(web: Web, tmp_path: Path) -> None:
    async with running(tmp_path, *GUARDS) as endpoint, Stage(BrowserSettings(endpoint=endpoint)) as stage:
        actor = Actor(stage.environment(Policy(hosts={HOST: web.place})), web)
        await actor.open("<title>far</title><button onclick=\"document.title='away'\">Go</button>")
        await actor.click("Go")
        assert await actor.title() == "away"
        await actor.environment.close()


async def test_a_browser_elsewhere_that_could_leak_is_not_used(tmp_path: Path) -> None:
    async with running(tmp_path) as endpoint:
        with pytest.raises(BadInput, match="--force-webrtc-ip-handling-policy"):
            async with Stage(BrowserSettings(endpoint=endpoint)):
                pass


async def test_the_browser_gets_no_secrets_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret")
    seen = tmp_path / "seen"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nenv > {seen}\nexec {chromium.find()} "$@"\n')
    script.chmod(0o755)
    async with Stage(BrowserSettings(executable=str(script))) as stage:
        environment = stage.environment()
        await environment.reset(Task("t", "x"))
        await environment.close()
    assert "PATH=" in seen.read_text()
    assert "a-secret" not in seen.read_text()


async def test_a_window_needs_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform == "linux":
        with pytest.raises(BadInput, match="needs a display"):
            await Stage(BrowserSettings(headed=True)).browser()


@pytest.mark.sweep
@pytest.mark.skipif(
    all(chromium.is_headless_only(path) for path in chromium.candidates()),
    reason="no browser that can show a window",
)
async def test_in_a_window(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("Xvfb")
    with VirtualDesktop(Size(1600, 1200), window_manager=False, bus=False) as desktop:
        monkeypatch.setenv("DISPLAY", desktop.name)
        async with Stage(BrowserSettings(headed=True)) as stage:
            actor = Actor(stage.environment(Policy(hosts={HOST: web.place})), web)
            await actor.open("<title>shown</title><a href=/new target=_blank>Go</a>", new="<title>new</title>")
            await actor.click("Go")
            percept = await actor.look()
            assert (percept.observation.title, len(percept.observation.tabs)) == ("new", 2)
            assert percept.observation.picture is not None
            assert percept.observation.picture.size == Size(1440, 900)
            await actor.do(SwitchTab(0))
            assert await actor.title() == "shown"
            await actor.environment.close()


def drivers() -> set[int]:
    """The processes of Playwright's that this one has started."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"run-driver" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


async def test_a_driver_that_dies_is_replaced_and_its_attempts_are_infrastructure(web: Web) -> None:
    before = drivers()
    async with Stage() as stage:
        actors = [Actor(stage.environment(Policy(hosts={HOST: web.place})), web) for _ in range(3)]
        for killed in range(2):
            await asyncio.gather(*(actor.open(f"<title>{killed}</title>") for actor in actors))
            (driver,) = drivers() - before
            os.kill(driver, signal.SIGKILL)
            for actor in actors:
                with pytest.raises(Infrastructure, match="the browser is gone"):
                    await actor.do(Click(Point(0.5, 0.5)))
                with pytest.raises(Infrastructure):
                    await actor.look()
        percepts = await asyncio.gather(*(actor.open("<title>after</title>") for actor in actors))
        assert [percept.observation.title for percept in percepts] == ["after"] * 3
        assert len(drivers() - before) == 1
        (driver,) = drivers() - before
        os.kill(driver, signal.SIGKILL)
        await asyncio.gather(*(actor.environment.close() for actor in actors))
    assert drivers() <= before
