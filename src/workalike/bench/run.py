"""`run`: from a plan to a finished run on disk, with everything it needs started and stopped around it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from datetime import date
from pathlib import Path

import msgspec

from workalike.bench.benchmarks import staleness
from workalike.bench.cast import cast, need_use, prompt_hashes
from workalike.bench.ground import Ground, TownGround
from workalike.bench.plan import ORACLE, Plan, describe, going_on, need_amount, need_count, settle
from workalike.bench.runner import Runner, Summary, spent
from workalike.bench.user import user_for
from workalike.bench.venue import Venue, open_venue
from workalike.core.errors import BadInput
from workalike.core.progress import Watch, ignore
from workalike.core.provenance import Provenance
from workalike.core.trajectory import Usage
from workalike.env import chromium
from workalike.env.stage import Stage
from workalike.models import pool
from workalike.models.budget import Budget, Cap
from workalike.models.cache import Cache
from workalike.models.line import Limits as LineLimits
from workalike.models.prices import Prices
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.models.server.misbehaving import Misbehaviour
from workalike.store.runs import Run, RunWriter, is_run


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """What a run may use, and what has no bearing on its result."""

    jobs: int = 4
    browsers: int = 1
    tries: int = 3
    cap: float | None = None
    headed: bool = False
    prompts: Path | None = None
    prices: Path | None = None
    cache: Path | None = None
    requests: int = LineLimits().concurrency
    request_seconds: float = LineLimits().timeout
    misbehaviour: Misbehaviour | None = None

    def __post_init__(self) -> None:
        for name in ("jobs", "browsers", "tries", "requests"):
            need_count(f"--{name}", getattr(self, name))
        need_amount("--cap", self.cap)
        need_amount("--request-seconds", self.request_seconds)


def run(
    plan: Plan,
    folder: Path,
    data: Path | None = None,
    means: Means = Means(),
    watch: Watch = ignore,
    say: Callable[[str], None] = lambda sentence: None,
    today: date | None = None,
) -> Summary:
    """Run a plan into a folder, or go on with it there; `today` is the real date, which its dates are compared with.

    >>> run(Plan(benchmark="town", agent="oracle", repeats=1, limit=5), Path("runs/first"))  # doctest: +SKIP
    """
    return asyncio.run(run_async(plan, folder, data, means, watch, say, today))


async def run_async(
    plan: Plan,
    folder: Path,
    data: Path | None = None,
    means: Means = Means(),
    watch: Watch = ignore,
    say: Callable[[str], None] = lambda sentence: None,
    today: date | None = None,
) -> Summary:
    """The same within a running event loop."""
    _check(plan, means)
    today = today or date.today()
    plan = settle(plan, today, Run(folder).info if is_run(folder) else None)
    venue = open_venue(plan, data)
    late = None if plan.refresh_dates else staleness(venue.benchmark, today)
    for note in (*venue.benchmark.notes, *([late] if late else [])):
        say(note)
    prompts, prices = Prompts(means.prompts), Prices.load(means.prices)
    async with AsyncExitStack() as stack:
        budget = Budget(Cap(means.cap), spent(Run(folder)) if is_run(folder) else Usage())
        patience = LineLimits(concurrency=means.requests, timeout=means.request_seconds)
        models = await stack.enter_async_context(Models(prices=prices, budget=budget, limits=patience))
        ground = await stack.enter_async_context(venue.ground())
        make = cast(_answered(plan, ground, means, stack), models, prompts)
        models.cache = Cache(means.cache) if means.cache else None  # only now: what was refused leaves nothing behind
        writer = stack.enter_context(_open(plan, venue, folder, prompts))
        settings = plan.browser(means.headed, ground.search)
        stages = [await stack.enter_async_context(Stage(settings)) for _ in range(means.browsers)]
        provenance = Provenance("workalike run", model=plan.model, settings={"agent": plan.agent})
        runner = Runner(
            writer,
            venue.benchmark,
            ground,
            stages,
            make,
            plan.limits,
            lambda task: user_for(plan.user, task),
            provenance,
        )
        with _stopping(runner):
            return await runner.go(plan.repeats, pool.Limits(means.jobs, means.tries, means.cap), watch)


def _check(plan: Plan, means: Means) -> None:
    """Refuse means that would do nothing, or harm."""
    given = {name: getattr(means, name) for name in ("cap", "prices", "cache", "prompts")}
    need_use(plan.agent, {"model": plan.model, "sampling": plan.sampling, **given})
    if means.cache and plan.model == ORACLE:
        raise BadInput(
            "the oracle answers by what a page shows at that moment, which no cache knows: leave --cache out"
        )


def _answered(plan: Plan, ground: Ground, means: Means, stack: AsyncExitStack) -> Plan:
    """The plan with the address of the oracle's server in it, where that is the model asked for."""
    if plan.model != ORACLE:
        return plan
    if not isinstance(ground, TownGround):
        raise BadInput("the oracle answers for the town alone; name another model, or run it on `town`")
    address = stack.enter_context(ground.oracle_model(means.misbehaviour))
    return msgspec.structs.replace(plan, model=f"{ORACLE}@{address}")


def _open(plan: Plan, venue: Venue, folder: Path, prompts: Prompts) -> RunWriter:
    browser = chromium.version(chromium.find())
    info = describe(plan, venue.benchmark, prompt_hashes(plan, prompts), browser)
    if is_run(folder):
        info = going_on(info, Run(folder).info)
    return RunWriter(folder, info, venue.benchmark.tasks, venue.benchmark.keys.values())


@contextmanager
def _stopping(runner: Runner) -> Iterator[None]:
    """Ctrl-C stops cleanly once; a second one stops at once."""
    loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)

    def ignore_again() -> None:
        for number in signals:
            loop.remove_signal_handler(number)

    def stop() -> None:
        ignore_again()
        runner.halt("interrupted")

    with suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread: Ctrl-C raises as usual
        for number in signals:
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        with suppress(NotImplementedError, ValueError, RuntimeError):
            ignore_again()
