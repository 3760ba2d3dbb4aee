"""`workalike run`: one agent on one benchmark, many tasks, several repeats, in parallel, resumable.

A finished attempt is never run again. One that was killed or interrupted stays on disk as such and is tried anew;
trouble of the browser costs a try and is never counted as the agent's failure. An attempt is judged as it ends, by the
verifiers of its benchmark and those that were asked for besides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

import msgspec

from workalike.bench.agent_factory import AttemptSpec
from workalike.bench.attempt import AttemptEnd
from workalike.bench.benchmarks import TaskSet
from workalike.bench.journal import AttemptJournal
from workalike.bench.judges import Judges, judging_took
from workalike.core.contracts import Crew, Executor, Job, Sink, Verifier
from workalike.core.endings import Ending, tally
from workalike.core.errors import Infrastructure, OverBudget
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.trajectory import Stop, Usage
from workalike.core.verdict import Verdict
from workalike.runtime import pool
from workalike.runtime.own import is_own
from workalike.store.index import AttemptSummary, RunIndex, summaries
from workalike.store.runs import Attempt, Run, RunWriter


class Ended(msgspec.Struct, frozen=True):
    """A finished attempt with the first verifier's verdict, if there is one, whether it counts as solved, and what
    judging took."""

    trajectory: str
    stop: Stop
    usage: Usage
    verdict: Verdict | None = None
    ending: Ending | None = None
    judging: Usage = Usage()
    solved: bool | None = None


class RunSummary(pool.PoolSummary):
    """What became of a run's attempts, and how those finished now ended that no agent ended itself."""

    endings: tuple[Ending, ...] = ()

    @property
    def all_broke(self) -> bool:
        """Whether every attempt that finished now did so by an error."""
        broke = sum(each.count for each in self.endings if each.kind == "agent_error")
        return 0 < self.finished == broke


class _Plan:
    """Every task in every repeat, each a job when its turn comes."""

    def __init__(self, task_set: TaskSet, repeats: int) -> None:
        self._task_set, self._repeats = task_set, range(1, repeats + 1)

    def __len__(self) -> int:
        return len(self._task_set.tasks) * len(self._repeats)

    def __iter__(self) -> Iterator[Job]:
        keys = self._task_set.keys
        return (
            Job(name_of(task.id, repeat), AttemptSpec(task, keys[task.id], repeat))
            for repeat in self._repeats
            for task in self._task_set.tasks
        )


