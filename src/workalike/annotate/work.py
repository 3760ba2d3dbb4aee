"""Many trajectories annotated on the one pool: what there is to do, what it will take, and doing it.

What is said goes into a layer beside the trajectories as it comes, and each trajectory that is through is added to a
file of AgentNet rows where one is wanted: both are valid at every instant, and nothing in them is asked for again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from workalike.annotate.annotator import ROLES, Annotated, Annotator, Asker, Method, bare, has_summary
from workalike.annotate.asking import Prior, StepQuestions
from workalike.annotate.chain import Annotation, Generated, Reflected, Summarized, Valued, is_judged, is_told
from workalike.annotate.leaks import with_trees
from workalike.annotate.looks import AtHand, Looks, Outlines, Recent, StepLooks
from workalike.annotate.remote import AnnotatingKind, AnnotatingSettings, RemoteDemonstration, TravellingDemonstration
from workalike.cluster.executor import RemoteExecutor
from workalike.cluster.nodes import MOST_AT_ONCE
from workalike.cluster.services import RemoteServices, pictures_along
from workalike.core.contracts import Job, Sink
from workalike.core.errors import BadInput
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Verdict
from workalike.dataset.sources import SourceChoice, expanded, from_ours, is_rows, rows_of, trajectories
from workalike.models.ask import answer_schema
from workalike.models.budget import estimate
from workalike.models.by_hand import BY_HAND
from workalike.models.interface import ModelProvider
from workalike.models.keys import Keys
from workalike.models.messages import Request, Tokens, read_sampling, said
from workalike.models.names import SCRIPTED, resolve
from workalike.models.prices import Prices
from workalike.models.prompts import Prompts, prompt_names
from workalike.models.served import Models
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import reduce_recording, rejection
from workalike.runtime.pool import Pool, PoolLimits, PoolSummary
from workalike.store.append import LineWriter
from workalike.store.config import need_amount, need_count
from workalike.store.layers import ANNOTATIONS, Layer, LayerWriter, layer_path, overlay, verdicts_of
from workalike.store.lines import raw_lines
from workalike.store.names import safe_name
from workalike.store.pictures import FirstOf, PictureSource, open_pictures
from workalike.store.reading import home_of, pictures_at
from workalike.store.recordings import Recording, demonstration_in, is_recording, recordings_in
from workalike.store.reviews import latest
from workalike.store.trajectories import FILE, read_trajectory

NAME = "annotate"
REPLIES = {"generator": 450, "valuer": 80, "reflector": 180, "summarizer": 350}
"""How many tokens a reply of each role takes, about; for what is said before anything is sent."""
_KINDS: dict[str, type] = {
    "generator": Generated,
    "valuer": Valued,
    "reflector": Reflected,
    "summarizer": Summarized,
}
ANSWERS = "answers"
"""What is named as the model where replies come out of a folder, whoever gave them."""
_STAND_IN = "so that words that are not written yet take their room, " * 8


class AnnotateConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What is annotated, and how. `redo` names a round in which everything is asked for anew; `prior` is what is known
    of how the demonstrations came out, `verdicts` takes it from the run's own; `value` says whether steps are given
    one; `recordings` are where those lie that demonstrations were reduced from: their trees tell what only comes
    later."""

    paths: tuple[str, ...]
    model: str = ""
    sampling: dict[str, Any] = {}
    metadata: tuple[Path, ...] = ()
    images: tuple[Path, ...] = ()
    recordings: tuple[Path, ...] = ()
    layers: Path | None = None
    out: Path | None = None
    method: Method = "reflective"
    prior: str | None = None
    value: bool = True
    redo: int = 0
    limit: int | None = None
    jobs: int = 4
    requests: int = 8
    cap: float | None = None

    def __post_init__(self) -> None:
        for name in ("jobs", "requests", "limit"):
            need_count(f"--{name}", getattr(self, name))
        need_amount("--cap", self.cap)
        if self.redo < 0:
            raise BadInput(f"--redo {self.redo}: rounds are counted from 1")
        for path in (*self.images, *self.metadata):
            if not path.exists():
                raise BadInput(
                    f"there is no {path}; name where the pictures (--images) or the metadata (--metadata) are"
                )


