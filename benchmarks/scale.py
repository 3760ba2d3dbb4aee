"""Where the driver of a cluster saturates: what a step costs it, measured here on a real Ray, and a simulation of 8, 64
and 512 nodes with that: `python -m benchmarks.scale` prints both tables of docs/scale.md."""

from __future__ import annotations

import asyncio
import heapq
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

import workalike
from workalike.bench.journal import AttemptJournal
from workalike.bench.remote import TravellingStep
from workalike.cluster import wire
from workalike.cluster.ray_cluster import RayChoice, on_ray
from workalike.cluster.worker import RemoteDesk, RemoteMoney, WorkerLink
from workalike.core.actions import Wait
from workalike.core.contracts import Job, Sink
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Usage
from workalike.models.budget import Budget, Cap

PICTURE = 150_000
"""Bytes of a screenshot of the town, about."""
STEPS = 150
CONTEXTS = 4
STEP_SECONDS = 6.0
"""Between two steps of an attempt whose model answers in five: what a hosted one takes."""
ROUNDS = 3
"""The least of them counts: whatever else a machine does only adds."""


class Costs(msgspec.Struct, frozen=True):
    """Seconds of the driver's one event loop for a step whose picture it writes, for one whose picture the worker has
    written, and for the money of a request."""

    streamed: float
    shared: float
    money: float


class StepsWork:
    """Sends steps as fast as they are taken; a payload says how."""

    payload = str

    def __init__(self, money: RemoteMoney) -> None:
        self._money = money

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> float:
        started = time.perf_counter()
        for number in range(STEPS):
            if job.payload == "money":
                async with self._money.reserve(Usage(cost=1e-6)) as held:
                    held.spend(Usage(cost=1e-6))
                continue
            picture = b"\x89PNG" + os.urandom(PICTURE)
            seen = Observation(ImageRef.of(picture), Size(1440, 900), url=f"http://a/{number}")
            step = Step(seen, (ActionResult(Wait(0), 0.0, 0.0),), reply="x" * 500)
            await desk.emit(TravellingStep(step, picture if job.payload == "streamed" else None))
        return time.perf_counter() - started

    async def trouble(self) -> str | None:
        return None


@asynccontextmanager
async def open_steps(packed: bytes, link: WorkerLink) -> AsyncIterator[StepsWork]:
    yield StepsWork(RemoteMoney(link))


class StepsKind:
    """The driver's side: every step is written and synced, as in a run."""

    spec = wire.WorkerSpec("benchmarks.scale:open_steps", b"", CONTEXTS, workalike.__version__)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journals: dict[str, AttemptJournal] = {}

    def payload(self, job: Job) -> str:
        return str(job.payload)

    def folder(self, job: Job) -> Path | None:
        return None

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        if job.key not in self._journals:
            self._journals[job.key] = AttemptJournal.create(self._folder / job.key, job.key, Task("t", "wait"))
        told = wire.read(item, TravellingStep)
        await self._journals[job.key].step(told.step, told.picture)

    def result(self, job: Job, packed: msgspec.Raw) -> float:
        return wire.read(packed, float)


async def measure() -> Costs:
    """What each kind of message costs the driver, with several attempts at once: the time of its one event loop, which
    also waits for the disk."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        money = Budget(Cap(dollars=1e6))
        async with on_ray(RayChoice("local"), StepsKind(Path(folder)), lambda text: None, money=money) as workers:
            for kind in ("streamed", "shared", "money"):
                took = []
                for number in range(ROUNDS):
                    busy, jobs = _Busy(), [Job(f"{kind}{number}-{n}", kind) for n in range(CONTEXTS)]
                    async with busy.watching():
                        await asyncio.gather(*(workers.do(job, 1) for job in jobs))
                    took.append(busy.seconds / (CONTEXTS * STEPS))
                found[kind] = min(took)
    return Costs(**found)


class _Busy:
    """How long the event loop was busy: all the time that it did not wait in its selector."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        selector = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]
        waits, plain = [0.0], selector.select

        def select(timeout: float | None = None) -> object:
            started = time.perf_counter()
            try:
                return plain(timeout)
            finally:
                waits[0] += time.perf_counter() - started

        selector.select, started = select, time.perf_counter()
        try:
            yield
        finally:
            selector.select = plain
            self.seconds = time.perf_counter() - started - waits[0]


class Simulated(msgspec.Struct, frozen=True):
    """What became of a cluster: steps a second, the driver's load, how long a step waited for it, and how much slower
    attempts were than with a driver that costs nothing."""

    rate: float
    load: float
    waited: float
    slower: float


def simulate(nodes: int, service: float, seconds: float = 300.0, drivers: int = 1, seed: int = 0) -> Simulated:
    """Attempts take a step every `STEP_SECONDS` on average and go on when the driver has kept it; the driver keeps one
    after the other, each in `service` seconds. Several drivers share the nodes."""
    chance, attempts = random.Random(seed), nodes * CONTEXTS // drivers
    coming = [chance.expovariate(1 / STEP_SECONDS) for _ in range(attempts)]
    heapq.heapify(coming)
    free = done = waited = 0.0
    while coming[0] < seconds:
        arrived = heapq.heappop(coming)
        free = max(free, arrived) + service
        waited, done = waited + free - arrived, done + 1
        heapq.heappush(coming, free + chance.expovariate(1 / STEP_SECONDS))
    mean = waited / done
    return Simulated(drivers * done / seconds, min(1.0, done * service / seconds), mean, mean / STEP_SECONDS)


def main() -> int:
    costs = asyncio.run(measure())
    print(f"a step with its picture, written and synced: {costs.streamed * 1000:.2f} ms of the driver")
    print(f"a step whose picture lies in the shared folder: {costs.shared * 1000:.2f} ms")
    print(f"money for a request (held, spent, let go): {costs.money * 1000:.2f} ms\n")
    print("| nodes | attempts at once | how | steps a second | driver's load | a step waits | attempts are slower by |")
    print("|---|---|---|---|---|---|---|")
    ways = (
        ("streamed", costs.streamed, 1),
        ("`--shared`", costs.shared, 1),
        ("`--shared`, 4 drivers", costs.shared, 4),
    )
    for nodes in (8, 64, 512):
        for name, step, drivers in ways:
            made = simulate(nodes, step + costs.money, drivers=drivers)
            row = (f"{nodes}", f"{nodes * CONTEXTS:,}", name, f"{made.rate:.0f}", f"{made.load:.0%}")
            print(f"| {' | '.join(row)} | {made.waited * 1000:,.0f} ms | {made.slower:.1%} |")
    print(f"\nsaturated at {1 / (costs.streamed + costs.money):.0f} steps a second, shared at", end=" ")
    print(f"{1 / (costs.shared + costs.money):.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