class Runner:
    """Has attempts made, and keeps the run's books. It is an executor itself: what it does of a job is to begin it on
    disk, hand it to who makes attempts, here or elsewhere, end it on disk and have it judged."""

    def __init__(
        self,
        run: RunWriter,
        task_set: TaskSet,
        attempts: Executor[AttemptEnd],
        verifiers: Sequence[Verifier] = (),
        provenance: Provenance | None = None,
        say: Callable[[str], None] = lambda sentence: None,
        crew: Crew | None = None,
    ) -> None:
        self._run, self._task_set, self._attempts, self._crew = run, task_set, attempts, crew
        self._provenance, self._say = provenance, say
        self._endings: list[Ending] = []
        self._pool: pool.Pool[Ended] | None = None
        self._stopped = ""
        self._index = RunIndex(run)
        self._judges = Judges(run, verifiers, task_set.name)

    def halt(self, why: str) -> None:
        """Stop cleanly: what runs is kept as interrupted."""
        self._stopped = self._stopped or why
        if self._pool is not None:
            self._pool.halt(why)

    async def go(self, repeats: int, limits: pool.PoolLimits = pool.PoolLimits(), watch: Watch = ignore) -> RunSummary:
        """Run what is not finished yet of every task and repeat."""
        known = self._without_damaged()
        finished = [each for each in known if each.finished and not each.aside]
        planned = {name_of(each.task, each.repeat) for each in finished if each.repeat <= repeats}
        with self._judges:
            await self._judge_unjudged(finished, min(limits.width, 8))
            self._pool = pool.Pool(
                limits,
                self,
                keep=lambda key, ended: self._endings.extend([ended.ending] if ended.ending else []),
                cost=lambda ended: (ended.usage + ended.judging).cost,
                good=lambda ended: ended.solved,
                watch=watch,
                spent=spent(self._run, known).cost,
                judged=self._judges.successes(finished),
                crew=self._crew,
            )
            if self._stopped:
                self._pool.halt(self._stopped)
            done = await self._pool.run(_Plan(self._task_set, repeats), planned)
            return RunSummary(**msgspec.structs.asdict(done), endings=tally(self._endings))

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> Ended:
        """One try at one repeat of one task, written down and judged."""
        asked: AttemptSpec = job.payload
        place, writer = self._run.begin(asked.task, asked.repeat, self._provenance)
        spec = msgspec.structs.replace(asked, try_=place.try_, transcript=str(place.transcript))
        try:
            with AttemptJournal(self._run.pictures, writer) as journal:
                end = await self._attempts.do(msgspec.structs.replace(job, payload=spec), try_, journal)
                if end.stop.reason == "out_of_budget":  # the run's money, not the attempt's: tried anew with more
                    raise OverBudget(end.stop.detail)
                journal.end(end)
        except BaseException:  # what a lost try took counts all the same
            if self._pool is not None:
                self._pool.spend(self._index.note(place).usage.cost)
            raise
        noted = self._index.note(place)
        said = await self._judged(place)
        judging = sum((each.usage for each in said if each.usage), Usage())
        verdict = said[0] if said else None
        good = self._judges.solved(asked.task.id, verdict) if verdict else None
        return Ended(place.id, end.stop, noted.usage, verdict, noted.ending, judging, good)

    async def _judged(self, place: Attempt) -> list[Verdict]:
        """What its judges say. One that cannot be had now costs no attempt: it is asked when the run goes on."""
        try:
            return await self._judges.judge(place)
        except (Infrastructure, OverBudget) as error:
            self._say(f"{place.id} is not judged yet: {error}; the same command again judges it")
            if isinstance(error, pool.ENDING_ALL):
                self.halt(str(error))
            return []

    def _without_damaged(self) -> list[AttemptSummary]:
        """All attempts, once those whose trajectories cannot be read are set aside and named: they are tried anew."""
        known = self._index.refresh()
        damaged = [each for each in known if each.damaged and not each.aside]
        for each in damaged:
            place = self._run.set_aside(self._run.place(each.task, each.repeat, each.try_))
            self._say(f"{each.damaged}; it is kept in {place}, and tried anew")
        return self._index.refresh() if damaged else known

    async def _judge_unjudged(self, finished: Sequence[AttemptSummary], width: int) -> None:
        """An attempt may have finished and its verdict been lost to a kill, or another verifier is asked for: it is
        judged now."""
        places = [self._run.place(each.task, each.repeat, each.try_) for each in finished]
        waiting = iter([place for place in places if not self._judges.has_judged(place.id)])

        async def work() -> None:
            for place in waiting:
                if not self._stopped:
                    await self._judged(place)

        await asyncio.gather(*(work() for _ in range(width)))


def name_of(task_id: str, repeat: int) -> str:
    """The key of one planned attempt in the pool."""
    return f"{task_id}#{repeat}"


def finished_attempts(run: Run) -> Iterator[tuple[str, Attempt]]:
    """The attempts that need not be run again, by their key in the pool."""
    for each in summaries(run):
        if each.finished and not each.aside:
            yield name_of(each.task, each.repeat), run.place(each.task, each.repeat, each.try_)


def spent(run: Run, known: Sequence[AttemptSummary] | None = None) -> Usage:
    """What all attempts took so far, the interrupted ones too, and judging them. What models of ours took stands in
    transcripts."""
    own, found = is_own(str(run.info.settings.get("agent", ""))), summaries(run) if known is None else known
    return sum((each.usage for each in found if own or each.transcribed), judging_took(run))
