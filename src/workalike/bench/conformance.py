"""Check somebody's own benchmark against the contract of `core/contracts.py`: its tasks, its sandbox, and its judges,
on attempts that do nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workalike.agents.idle import IdleAgent
from workalike.bench.agent_factory import AttemptSpec
from workalike.bench.attempt import NO_FACTS, AttemptEnd
from workalike.bench.executor import EnvironmentFactory, LocalAttempts, in_browsers, on_desktops
from workalike.bench.journal import AttemptJournal
from workalike.bench.own import benchmark_problems, own_tasks
from workalike.core.contracts import Benchmark, Job, Reach, Sandbox, Verifier, VerifierSpec
from workalike.core.errors import BadInput, in_a_line
from workalike.core.key import Key
from workalike.core.provenance import fingerprint
from workalike.core.screen import VIEWPORT
from workalike.core.task import Task
from workalike.env.browser.stage import Stage
from workalike.env.conformance import Check, ConformanceReport
from workalike.store.trajectories import FILE, read_trajectory
from workalike.verify.verifiers import asks_model, judged, make_verifier

Pairs = list[tuple[Task, Key]]


async def check_benchmark(
    make: Callable[[], Benchmark], place: str, options: Mapping[str, Any] | None = None, most: int = 3
) -> list[Check]:
    """Check a benchmark: what it is, and what becomes of attempts at its first tasks that do nothing."""
    report, given = ConformanceReport(), options or {}
    try:
        benchmark = make()
    except Exception as error:
        report.note("can be made", f"raised {in_a_line(error)}")
        return report.checks
    report.note("can be made", None)
    if not report.note_all(benchmark_problems(benchmark)):
        return report.checks
    pairs = _tasks(report, benchmark, place, given)
    verifiers = _verifiers(report, benchmark)
    if pairs:
        await _attempts(report, benchmark, pairs[:most], verifiers)
    return report.checks


def _tasks(report: ConformanceReport, benchmark: Benchmark, place: str, options: Mapping[str, Any]) -> Pairs:
    try:
        pairs, again = own_tasks(benchmark, place, options), own_tasks(benchmark, place, options)
    except BadInput as error:
        report.note("gives its tasks with their keys", str(error))
        return []
    report.note("gives its tasks with their keys", None)
    twice = [id for id, count in Counter(task.id for task, _ in pairs).items() if count > 1]
    report.note("gives each an id of its own", f"{twice[0]!r} stands twice" if twice else None)
    same = fingerprint(pairs) == fingerprint(again)
    report.note("gives the same tasks again", None if same else "asked twice, `tasks` gives other ones: go by a seed")
    return pairs


def _verifiers(report: ConformanceReport, benchmark: Benchmark) -> list[Verifier]:
    """Its verifiers, as far as they ask no model."""
    made: list[Verifier] = []
    for name in benchmark.verifiers:
        try:
            if asks_model(name):
                report.checks.append(Check(f"names {name}", True, "it asks a model: `check-verifier` checks it"))
                continue
            made.append(make_verifier(VerifierSpec(name)))
            report.note(f"names {name}", None)
        except BadInput as error:
            report.note(f"names {name}", str(error))
    return made


async def _attempts(report: ConformanceReport, benchmark: Benchmark, pairs: Pairs, verifiers: list[Verifier]) -> None:
    async with AsyncExitStack() as stack:
        sandbox = await report.does("opens its sandbox", stack.enter_async_context(benchmark.sandbox()))
        if sandbox is None or not report.note("says what may be reached", _reach_problem(sandbox)):
            return
        environments: EnvironmentFactory = on_desktops(VIEWPORT)
        if benchmark.on == "browser":
            environments = in_browsers([await stack.enter_async_context(Stage())])
        executor = LocalAttempts(sandbox, environments, lambda spec: IdleAgent())
        with TemporaryDirectory() as folder:
            for number, (task, key) in enumerate(pairs):
                await _attempt(report, executor, Path(folder) / str(number), task, key, verifiers)
        await report.does("closes its sandbox", stack.aclose())


def _reach_problem(sandbox: Sandbox) -> str | None:
    return None if isinstance(getattr(sandbox, "reach", None), Reach) else "`reach` of the sandbox must be a `Reach`"


async def _attempt(
    report: ConformanceReport, executor: LocalAttempts, folder: Path, task: Task, key: Key, verifiers: list[Verifier]
) -> None:
    """One attempt that does nothing, written and judged as a run would."""
    with AttemptJournal.create(folder, task.id, task) as journal:
        job = Job(task.id, AttemptSpec(task, key, 1, 1))
        end: AttemptEnd | None = await report.does(f"begins {task.id}", executor.do(job, 0, journal))
        if end is None:
            return
        refused = [notice.text for notice in end.notices if notice.kind in ("start", "refused")]
        report.note(f"opens the first page of {task.id}", refused[0] if refused else None)
        report.note(f"tells the facts of {task.id}", end.facts.get(NO_FACTS))
        journal.end(end)
    trajectory = read_trajectory(folder / FILE).trajectory
    for verifier in verifiers:
        verdict = await judged(verifier, trajectory, key, journal.pictures)
        said = f"{verdict.outcome}, {verdict.reason}" if verdict.reason else verdict.outcome
        name = f"has {task.id} judged by {verifier.name}, where nothing was done"
        report.checks.append(Check(name, verdict.outcome != "ungraded", said))
