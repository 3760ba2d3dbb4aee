"""The long run: a thousand navigations without a failed capture, a thousand attempts without growing."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import resident
from tests.env.web import HOST, Actor, Web
from workalike.core.actions import Click, Visit
from workalike.core.contracts import Wants
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")
PAGE = "<title>{}</title><script>document.title += '!'</script>" + "<p>Some text <a href=/x>link</a></p>" * 200


@pytest.mark.parametrize("times", [12, pytest.param(1000, marks=pytest.mark.sweep)])
async def test_no_capture_fails_while_navigating(actor: Actor, times: int) -> None:
    actor.web.pages |= {f"/n{number}": PAGE.format(number) for number in range(7)}
    await actor.open(PAGE.format("start"))
    for number in range(times):
        taken = await actor.do(Visit(f"http://{HOST}/n{number % 7}"))
        percept = await actor.look(Wants())
        assert (taken.error, percept.observation.title) == (None, f"{number % 7}!")
        assert percept.picture is not None


@pytest.mark.parametrize("times", [4, pytest.param(200, marks=pytest.mark.sweep)])
async def test_looking_without_settling_never_fails(actor: Actor, times: int) -> None:
    """Looks are taken at the very moment when documents change places."""
    actor.web.pages |= {f"/n{number}": PAGE.format(number) for number in range(7)}
    await actor.open(PAGE.format("start"))
    tab = await actor.environment.attempt.tabs.front()
    for number in range(times):
        await tab.send("Page.navigate", {"url": f"http://{HOST}/n{number % 7}"})
        for _ in range(3):
            assert (await actor.look(Wants(elements=True))).picture is not None


@pytest.mark.sweep
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="memory is read from /proc")
async def test_memory_stays_flat_over_a_thousand_attempts(web: Web) -> None:
    web.pages["/"] = PAGE.format("page")
    sizes = []
    async with Stage() as stage:
        for number in range(1000):
            environment = stage.environment(Policy(hosts={HOST: web.place}))
            await environment.reset(Task("t", "x", start_url=f"http://{HOST}/"), Wants(elements=True))
            await environment.act(Click(Point(0.5, 0.5)))
            await environment.close()
            if (number + 1) % 250 == 0:
                sizes.append(resident())
    assert sizes[-1] < sizes[0] * 1.1, sizes
