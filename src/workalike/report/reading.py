"""Results read off runs: every planned attempt, with its last finished try and the verdict that counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from workalike.bench.endings import ending_of
from workalike.bench.plan import read_plan
from workalike.bench.runner import usage_of
from workalike.core.errors import BadInput
from workalike.core.provenance import fingerprint
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Verdict
from workalike.models.transcript import exchanges
from workalike.report.results import Result
from workalike.store.layers import Layer, verdicts_of
from workalike.store.runs import Attempt, Run, RunInfo


class RunResults(msgspec.Struct, frozen=True):
    """A run's results, and what its table must say. `tasks` are the hashes of what was asked, by id."""

    name: str
    benchmark: str
    agent: str
    model: str | None
    verifier: str | None
    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    tasks: dict[str, str] = {}
    folder: Path = Path()


def read_results(folder: Path, verifier: str | None = None) -> RunResults:
    """Every planned attempt of a run. A repeat with several tries counts once, by its last; all tries are paid for."""
    run = Run(folder)
    layer = next(iter(verdicts_of(folder, verifier)), None)
    repeats = int(run.info.settings.get("repeats", 1))
    results: list[Result] = []
    tasks: dict[str, str] = {}
    for task in run.tasks():
        tasks[task.id] = fingerprint(task)
        attempts: dict[int, list[Attempt]] = {}
        for attempt in run.attempts(task.id):
            attempts.setdefault(attempt.repeat, []).append(attempt)
        results += [
            _result(task.id, task.category or "", repeat, attempts.get(repeat, []), layer)
            for repeat in range(1, repeats + 1)
        ]
    settings = run.info.settings
    return RunResults(
        folder.name,
        str(settings.get("benchmark", "")),
        str(settings.get("agent", "")),
        settings.get("model"),
        layer.header.name if layer else None,
        tuple(results),
        tuple(settings.get("notes", ())),
        _filled_in(run.info),
        tasks,
        folder,
    )


def _filled_in(info: RunInfo) -> dict[str, Any]:
    """A run's settings, also those that it did not know of yet; as they stand, where no plan made it."""
    try:
        return dict(msgspec.to_builtins(read_plan(info)))
    except BadInput:
        return info.settings


def _result(task: str, category: str, repeat: int, tries: list[Attempt], layer: Layer[Verdict] | None) -> Result:
    result = Result(task, category, repeat)
    for attempt in tries:
        trajectory = attempt.read().trajectory
        verdict = layer.get(trajectory.id) if layer else None
        usage, replies, cached = _asked(attempt, trajectory)
        result = msgspec.structs.replace(
            result,
            stop=trajectory.stop.reason if trajectory.stop else None,
            outcome=verdict.outcome if verdict else None,
            actions=len(trajectory.actions),
            seconds=_seconds(trajectory),
            usage=result.usage + usage,
            tries=result.tries + 1,
            ending=ending_of(trajectory),
            replies=result.replies + replies,
            cached=result.cached + cached,
        )
    return result


def _asked(attempt: Attempt, trajectory: Trajectory) -> tuple[Usage, int, int]:
    """What asking took, how many replies there were, and how many of them came out of a cache; by the transcript, or
    else by what an agent of one's own told."""
    if not attempt.transcript.is_file():
        return usage_of(attempt, trajectory), 0, 0
    usage, replies, cached = Usage(), 0, 0
    for exchange in exchanges(attempt.transcript):
        usage = usage + exchange.usage + Usage(unaccounted=exchange.unseen)
        replies += exchange.reply is not None
        cached += exchange.reply is not None and exchange.reply.cached
    return usage, replies, cached


def _seconds(trajectory: Trajectory) -> float:
    """From the beginning to the last look: thinking before the last action and waiting for nothing count too."""
    ends = [taken.end for taken in trajectory.actions if taken.end is not None]
    looks = [seen.time for seen in (*(step.observation for step in trajectory.steps), trajectory.final) if seen]
    return max((*ends, *(time for time in looks if time is not None)), default=0.0)