class AnnotateEstimate(msgspec.Struct, frozen=True):
    """What asking will take: calls by role, and tokens, about. `again` is how many more calls a second pass may take at
    most."""

    trajectories: int = 0
    steps: int = 0
    calls: dict[str, int] = {}
    again: int = 0
    tokens: Tokens = Tokens()
    dollars: float | None = None

    @property
    def total(self) -> int:
        return sum(self.calls.values())

    def told(self) -> str:
        """The estimate in three lines."""
        calls = ", ".join(f"{count:,} {role}" for role, count in self.calls.items())
        again = f", and at most {self.again:,} for steps after a wrong one" if self.again else ""
        money = "at an unknown price (--prices FILE)" if self.dollars is None else f"about ${self.dollars:,.2f}"
        return (
            f"{self.trajectories:,} trajectories, {self.steps:,} steps\n"
            f"{self.total:,} calls ({calls}){again}\n"
            f"about {self.tokens.input:,} tokens in and {self.tokens.output:,} out, {money}; nothing was sent"
        )


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


class Demonstration(msgspec.Struct, frozen=True):
    """A trajectory to annotate, the folder that its layer belongs to, and where it lies itself, with its pictures."""

    home: Path
    path: Path
    trajectory: Trajectory


def demonstrations(
    config: AnnotateConfig, tell: Callable[[str], object] = lambda text: None
) -> Iterator[Demonstration]:
    """Every trajectory that is asked for, each id once: a layer could not tell two apart."""
    choice, recorded = SourceChoice(layers=not config.redo, reviewed=False), _recorded(config.recordings)
    seen: set[tuple[Path, str]] = set()
    count = 0
    for path in _reduced(config.paths, recorded, tell):
        home = home_of(path)
        for where, trajectory in _found(path, config.metadata, choice, tell):
            if (home, trajectory.id) in seen:
                tell(f"{trajectory.id} stands twice in {path}: the second is left out; see `dataset dedupe --same-id`")
                continue
            if config.limit is not None and count >= config.limit:
                return
            seen.add((home, trajectory.id))
            count += 1
            known = recorded.get(trajectory.id)
            yield Demonstration(home, where, with_trees(trajectory, list(known.trees())) if known else trajectory)


def _reduced(paths: Sequence[str], recorded: dict[str, Recording], tell: Callable[[str], object]) -> Iterator[Path]:
    """What paths stand for, recordings as the demonstrations that they are reduced to, now or before; `recorded` takes
    them. What was reduced before is never replaced: words that were paid for belong to its steps."""
    for path in expanded(paths):
        at = path if is_recording(path) else path.parent
        reduced = demonstration_in(at)
        if not is_recording(at) or path not in (at, reduced):
            yield path
            continue
        recording = Recording(at)
        rejected = rejection(recording)
        if rejected is not None:
            tell(f"{at} {rejected}: it is left out")
            continue
        if path == at:
            made = reduce_recording(recording, reduced, settings_of(recording.header.settings))
            tell(f"{at} is a recording: its {len(made.matched)} steps lie in {reduced} now")
        elif _applied(reduced) != latest(at, recording.header.id).number:
            anew = f"move {reduced} away to have it reduced anew, which leaves its annotations behind"
            raise BadInput(f"{at} was reviewed after it was reduced: {anew}")
        recorded[recording.header.id] = recording
        yield reduced


def _applied(reduced: Path) -> int:
    """The revision of the review that a demonstration was reduced by."""
    review = read_trajectory(reduced / FILE).trajectory.extra.get("review")
    return int(review["revision"]) if isinstance(review, dict) else 0


def _recorded(paths: Sequence[Path]) -> dict[str, Recording]:
    """The recordings at and below some paths, by the ids that their demonstrations share."""
    found: dict[str, Recording] = {}
    for path in paths:
        here = list(map(Recording, recordings_in(path)))
        if not here:
            raise BadInput(f"--recordings {path}: there is no recording at or below it")
        found.update((each.header.id, each) for each in here)
    return found


