"""Where attempts happen when no state has to be kept apart: pages at addresses, here or on the public web. Benchmarks
of one's own begin with these."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from workalike.core.contracts import Reach, ScreenAccess, Session
from workalike.core.key import Key
from workalike.core.task import Task


class PlainSession:
    """A session that begins where its task says, prepares nothing, and knows nothing afterwards. One's own derives from
    it and reads what it wants off the screen."""

    def __init__(self, task: Task) -> None:
        self.task, self.headers = task, dict[str, str]()

    async def prepare(self, screen: ScreenAccess) -> bool:
        return False

    async def facts(self, screen: ScreenAccess) -> dict[str, Any]:
        return {}


class PlainSandbox:
    """Pages within reach, by default those of the public web; every attempt has a browser context of its own and
    nothing else."""

    def __init__(self, reach: Reach = Reach(public=True), session: Callable[[Task], Session] = PlainSession) -> None:
        self.reach, self._session = reach, session

    @asynccontextmanager
    async def session(self, task: Task, key: Key) -> AsyncIterator[Session]:
        yield self._session(task)
