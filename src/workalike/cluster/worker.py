"""A worker: it opens some work on its node and does the jobs that a driver hands to it, in a process of its own.

What it has to say, and what it is told, goes over one line: `exchange` is how the driver listens, `tell` how it speaks
up in between. Nothing here knows what carries the line; `ray_cluster.py` has one that Ray does.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec

import workalike
from workalike.cluster import wire
from workalike.cluster.folders import FolderCopy
from workalike.core.contracts import Job, Reservation
from workalike.core.errors import BadInput, OverBudget, WorkalikeError, in_a_line
from workalike.core.trajectory import Usage
from workalike.models.keys import Keys
from workalike.runtime.own import load


class RemoteWork(Protocol):
    """Work that is open on a node: jobs of one kind, whose payload is of the type `payload`."""

    payload: Any

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> Any:
        """Do a job; what comes back must be a value that can travel."""
        ...

    async def trouble(self) -> str | None:
        """Why nothing more can be done here (a browser that does not answer), or None. Whatever wedged is ended."""
        ...


Opens = Callable[[bytes, "WorkerLink"], AbstractAsyncContextManager[RemoteWork]]
"""Who opens work on a node, given its settings."""


class WorkerLink:
    """A worker's side of the line: what its work says to the driver, and waits to hear from it. `scratch` is a folder
    on this node that goes away with the worker."""

    def __init__(self, scratch: Path) -> None:
        self.scratch, self.news = scratch, asyncio.Event()
        self.desks: dict[Path, RemoteDesk] = {}
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[None]] = {}
        self._out: list[wire.FromWorker] = []

    def say(self, sentence: str) -> None:
        """Something that the user should read."""
        self.send(wire.WorkerSaid(Keys.load().redact(sentence)))

    def send(self, message: wire.FromWorker) -> None:
        self._out.append(message)
        self.news.set()

    def outgoing(self) -> list[wire.FromWorker]:
        """What there is to say, said once."""
        out, self._out = self._out, []
        self.news.clear()
        return out

    def number(self) -> int:
        return next(self._numbers)

    async def ask(self, make: Callable[[int], wire.FromWorker]) -> int:
        """Send a message under a number of its own, and come back with the answer to it."""
        number = self.number()
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self.send(make(number))
        try:
            await answer
        finally:
            del self._asked[number]
        return number

    def answered(self, number: int, problem: str | None = None) -> None:
        """The driver has kept or granted what was sent under a number, or declined it."""
        answer = self._asked.get(number)
        if answer is None or answer.done():
            return
        if problem is None:
            answer.set_result(None)
        else:
            answer.set_exception(OverBudget(problem))

    async def kept(self, path: Path) -> None:
        """Come back when what was written to a file of a job's folder is safe with the driver."""
        desk = self.desks.get(path.parent)
        if desk is not None:
            await desk.keep_folder()


class RemoteMoney:
    """The driver's cap in dollars, held to from a worker."""

    in_dollars = True

    def __init__(self, link: WorkerLink) -> None:
        self._link = link

    def binds(self, price: float | None) -> bool:
        return price != 0

    @asynccontextmanager
    async def reserve(self, most: Usage) -> AsyncIterator[Reservation]:
        number = await self._link.ask(lambda number: wire.Reserve(number, most))
        try:
            yield _RemoteReservation(self._link, number)
        finally:
            self._link.send(wire.Release(number))


class _RemoteReservation:
    def __init__(self, link: WorkerLink, number: int) -> None:
        self._link, self._number = link, number

    def spend(self, usage: Usage) -> None:
        self._link.send(wire.Spend(self._number, usage))