def _found(
    path: Path, metadata: Sequence[Path], choice: SourceChoice, tell: Callable[[str], object]
) -> Iterator[tuple[Path, Trajectory]]:
    if is_rows(path):
        yield from ((path, trajectory) for trajectory in trajectories([path], metadata, choice, tell))
    else:
        yield from ((stored.path, stored.trajectory) for stored in from_ours(path, choice, tell))


def layer_settings(config: AnnotateConfig, prompts: Prompts) -> dict[str, Any]:
    """What makes this layer another than one by other words, another model or another method."""
    own = {name: prompts.get(name).hash[:16] for name in prompt_names() if name.startswith("annotate/")}
    settings: dict[str, Any] = {"model": config.model, "method": config.method, "prompts": own}
    chosen = {
        "prior": config.prior,
        "no_value": not config.value,
        "sampling": config.sampling,
        "redo": config.redo,
    }
    return {**settings, **{name: value for name, value in chosen.items() if value}}


def estimate_of(
    config: AnnotateConfig, prompts: Prompts, tell: Callable[[str], object] = lambda text: None
) -> AnnotateEstimate:
    """What asking for all that is missing will take, without asking anything or opening a picture."""
    plan = _Plan(config, prompts)
    calls: dict[str, int] = {role: 0 for role in ROLES if role != "valuer" or config.value}
    found, steps, again, tokens = 0, 0, 0, Tokens()
    outlines = Outlines()
    for one in demonstrations(config, tell):
        now = plan.now(one)
        missing = [
            place for place, step in enumerate(now.steps) if _is_askable(now, place) and not plan.is_whole(now, place)
        ]
        found, steps = found + 1, steps + len(now.steps)
        again += (2 + config.value) * len(missing) if config.method == "parallel" else 0
        for place in missing:
            told = is_told(now.steps[place])
            for role in plan.roles(now, place):
                calls[role] += 1
                tokens = _sum(tokens, _tokens(role, _stand_in(now, place, told), place, prompts, outlines))
        if not plan.is_kept(one) and (missing or not plan.is_summed(one, now)):
            calls["summarizer"] += 1
            tokens = _sum(tokens, _tokens("summarizer", now, len(now.steps), prompts, outlines))
    return AnnotateEstimate(found, steps, calls, again, tokens)


def priced_estimate(
    config: AnnotateConfig, prompts: Prompts, prices: Prices, tell: Callable[[str], object] = lambda text: None
) -> AnnotateEstimate:
    """The same in dollars, too, by the prices of the model's service; a name that is none is said before all else."""
    asks_service = config.model not in (BY_HAND, ANSWERS, SCRIPTED)
    endpoint = resolve(config.model, Keys.load()) if asks_service else None
    found = estimate_of(config, prompts, tell)
    return replace(found, dollars=prices.cost(endpoint, found.tokens) if endpoint else 0.0)


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
        self._plan = _Plan(config, prompts)
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
        self._summary.layers = tuple(str(path) for path in dict.fromkeys(self._plan.paths.values()))
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
                self._plan.is_whole(now, place) or not _is_askable(now, place) for place in range(len(now.steps))
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
        if self._rows is None or self._written is None or one.trajectory.id in self._written:
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


