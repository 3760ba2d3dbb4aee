"""What the environment's tests share: one browser, a web of small pages, and an environment that may reach only it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.env.web import HOST, Actor, Web
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy


@pytest.fixture(scope="session")
def web() -> Iterator[Web]:
    with Web() as web:
        yield web


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def stage() -> AsyncIterator[Stage]:
    async with Stage(BrowserSettings(load=3.0, settle=2.0)) as stage:
        yield stage


@pytest_asyncio.fixture(loop_scope="session")
async def actor(stage: Stage, web: Web) -> AsyncIterator[Actor]:
    """A fresh attempt that may reach the small web and nothing else."""
    environment = stage.environment(Policy(hosts={HOST: web.place, f"*.{HOST}": web.place}))
    yield Actor(environment, web)
    await environment.close()
