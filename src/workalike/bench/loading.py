"""Benchmarks by name, ours and one's own: their tasks, where their attempts happen, and who judges them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Any, cast

from workalike.bench.benchmarks import LIVE, TaskSet, build, choose, refresh, select
from workalike.bench.config import ORACLE
from workalike.bench.own import own_benchmark, own_tasks
from workalike.bench.sandbox import TownSandbox, town_sandbox
from workalike.core.contracts import Benchmark, On, Reach, Sandbox
from workalike.core.errors import BadInput, MissingExtra
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.formats import online_mind2web, webtailbench
from workalike.runtime.own import is_own
from workalike.runtime.sandbox import PlainSandbox
from workalike.store.config import RunConfig, settle
from workalike.town import extra, injections, refusals
from workalike.town.benchmark import COUNTS, Drawn, draw_tasks, task_ids
from workalike.town.edition import PrivateEdition, read_edition, world_of
from workalike.town.site import Split
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify import state

_LATEST = {"webtailbench": "webtailbench@v2"}
_HUB = {
    "webtailbench@v1": (webtailbench.REPOSITORY, webtailbench.file_names("v1")[0]),
    "webtailbench@v2": (webtailbench.REPOSITORY, webtailbench.file_names("v2")[0]),
    "webtailbench-refusals": (webtailbench.REPOSITORY, webtailbench.file_names("refusals")[0]),
    "online-mind2web": (online_mind2web.REPOSITORY, "Online_Mind2Web.json"),
}


TownDraw = Callable[[Town], Sequence[Drawn]]
"""Who draws the tasks of a benchmark in the town."""
TOWN = ("town", refusals.NAME, injections.NAME, extra.NAME)


class LoadedBenchmark:
    """A benchmark, and the part of its tasks that a run's configuration asks for; `make_tasks` is asked for them when
    they are first needed, so that whatever else is wrong with a run is said before hundreds are drawn."""

    def __init__(self, benchmark: Benchmark, make_tasks: Callable[[], TaskSet]) -> None:
        self.benchmark, self._make_tasks = benchmark, make_tasks

    @cached_property
    def task_set(self) -> TaskSet:
        return self._make_tasks()

    @property
    def town(self) -> Town | None:
        """The town that it happens in, where it is one of the town's."""
        return self.benchmark.town if isinstance(self.benchmark, TownBenchmark) else None


class TownBenchmark:
    """A town, judged by its databases; `draw` makes its tasks. `with_eyes` sees what its pages show, for the oracle as
    a model."""

    on: On = "browser"
    verifiers = (state.NAME,)

    def __init__(
        self,
        world: World,
        draw: TownDraw = draw_tasks,
        name: str = "",
        with_eyes: bool = False,
        build_town: Callable[[World], Town] = Town,
    ) -> None:
        self.name, self._world, self._build = name or f"town@{world.number}", world, build_town
        self._draw, self._with_eyes = draw, with_eyes

    @cached_property
    def town(self) -> Town:
        """Built when it is first needed, so that what is wrong elsewhere is said at once."""
        return self._build(self._world)

    def tasks(self, options: Mapping[str, Any]) -> Iterable[tuple[Task, Key]]:
        return ((each.task, each.key) for each in self._draw(self.town))

    def sandbox(self) -> AbstractAsyncContextManager[TownSandbox]:
        return town_sandbox(self.town, self._with_eyes)


class LiveBenchmark:
    """Tasks on the public web, without anything private, and with irreversible steps stopped. Nobody knows what
    changed, so whoever judges is named with the run."""

    on: On = "browser"
    verifiers: tuple[str, ...] = ()

    def __init__(self, task_set: TaskSet, reach: Reach) -> None:
        self.name, self._task_set, self._reach = task_set.name, task_set, reach

    def tasks(self, options: Mapping[str, Any]) -> Iterable[tuple[Task, Key]]:
        return ((task, self._task_set.keys[task.id]) for task in self._task_set.tasks)

    @asynccontextmanager
    async def sandbox(self) -> AsyncIterator[Sandbox]:
        yield PlainSandbox(self._reach)


def names() -> list[str]:
    """The benchmarks there are."""
    return [*TOWN, *_LATEST, *LIVE]


def load_benchmark(config: RunConfig, data: Path | None = None, today: date | None = None) -> LoadedBenchmark:
    """Open the benchmark a configuration names; `data` is where its files lie, `today` the real date."""
    config = settle(config, today or date.today())
    name = _LATEST.get(config.benchmark, config.benchmark)
    if is_own(name):
        if data is not None:
            raise BadInput(f"{name} finds its files itself: leave --data out, or hand it over with --set NAME=VALUE")
        return _load_own(config)
    if config.benchmark_options:
        given = ", ".join(config.benchmark_options)
        raise BadInput(f"--set {given} is for a benchmark of one's own; {config.benchmark} takes none")
    if config.edition and name.partition("@")[0] != "town":
        raise BadInput(f"--edition is for the town; {config.benchmark} has none")
    if name.partition("@")[0] in TOWN:
        if data is not None:
            raise BadInput(f"the town draws its tasks itself and reads none from {data}: leave --data out")
        return _load_town(config)
    if config.inject or config.decoupled:
        raise BadInput(f"instructions are planted in the town alone: leave --inject and --decoupled out for {name}")
    if name not in LIVE:
        known = ", ".join(names())
        raise BadInput(f"there is no benchmark {config.benchmark!r}; there are {known}, and your own as MODULE:NAME")
    whole = LIVE[name](data if data is not None else fetch(name))
    chosen = select(whole, config.categories, config.tasks, config.limit)
    if config.refreshed:
        chosen = refresh(chosen, date.fromisoformat(config.refreshed))
    return LoadedBenchmark(_live(config, chosen), lambda: chosen)


