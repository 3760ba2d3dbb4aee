"""The one work pool: keyed jobs, resumed where they stopped, bounded in number and in money.

Running, verifying and annotating all use it. The pool keeps the queue and the books; an `Executor` does the jobs, which
are plain data, here or elsewhere. A job that was finished before is not run again; one that breaks for reasons of
infrastructure is tried anew, and every try is told its number so that it can be kept apart.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator, Sequence, Sized
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, nullcontext, suppress
from typing import Generic, Protocol, TypeVar

import msgspec

from workalike.core.contracts import Crew, Executor, Job
from workalike.core.errors import DiskFailed, Infrastructure, NobodyLeft, OverBudget, ServiceDown
from workalike.core.progress import Progress, Watch, ignore

T = TypeVar("T")
ENDING_ALL = (OverBudget, ServiceDown, DiskFailed, NobodyLeft)
"""What fails one job and would fail every other: nothing more is begun."""


class Jobs(Sized, Protocol):
    """Jobs in their order, as many as it says; each is made when its turn comes, so that a plan of any size is no
    burden."""

    def __iter__(self) -> Iterator[Job]: ...


class PoolLimits(msgspec.Struct, frozen=True):
    """How many jobs run at once, how often infrastructure may fail one job, and what all may cost together."""

    width: int = 4
    tries: int = 3
    cap: float | None = None


class PoolSummary(msgspec.Struct):
    """What became of the jobs: finished now, skipped as finished before, given up, and never started."""

    finished: int = 0
    skipped: int = 0
    retried: int = 0
    given_up: dict[str, str] = msgspec.field(default_factory=dict)
    not_started: int = 0
    spent: float | None = 0.0
    stopped: str = ""


class Pool(Generic[T]):
    """Has jobs done by an executor. `keep` is called with each result as it comes; `cost` and `good` read a result for
    the books, in which `spent` and `judged` stand from before. Where a `crew` does the jobs elsewhere, each is begun
    when there is room for it."""

    def __init__(
        self,
        limits: PoolLimits,
        executor: Executor[T],
        keep: Callable[[str, T], None],
        cost: Callable[[T], float | None] = lambda result: 0.0,
        good: Callable[[T], bool | None] | None = None,
        watch: Watch = ignore,
        spent: float | None = 0.0,
        judged: Sequence[bool] = (),
        crew: Crew | None = None,
    ) -> None:
        self._limits, self._executor, self._keep, self._crew = limits, executor, keep, crew
        self._cost, self._good, self._watch = cost, good, watch
        self._summary = PoolSummary(spent=spent)
        self._halt = asyncio.Event()
        self._good_ones, self._judged, self._before = sum(judged), len(judged), spent
        self._running = self._total = 0
        self._started = 0.0

    def halt(self, why: str) -> None:
        """Start nothing more; what runs is cancelled, and keeps what it has on disk."""
        self._summary.stopped = self._summary.stopped or why
        self._halt.set()

    def spend(self, cost: float | None) -> None:
        """Book what something took: a result, or a try that was lost."""
        spent = self._summary.spent
        self._summary.spent = None if cost is None or spent is None else spent + cost

    async def run(self, jobs: Jobs, done: AbstractSet[str] = frozenset()) -> PoolSummary:
        """Run every job that is not done, at most `width` at once, until they are through or the pool is halted. Those
        that are done are jobs of this plan."""
        self._total, self._summary.skipped = len(jobs), len(done)
        waiting = len(jobs) - len(done)
        self._started = time.monotonic()
        queue = (job for job in jobs if job.key not in done)
        workers = [asyncio.create_task(self._worker(queue)) for _ in range(min(self._limits.width, waiting))]
        halted = asyncio.create_task(self._halt.wait())
        try:
            await self._until_done(workers, halted)
        finally:
            for task in (*workers, halted):
                task.cancel()
            await asyncio.gather(*workers, halted, return_exceptions=True)
        self._summary.not_started = waiting - self._summary.finished - len(self._summary.given_up)
        return self._summary

    async def _until_done(self, workers: list[asyncio.Task[None]], halted: asyncio.Task[bool]) -> None:
        """Wait for all workers, for a halt, or for the first that breaks, whose error is raised."""
        pending: set[asyncio.Task[None]] = set(workers)
        while pending and not halted.done():
            finished, _ = await asyncio.wait({*pending, halted}, return_when=asyncio.FIRST_COMPLETED)
            for task in finished & pending:
                task.result()
            pending -= finished

    async def _worker(self, queue: Iterator[Job]) -> None:
        try:
            more = True
            while more and not self._halt.is_set():
                async with self._crew.room() if self._crew else nullcontext():
                    more = await self._next(queue)
        except ENDING_ALL as error:
            self.halt(str(error))

    async def _next(self, queue: Iterator[Job]) -> bool:
        """Do the next job; whether there was one, and may be another."""
        job = next(queue, None)
        if job is None:
            return False
        if self._over_cap():
            self.halt(f"the cap of ${self._limits.cap:.2f} is reached")
        if self._halt.is_set():
            return False
        self._running += 1
        self._tell()
        try:
            await self._one(job)
        finally:
            self._running -= 1
        self._tell()
        return True

    async def _one(self, job: Job) -> None:
        problem = ""
        for number in range(job.first_try, job.first_try + self._limits.tries):
            try:
                result = await self._executor.do(job, number)
            except ENDING_ALL:
                raise
            except Infrastructure as error:
                problem = str(error) or type(error).__name__
                self._summary.retried += 1
                continue
            self._count(job.key, result)
            return
        self._summary.given_up[job.key] = problem

    def _count(self, key: str, result: T) -> None:
        self._keep(key, result)
        self._summary.finished += 1
        self.spend(self._cost(result))
        success = self._good(result) if self._good else None
        self._judged += success is not None
        self._good_ones += bool(success)

    def _over_cap(self) -> bool:
        spent = self._summary.spent
        return self._limits.cap is not None and spent is not None and spent >= self._limits.cap

    def _tell(self) -> None:
        given_up = len(self._summary.given_up)
        here = self._summary.finished + given_up
        to_go = self._total - self._summary.skipped - here
        pace = (time.monotonic() - self._started) / here if here else None
        self._watch(
            Progress(
                done=self._summary.skipped + self._summary.finished,
                given_up=given_up,
                running=self._running,
                total=self._total,
                good=self._good_ones if self._good else None,
                judged=self._judged,
                spent=self._summary.spent,
                left=pace * to_go if pace is not None else None,
                costs=self._estimate(here, to_go),
                note=f"{self._crew.standing()}, {to_go - self._running} waiting" if self._crew else "",
            )
        )

    def _estimate(self, here: int, to_go: int) -> float | None:
        """What all will have cost if the rest costs as much as what was done here."""
        spent, before = self._summary.spent, self._before
        return spent + (spent - before) / here * to_go if here and spent is not None and before is not None else None


@contextmanager
def stopping(halt: Callable[[str], object]) -> Iterator[None]:
    """Ctrl-C stops cleanly once, by `halt`; a second one stops at once."""
    loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)

    def ignore_again() -> None:
        for number in signals:
            loop.remove_signal_handler(number)

    def stop() -> None:
        ignore_again()
        halt("interrupted")

    with suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread: Ctrl-C raises as usual
        for number in signals:
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        with suppress(NotImplementedError, ValueError, RuntimeError):
            ignore_again()
