"""Many trajectories annotated on the one pool.

What is said goes into a layer beside the trajectories as it comes, and each trajectory that is through is added to a
file of AgentNet rows where one is wanted: both are valid at every instant, and nothing in them is asked for again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from workalike.annotate.annotator import ROLES, Annotated, Annotator, Asker, bare
from workalike.annotate.asking import Prior, StepQuestions
from workalike.annotate.chain import Annotation
from workalike.annotate.demonstrations import AnnotateConfig, Demonstration, demonstrations, pictures_of
from workalike.annotate.looks import AtHand, Recent, StepLooks
from workalike.annotate.plan import NAME, AnnotatePlan, is_askable
from workalike.annotate.remote import AnnotatingKind, AnnotatingSettings, RemoteDemonstration, TravellingDemonstration
from workalike.cluster.executor import RemoteExecutor
from workalike.cluster.nodes import MOST_AT_ONCE
from workalike.cluster.services import RemoteServices, pictures_along
from workalike.core.contracts import Job, Sink
from workalike.core.errors import BadInput
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.trajectory import Usage
from workalike.dataset.sources import rows_of
from workalike.models.interface import ModelProvider
from workalike.models.messages import read_sampling
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.runtime.pool import Pool, PoolLimits, PoolSummary
from workalike.store.append import LineWriter
from workalike.store.layers import ANNOTATIONS, LayerWriter, overlay
from workalike.store.lines import raw_lines
from workalike.store.names import safe_name
from workalike.store.pictures import PictureSource
from workalike.store.reading import home_of


class AnnotateSummary(PoolSummary):
    """What became of the trajectories and of their steps: how many of them have everything now, how many words that
    leaked stayed, what failed by reason, how many questions wait."""

    steps: int = 0
    whole: int = 0
    flagged: int = 0
    waiting: int = 0
    failed: dict[str, int] = msgspec.field(default_factory=dict)
    usage: Usage = Usage()
    layers: tuple[str, ...] = ()
    out: str = ""
    told: tuple[str, ...] = ()

    @property
    def flagged_share(self) -> float | None:
        return self.flagged / self.whole if self.whole else None


class Annotating:
    """The work itself. The pool is used here and nowhere else in this folder."""

    def __init__(
        self,
        config: AnnotateConfig,
        models: ModelProvider,
        prompts: Prompts,
        tell: Callable[[str], object] = lambda text: None,
        watch: Watch = ignore,
        dry: bool = False,
        elsewhere: RemoteExecutor[Annotated] | None = None,
    ) -> None:
        self._elsewhere = elsewhere
        self._config, self._models, self._prompts, self._watch, self._dry = config, models, prompts, watch, dry
        self._told: list[str] = []
        self._say = tell
        self._plan = AnnotatePlan(config, prompts)
        self._sampling = read_sampling(config.sampling)  # what is none is said also where nothing is left to ask
        self._slots = asyncio.Semaphore(config.requests)
        self._writers: dict[Path, LayerWriter[Annotation]] = {}
        self._sources: Recent[Path, PictureSource] = Recent(64)
        self._at_hand = AtHand()
        self._rows: LineWriter | None = None
        self._written: set[str] | None = None
        self._stack = ExitStack()
        self._summary = AnnotateSummary(spent=0.0)
        self._used_elsewhere = Usage()
        self._pool: Pool[Annotated] | None = None

    def halt(self, why: str) -> None:
        """Stop cleanly: what was answered is kept."""
        if self._pool is not None:
            self._pool.halt(why)

    async def go(self) -> AnnotateSummary:
        """Annotate everything that is not through."""
        with self._stack:
            out = None if self._dry else self._config.out
            self._written = _rows_in(out) if out else None
            count, done = self._survey()
            if isinstance(self._models, Models) and count > len(done) and self._elsewhere is None:
                await self._models.need_model(self._config.model)
            self._rows = self._stack.enter_context(LineWriter(out)) if out else None
            limits = PoolLimits(MOST_AT_ONCE if self._elsewhere else self._config.jobs, 3, self._config.cap)
            self._pool = Pool(
                limits,
                self,
                self._keep,
                lambda found: found.usage.cost,
                watch=self._watch,
                spent=self._plan.spent().cost,
                crew=self._elsewhere,
            )
            through = await self._pool.run(_Jobs(count, self._jobs), done)
        for name, value in msgspec.structs.asdict(through).items():
            setattr(self._summary, name, value)
        self._summary.usage = self._models.usage + self._used_elsewhere
        layers = (path for path in dict.fromkeys(self._plan.paths.values()) if path.exists())
        self._summary.layers = tuple(map(str, layers))
        self._summary.out = str(self._config.out or "")
        self._summary.told = tuple(map(str, self._told))
        return self._summary

    def _survey(self) -> tuple[int, set[str]]:
        """How many there are, and which are through: they have everything, and their row where rows are wanted."""
        count, done = 0, set()
        for one in demonstrations(self._config, self._tell_once):
            count += 1
            now = self._plan.now(one)
            whole = all(
                self._plan.is_whole(now, place) or not is_askable(now, place) for place in range(len(now.steps))
            )
            if whole and self._plan.is_summed(one, now) and self._has_row(one.trajectory.id):
                done.add(_key(one))
                self._summary.steps += len(now.steps)
                self._summary.whole += sum(self._plan.is_whole(now, place) for place in range(len(now.steps)))
                self._summary.flagged += self._plan.flagged(one)
        return count, done

    def _jobs(self) -> Iterator[Job]:
        return (Job(_key(one), one) for one in demonstrations(self._config))

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> Annotated:
        """Annotate one demonstration, as the pool's executor."""
        one: Demonstration = job.payload
        known = dict(self._plan.notes(one))

        def keep(place: int | None, annotation: Annotation) -> None:
            if not self._dry:
                self._writer(one.home).put(one.trajectory.id, annotation, place)
            known[place] = annotation

        if self._elsewhere is not None:
            found = await self._elsewhere.do(Job(job.key, self._travelling(one, known, keep)), try_)
            self._used_elsewhere = self._used_elsewhere + found.usage
        else:
            questions = StepQuestions(self._prompts, self._prior(one))
            again, value = bool(self._config.redo), self._config.value
            annotator = Annotator(one.trajectory, known, self._asker(one), questions, keep, again, value)
            found = await annotator.annotate(self._config.method)
        if not self._dry and not found.waiting:
            self._add_row(one, known)
        return found

    def _travelling(
        self, one: Demonstration, known: dict[int | None, Annotation], keep: Callable[[int | None, Annotation], None]
    ) -> RemoteDemonstration:
        def along() -> TravellingDemonstration:
            pictures = pictures_along(one.trajectory, self._source(one))
            return TravellingDemonstration(one.trajectory, tuple(known.items()), self._prior(one), pictures)

        return RemoteDemonstration(along, keep)

    def _source(self, one: Demonstration) -> PictureSource:
        return self._sources.get(home_of(one.path), lambda: pictures_of(one.path, self._config.images))

    def _asker(self, one: Demonstration) -> Asker:
        name = safe_name(one.trajectory.id)
        spec = self._config.model
        models = {role: self._models.open(spec, sampling=self._sampling, topic=f"{name}/{role}") for role in ROLES}
        looks = StepLooks(self._source(one), self._at_hand, str(home_of(one.path)))
        return Asker(models, looks, self._prompts, self._slots, self._config.redo)

    def _prior(self, one: Demonstration) -> Prior | None:
        if self._config.prior != "verdicts":
            return "good" if self._config.prior == "good" else None
        verdict = self._plan.verdict(one)
        return None if verdict is None or verdict.success is None else "good" if verdict.success else "bad"

    def _keep(self, key: str, found: Annotated) -> None:
        self._summary.steps += found.steps
        self._summary.whole += found.whole
        self._summary.flagged += found.flagged
        self._summary.waiting += found.waiting
        for reason in found.failed.values():
            self._summary.failed[reason] = self._summary.failed.get(reason, 0) + 1

    def _writer(self, home: Path) -> LayerWriter[Annotation]:
        """The layer of a folder, opened when something is first said of what lies there."""
        if home not in self._writers:
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            made = Provenance("workalike annotate", time=now, model=self._config.model, prompts=self._prompts.used)
            writer = LayerWriter(self._config.layers or home, ANNOTATIONS, NAME, Annotation, self._plan.settings, made)
            self._writers[home] = self._stack.enter_context(writer)
        return self._writers[home]

    def _has_row(self, name: str) -> bool:
        return self._written is None or name in self._written

    def _add_row(self, one: Demonstration, known: dict[int | None, Annotation]) -> None:
        if self._rows is None or self._written is None:
            return
        if one.trajectory.id in self._written:
            self._tell_once(f"{self._config.out} keeps the rows it has; name another --out for what is said anew")
            return
        base = bare(one.trajectory) if self._config.redo else one.trajectory
        for line in rows_of([overlay(base, known)], self._tell_once):
            self._rows.append_line(line)
        self._written.add(one.trajectory.id)

    def _tell_once(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.append(sentence)
            self._say(sentence)


class _Jobs:
    """Jobs that are made when their turn comes, as many as were counted."""

    def __init__(self, count: int, make: Callable[[], Iterator[Job]]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Job]:
        return self._make()


def annotating_kind(config: AnnotateConfig, services: RemoteServices) -> AnnotatingKind:
    """The same work on other nodes, with these services there."""
    settings = AnnotatingSettings(
        model=config.model,
        sampling=config.sampling,
        method=config.method,
        redo=config.redo,
        value=config.value,
        services=services,
    )
    return AnnotatingKind(settings, config.jobs)


def _key(one: Demonstration) -> str:
    return f"{one.home}\0{one.trajectory.id}"


class _RowId(msgspec.Struct):
    task_id: str = ""


def _rows_in(out: Path) -> set[str]:
    """Whose rows are in the file that more are added to."""
    if not out.name.endswith(".jsonl"):
        raise BadInput(f"--out {out}: rows are added line by line, to a file that ends in .jsonl")
    return {_row_id(line) for _, line in raw_lines(out)} - {""} if out.exists() else set()


def _row_id(line: bytes) -> str:
    try:
        return msgspec.json.decode(line, type=_RowId).task_id
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
