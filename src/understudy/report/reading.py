"""Results read off runs: every planned attempt, with its last finished try and the verdict that counts."""

from __future__ import annotations

from pathlib import Path

import msgspec

from understudy.bench.runner import usage_of
from understudy.core.trajectory import Trajectory
from understudy.core.verdict import Verdict
from understudy.report.results import Result
from understudy.store.layers import Layer, verdicts_of
from understudy.store.runs import Attempt, Run


class RunResults(msgspec.Struct, frozen=True):
    """A run's results, and what its table must say."""

    name: str
    benchmark: str
    agent: str
    model: str | None
    verifier: str | None
    results: tuple[Result, ...]
    tries: int
    notes: tuple[str, ...] = ()


def read_results(folder: Path, verifier: str | None = None) -> RunResults:
    """Every planned attempt of a run. A repeat with several tries counts once, by its last; all tries are paid for."""
    run = Run(folder)
    layer = next(iter(verdicts_of(folder, verifier)), None)
    repeats = int(run.info.settings.get("repeats", 1))
    results: list[Result] = []
    tries = 0
    for task in run.tasks():
        attempts: dict[int, list[Attempt]] = {}
        for attempt in run.attempts(task.id):
            attempts.setdefault(attempt.repeat, []).append(attempt)
            tries += 1
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
        tries,
        tuple(settings.get("notes", ())),
    )


def _result(task: str, category: str, repeat: int, tries: list[Attempt], layer: Layer[Verdict] | None) -> Result:
    result = Result(task, category, repeat)
    for attempt in tries:
        trajectory = attempt.read().trajectory
        verdict = layer.get(trajectory.id) if layer else None
        result = msgspec.structs.replace(
            result,
            stop=trajectory.stop.reason if trajectory.stop else None,
            outcome=verdict.outcome if verdict else None,
            actions=len(trajectory.actions),
            seconds=_seconds(trajectory),
            usage=result.usage + usage_of(attempt, trajectory),
        )
    return result


def _seconds(trajectory: Trajectory) -> float:
    ends = [taken.end for taken in trajectory.actions if taken.end is not None]
    return max(ends, default=0.0)
