"""Predictions against truth: every step scored, then means with intervals, by group, by kind of action, on
milestones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import get_args

import msgspec

from workalike.bench.steps import published, strict
from workalike.bench.steps.claims import claims
from workalike.bench.steps.predictions import Key, Prediction
from workalike.bench.steps.scores import RIGHT, ScorerName, StepScore, group
from workalike.core.errors import BadInput
from workalike.formats.agentnetbench import BenchStep, BenchTask, Fault
from workalike.statistics.intervals import Estimate, clustered_rate

SCORERS: tuple[str, ...] = get_args(ScorerName)
GROUPS = ("coordinate", "content", "function")
ScoreStep = Callable[[BenchStep, str], tuple[StepScore, int]]


class StepResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step's score. `option` says which way of doing it was met: 0 the ground truth, else an alternative."""

    task_id: str
    step_num: int
    score: float
    kinds: dict[str, float]
    milestone: bool = False
    option: int = 0
    code: str = ""
    why: str = ""


class StepSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a set of predictions earned. Intervals treat the steps of one task as going together. `unpredicted` steps
    count as 0; `unknown` predictions are for steps that are not in the set; `by_place` says that they were keyed by a
    step's place in its file and taken so; `faults` are defects of the task files."""

    scorer: str
    tasks: int
    steps: int
    average: Estimate
    success: Estimate
    milestones: Estimate
    groups: dict[str, Estimate]
    kinds: dict[str, Estimate]
    alternatives: int
    unpredicted: int
    unread: int
    unknown: int = 0
    by_place: bool = False
    faults: tuple[Fault, ...] = ()


def scorer(name: str) -> ScoreStep:
    """A scorer by name: `2025-08` and `2026` are the published ones, `strict` is ours."""
    if name == "strict":
        return lambda step, reply: strict.score_step(strict.compile_step(step), reply)
    rules = {rules.name: rules for rules in (published.AUGUST_2025, published.LATER_2026)}.get(name)
    if rules is None:
        raise BadInput(f"there is no scorer {name!r}; there are {', '.join(SCORERS)}")
    return lambda step, reply: published.score_step(published.compile_step(step, rules), claims(reply))


def evaluate(
    tasks: Iterable[BenchTask], predictions: Mapping[Key, Prediction], name: ScorerName | str = "2025-08"
) -> list[StepResult]:
    """Score every step of every task, in order; a step without a prediction earns nothing."""
    score = scorer(name)
    return [
        _result(task, step, predictions.get((task.task_id, step.step_num)), score, name)
        for task in tasks
        for step in task.steps
    ]


def _result(task: BenchTask, step: BenchStep, given: Prediction | None, score: ScoreStep, name: str) -> StepResult:
    code = given.code if given is not None else ""
    if not code:
        why = "no prediction" if given is None else given.error or "an empty prediction"
        kinds = {action.type.lower(): 0.0 for action in step.ground_truth_actions} if name == "strict" else {}
        return StepResult(task.task_id, step.step_num, 0.0, kinds, step.milestone, why=why)
    scored, option = score(step, code)
    why = scored.why or ("" if scored.kinds else "nothing in it that this scorer reads")
    return StepResult(task.task_id, step.step_num, scored.total, scored.kinds, step.milestone, option, code, why)


def summarize(
    results: Sequence[StepResult],
    name: ScorerName | str,
    predictions: Mapping[Key, Prediction] | None = None,
    faults: tuple[Fault, ...] = (),
    by_place: bool = False,
) -> StepSummary:
    """The means of a list of results."""
    known = {(result.task_id, result.step_num) for result in results}
    by_kind: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    by_group: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in GROUPS}
    for result in results:
        for kind, score in result.kinds.items():
            by_kind[kind][result.task_id].append(score)
            by_group[group(kind)][result.task_id].append(score)
    return StepSummary(
        str(name),
        len({result.task_id for result in results}),
        len(results),
        _mean(results, lambda result: result.score),
        _mean(results, lambda result: float(result.score >= RIGHT)),
        _mean([result for result in results if result.milestone], lambda result: result.score),
        {name: clustered_rate(found) for name, found in by_group.items()},
        {name: clustered_rate(by_kind[name]) for name in sorted(by_kind, key=lambda name: -_count(by_kind[name]))},
        sum(result.option > 0 for result in results),
        sum(not result.code for result in results),
        sum(bool(result.code and result.why) for result in results),
        len(set(predictions or ()) - known),
        by_place,
        faults,
    )


def _mean(results: Sequence[StepResult], value: Callable[[StepResult], float]) -> Estimate:
    by_task: dict[str, list[float]] = defaultdict(list)
    for result in results:
        by_task[result.task_id].append(value(result))
    return clustered_rate(by_task)


def _count(by_task: Mapping[str, list[float]]) -> int:
    return sum(map(len, by_task.values()))


def remarks(summaries: Sequence[StepSummary]) -> list[str]:
    """What a reader of scores must know: where published rows come from, and what counts as 0 and why."""
    first = summaries[0]
    compared = any(summary.scorer == published.AUGUST_2025.name for summary in summaries)
    told = [f"published rows: {published.published_rows()['source']}"] if compared else []
    if first.by_place:
        told.append("the predictions count a file's steps from 0, as the published runner does, and were taken so")
    if first.unpredicted:
        told.append(f"{first.unpredicted} steps have no prediction and count as 0")
    unread = [summary for summary in summaries if summary.unread]
    told += [f"{each.unread} predictions could not be read by {each.scorer} and count as 0" for each in unread]
    if first.unknown:
        told.append(f"{first.unknown} predictions are for steps that are not in the set")
    steps = [(fault, "" if fault.step_num is None else f", step {fault.step_num}") for fault in first.faults]
    return told + [f"{fault.file}{step}: {fault.text}" for fault, step in steps]
