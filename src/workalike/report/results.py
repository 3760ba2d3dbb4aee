"""The rows of WebTailBench's card from the results of a run.

A task's score is its share of successful repeats; a category's the mean over its tasks; macro the mean of categories;
micro the mean over tasks. A planned attempt that did not finish is a failure, and is listed apart. An attempt nobody
could grade is in no mean, and is counted. A mean over nothing is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, stdev

import msgspec

from workalike.bench.endings import Ending
from workalike.core.trajectory import StopReason, Usage
from workalike.core.verdict import Outcome

UNFINISHED: tuple[StopReason, ...] = ("interrupted", "infrastructure_error")


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of one planned attempt; `stop` is None when it never finished, `outcome` when nobody judged it,
    `ending` when the agent ended it itself. Of its models' `replies`, `cached` came out of a cache and took nothing."""

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

    @property
    def begun(self) -> bool:
        return self.tries > 0 or self.stop is not None

    @property
    def finished(self) -> bool:
        return self.stop is not None and self.stop not in UNFINISHED

    @property
    def success(self) -> bool | None:
        """Whether it counts as solved; None where it finished but nobody could tell."""
        if not self.finished:
            return False
        return None if self.outcome in (None, "ungraded") else self.outcome == "success"


class Spread(msgspec.Struct, frozen=True):
    """A mean with its standard deviation over `count` things; None where there is nothing to take it of."""

    mean: float | None
    deviation: float | None
    count: int


class Accuracy(msgspec.Struct, frozen=True):
    """One row of the table: how many tasks, their mean score, and the deviation of the mean from run to run."""

    name: str
    tasks: int
    attempts: int
    score: Spread
    unfinished: int = 0
    ungraded: int = 0


class Costs(msgspec.Struct, frozen=True):
    """Per task that was begun: dollars, actions, tokens in and out, seconds; and what everything took together."""

    dollars: Spread
    actions: Spread
    input_tokens: Spread
    output_tokens: Spread
    seconds: Spread
    unknown_cost: int = 0
    total: Usage = Usage()


def spread(values: Iterable[float]) -> Spread:
    listed = list(values)
    mean = fmean(listed) if listed else None
    return Spread(mean, stdev(listed) if len(listed) > 1 else None, len(listed))


def accuracy(results: Sequence[Result]) -> list[Accuracy]:
    """A row for each category in the order met, then macro and micro."""
    names = list(dict.fromkeys(result.category for result in results))
    rows = [_row(name, [result for result in results if result.category == name]) for name in names]
    macros = [row.score.mean for row in rows if row.score.mean is not None]
    micro = _row("Micro avg.", results)
    macro = Accuracy(
        "Macro avg.",
        micro.tasks,
        micro.attempts,
        Spread(fmean(macros) if macros else None, _between_runs(results, _macro), len(macros)),
        micro.unfinished,
        micro.ungraded,
    )
    return [*rows, macro, micro]


def costs(results: Sequence[Result]) -> Costs:
    """Means and deviations over tasks, each task's own value being the mean of its repeats. What was never begun took
    nothing, and is in no mean."""
    results = [result for result in results if result.begun]
    known = [result for result in results if result.usage.cost is not None]
    return Costs(
        spread(_per_task(known, lambda result: result.usage.cost or 0.0)),
        spread(_per_task(results, lambda result: result.actions)),
        spread(_per_task(results, lambda result: result.usage.input_tokens)),
        spread(_per_task(results, lambda result: result.usage.output_tokens)),
        spread(_per_task(results, lambda result: result.seconds)),
        len(results) - len(known),
        sum((result.usage for result in results), Usage()),
    )


def _row(name: str, results: Sequence[Result]) -> Accuracy:
    graded = [result for result in results if result.success is not None]
    scores = _per_task(graded, lambda result: float(bool(result.success)))
    return Accuracy(
        name,
        len({result.task for result in results}),
        len(results),
        Spread(fmean(scores) if scores else None, _between_runs(results, _micro), len(scores)),
        sum(not result.finished for result in results),
        len(results) - len(graded),
    )


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
