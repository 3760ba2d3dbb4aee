"""The web that a benchmark's attempts happen on: the town, served here, or the public web behind its policy."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

from msgspec.structs import replace
from starlette.routing import Route

from understudy.core.key import Key, RowChange
from understudy.core.task import Task
from understudy.env.policy import Policy
from understudy.models.server.app import application
from understudy.models.server.asked import Answerer
from understudy.models.server.counting import Books
from understudy.models.server.misbehaving import Misbehaviour, misbehaving
from understudy.models.server.serving import serving, serving_apart
from understudy.town.answering import OracleAnswers
from understudy.town.benchmark import setting_of
from understudy.town.eyes import Eyes
from understudy.town.server import COOKIE, HEADER, App
from understudy.town.site import DOMAIN
from understudy.town.town import Town


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
        del self._ground.keys[self.token]
        self._ground.eyes.forget(self.token)


class TownGround:
    """The town on a port of loopback. `keys` are those of the attempts that are open, by token; `eyes` see what their
    pages show, where pages were started with them."""

    search: str | None = f"http://search.{DOMAIN}/search?q={{query}}"

    def __init__(self, town: Town, port: int, eyes: Eyes) -> None:
        self.town, self.eyes, self._port = town, eyes, port
        self.keys: dict[str, Key] = {}
        self.policy = Policy(hosts={f"*.{DOMAIN}": f"127.0.0.1:{port}"})

    def open(self, task: Task, key: Key) -> TownStay:
        return TownStay(self, task, key)

    def outside_url(self, url: str) -> str:
        """An address of the town with the port that a browser without our proxy needs."""
        return url.replace(f".{DOMAIN}/", f".{DOMAIN}:{self._port}/", 1)

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
        answers: Answerer = OracleAnswers(self.eyes, self.keys.get, lambda: tuple(self.keys))
        app = application(misbehaving(answers, how) if how else answers, books)
        app.router.routes.extend(more)
        with serving_apart(app, port) as address:
            yield f"{address}/v1"


@asynccontextmanager
async def town_ground(town: Town, with_eyes: bool = False, port: int = 0) -> AsyncIterator[TownGround]:
    """Serve the town while attempts go on; port 0 takes any that is free."""
    eyes = Eyes()
    async with serving(App(town, eyes if with_eyes else None), port) as taken:
        yield TownGround(town, taken, eyes)
