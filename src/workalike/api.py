"""The main jobs from Python, under the verbs' names: what `import workalike as wa` offers.

Whatever can go wrong with what a caller gave raises `workalike.core.errors.BadInput`, in one sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeVar

import msgspec

from workalike.bench.episodes import BenchmarkWorld, Playground
from workalike.bench.run import RunResources, run_async
from workalike.bench.runner import RunSummary
from workalike.core.contracts import Agent, VerifierSpec, Wants
from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef, Observation
from workalike.core.progress import Watch, ignore
from workalike.core.trajectory import Step, Trajectory
from workalike.dataset.delivery import Mode
from workalike.dataset.examples import Recipe
from workalike.dataset.manifest import Manifest
from workalike.dataset.request import ExportRequest, export_paths
from workalike.dataset.sources import SourceChoice, trajectories
from workalike.env.gym import AsyncGymEnvironment, GymEnvironment, GymVector
from workalike.models.budget import Budget, Cap
from workalike.models.prices import Prices
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.reduce.settings import ReduceSettings, settings_of
from workalike.reduce.trajectory import Ending, ReduceOptions, ReduceOutcome, reduce_recording
from workalike.report import build
from workalike.report.build import Report
from workalike.runtime.pool import PoolLimits
from workalike.store.config import AttemptLimits, RunConfig
from workalike.store.pictures import PictureSource, open_pictures
from workalike.store.reading import pictures_at
from workalike.store.recordings import Recording, is_recording
from workalike.verify.running import Verification, VerifySummary
from workalike.verify.verifiers import make_verifier

T = TypeVar("T")
AnyPath = str | Path
EPISODES = "episodes"
"""Who acts in an environment that was made: whoever calls `step`."""


class Ran(msgspec.Struct, frozen=True):
    """A run: where it lies, and what became of its attempts now."""

    folder: Path
    summary: RunSummary


def run(
    benchmark: str,
    agent: str | type[Agent],
    *,
    out: AnyPath,
    model: str | None = None,
    data: AnyPath | None = None,
    limits: AttemptLimits = AttemptLimits(),
    resources: RunResources = RunResources(),
    watch: Watch = ignore,
    say: Callable[[str], None] = lambda sentence: None,
    **settings: Any,
) -> Ran:
    """Run an agent on a benchmark into a folder, or go on with it there. `agent` is a name, or a class of your own.
    `settings` are those of `RunConfig`: `repeats`, `limit`, `categories`, `tasks`, `seed`, `options`, …

    >>> run("town", "oracle", repeats=1, limit=5, out="runs/first").summary.finished  # doctest: +SKIP
    5
    """
    name = agent if isinstance(agent, str) else f"{agent.__module__}:{agent.__qualname__}"
    config = _config(benchmark=benchmark, agent=name, model=model, limits=limits, **settings)
    folder, files = Path(out), None if data is None else Path(data)
    return Ran(folder, _wait(run_async(config, folder, files, resources, watch, say)))


class Loaded:
    """The trajectories at a path, in order: iterate over it as often as you like. `unread` fills with what could not
    be read on the way."""

    def __init__(self, path: Path, choice: SourceChoice, images: Sequence[Path]) -> None:
        self.path, self._choice, self._images = path, choice, images
        self.unread: list[str] = []
        self._reduced: TemporaryDirectory[str] | None = None
        self._source: PictureSource | None = None

    def __iter__(self) -> Iterator[Trajectory]:
        self.unread.clear()
        return trajectories([self._readable()], (), self._choice, self.unread.append)

    def picture(self, of: Step | Observation | ImageRef) -> bytes:
        """What was seen, as the bytes of a PNG, JPEG or WebP."""
        seen = of.observation if isinstance(of, Step) else of
        ref = seen.picture if isinstance(seen, Observation) else seen
        if ref is None:
            raise BadInput("there is no picture of this: nothing was captured here")
        if self._source is None:
            self._source = open_pictures(*self._images) if self._images else pictures_at(self._readable())
        return self._source.read(ref)

    def _readable(self) -> Path:
        """Where the trajectories stand; that of a recording is made on the way, for as long as this is used."""
        if not is_recording(self.path):
            return self.path
        if self._reduced is None:
            self._reduced = TemporaryDirectory(prefix="workalike-reduced-")
            reduce(self.path, Path(self._reduced.name) / "trajectory")
        return Path(self._reduced.name) / "trajectory"


def load(
    path: AnyPath,
    *,
    verdict: str | None = None,
    verifier: str | None = None,
    images: Sequence[AnyPath] = (),
) -> Loaded:
    """The trajectories of a run, a recording, a demonstration, an AgentNet file or a folder of those: the same iterator
    for all. Of a run only those with this `verdict` by this `verifier`, where one is asked for; `images` is where the
    pictures are, where they do not lie beside it.

    >>> [each.answer for each in load("runs/first", verdict="success")]  # doctest: +SKIP
    """
    if not Path(path).exists():
        raise BadInput(f"{path} does not exist; name a run, a recording or a file of trajectories")
    return Loaded(Path(path), SourceChoice(verdict, verifier), [Path(each) for each in images])


def reduce(
    recording: AnyPath, out: AnyPath, *, edits: bool = True, ending: Ending = "success", **thresholds: float
) -> ReduceOutcome:
    """Write the trajectory of a recording into a new folder: every action with the screen it was decided on.
    `thresholds` are those of `ReduceSettings`, such as `click_interval=0.3`."""
    unknown = sorted(set(thresholds) - set(ReduceSettings.__struct_fields__))
    if unknown:
        raise BadInput(f"{unknown[0]!r} is no threshold; there are {', '.join(ReduceSettings.__struct_fields__)}")
    found = Recording(Path(recording))
    settings = settings_of(found.header.settings, **thresholds)
    return reduce_recording(found, Path(out), settings, ReduceOptions(edits, ending))


def export(
    paths: AnyPath | Sequence[AnyPath],
    out: AnyPath,
    *,
    format: Literal["chat", "sharegpt", "trl", "parquet", "agentnet", "agentnetbench"] = "chat",
    recipe: Recipe = Recipe(),
    pictures: Mode = "names",
    images: Sequence[AnyPath] = (),
    verdict: str | None = None,
    verifier: str | None = None,
    prompts: AnyPath | None = None,
) -> Manifest:
    """Write trajectories as files that trainers read: examples in the words of `recipe.family`, AgentNet rows, or
    offline step tasks. `pictures` says whether they are named, copied or put inline.

    >>> export("runs/first", "train", recipe=Recipe(family="qwen"), verdict="success").counts  # doctest: +SKIP
    """
    asked = ExportRequest(
        paths=(paths,) if isinstance(paths, str | Path) else tuple(paths),
        out=Path(out),
        format=format,
        recipe=recipe,
        pictures=pictures,
        images=tuple(map(Path, images)),
        verdict=verdict,
        verifier=verifier,
        prompts=None if prompts is None else Path(prompts),
    )
    return export_paths(asked, [])


def verify(
    path: AnyPath,
    verifier: str,
    *,
    model: str | None = None,
    prompts: AnyPath | None = None,
    prices: AnyPath | None = None,
    cap: float | None = None,
    jobs: int = 4,
    again: bool = False,
    watch: Watch = ignore,
    **options: Any,
) -> VerifySummary:
    """Judge the trajectories of a run, a folder or a packed dataset; the verdicts are a layer beside them. `verifier`
    is a name or your own as MODULE:CLASS, `options` are its own (`votes=3`). What was judged before costs nothing.

    >>> verify("runs/first", "rubric", model="openai/gpt-5", votes=3, cap=5.0).outcomes  # doctest: +SKIP
    """
    spec = VerifierSpec(verifier, model, options=options)
    words = Prompts(None if prompts is None else Path(prompts))

    async def judge() -> VerifySummary:
        async with Models(prices=Prices.load(None if prices is None else Path(prices))) as models:
            made = make_verifier(spec, None if model is None else models, words)
            verification = Verification(Path(path), made, again)
            models.budget = Budget(Cap(dollars=cap), verification.spent)
            if verification.waiting:
                await models.need_model(model)
            return await verification.go(PoolLimits(jobs, cap=cap), watch)

    return _wait(judge())


def report(*runs: AnyPath | Ran, verifier: str | None = None, common: bool = False) -> Report:
    """What runs come to: `.text()`, `.markdown()`, `.latex()`, `.json()`, `.html(path)`, `.plots(folder)`.

    >>> print(report("runs/oracle", "runs/random").text())  # doctest: +SKIP
    """
    return build.report([each.folder if isinstance(each, Ran) else each for each in runs], verifier, common)


def make(
    name: str, *, wants: Wants = Wants(), most_steps: int = 100, headed: bool = False, **settings: Any
) -> GymEnvironment:
    """A benchmark's task as an environment with Gymnasium's `reset` and `step`, the verdict of its verifiers as the
    reward: `town/shopping_1`, or `town` for all its tasks in turn. `settings` are those of a run (`split`, `viewport`,
    `categories`, …).

    >>> world = make("town/shopping_1")  # doctest: +SKIP
    """

    async def world() -> BenchmarkWorld:
        return (await _worlds(name, 1, headed, settings))[0]

    return GymEnvironment(world(), wants, most_steps)


async def make_async(
    name: str, *, wants: Wants = Wants(), most_steps: int = 100, headed: bool = False, **settings: Any
) -> AsyncGymEnvironment:
    """The same for code that awaits `reset`, `step` and `close`."""
    (world,) = await _worlds(name, 1, headed, settings)
    return AsyncGymEnvironment(world, wants, most_steps)


def make_vec(
    name: str, count: int, *, wants: Wants = Wants(), most_steps: int = 100, headed: bool = False, **settings: Any
) -> GymVector:
    """Several of them at once, each in a browser context of its own."""
    return GymVector(_worlds(name, count, headed, settings), wants, most_steps)


async def _worlds(name: str, count: int, headed: bool, settings: dict[str, Any]) -> list[BenchmarkWorld]:
    if count < 1:
        raise BadInput(f"at least 1 environment can be made, not {count}")
    benchmark, _, task = name.partition("/")
    chosen = {**settings, **({"tasks": (task,)} if task else {})}
    ground = await Playground.open(_config(benchmark=benchmark, agent=EPISODES, **chosen), headed=headed)
    return ground.worlds(count)


def _config(**settings: Any) -> RunConfig:
    """The configuration that settings make; what is none is said."""
    unknown = sorted(set(settings) - set(RunConfig.__struct_fields__))
    if unknown:
        raise BadInput(f"{unknown[0]!r} is no setting of a run; there are {', '.join(RunConfig.__struct_fields__)}")
    try:
        return msgspec.convert(msgspec.to_builtins(settings), RunConfig)
    except msgspec.ValidationError as error:
        raise BadInput(f"the settings make no run: {error}") from error


def _wait(work: Coroutine[Any, Any, T]) -> T:
    """Do it, also where an event loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
