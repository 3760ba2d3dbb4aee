"""A cluster within this process, for tests of what driver and workers say to each other: the very workers that Ray
runs, on lines that can be cut; and some plain work for them to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

import workalike
from workalike.cluster import ray_cluster, wire
from workalike.cluster.nodes import ClusterLimits, ClusterNode
from workalike.cluster.ray_cluster import RayChoice
from workalike.cluster.worker import RemoteDesk, RemoteMoney, Worker, WorkerLink
from workalike.core.contracts import Job, Sink
from workalike.core.errors import BadInput, Infrastructure, ServiceDown
from workalike.core.trajectory import Usage

QUICK = ClusterLimits(begin_seconds=30, silent_seconds=30, look_seconds=0.02, alone_seconds=5)


class PlainLine:
    """A line that a test can cut, or let fall silent."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.cut, self.silent = worker, asyncio.Event(), False

    async def exchange(self, packed: bytes) -> bytes:
        if self.silent:
            await asyncio.Event().wait()
        said = asyncio.create_task(self.worker.exchange(packed))
        cut = asyncio.create_task(self.cut.wait())
        await asyncio.wait({said, cut}, return_when=asyncio.FIRST_COMPLETED)
        cut.cancel()
        if self.cut.is_set():
            said.cancel()
            raise Infrastructure("a worker there was lost")
        return await said

    async def tell(self, packed: bytes) -> None:
        if self.cut.is_set():
            raise Infrastructure("a worker there was lost")
        await self.worker.tell(packed)

    def kill(self) -> None:
        self.cut.set()


class PlainCluster:
    """Nodes by name; `lines` are those to the workers that were started on each, in order."""

    def __init__(self, *names: str) -> None:
        self.names, self.lines = list(names), dict[str, list[PlainLine]]()

    async def nodes(self) -> list[ClusterNode]:
        return [ClusterNode(name, name) for name in self.names]

    async def start(self, node: ClusterNode, spec: wire.WorkerSpec) -> PlainLine:
        packed = wire.read(spec.settings, dict[str, Any]) if spec.opens == OPENS else {}
        settings = msgspec.msgpack.encode({**packed, "node": node.id}) if packed else spec.settings
        line = PlainLine(Worker(msgspec.structs.replace(spec, settings=settings)))
        self.lines.setdefault(node.id, []).append(line)
        return line

    async def close(self) -> None:
        for line in (line for lines in self.lines.values() for line in lines):
            await line.worker.close()


class Errands:
    """Work that does as its job says."""

    payload = dict[str, Any]

    def __init__(self, node: str, money: RemoteMoney) -> None:
        self._node, self._money = node, money

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> dict[str, Any]:
        asked: dict[str, Any] = job.payload
        if asked.get("raise_on") in (self._node, "all"):
            raise {"service": ServiceDown, "bad": BadInput}.get(asked.get("kind", ""), Infrastructure)("it broke")
        desk.folder.mkdir(parents=True)
        try:
            await self._do(asked, desk)
        except asyncio.CancelledError:
            (desk.folder / "last.txt").write_text("given up")
            raise
        return {"node": self._node, "try": try_}

    async def _do(self, asked: dict[str, Any], desk: RemoteDesk) -> None:
        for number in range(asked.get("items", 0)):
            with open(desk.folder / "log.txt", "a", encoding="utf-8") as file:
                file.write(f"{number}\n")
            await desk.emit({"number": number})
        if "costs" in asked:
            async with self._money.reserve(Usage(cost=asked["costs"])) as held:
                await asyncio.sleep(asked.get("seconds", 0))
                held.spend(Usage(cost=asked["costs"]))
        await asyncio.sleep(asked.get("seconds", 0))

    async def trouble(self) -> str | None:
        return None


@asynccontextmanager
async def open_errands(packed: bytes, link: WorkerLink) -> AsyncIterator[Errands]:
    settings = wire.read(packed, dict[str, Any])
    node = settings.get("node", "")
    if node in settings.get("unfit", ()):
        raise BadInput("the module 'my_agent' cannot be imported")
    if node in settings.get("broken", ()):
        raise Infrastructure("the browser did not start")
    yield Errands(node, RemoteMoney(link))


OPENS = f"{__name__}:open_errands"


class ErrandKind:
    """The driver's side of it: what was told is kept in `told`, by job."""

    def __init__(self, folder: Path, jobs: int = 2, version: str = workalike.__version__, **settings: Any) -> None:
        packed = msgspec.msgpack.encode({"here": True, **settings})
        self.spec = wire.WorkerSpec(OPENS, packed, jobs, version, beat=0.05)
        self.told: dict[str, list[int]] = {}
        self._folder = folder

    def payload(self, job: Job) -> Any:
        return job.payload

    def folder(self, job: Job) -> Path:
        return self._folder / job.key

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        self.told.setdefault(job.key, []).append(wire.read(item, dict[str, int])["number"])

    def result(self, job: Job, packed: msgspec.Raw) -> dict[str, Any]:
        return wire.read(packed, dict[str, Any])


def in_place_of_ray(monkeypatch: pytest.MonkeyPatch, made: Callable[[], PlainCluster]) -> None:
    """Have nodes of this process in the place of Ray's, each time that somebody asks for some."""

    @asynccontextmanager
    async def joined(choice: RayChoice, say: Callable[[str], None]) -> AsyncIterator[PlainCluster]:
        cluster = made()
        try:
            yield cluster
        finally:
            await cluster.close()

    monkeypatch.setattr(ray_cluster, "ray_cluster", joined)
