"""`workalike run`: one agent on one benchmark, many tasks, several repeats, in parallel, resumable.

A finished attempt is never run again. One that was killed or interrupted stays on disk as such and is tried anew;
trouble of the browser costs a try and is never counted as the agent's failure. Where truth is known, an attempt is
judged as it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from workalike.bench.attempt import Limits, StoredSink, User, attempt, nobody
from workalike.bench.benchmarks import Benchmark
from workalike.bench.endings import Ending, ending_of, tally
from workalike.bench.ground import Ground, Stay
from workalike.bench.own import UNTOLD, is_own
from workalike.core.contracts import Agent, Sight
from workalike.core.errors import Infrastructure, OverBudget
from workalike.core.key import Key
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.task import Task
from workalike.core.trajectory import Stop, Trajectory, Usage
from workalike.core.verdict import Verdict
from workalike.env.stage import Stage
from workalike.models import pool
from workalike.models.transcript import books
from workalike.store.layers import VERDICTS, LayerWriter, verdicts_of
from workalike.store.runs import Attempt, Run, RunWriter
from workalike.store.trajectories import TrajectoryWriter
from workalike.verify import state


class Seat(msgspec.Struct, frozen=True):
    """What an agent is made for: one try at one repeat of one task. The key is for the oracle alone."""

    task: Task
    key: Key
    repeat: int
    try_: int
    transcript: Path
    headers: dict[str, str] = {}


class Ended(msgspec.Struct, frozen=True):
    """A finished attempt with its verdict, if anybody could judge it."""

    trajectory: str
    stop: Stop
    usage: Usage
    verdict: Verdict | None = None
    ending: Ending | None = None


class Summary(pool.Summary):
    """What became of a run's attempts, and how those finished now ended that no agent ended itself."""

    endings: tuple[Ending, ...] = ()

    @property
    def all_broke(self) -> bool:
        """Whether every attempt that finished now did so by an error."""
        broke = sum(each.count for each in self.endings if each.kind == "agent_error")
        return 0 < self.finished == broke


