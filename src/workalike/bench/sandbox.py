"""The town as a sandbox: served here, with a state of its own for every attempt."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.routing import Route

from workalike.core.contracts import Reach, ScreenAccess
from workalike.core.key import Key, RowChange, Shown
from workalike.core.task import Task
from workalike.env.policy.reach import Policy
from workalike.runtime.serving import serving, serving_apart
from workalike.town.answering import OracleAnswers
from workalike.town.benchmark import setting_of
from workalike.town.entrance import Entrance
from workalike.town.eyes import Eyes
from workalike.town.papers import at_hand
from workalike.town.server import COOKIE, HEADER, App
from workalike.town.site import DOMAIN, outside_url
from workalike.town.town import Town
from workalike.verify import state


class TownSandboxSession:
    """A session in the town with a state of its own, told apart by a token that only the first address carries."""

    def __init__(self, sandbox: TownSandbox, task: Task, key: Key) -> None:
        self._sandbox, self._town = sandbox, sandbox.town
        self.token = self._town.open(setting_of(key)).token
        sandbox.keys[self.token] = key
        self.headers = {HEADER: self.token}
        start = task.start_url or f"http://search.{DOMAIN}/"
        mark = "&" if "?" in start else "?"
        self.task = replace(at_hand(task), start_url=f"{start}{mark}{COOKIE}={self.token}")

    async def prepare(self, screen: ScreenAccess) -> bool:
        return False

    async def facts(self, screen: ScreenAccess) -> dict[str, Any]:
        """The rows that changed and the facts that pages have shown, as they are stored with a trajectory."""
        return self.known()

    def known(self) -> dict[str, Any]:
        """The same, without a screen."""
        found = {state.CHANGES: self.changes(), state.SHOWN: self.shown()}
        return {name: msgspec.to_builtins(value) for name, value in found.items()}

    def changes(self) -> tuple[RowChange, ...]:
        return self._town.changes(self.token)

    def shown(self) -> tuple[Shown, ...]:
        return self._town.shown(self.token)

    def close(self) -> None:
        self._town.close(self.token)
        self._sandbox.forget(self.token)


class TownSandbox:
    """The town on a port of loopback. `keys` are those of the attempts that are open, by token; `names` are what
    people call some of them; `eyes` see what their pages show, where pages were started with them."""

    search = f"http://search.{DOMAIN}/search?q={{query}}"

    def __init__(self, town: Town, port: int, eyes: Eyes, names: dict[str, str]) -> None:
        self.town, self.eyes, self.names, self._port = town, eyes, names, port
        self.keys: dict[str, Key] = {}
        self.reach = Reach(hosts={f"*.{DOMAIN}": f"127.0.0.1:{port}"}, search=self.search)
        self._answers: list[OracleAnswers] = []

    def open(self, task: Task, key: Key) -> TownSandboxSession:
        """A session that is closed by its own `close`."""
        return TownSandboxSession(self, task, key)

    @asynccontextmanager
    async def session(self, task: Task, key: Key) -> AsyncIterator[TownSandboxSession]:
        session = self.open(task, key)
        try:
            yield session
        finally:
            session.close()

    def forget(self, token: str) -> None:
        """An attempt is over."""
        del self.keys[token]
        self.eyes.forget(token)
        for answers in self._answers:
            answers.forget(token)

    def find(self, name: str) -> str | None:
        """The token of an open attempt, by its name or by itself."""
        token = self.names.get(name, name)
        return token if token in self.keys else None

    def outside_url(self, url: str) -> str:
        """An address of the town with the port that a browser without our proxy needs."""
        return outside_url(url, self._port)

    @asynccontextmanager
    async def entrance(self, port: int = 0) -> AsyncIterator[str]:
        """A proxy for other people's browsers, whose user name says which attempt they belong to; gives its address.
        Addresses with the town's port are as good there as those without."""
        place = f"127.0.0.1:{self._port}"
        proxy = Entrance(Policy(hosts={f"*.{DOMAIN}": place, f"*.{DOMAIN}:{self._port}": place}), self.find)
        taken = await proxy.open(port)
        try:
            yield f"http://127.0.0.1:{taken}"
        finally:
            await proxy.close()

    @contextmanager
    def oracle_model(
        self, served: Callable[[OracleAnswers], Starlette], port: int = 0, more: Sequence[Route] = ()
    ) -> Iterator[str]:
        """The oracle as a model, `served` by a real server of its own, with `more` routes beside the APIs'; gives the
        address for `NAME@ADDRESS`."""
        answers = OracleAnswers(self.eyes, self.keys, self.names)
        self._answers.append(answers)
        app = served(answers)
        app.router.routes.extend(more)
        with serving_apart(app, port) as address:
            yield f"{address}/v1"


@asynccontextmanager
async def town_sandbox(town: Town, with_eyes: bool = False, port: int = 0) -> AsyncIterator[TownSandbox]:
    """Serve the town while attempts go on; port 0 takes any that is free."""
    eyes, names = Eyes(), dict[str, str]()
    async with serving(App(town, eyes if with_eyes else None, names=names), port) as taken:
        yield TownSandbox(town, taken, eyes, names)
