"""Attempts without a browser, for tests that kill what makes them: steps with pictures, transcripts and money as real
ones have them. `python -m tests.bench.playing ADDRESS FOLDER TASKS` is the driver of a run of them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

import workalike
from workalike.bench.agent_factory import AttemptSpec
from workalike.bench.attempt import AttemptEnd
from workalike.bench.benchmarks import TaskSet
from workalike.bench.remote import AttemptKind, AttemptsSettings, TravellingStep
from workalike.bench.runner import Runner, spent
from workalike.cluster import wire
from workalike.cluster.nodes import ClusterLimits
from workalike.cluster.ray_cluster import RayChoice, on_ray
from workalike.cluster.worker import RemoteDesk, RemoteMoney, WorkerLink
from workalike.core.actions import Terminate, Wait
from workalike.core.contracts import Job
from workalike.core.key import Key
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Usage
from workalike.models.budget import Budget, Cap
from workalike.runtime.pool import PoolLimits
from workalike.store.config import RunConfig
from workalike.store.runs import Run, RunInfo, RunWriter, is_run

STEPS, EACH = 6, 0.01
OPENS = "tests.bench.playing:open_playing"


def picture_of(task: str, step: int) -> bytes:
    return b"\x89PNG" + hashlib.sha256(f"{task}/{step}".encode()).digest() * 2000


class Playing:
    """Takes a step every now and then, each paid for before it is told; its thought is the address of its node."""

    payload = AttemptSpec

    def __init__(self, money: RemoteMoney) -> None:
        self._money, self._node = money, _own_address()

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> AttemptEnd:
        spec: AttemptSpec = job.payload
        desk.folder.mkdir(parents=True)
        for number in range(STEPS):
            async with self._money.reserve(Usage(cost=EACH)) as held:
                await asyncio.sleep(0.15)
                held.spend(Usage(cost=EACH))
            with open(desk.folder / "log.txt", "a", encoding="utf-8") as file:
                file.write(f"{spec.try_} {number}\n")
            picture, action = picture_of(spec.task.id, number), Wait(0) if number < STEPS - 1 else Terminate()
            seen = Observation(ImageRef.of(picture), Size(10, 10))
            usage = Usage(requests=1, cost=EACH)
            step = Step(seen, (ActionResult(action, 0.0, 0.1),), thought=self._node, usage=usage)
            await desk.emit(TravellingStep(step, picture))
        return AttemptEnd(Stop("terminated"), seen)

    async def trouble(self) -> str | None:
        return None


def _own_address() -> str:
    """The address that this node is known by in its cluster."""
    ray: Any = import_module("ray")
    own = ray.get_runtime_context().get_node_id()
    return next(str(node["NodeManagerAddress"]) for node in ray.nodes() if node["NodeID"] == own)


@asynccontextmanager
async def open_playing(packed: bytes, link: WorkerLink) -> AsyncIterator[Playing]:
    yield Playing(RemoteMoney(link))


async def drive(address: str, folder: Path, tasks: int) -> dict[str, object]:
    asked = tuple(Task(f"task{number}", "play") for number in range(tasks))
    task_set = TaskSet("playing", asked, {task.id: Key(task.id) for task in asked}, live=False)
    kind = AttemptKind(AttemptsSettings(config=RunConfig(benchmark="playing", agent="own:Player")), 2)
    kind.spec = wire.WorkerSpec(OPENS, b"", 2, workalike.__version__, beat=0.5)
    money = Budget(Cap(dollars=1000.0), spent(Run(folder)) if is_run(folder) else Usage())
    say = lambda sentence: print(sentence, file=sys.stderr, flush=True)  # noqa: E731
    limits = ClusterLimits(look_seconds=0.5, begin_seconds=600, silent_seconds=600)
    info = RunInfo("played", "", {"agent": "own:Player"})
    with RunWriter(folder, info, asked, task_set.keys.values()) as writer:
        async with on_ray(RayChoice(address), kind, say, limits, money) as workers:
            runner = Runner(writer, task_set, workers, say=say, crew=workers)
            summary = await runner.go(1, PoolLimits(64, tries=10))
    return {**msgspec.to_builtins(summary), "booked": money.dollars}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(drive(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))))
