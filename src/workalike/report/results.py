"""The rows of WebTailBench's card from the results of a run.

A task's score is its share of successful repeats; a category's the mean over its tasks; macro the mean of categories;
micro the mean over tasks. A planned attempt that did not finish is a failure, and is listed apart. An attempt nobody
could grade, or whose file is damaged, is in no mean, and is counted. A mean over nothing is undefined. Every score has
its 95 % interval, over tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, stdev

import msgspec

from workalike.core.endings import Ending
from workalike.core.outcomes import solved
from workalike.core.trajectory import StopReason, Usage
from workalike.core.verdict import FailurePoint, Outcome
from workalike.statistics.intervals import Estimate
from workalike.statistics.proportions import mean_rate, stratified_rate

UNFINISHED: tuple[StopReason, ...] = ("interrupted", "infrastructure_error")
MACRO, MICRO = "Macro avg.", "Micro avg."


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of one planned attempt; `stop` is None when it never finished, `outcome` when nobody judged it,
    `ending` when the agent ended it itself. Of its models' `replies`, `cached` came out of a cache and took nothing.
    `damaged` is one of which nothing can be read: what became of it is unknown. `seconds` are split into those that
    models took and the browser took (None: its steps tell no times). `attempt` is the id of the trajectory that
    counts. `benchmark` and `walled` (the task was made so that an honest report solves it) say what counts as solved;
    `unreadable` failed by the form of its answer alone, `asked_again` was asked for its line once more. `pair` is
    shared by a task and its twin; `attack` is the aim, the carrier and the visibility of what was planted in its
    pages; `measures` are the verdict's own."""

    task: str
    category: str
    repeat: int
    stop: StopReason | None = None
    outcome: Outcome | None = None
    actions: int = 0
    seconds: float = 0.0
    usage: Usage = Usage()
    tries: int = 0
    ending: Ending | None = None
    replies: int = 0
    cached: int = 0
    damaged: bool = False
    attempt: str = ""
    steps: int = 0
    model_seconds: float = 0.0
    browser_seconds: float | None = None
    process: float | None = None
    failures: tuple[FailurePoint, ...] = ()
    level: str = ""
    demands: tuple[str, ...] = ()
    refuse: bool = False
    walled: bool = False
    benchmark: str = ""
    unreadable: bool = False
    asked_again: bool = False
    pair: str = ""
    attack: tuple[str, str, str] | None = None
    measures: dict[str, float] = {}

    @property
    def begun(self) -> bool:
        return self.tries > 0 or self.stop is not None

    @property
    def finished(self) -> bool:
        return self.stop is not None and self.stop not in UNFINISHED

    @property
    def success(self) -> bool | None:
        """Whether it counts as solved; None where it finished but nobody could tell."""
        if self.damaged:
            return None
        if not self.finished:
            return False
        return solved(self.outcome, self.benchmark, self.walled)


class MeanDeviation(msgspec.Struct, frozen=True):
    """A mean with its standard deviation over `count` things; None where there is nothing to take it of."""

    mean: float | None
    deviation: float | None
    count: int


class Accuracy(msgspec.Struct, frozen=True):
    """One row of the table: how many tasks, their mean score, the deviation of the mean from run to run, and the
    interval around it; beside it how many attempts failed by the form of their answer."""

    name: str
    tasks: int
    attempts: int
    score: MeanDeviation
    unfinished: int = 0
    ungraded: int = 0
    interval: Estimate = Estimate(None)
    unreadable: int = 0


class Costs(msgspec.Struct, frozen=True):
    """Per task that was begun: dollars, actions, tokens in and out, seconds; and what everything took together."""

    dollars: MeanDeviation
    actions: MeanDeviation
    input_tokens: MeanDeviation
    output_tokens: MeanDeviation
    seconds: MeanDeviation
    unknown_cost: int = 0
    total: Usage = Usage()