class Runner:
    """Runs attempts on stages in turn. `make` gives a fresh agent for every try."""

    def __init__(
        self,
        run: RunWriter,
        benchmark: Benchmark,
        ground: Ground,
        stages: Sequence[Stage],
        make: Callable[[Seat], Agent],
        limits: Limits = Limits(),
        user: Callable[[Task], User] = lambda task: nobody,
        provenance: Provenance | None = None,
    ) -> None:
        self._run, self._benchmark, self._ground, self._stages = run, benchmark, ground, stages
        self._make, self._limits, self._user, self._provenance = make, limits, user, provenance
        self._turn = 0
        self._endings: list[Ending] = []
        self._pool: pool.Pool[Ended] | None = None

    def halt(self, why: str) -> None:
        """Stop cleanly: what runs is kept as interrupted."""
        if self._pool is not None:
            self._pool.halt(why)

    async def go(self, repeats: int, limits: pool.Limits = pool.Limits(), watch: Watch = ignore) -> Summary:
        """Run what is not finished yet of every task and repeat."""
        finished = {name for name, each in finished_attempts(self._run)}
        with LayerWriter(self._run.folder, VERDICTS, state.NAME, Verdict) as verdicts:
            self._judge_unjudged(verdicts)
            self._pool = pool.Pool(
                limits,
                keep=lambda key, ended: self._keep(verdicts, ended),
                cost=lambda ended: ended.usage.cost,
                good=lambda ended: ended.verdict.success if ended.verdict else None,
                watch=watch,
                spent=spent(self._run).cost,
                judged=self._judged_before(),
            )
            done = await self._pool.run(self._jobs(repeats), finished)
            return Summary(**msgspec.structs.asdict(done), endings=tally(self._endings))

    def _jobs(self, repeats: int) -> Iterator[pool.Job[Ended]]:
        for repeat in range(1, repeats + 1):
            for task in self._benchmark.tasks:
                yield self._job(task, repeat)

    def _job(self, task: Task, repeat: int) -> pool.Job[Ended]:
        return pool.Job(name_of(task.id, repeat), lambda number: self._try(task, repeat))

    async def _try(self, task: Task, repeat: int) -> Ended:
        key = self._benchmark.keys[task.id]
        place, writer = self._run.begin(task, repeat, self._provenance)
        stay = self._ground.open(task, key)
        try:
            stop, sight = await self._act(place, writer, stay, task, key)
            if stop.reason == "out_of_budget":  # the run's money, not the attempt's: tried anew when there is more
                self._lose(place, writer, Stop("interrupted", stop.detail))
                raise OverBudget(stop.detail)
            self._finish(writer, stop, sight, stay)
        except asyncio.CancelledError:
            self._lose(place, writer, Stop("interrupted"))
            raise
        except Infrastructure as error:
            self._lose(place, writer, Stop("infrastructure_error", str(error)))
            raise
        finally:
            writer.close()
            stay.close()
        trajectory = place.read().trajectory
        usage, verdict = usage_of(place, trajectory), _judged(trajectory, key)
        return Ended(trajectory.id, stop, usage, verdict, ending_of(trajectory))

    async def _act(
        self, place: Attempt, writer: TrajectoryWriter, stay: Stay, task: Task, key: Key
    ) -> tuple[Stop, Sight | None]:
        self._turn += 1
        stage = self._stages[self._turn % len(self._stages)]
        environment = stage.environment(self._ground.policy, place.folder / "downloads")
        seat = Seat(task, key, place.repeat, place.try_, place.transcript, stay.headers)
        try:
            return await attempt(
                self._make(seat),
                environment,
                task,
                StoredSink(self._run.pictures, writer),
                self._limits,
                self._user(task),
                stay.task,
            )
        finally:
            await environment.close()

    def _finish(self, writer: TrajectoryWriter, stop: Stop, sight: Sight | None, stay: Stay) -> None:
        changes = stay.changes()
        if sight is not None and sight.picture is not None:
            self._run.pictures.put(sight.picture)
        writer.finish(
            stop,
            sight.observation if sight else None,
            sight.notices if sight else (),
            {} if changes is None else {state.CHANGES: msgspec.to_builtins(changes)},
        )

    def _lose(self, place: Attempt, writer: TrajectoryWriter, stop: Stop) -> None:
        """A try that does not count; what it took does."""
        writer.finish(stop)
        if self._pool is not None:
            self._pool.spend(usage_of(place, place.read().trajectory).cost)

    def _keep(self, verdicts: LayerWriter[Verdict], ended: Ended) -> None:
        if ended.verdict is not None:
            verdicts.put(ended.trajectory, ended.verdict)
        if ended.ending is not None:
            self._endings.append(ended.ending)

    def _judged_before(self) -> list[bool]:
        finished = {each.id for _, each in finished_attempts(self._run)}
        layers = [layer for layer in verdicts_of(self._run.folder) if layer.header.name == state.NAME]
        said = [verdict.success for layer in layers for (name, _), verdict in layer if name in finished]
        return [success for success in said if success is not None]

    def _judge_unjudged(self, verdicts: LayerWriter[Verdict]) -> None:
        """An attempt may have finished and its verdict been lost to a kill: it is judged now."""
        for _, each in finished_attempts(self._run):
            if (each.id, None) not in verdicts:
                verdict = _judged(each.read().trajectory, self._benchmark.keys[each.task_id])
                if verdict is not None:
                    verdicts.put(each.id, verdict)


def name_of(task_id: str, repeat: int) -> str:
    """The key of one planned attempt in the pool."""
    return f"{task_id}#{repeat}"


def finished_attempts(run: Run) -> Iterator[tuple[str, Attempt]]:
    """The attempts that need not be run again, by their key in the pool: ended, and not by infrastructure."""
    for each in run.attempts():
        end = each.end()
        if end is not None and end.stop is not None and end.stop.reason not in ("interrupted", "infrastructure_error"):
            yield name_of(each.task_id, each.repeat), each


def usage_of(attempt: Attempt, trajectory: Trajectory) -> Usage:
    """What one try took, by the books of its transcript: they have also what led to no step. An agent of one's own has
    no transcript; what it told with its steps counts, and what it took before it broke is unknown."""
    if attempt.transcript.is_file():
        return books(attempt.transcript)
    broke = trajectory.stop is not None and trajectory.stop.reason == "agent_error"
    return trajectory.usage + UNTOLD if broke else trajectory.usage


def spent(run: Run) -> Usage:
    """What all attempts took so far, the interrupted ones too."""
    total, own = Usage(), is_own(str(run.info.settings.get("agent", "")))
    for each in run.attempts():
        total = total + (usage_of(each, each.read().trajectory) if own else books(each.transcript))
    return total


def _judged(trajectory: Trajectory, key: Key) -> Verdict | None:
    return state.judge_trajectory(trajectory, key) if state.CHANGES in trajectory.extra else None