class _Plan:
    """What is known before anything is asked: the layers of this very work, as far as they came."""

    def __init__(self, config: AnnotateConfig, prompts: Prompts) -> None:
        self._config, self.settings = config, layer_settings(config, prompts)
        self.paths: dict[Path, Path] = {}
        self._layers: dict[Path, Layer[Annotation] | None] = {}
        self._verdicts: dict[Path, list[Layer[Verdict]]] = {}

    def notes(self, one: Demonstration) -> dict[int | None, Annotation]:
        layer = self._layer(one.home)
        return layer.of(one.trajectory.id) if layer else {}

    def note(self, one: Demonstration, place: int | None) -> Annotation:
        return self.notes(one).get(place, Annotation())

    def now(self, one: Demonstration) -> Trajectory:
        """A trajectory with what counts as said already."""
        return overlay(bare(one.trajectory) if self._config.redo else one.trajectory, self.notes(one))

    def roles(self, now: Trajectory, place: int) -> list[str]:
        """Who is yet to be asked about a step."""
        step = now.steps[place]
        lacking = {
            "generator": not is_told(step),
            "valuer": self._config.value and step.value is None,
            "reflector": not is_judged(step),
        }
        return [role for role, lacks in lacking.items() if lacks]

    def is_whole(self, now: Trajectory, place: int) -> bool:
        return not self.roles(now, place)

    def is_summed(self, one: Demonstration, now: Trajectory) -> bool:
        note = self.note(one, None)
        if note.summary is not None:
            return not note.failed and note.judged == sum(map(is_judged, now.steps))
        return self.is_kept(one)

    def is_kept(self, one: Demonstration) -> bool:
        """Whether a trajectory has a summary that somebody else wrote, and that stays."""
        return not self._config.redo and None not in self.notes(one) and has_summary(one.trajectory)

    def flagged(self, one: Demonstration) -> int:
        return sum(bool(note.flags) for place, note in self.notes(one).items() if place is not None)

    def verdict(self, one: Demonstration) -> Verdict | None:
        if one.home not in self._verdicts:
            self._verdicts[one.home] = verdicts_of(one.home)
        said = (layer.get(one.trajectory.id) for layer in self._verdicts[one.home])
        return next((verdict for verdict in said if verdict is not None), None)

    def spent(self) -> Usage:
        """What was paid for all of it before."""
        total = Usage()
        for path in expanded(self._config.paths):
            if not is_recording(path):
                self._layer(home_of(path))
        for layer in self._layers.values():
            for _, note in layer or ():
                total = total + note.usage
        return total

    def _layer(self, home: Path) -> Layer[Annotation] | None:
        if home not in self._layers:
            path = layer_path(self._config.layers or home, ANNOTATIONS, NAME, self.settings)
            self.paths[home] = path
            self._layers[home] = Layer(path, Annotation) if path.exists() else None
        return self._layers[home]


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


def spent_before(config: AnnotateConfig, prompts: Prompts) -> Usage:
    """What was paid for this work before it is gone on with; a cap counts it."""
    return _Plan(config, prompts).spent()


def pictures_of(path: Path, images: Sequence[Path]) -> PictureSource:
    """Where the pictures of the trajectories at a path lie: where the user says, else beside them."""
    return FirstOf(open_pictures(*images), pictures_at(path)) if images else pictures_at(path)


def _key(one: Demonstration) -> str:
    return f"{one.home}\0{one.trajectory.id}"


def _is_askable(now: Trajectory, place: int) -> bool:
    step = now.steps[place]
    return bool(step.actions) and step.observation.picture is not None


def _stand_in(now: Trajectory, place: int, told: bool) -> Trajectory:
    """A trajectory in which words that are yet to be written take the room that they will."""
    past = tuple(
        step if is_told(step) else replace(step, thought=_STAND_IN, action_text=_STAND_IN[:120], reflection=_STAND_IN)
        for step in now.steps[max(0, place - 1) : place + (0 if told else 1)]
    )
    first = max(0, place - 1)
    return replace(now, steps=(*now.steps[:first], *past, *now.steps[first + len(past) :]))


def _tokens(role: str, now: Trajectory, place: int, prompts: Prompts, looks: Looks) -> Tokens:
    questions = StepQuestions(prompts)
    if role == "summarizer":
        request = questions.summarizer(now)
    elif role == "generator":
        request = questions.generator(now, place, looks.before(now, place))
    elif role == "valuer":
        request = questions.valuer(now, place, looks.before(now, place))
    else:
        request = questions.reflector(now, place, looks.before(now, place), looks.after(now, place))
    form = said("user", msgspec.json.encode(answer_schema(_KINDS[role])).decode())
    return estimate(Request((*request.messages, form)), REPLIES[role])


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.input + other.input, one.output + other.output)


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