def spread(values: Iterable[float]) -> MeanDeviation:
    listed = list(values)
    mean = fmean(listed) if listed else None
    return MeanDeviation(mean, stdev(listed) if len(listed) > 1 else None, len(listed))


def accuracy(results: Sequence[Result]) -> list[Accuracy]:
    """A row for each category in the order met, then macro and micro."""
    names = list(dict.fromkeys(result.category for result in results))
    parts = [[result for result in results if result.category == name] for name in names]
    rows = [_row(name, part) for name, part in zip(names, parts, strict=True)]
    macros = [row.score.mean for row in rows if row.score.mean is not None]
    micro = _row(MICRO, results)
    macro = Accuracy(
        MACRO,
        micro.tasks,
        micro.attempts,
        MeanDeviation(fmean(macros) if macros else None, _between_runs(results, _macro), len(macros)),
        micro.unfinished,
        micro.ungraded,
        stratified_rate([list(scores_by_task(part).values()) for part in parts]),
        micro.unreadable,
    )
    return [*rows, macro, micro]


def costs(results: Sequence[Result]) -> Costs:
    """Means and deviations over tasks, each task's own value being the mean of its repeats. What was never begun took
    nothing, and is in no mean."""
    results = [result for result in results if result.begun]
    known = [result for result in results if result.usage.cost is not None]
    seen = [result for result in results if not result.damaged]
    return Costs(
        spread(_per_task(known, lambda result: result.usage.cost or 0.0)),
        spread(_per_task(seen, lambda result: result.actions)),
        spread(_per_task(results, lambda result: result.usage.input_tokens)),
        spread(_per_task(results, lambda result: result.usage.output_tokens)),
        spread(_per_task(seen, lambda result: result.seconds)),
        len(results) - len(known),
        sum((result.usage for result in results), Usage()),
    )


def _row(name: str, results: Sequence[Result]) -> Accuracy:
    scores = list(scores_by_task(results).values())
    return Accuracy(
        name,
        len({result.task for result in results}),
        len(results),
        MeanDeviation(fmean(scores) if scores else None, _between_runs(results, _micro), len(scores)),
        sum(not result.finished and not result.damaged for result in results),
        sum(result.success is None for result in results),
        mean_rate(scores),
        sum(result.unreadable for result in results),
    )


def scores_by_task(results: Iterable[Result]) -> dict[str, float]:
    """Every task's share of successful repeats, among those that somebody could grade."""
    return {task: successes / attempts for task, (successes, attempts) in counts_by_task(results).items()}


def counts_by_task(results: Iterable[Result]) -> dict[str, tuple[int, int]]:
    """How many repeats of every task succeeded, and how many somebody could grade; tasks with none are left out."""
    counts: dict[str, tuple[int, int]] = {}
    for result in results:
        if result.success is not None:
            successes, attempts = counts.get(result.task, (0, 0))
            counts[result.task] = successes + result.success, attempts + 1
    return counts


def _per_task(results: Iterable[Result], value: Callable[[Result], float]) -> list[float]:
    tasks: dict[str, list[float]] = {}
    for result in results:
        tasks.setdefault(result.task, []).append(value(result))
    return [fmean(values) for values in tasks.values()]


def _between_runs(results: Sequence[Result], mean: Callable[[list[Result]], float | None]) -> float | None:
    """The standard deviation of the score from one independent run (repeat) to the next."""
    runs: dict[int, list[Result]] = {}
    for result in results:
        runs.setdefault(result.repeat, []).append(result)
    means = [score for run in runs.values() if (score := mean(run)) is not None]
    return stdev(means) if len(means) > 1 else None


def _micro(results: list[Result]) -> float | None:
    graded = [float(result.success) for result in results if result.success is not None]
    return fmean(graded) if graded else None


def _macro(results: list[Result]) -> float | None:
    categories = {result.category for result in results}
    means = [_micro([result for result in results if result.category == name]) for name in categories]
    known = [mean for mean in means if mean is not None]
    return fmean(known) if known else None
