"""The web that a benchmark's attempts happen on: the town, served here, or the public web behind its policy."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

from msgspec.structs import replace
from starlette.routing import Route

from workalike.core.key import Key, RowChange
from workalike.core.task import Task
from workalike.env.policy import Policy
from workalike.models.server.app import application
from workalike.models.server.counting import Books
from workalike.models.server.misbehaving import Misbehaviour, misbehaving
from workalike.models.server.serving import serving, serving_apart
from workalike.town.answering import OracleAnswers
from workalike.town.benchmark import setting_of
from workalike.town.entrance import Entrance
from workalike.town.eyes import Eyes
from workalike.town.server import COOKIE, HEADER, App
from workalike.town.site import DOMAIN
from workalike.town.town import Town


class Stay(Protocol):
    """One attempt's stay: the task as the browser is to begin it, the headers by which a model's server on this machine
    tells attempts apart, and afterwards what changed (None: nobody knows)."""

    task: Task
    headers: dict[str, str]

    def changes(self) -> tuple[RowChange, ...] | None: ...
    def close(self) -> None: ...


class Ground(Protocol):
    """What all attempts of a run share."""

    policy: Policy
    search: str | None

    def open(self, task: Task, key: Key) -> Stay: ...


class LiveStay:
    """A stay on the public web; nobody knows what changed."""

    def __init__(self, task: Task) -> None:
        self.task, self.headers = task, dict[str, str]()

    def changes(self) -> tuple[RowChange, ...] | None:
        return None

    def close(self) -> None:
        pass


class LiveGround:
    """The public web, without anything private, and with irreversible steps stopped."""

    search: str | None = None

    def __init__(self, policy: Policy = Policy(public=True)) -> None:
        self.policy = policy

    def open(self, task: Task, key: Key) -> LiveStay:
        return LiveStay(task)


class TownStay:
    """A stay in the town with a state of its own, told apart by a token that only the first address carries."""

    def __init__(self, ground: TownGround, task: Task, key: Key) -> None:
        self._ground, self._town = ground, ground.town
        self.token = self._town.open(setting_of(key)).token
        ground.keys[self.token] = key
        self.headers = {HEADER: self.token}
        start = task.start_url or f"http://search.{DOMAIN}/"
        mark = "&" if "?" in start else "?"
        self.task = replace(task, start_url=f"{start}{mark}{COOKIE}={self.token}")

    def changes(self) -> tuple[RowChange, ...]:
        return self._town.changes(self.token)

    def close(self) -> None:
        self._town.close(self.token)
        self._ground.forget(self.token)


class TownGround:
    """The town on a port of loopback. `keys` are those of the attempts that are open, by token; `names` are what
    people call some of them; `eyes` see what their pages show, where pages were started with them."""

    search: str | None = f"http://search.{DOMAIN}/search?q={{query}}"

    def __init__(self, town: Town, port: int, eyes: Eyes, names: dict[str, str]) -> None:
        self.town, self.eyes, self.names, self._port = town, eyes, names, port
        self.keys: dict[str, Key] = {}
        self.policy = Policy(hosts={f"*.{DOMAIN}": f"127.0.0.1:{port}"})
        self._answers: list[OracleAnswers] = []

    def open(self, task: Task, key: Key) -> TownStay:
        return TownStay(self, task, key)

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
        return url.replace(f".{DOMAIN}/", f".{DOMAIN}:{self._port}/", 1)

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
        self,
        how: Misbehaviour | None = None,
        port: int = 0,
        more: Sequence[Route] = (),
        books: Books | None = None,
    ) -> Iterator[str]:
        """The oracle as a model behind a real server of its own, with `more` routes beside the APIs'; gives the
        address for `NAME@ADDRESS`. What it counts goes into `books`."""
        answers = OracleAnswers(self.eyes, self.keys, self.names)
        self._answers.append(answers)
        app = application(misbehaving(answers, how) if how else answers, books)
        app.router.routes.extend(more)
        with serving_apart(app, port) as address:
            yield f"{address}/v1"


@asynccontextmanager
async def town_ground(town: Town, with_eyes: bool = False, port: int = 0) -> AsyncIterator[TownGround]:
    """Serve the town while attempts go on; port 0 takes any that is free."""
    eyes, names = Eyes(), dict[str, str]()
    async with serving(App(town, eyes if with_eyes else None, names=names), port) as taken:
        yield TownGround(town, taken, eyes, names)
