"""The web that a benchmark's attempts happen on: the town, served here, or the public web behind its policy."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from msgspec.structs import replace

from understudy.core.key import Key, RowChange
from understudy.core.task import Task
from understudy.env.policy import Policy
from understudy.town.benchmark import setting_of
from understudy.town.server import COOKIE, HEADER, App, serving
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

    def __init__(self, town: Town, task: Task, key: Key) -> None:
        self._town, self._token = town, town.open(setting_of(key)).token
        self.headers = {HEADER: self._token}
        start = task.start_url or f"http://search.{DOMAIN}/"
        mark = "&" if "?" in start else "?"
        self.task = replace(task, start_url=f"{start}{mark}{COOKIE}={self._token}")

    def changes(self) -> tuple[RowChange, ...]:
        return self._town.changes(self._token)

    def close(self) -> None:
        self._town.close(self._token)


class TownGround:
    """The town on a port of loopback."""

    search: str | None = f"http://search.{DOMAIN}/search?q={{query}}"

    def __init__(self, town: Town, port: int) -> None:
        self._town = town
        self.policy = Policy(hosts={f"*.{DOMAIN}": f"127.0.0.1:{port}"})

    def open(self, task: Task, key: Key) -> TownStay:
        return TownStay(self._town, task, key)


@asynccontextmanager
async def town_ground(town: Town) -> AsyncIterator[TownGround]:
    """Serve the town while attempts go on."""
    async with serving(App(town)) as port:
        yield TownGround(town, port)
