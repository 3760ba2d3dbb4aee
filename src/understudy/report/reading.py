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
    notes: tuple[str, ...] = ()


def read_results(folder: Path, verifier: str | None = None) -> RunResults:
    """Every planned attempt of a run. A repeat with several tries counts once, by its last; all tries are paid for."""
    run = Run(folder)
    layer = next(iter(verdicts_of(folder, verifier)), None)
    repeats = int(run.info.settings.get("repeats", 1))
    results: list[Result] = []
    for task in run.tasks():
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
            tries=result.tries + 1,
        )
    return result


def _seconds(trajectory: Trajectory) -> float:
    """From the beginning to the last look: thinking before the last action and waiting for nothing count too."""
    ends = [taken.end for taken in trajectory.actions if taken.end is not None]
    looks = [seen.time for seen in (*(step.observation for step in trajectory.steps), trajectory.final) if seen]
    return max((*ends, *(time for time in looks if time is not None)), default=0.0)
