"""`verify`: a verifier over trajectories that are on disk, on the one work pool. What was judged is not judged again; a
verifier with other settings, another model or prompt makes a layer of its own, and both stay."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from workalike.cluster.executor import RemoteExecutor
from workalike.cluster.services import pictures_along
from workalike.core.contracts import Job, Sink, Verifier
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Outcome, Verdict
from workalike.models.interface import ModelProvider
from workalike.models.messages import Tokens
from workalike.models.served import Models
from workalike.runtime import pool
from workalike.store.layers import VERDICTS, Layer, LayerWriter, layer_path
from workalike.store.reading import home_of, pictures_at, read_trajectories
from workalike.store.runs import Run, is_run
from workalike.store.trajectories import FILE, Stored, read_trajectory
from workalike.verify.remote import TravellingCase
from workalike.verify.verifiers import case_for, judged

Say = Callable[[str], None]


class VerifySummary(pool.PoolSummary):
    """What became of the cases, how many had which outcome, and where the verdicts are."""

    outcomes: dict[Outcome, int] = msgspec.field(default_factory=dict)
    unfinished: int = 0
    usage: Usage = Usage()
    layer: str = ""


class PlannedCase(msgspec.Struct, frozen=True):
    """A trajectory that is to be judged, by where it lies; one in a packed file is kept, others are read in time."""

    id: str
    task: str
    path: Path
    kept: Trajectory | None = None

    def read(self) -> Trajectory:
        return self.kept or read_trajectory(self.path).trajectory


class Verification:
    """A verifier on the trajectories at a path. `cases` are those still to be judged; with `again` also those that
    were ungraded."""

    def __init__(self, path: Path, verifier: Verifier, again: bool = False, say: Say = lambda sentence: None) -> None:
        self.path, self.home, self.verifier = path, home_of(path), verifier
        keys = Run(self.home).keys() if is_run(self.home) else ()
        self._keys = {key.task_id: key for key in keys}
        self.unfinished = 0
        known = self._known()
        self.done = {id for id, verdict in known.items() if not (again and verdict.outcome == "ungraded")}
        self.spent = sum((verdict.usage for verdict in known.values() if verdict.usage), Usage())
        self.cases = list(self._planned(say))
        self.done &= {case.id for case in self.cases}
        self._pictures = pictures_at(path)
        self._pool: pool.Pool[Verdict] | None = None

    @property
    def waiting(self) -> list[PlannedCase]:
        return [case for case in self.cases if case.id not in self.done]

    def estimate(self) -> Usage:
        """The most that judging the rest takes, where every reply can be used."""
        return sum((self._estimate(case) for case in self.waiting), Usage())

    def halt(self, why: str) -> None:
        if self._pool is not None:
            self._pool.halt(why)

    async def go(
        self,
        limits: pool.PoolLimits = pool.PoolLimits(),
        watch: Watch = ignore,
        elsewhere: RemoteExecutor[Verdict] | None = None,
    ) -> VerifySummary:
        """Judge what is not judged yet, here or by workers `elsewhere`."""
        settings = self.verifier.settings
        provenance = Provenance(f"workalike verify {self.verifier.name}", settings=settings)
        with LayerWriter(self.home, VERDICTS, self.verifier.name, Verdict, settings, provenance) as layer:
            self._pool = pool.Pool(
                limits,
                elsewhere or self,
                keep=lambda key, verdict: layer.put(key, verdict),
                cost=lambda verdict: verdict.usage.cost if verdict.usage else 0.0,
                watch=watch,
                spent=self.spent.cost,
                crew=elsewhere,
            )
            done = await self._pool.run([Job(case.id, case) for case in self.cases], self.done)
        told = self._known()
        here = [told[case.id] for case in self.cases if case.id in told]
        outcomes: dict[Outcome, int] = {}
        for verdict in here:
            outcomes[verdict.outcome] = outcomes.get(verdict.outcome, 0) + 1
        return VerifySummary(
            **msgspec.structs.asdict(done),
            outcomes=outcomes,
            unfinished=self.unfinished,
            usage=sum((verdict.usage for verdict in here if verdict.usage), Usage()),
            layer=str(layer_path(self.home, VERDICTS, self.verifier.name, settings)),
        )

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> Verdict:
        """Judge one case, as the pool's executor."""
        case: PlannedCase = job.payload
        return await judged(self.verifier, case.read(), self._keys.get(case.task), self._pictures)

    def travelling(self, job: Job) -> TravellingCase:
        """A planned case as it goes to a worker: with its pictures, where the verifier looks at any."""
        planned: PlannedCase = job.payload
        case = case_for(self.verifier.needs, planned.read(), self._keys.get(planned.task))
        along = pictures_along(case.trajectory, self._pictures) if self.verifier.needs.pictures else {}
        return TravellingCase(case.trajectory, case.key, along)

    def _known(self) -> dict[str, Verdict]:
        """What this verifier has said already, with these very settings."""
        path = layer_path(self.home, VERDICTS, self.verifier.name, self.verifier.settings)
        if not path.exists():
            return {}
        return {id: verdict for (id, step), verdict in Layer(path, Verdict) if step is None}

    def _planned(self, say: Say) -> Iterator[PlannedCase]:
        seen: set[str] = set()
        for stored in read_trajectories(self.path, lambda error: say(str(error))):
            if not stored.finished:
                self.unfinished += 1
            elif stored.trajectory.id in seen:
                raise BadInput(
                    f"the id {stored.trajectory.id!r} stands twice in {self.path}: verdicts could not be told"
                )
            else:
                seen.add(stored.trajectory.id)
                yield _case(stored)

    def _estimate(self, case: PlannedCase) -> Usage:
        key: Key | None = self._keys.get(case.task)
        return self.verifier.estimate(case_for(self.verifier.needs, case.read(), key))


def _case(stored: Stored) -> PlannedCase:
    trajectory, alone = stored.trajectory, stored.path.name == FILE
    return PlannedCase(trajectory.id, trajectory.task.id, stored.path, None if alone else trajectory)


def verify(
    path: Path,
    verifier: Verifier,
    limits: pool.PoolLimits = pool.PoolLimits(),
    watch: Watch = ignore,
    again: bool = False,
) -> VerifySummary:
    """Judge the trajectories of a run, a folder or a packed dataset; the verdicts are a layer beside them.

    >>> verify(Path("runs/first"), make_verifier(VerifierSpec("state")))  # doctest: +SKIP
    """
    return asyncio.run(Verification(path, verifier, again).go(limits, watch))


def price_of(models: ModelProvider | None, model: str | None, usage: Usage) -> float | None:
    """What a judge's model would take for so many tokens, in dollars; None where its price is not known."""
    if not isinstance(models, Models) or model is None:
        return 0.0
    tokens = Tokens(usage.input_tokens, usage.output_tokens)
    return models.prices.cost(models.endpoint(model), tokens)


def estimate_told(usage: Usage, cost: float | None) -> str:
    """An estimate in a line.

    >>> estimate_told(Usage(12, 9_000, 1_200), 0.5)
    '12 calls, 9,000 tokens in, 1,200 out, $0.50'
    """
    money = "an unknown price" if cost is None else f"${cost:.2f}"
    return f"{usage.requests:,} calls, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out, {money}"


def outcomes_told(outcomes: Sequence[tuple[Outcome, int]]) -> str:
    """Outcomes in a line, the most frequent first.

    >>> outcomes_told([("failure", 1), ("critical_point_crossed", 2)])
    '2 critical point crossed, 1 failure'
    """
    ordered = sorted(outcomes, key=lambda each: -each[1])
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in ordered)