class RemoteDesk:
    """Where one job is done: its folder on this node, which the driver's is kept like, and what it tells on the way."""

    def __init__(self, link: WorkerLink, ticket: int) -> None:
        self._link, self._ticket = link, ticket
        self.folder = link.scratch / str(ticket)
        self._copy = FolderCopy(self.folder)

    async def emit(self, item: Any) -> None:
        """Tell something of the job; it is safe with the driver, and so is the folder, when this comes back."""
        await self._send(wire.raw(item))

    async def keep_folder(self) -> None:
        """Come back when the folder is safe with the driver."""
        await self._send(None)

    def note(self, item: Any) -> None:
        """Tell something of the job without waiting; it is safe before the job is done."""
        self._link.send(wire.Emitted(self._ticket, self._link.number(), wire.raw(item)))

    def last_changes(self) -> tuple[wire.FileChange, ...]:
        """What is left to tell of the folder."""
        return tuple(itertools.chain.from_iterable(iter(self._copy.changes, ())))

    async def _send(self, item: msgspec.Raw | None) -> None:
        changes = self._copy.changes()
        while changes and (rest := self._copy.changes()):
            await self._ask(wire.NOTHING, changes)
            changes = rest
        if changes or item is not None:
            await self._ask(item or wire.NOTHING, changes)

    async def _ask(self, item: msgspec.Raw, changes: tuple[wire.FileChange, ...]) -> None:
        await self._link.ask(lambda number: wire.Emitted(self._ticket, number, item, changes))


class Worker:
    """The worker itself; `leave` ends its process."""

    def __init__(self, spec: wire.WorkerSpec, leave: Callable[[], None] = lambda: None) -> None:
        self._spec, self._leave = spec, leave
        self._link = WorkerLink(Path(tempfile.mkdtemp(prefix="workalike-worker-")))
        self._jobs: dict[int, asyncio.Task[None]] = {}
        self._main: asyncio.Task[None] | None = None
        self._heard = time.monotonic()

    async def exchange(self, packed: bytes) -> bytes:
        """Hear what the driver says, and come back with what there is to say to it: when there is something, or with
        the next beat."""
        if self._main is None:
            self._main = asyncio.create_task(self._run())
        await self.tell(packed)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._spec.beat):
                await self._link.news.wait()
        self._heard = time.monotonic()
        return wire.pack(self._link.outgoing())

    async def tell(self, packed: bytes) -> None:
        """Hear what the driver says in between."""
        self._heard = time.monotonic()
        for message in wire.told_worker(packed):
            match message:
                case wire.Do():
                    self._jobs[message.ticket] = asyncio.create_task(self._do(message))
                case wire.Cancel(ticket=ticket):
                    if ticket in self._jobs:
                        self._jobs[ticket].cancel()
                case wire.Taken(number=number) | wire.Granted(number=number):
                    self._link.answered(number)
                case wire.Declined(number=number, sentence=sentence):
                    self._link.answered(number, sentence)

    async def close(self) -> None:
        """Let go of everything."""
        tasks = [*self._jobs.values(), *([self._main] if self._main else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        shutil.rmtree(self._link.scratch, ignore_errors=True)

    async def _run(self) -> None:
        """Open the work, and look after it while jobs are done."""
        async with AsyncExitStack() as stack:
            try:
                _need_version(self._spec.version)
                opens: Opens = load(self._spec.opens, "function")
                self._work = await stack.enter_async_context(opens(self._spec.settings, self._link))
            except Exception as error:
                self._link.send(wire.Unfit(_sentence(error), again=not isinstance(error, BadInput)))
                return
            self._link.send(wire.WorkerReady())
            await self._watch()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._spec.beat)
            if time.monotonic() - self._heard > self._spec.deserted:
                self._leave()
            trouble = await self._work.trouble()
            if trouble:
                self._link.send(wire.Wedged(trouble))

    async def _do(self, message: wire.Do) -> None:
        desk = RemoteDesk(self._link, message.ticket)
        self._link.desks[desk.folder] = desk
        try:
            job = Job(message.key, wire.read(message.payload, self._work.payload))
            result = wire.raw(await self._work.do(job, message.try_, desk))
            self._link.send(wire.Done(message.ticket, result, desk.last_changes()))
        except BaseException as error:
            failed = wire.Failed(message.ticket, type(error).__name__, _sentence(error), desk.last_changes())
            self._link.send(failed)
        finally:
            del self._link.desks[desk.folder], self._jobs[message.ticket]
            shutil.rmtree(desk.folder, ignore_errors=True)


def _need_version(driver: str) -> None:
    if driver != workalike.__version__:
        here = workalike.__version__
        raise BadInput(f"Workalike {here} is installed there, and {driver} on the driver: install the same on both")


def _sentence(error: BaseException) -> str:
    """What an error says, without this node's keys."""
    return Keys.load().redact(str(error) if isinstance(error, WorkalikeError) else in_a_line(error))