def benchmark_of(config: RunConfig) -> Benchmark:
    """The benchmark that a settled configuration names, without its tasks: for a worker, which is handed those that it
    is to make attempts at."""
    if is_own(config.benchmark):
        return own_benchmark(config.benchmark)
    if config.benchmark.partition("@")[0] in TOWN:
        return _town(config)
    return _live(config, TaskSet(config.benchmark, (), {}, live=True))


def fetch(name: str) -> Path:
    """Download a benchmark's file from the hub, once; where that cannot be, say what to do."""
    if name not in _HUB:
        raise BadInput(f"{name} is not fetched: download its file and name it with --data PATH")
    repository, file = _HUB[name]
    try:
        from huggingface_hub import hf_hub_download
    except ImportError:
        otherwise = f"; or download {file} from the hub's dataset {repository} and name it with --data PATH"
        raise MissingExtra(f"fetching {name}", "huggingface_hub", "hub", otherwise) from None
    try:
        return Path(hf_hub_download(repository, file, repo_type="dataset"))
    except Exception as error:  # the hub's client raises a dozen kinds, and all mean the same here
        raise BadInput(
            f"{file} could not be fetched from the hub's dataset {repository} ({type(error).__name__}); download it "
            "by other means and name it with --data PATH"
        ) from error


def _live(config: RunConfig, tasks: TaskSet) -> LiveBenchmark:
    return LiveBenchmark(tasks, Reach(public=True, allow=config.allow, block=config.block))


def _town(config: RunConfig, only: Collection[str] | None = None) -> TownBenchmark:
    """The benchmark of the town that is named; with `only`, no more than those of its tasks."""
    world, called = _world(config)
    draw = _draw_for(config, only)
    build_town = extra.extra_town if config.benchmark.partition("@")[0] == extra.NAME else Town
    return TownBenchmark(world, draw, called, config.model == ORACLE, build_town)


def _world(config: RunConfig) -> tuple[World, str]:
    """The world that a configuration asks for, and what the benchmark in it is called."""
    name, _, number = config.benchmark.partition("@")
    private = _private(config)
    world = world_of(f"town@{number}" if number else "town", config.today, private)
    called = f"{name}@{world.number if private is None else private.name}"
    return world.of(cast(Split, config.split)), called


def _private(config: RunConfig) -> PrivateEdition | None:
    return read_edition(Path(config.edition)) if config.edition else None


def _load_town(config: RunConfig) -> LoadedBenchmark:
    _draw_for(config)  # what cannot be drawn is said before anything is made
    (world, called), known = _world(config), _known(config)
    wanted = config.categories, config.tasks, config.limit
    chosen = choose(called, known, *wanted, refusals.pairs(known)) if known else None
    benchmark = _town(config, chosen)

    def drawn() -> TaskSet:
        whole = build(called, list(benchmark.tasks({})), live=False, notes=_notes(config, world))
        return whole if chosen is not None else select(whole, *wanted)

    return LoadedBenchmark(benchmark, drawn)


def _known(config: RunConfig) -> dict[str, str]:
    """The ids of a benchmark's tasks with their categories, where they are known before any is drawn."""
    name = config.benchmark.partition("@")[0]
    if name == "town" and config.edition is None:
        return task_ids(cast(Split, config.split))
    return refusals.task_ids() if name == refusals.NAME else {}


def _notes(config: RunConfig, world: World) -> list[str]:
    private = _private(config)
    notes = [] if world.pinned else [f"the town's date is moved to {world.today}: scores do not compare with town@1"]
    if private is not None:
        notes = [f"the private edition {private.name} of the town: scores do not compare with town@1"]
    if config.inject:
        notes.append(f"instructions are planted in its pages ({config.inject}): scores do not compare with town@1")
    if config.decoupled:
        notes.append("attempts begin on the page in which something is planted")
    return notes


def _draw_for(config: RunConfig, only: Collection[str] | None = None) -> TownDraw:
    """Who draws the tasks that are asked for."""
    name, private = config.benchmark.partition("@")[0], _private(config)
    if name == "town":
        counts = COUNTS if private is None else private.counts or COUNTS
        plain = partial(draw_tasks, counts=counts, share=1.0 if private is None else private.share, only=only)
        if config.inject is None:
            if config.decoupled:
                raise BadInput("--decoupled begins on a page in which something is planted: name a suite with --inject")
            return plain
        suite, seed, decoupled = config.inject, config.seed, config.decoupled
        injections.suite_of(suite)
        return lambda town: injections.inject(town, plain(town), suite, seed, decoupled)
    unfit = {"--split": config.split != "test" and name != extra.NAME, "--inject": config.inject is not None}
    if any(unfit.values()):
        named = " and ".join(option for option, given in unfit.items() if given)
        raise BadInput(f"{name} is one fixed set: leave {named} out")
    if name == injections.NAME:
        return lambda town: injections.draw_injections(town, config.decoupled)
    if config.decoupled:
        raise BadInput(f"nothing is planted in the pages of {name}: leave --decoupled out")
    return extra.draw_extra if name == extra.NAME else partial(refusals.draw_refusals, only=only)


def _load_own(config: RunConfig) -> LoadedBenchmark:
    benchmark = own_benchmark(config.benchmark)
    whole = build(config.benchmark, own_tasks(benchmark, config.benchmark, config.benchmark_options), live=False)
    chosen = select(whole, config.categories, config.tasks, config.limit)
    return LoadedBenchmark(benchmark, lambda: chosen)
