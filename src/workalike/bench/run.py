"""`run`: from a configuration to a finished run on disk, with everything it needs started and stopped around it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from workalike.bench.agent_factory import check_spec, need_person, need_use, prompt_hashes
from workalike.bench.attempt import AttemptEnd
from workalike.bench.benchmarks import TaskSet, staleness
from workalike.bench.config import ORACLE, browser_settings, describe
from workalike.bench.executor import agents_for, attempts_for, environments_for, open_sandbox
from workalike.bench.judges import SCREENS, judging_foreseen, waits_for
from workalike.bench.loading import LoadedBenchmark, load_benchmark
from workalike.bench.remote import AttemptKind, AttemptsSettings
from workalike.bench.runner import Runner, RunSummary, finished_attempts, spent
from workalike.cluster.nodes import MOST_AT_ONCE, ClusterLimits
from workalike.cluster.ray_cluster import RayChoice, on_ray
from workalike.cluster.services import travelling_services
from workalike.core.contracts import Benchmark, Crew, Executor, Verifier, VerifierSpec
from workalike.core.endings import first_few
from workalike.core.errors import BadInput
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.trajectory import Usage
from workalike.env.browser import chromium
from workalike.models.budget import Budget, Cap
from workalike.models.by_hand import BY_HAND, QUESTIONS, ManualModels
from workalike.models.cache import Cache
from workalike.models.client import ServiceLimits
from workalike.models.keys import Keys
from workalike.models.prices import Prices
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.runtime import pool
from workalike.store.config import RunConfig, going_on, need_amount, need_count, settle
from workalike.store.layers import TRUTH
from workalike.store.runs import Run, RunWriter, is_run
from workalike.verify.running import estimate_told, price_of
from workalike.verify.verifiers import asks_model, make_verifier


class RunResources(msgspec.Struct, frozen=True, kw_only=True):
    """What a run may use, and what has no bearing on its attempts. `questions` is where a person who is the model finds
    them, by default a folder in the run's own; `verify` are who judges besides the benchmark's own verifiers, made
    with `judge_options`; `judge` is the model that those ask who ask one. With `ray` attempts are made on the nodes of
    a cluster, `jobs` at once in `browsers` browsers on each of them; `shared` says that all see the run's folder.
    `page` is opened over the folder of questions while a person is the model or the judge."""

    jobs: int = 4
    browsers: int = 1
    tries: int = 3
    cap: float | None = None
    headed: bool = False
    prompts: Path | None = None
    prices: Path | None = None
    cache: Path | None = None
    questions: Path | None = None
    requests: int = ServiceLimits().concurrency
    request_seconds: float = ServiceLimits().timeout
    verify: tuple[str, ...] = ()
    judge: str | None = None
    judge_options: dict[str, Any] = {}
    ray: RayChoice | None = None
    shared: bool = False
    page: Callable[[Path], AbstractContextManager[None]] = lambda folder: nullcontext()

    def __post_init__(self) -> None:
        for name in ("jobs", "browsers", "tries", "requests"):
            need_count(f"--{name}", getattr(self, name))
        need_amount("--cap", self.cap)
        need_amount("--request-seconds", self.request_seconds)


def run(
    config: RunConfig,
    folder: Path,
    data: Path | None = None,
    resources: RunResources = RunResources(),
    watch: Watch = ignore,
    say: Callable[[str], None] = lambda sentence: None,
    today: date | None = None,
) -> RunSummary:
    """Run a benchmark as configured into a folder, or go on with it there; `today` is the real date, which its dates
    are compared with.

    >>> run(RunConfig(benchmark="town", agent="oracle", repeats=1, limit=5), Path("runs/first"))  # doctest: +SKIP
    """
    return asyncio.run(run_async(config, folder, data, resources, watch, say, today))


async def run_async(
    config: RunConfig,
    folder: Path,
    data: Path | None = None,
    resources: RunResources = RunResources(),
    watch: Watch = ignore,
    say: Callable[[str], None] = lambda sentence: None,
    today: date | None = None,
) -> RunSummary:
    """The same within a running event loop."""
    _check(config, resources)
    config = _with_secrets(config, resources)
    today = today or date.today()
    config = settle(config, today, Run(folder).info if is_run(folder) else None)
    loaded = load_benchmark(config, data)
    prompts = Prompts(resources.prompts)
    async with AsyncExitStack() as stack:
        models = _Providers(config, folder, resources, prompts, say)
        stack.push_async_callback(models.close)
        specs = _verifier_specs(loaded.benchmark, config, resources)
        verifiers = [make_verifier(spec, models.of(spec.model), prompts) for spec in specs]
        opening = _on_cluster if resources.ray else _here
        begin = await opening(config, loaded, folder, resources, models, prompts, say, stack)
        if not resources.ray:
            judges = [verifier for verifier, spec in zip(verifiers, specs, strict=True) if spec.model]
            asked = _asked(folder, loaded, config, resources, judges)
            await models.need_models(*asked, cached=resources.cache is not None)
        _tell_notes(config, loaded, today, say)
        models.use_cache(resources.cache)  # only now: what was refused leaves nothing behind
        writer = stack.enter_context(_open(config, loaded, folder, prompts, resources))
        if BY_HAND in (config.model, resources.judge):
            stack.enter_context(resources.page(models.questions))
        _foresee(writer, loaded.task_set, config, resources, verifiers, models, say)
        attempts, crew = await begin()
        provenance = Provenance("workalike run", model=config.model, settings={"agent": config.agent})
        runner = Runner(writer, loaded.task_set, attempts, verifiers, provenance, say, crew)
        width = MOST_AT_ONCE if crew else resources.jobs
        with pool.stopping(runner.halt):
            return await runner.go(config.repeats, pool.PoolLimits(width, resources.tries, resources.cap), watch)


def _asked(
    folder: Path, loaded: LoadedBenchmark, config: RunConfig, resources: RunResources, judges: list[Verifier]
) -> tuple[str | None, ...]:
    """The models that something is left for: an attempt to make, or one that was made and waits for its judge."""
    finished = [attempt.id for _, attempt in finished_attempts(Run(folder))] if is_run(folder) else []
    if len(finished) < len(loaded.task_set.tasks) * config.repeats:
        return config.model, resources.judge
    return (resources.judge,) if any(waits_for(judge, Run(folder), finished) for judge in judges) else ()


def _tell_notes(config: RunConfig, loaded: LoadedBenchmark, today: date, say: Callable[[str], None]) -> None:
    late = None if config.refresh_dates else staleness(loaded.task_set, today)
    for note in first_few([*loaded.task_set.notes, *([late] if late else [])], "run.json has them"):
        say(note)


Begin = Callable[[], Awaitable[tuple[Executor[AttemptEnd], Crew | None]]]
"""The second half of opening a run, when its folder is there."""


async def _here(
    config: RunConfig,
    loaded: LoadedBenchmark,
    folder: Path,
    resources: RunResources,
    models: _Providers,
    prompts: Prompts,
    say: Callable[[str], None],
    stack: AsyncExitStack,
) -> Begin:
    """Attempts in this process."""
    sandbox = await open_sandbox(config, loaded.benchmark, stack)
    make = agents_for(config, sandbox, models.of(config.model), prompts, stack)

    async def begin() -> tuple[Executor[AttemptEnd], None]:
        environments = await environments_for(
            config, loaded.benchmark, sandbox, resources.headed, stack, resources.browsers
        )
        return attempts_for(config, sandbox, environments, make, prompts), None

    return begin


async def _on_cluster(
    config: RunConfig,
    loaded: LoadedBenchmark,
    folder: Path,
    resources: RunResources,
    models: _Providers,
    prompts: Prompts,
    say: Callable[[str], None],
    stack: AsyncExitStack,
) -> Begin:
    """Attempts on the nodes of a Ray cluster, once there is one that can make them."""
    assert resources.ray is not None
    capped, bounds = resources.cap is not None, (resources.requests, resources.request_seconds)
    services = travelling_services(resources.prompts, resources.prices, capped, *bounds)
    shared = str(folder.resolve()) if resources.shared else None
    settings = AttemptsSettings(config=config, services=services, shared=shared)
    kind = AttemptKind(settings, max(1, resources.jobs // resources.browsers))
    limits = ClusterLimits(workers=resources.browsers)
    executor = await stack.enter_async_context(on_ray(resources.ray, kind, say, limits, models.budget))

    async def begin() -> tuple[Executor[AttemptEnd], Crew]:
        return executor, executor

    return begin


def _with_secrets(config: RunConfig, resources: RunResources) -> RunConfig:
    """The configuration with its secrets out of the environment; where attempts are made elsewhere, out of theirs."""
    keys = Keys.load()
    if resources.ray:
        keys.need_none({**config.options, **config.benchmark_options})
    return msgspec.structs.replace(
        config,
        options=config.options if resources.ray else keys.filled(config.options),
        benchmark_options=keys.filled(config.benchmark_options, "--set"),
    )


def _verifier_specs(benchmark: Benchmark, config: RunConfig, resources: RunResources) -> list[VerifierSpec]:
    """Those of the benchmark, then those asked for besides. Free answers are for other verifiers than the truth, which
    reads a line."""
    own = [name for name in benchmark.verifiers if config.answers == "line" or name != TRUTH]
    names = list(dict.fromkeys((*own, *resources.verify)))
    asking = {name: asks_model(name) for name in names}
    if resources.judge and not any(asking.values()):
        raise BadInput("--judge names a model, and no verifier of this run asks one: name one that does with --verify")
    return [
        VerifierSpec(
            name,
            resources.judge if asking[name] else None,
            options=resources.judge_options if name in resources.verify else {},
        )
        for name in names
    ]


def _foresee(
    run: Run,
    task_set: TaskSet,
    config: RunConfig,
    resources: RunResources,
    verifiers: list[Verifier],
    models: _Providers,
    say: Callable[[str], None],
) -> None:
    """Say what judging will take, before anything is begun."""
    pairs = [(task, task_set.keys[task.id]) for task in task_set.tasks] if resources.judge else []
    for verifier in verifiers if resources.judge else ():
        left, usage = judging_foreseen(run, verifier, pairs, config.repeats, config.viewport)
        if left and usage.requests:
            cost = price_of(models.of(resources.judge), resources.judge, usage)
            told = f"{left:,} to judge by {verifier.name}, at {SCREENS} screenshots an attempt"
            say(f"{told}: {estimate_told(usage, cost)}")


def _check(config: RunConfig, resources: RunResources) -> None:
    """Refuse means that would do nothing, or harm, and what no browser can be."""
    browser_settings(config)
    _check_use(config, resources)
    check_spec(config.spec)
    if resources.judge == ORACLE:
        raise BadInput("the oracle judges nothing: name a judge's model with --judge openai/NAME, anthropic/NAME, …")
    if resources.judge_options and not resources.verify:
        raise BadInput("--judge-option is for a verifier that is named with --verify")
    if resources.shared and not resources.ray:
        raise BadInput("--shared is for nodes that see the run's folder: name --ray as well, or leave it out")
    if resources.ray:
        here = {"--cache": resources.cache, "--headed": resources.headed, "--model by-hand": config.model == BY_HAND}
        for option in (name for name, given in here.items() if given):
            raise BadInput(f"{option} is of this machine, and --ray has the work done on others: leave one of them out")
    if resources.cache and config.model == ORACLE:
        raise BadInput(
            "the oracle answers by what a page shows at that moment, which no cache knows: leave --cache out"
        )


def _check_use(config: RunConfig, resources: RunResources) -> None:
    """Refuse what is said about a model where none is asked."""
    judged = resources.judge is not None
    shared = () if judged else ("cap", "prices", "cache")  # what a judge's model may use is of use
    given = {name: getattr(resources, name) for name in shared}
    of_a_service = {"sampling": config.sampling, **given}
    others = {} if judged else {"prompts": resources.prompts, "questions": resources.questions}
    need_use(config.agent, {"model": config.model, **of_a_service, **others})
    if not judged:
        need_person(config.model, resources.questions, of_a_service)


class _Providers:
    """Who opens the run's models and its judges': services, within what is left of the run's budget, or a person in
    their place."""

    def __init__(
        self, config: RunConfig, folder: Path, resources: RunResources, prompts: Prompts, say: Callable[[str], None]
    ) -> None:
        self.budget = budget = Budget(Cap(resources.cap), spent(Run(folder)) if is_run(folder) else Usage())
        limits = ServiceLimits(concurrency=resources.requests, timeout=resources.request_seconds)
        self._served = Models(prices=Prices.load(resources.prices), budget=budget, limits=limits, tell=say)
        self.questions = resources.questions or folder / QUESTIONS
        self._person = ManualModels(self.questions, prompts=prompts, tell=say)

    def of(self, model: str | None) -> Models | ManualModels:
        return self._person if model == BY_HAND else self._served

    async def need_models(self, *models: str | None, cached: bool) -> None:
        """Refuse models that cannot be asked; what is in a cache may need none."""
        for model in models:
            if model not in (None, ORACLE, BY_HAND) and not cached:
                await self._served.need_model(model)

    def use_cache(self, path: Path | None) -> None:
        self._served.cache = Cache(path) if path else None

    async def close(self) -> None:
        await self._served.close()
        await self._person.close()


def _open(
    config: RunConfig, loaded: LoadedBenchmark, folder: Path, prompts: Prompts, resources: RunResources
) -> RunWriter:
    needs_browser = loaded.benchmark.on == "browser" and not resources.ray
    browser = chromium.version(chromium.find()) if needs_browser else ""
    info = describe(config, loaded.task_set, prompt_hashes(config.spec, prompts, config.answers), browser)
    if is_run(folder):
        info = going_on(info, Run(folder).info)
    return RunWriter(folder, info, loaded.task_set.tasks, loaded.task_set.keys.values())
