"""A benchmark as an environment to learn in: every episode is an attempt at one of its tasks, and its verdict the
reward. All episodes that go on at once share a sandbox and a browser."""

from __future__ import annotations

import itertools
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace

from workalike.bench.attempt import facts_known, first_look
from workalike.bench.executor import EnvironmentFactory, environments_for, open_sandbox
from workalike.bench.loading import LoadedBenchmark, load_benchmark
from workalike.core.contracts import Environment, Percept, Sandbox, Session, Verifier, VerifierSpec, Wants
from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.outcomes import solved
from workalike.core.task import Task
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict
from workalike.store.config import RunConfig
from workalike.verify.verifiers import asks_model, judged, make_verifier


class Playground:
    """A benchmark's sandbox and a browser, for as many worlds as are asked for; they go when the last of them does."""

    def __init__(
        self, loaded: LoadedBenchmark, sandbox: Sandbox, environments: EnvironmentFactory, leaving: AsyncExitStack
    ) -> None:
        self.tasks, self.sandbox, self.environments = loaded.task_set, sandbox, environments
        self.judge = _first_verifier(loaded)
        self._leaving, self._open = leaving, 0
        self._turn = itertools.cycle(self.tasks.tasks)

    @classmethod
    async def open(cls, config: RunConfig, data: Path | None = None, headed: bool = False) -> Playground:
        """Serve what a configuration names."""
        loaded = load_benchmark(config, data)
        async with AsyncExitStack() as stack:
            sandbox = await open_sandbox(config, loaded.benchmark, stack)
            environments = await environments_for(config, loaded.benchmark, sandbox, headed, stack)
            return cls(loaded, sandbox, environments, stack.pop_all())

    def worlds(self, count: int) -> list[BenchmarkWorld]:
        self._open += count
        return [BenchmarkWorld(self) for _ in range(count)]

    def find(self, task: Task | str | None) -> Task:
        """A task by its name, or the next in turn."""
        if task is None:
            return next(self._turn)
        name = task if isinstance(task, str) else task.id
        found = next((each for each in self.tasks.tasks if each.id == name), None)
        if found is None:
            raise BadInput(f"{self.tasks.name} has no task {name!r} here; `workalike tasks` lists them")
        return found

    async def leave(self) -> None:
        self._open -= 1
        if not self._open:
            await self._leaving.aclose()


def _first_verifier(loaded: LoadedBenchmark) -> Verifier:
    """Who says what an episode is worth: the first of the benchmark's verifiers that asks nobody else."""
    name = next((name for name in loaded.benchmark.verifiers if not asks_model(name)), None)
    if name is None:
        raise BadInput(
            f"{loaded.task_set.name} has no verifier that needs no model, so that nobody would give a reward"
        )
    return make_verifier(VerifierSpec(name))


class BenchmarkWorld:
    """Episodes on a benchmark, one after the other."""

    def __init__(self, ground: Playground) -> None:
        self._ground = ground
        self._session: Session | None = None
        self._environment: Environment | None = None
        self._ending = AsyncExitStack()
        self._pictures = _Pictures()
        self._closed = False

    async def begin(self, task: Task | str | None, wants: Wants) -> tuple[Task, Environment, Percept]:
        asked = self._ground.find(task)
        await self._ending.aclose()
        self._pictures = _Pictures()
        key = self._ground.tasks.keys[asked.id]
        self._session = await self._ending.enter_async_context(self._ground.sandbox.session(asked, key))
        self._environment = self._ground.environments(self._session.task, self._ground.sandbox.reach, None)
        self._ending.push_async_callback(self._environment.close)
        percept = await first_look(self._environment, asked, wants, self._session)
        self._pictures.keep(percept)
        return asked, self._environment, percept

    async def reward(self, episode: Trajectory, percept: Percept) -> tuple[float, Verdict | None]:
        self._pictures.keep(percept)
        if episode.stop is None or self._session is None or self._environment is None:
            return 0.0, None
        told = replace(episode, extra=await facts_known(self._session, self._environment))
        key = self._ground.tasks.keys[episode.task.id]
        verdict = await judged(self._ground.judge, told, key, self._pictures)
        return float(bool(solved(verdict.outcome, self._ground.tasks.name, key.reports))), verdict

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._ending.aclose()
            await self._ground.leave()


class _Pictures:
    """What an episode has seen so far."""

    def __init__(self) -> None:
        self._seen: dict[ImageRef, bytes] = {}

    def keep(self, percept: Percept) -> None:
        ref = percept.observation.picture
        if ref is not None and percept.picture is not None:
            self._seen[ref] = percept.picture

    def read(self, ref: ImageRef) -> bytes:
        if ref not in self._seen:
            raise Damaged(f"the picture {ref.name} was not seen in this episode")
        return self._seen[ref]

    def has(self, ref: ImageRef) -> bool:
        return ref in self._seen
