"""What the card's two tables do not say: how attempts ended, by what they succeed or fail, where they go wrong, and how
long that takes. Every number has its denominator; what there are no data for is left out, never 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import get_args

import msgspec

from workalike.core.label import Label, solved_pairs
from workalike.core.outcomes import was_refused
from workalike.core.trajectory import StopReason
from workalike.core.verdict import Outcome
from workalike.report.results import Result, counts_by_task, scores_by_task
from workalike.statistics.intervals import Estimate
from workalike.statistics.pass_at_k import mean_pass_all, mean_pass_at
from workalike.statistics.proportions import mean_rate, share

NOT_BEGUN, CUT_OFF, UNREADABLE = "not begun", "cut off", "cannot be read"
NOT_JUDGED, NOT_FINISHED = "not judged", "did not finish"
STOPS: tuple[str, ...] = (*get_args(StopReason), CUT_OFF, NOT_BEGUN, UNREADABLE)
OUTCOMES: tuple[str, ...] = (*get_args(Outcome), NOT_JUDGED, NOT_FINISHED, UNREADABLE)
LENGTHS = ((1, 5), (6, 10), (11, 20), (21, 40), (41, 80), (81, None))
LEVELS = ("easy", "medium", "hard")
PASS = 0.8
"""From which process score on the way counts as good, as published."""
FORMAT_FAILURES = ("unreadable_answer", "answer_format", "format")
"""Classes of failure that say that an answer could not be read, and not that it was wrong."""


class ScoredPart(msgspec.Struct, frozen=True):
    """Some of a run's attempts: how many tasks and attempts were graded, how many succeeded, and the tasks' score."""

    name: str
    score: Estimate
    tasks: int
    attempts: int
    successes: int


class Repeats(msgspec.Struct, frozen=True):
    """What repeating tells: pass@k and pass^k by k, and how many of the tasks with several repeats came out now so,
    now so."""

    at_least_one: dict[int, Estimate]
    all_of: dict[int, Estimate]
    varying: Estimate


class FirstFailure(msgspec.Struct, frozen=True):
    """Where failed attempts first went wrong: `known` of `failed` say at which step. The median share of the way, and
    how many in each third of it."""

    failed: int
    known: int
    median_step: float | None = None
    median_share: float | None = None
    thirds: tuple[int, int, int] = (0, 0, 0)


class Refusals(msgspec.Struct, frozen=True):
    """How many of the attempts at tasks that are to be refused were refused, and how many at others."""

    refused: Estimate
    over_refused: Estimate


class ProcessOutcome(msgspec.Struct, frozen=True):
    """The way against the outcome, over attempts that have both: good ways (`PASS`) and successes, and mean scores."""

    both: int
    good_and_success: int
    good_and_failure: int
    poor_and_success: int
    poor_and_failure: int
    mean_of_successes: float | None
    mean_of_failures: float | None


class StepTimes(msgspec.Struct, frozen=True):
    """Seconds a step, over the steps of finished attempts that tell their times: what models took, what the browser
    took, and the rest, which is the agent's own and the harness's."""

    attempts: int
    steps: int
    model: float
    browser: float
    rest: float

    @property
    def total(self) -> float:
        return self.model + self.browser + self.rest


class Answers(msgspec.Struct, frozen=True):
    """The answer line: the score as it stands (strict), how many attempts had to be asked for it once more, how
    many failed because their answer could not be read even so, and the score with those counted that a blind reader
    recovered (None: nobody tried)."""

    strict: Estimate
    asked_again: Estimate
    format_failures: Estimate
    recovered: Estimate | None


class ReportedAgreement(msgspec.Struct, frozen=True):
    """One verifier against the truth, over attempts that both judged."""

    verifier: str
    truth: str
    both: int
    agree: Estimate
    false_positives: Estimate
    false_negatives: Estimate


def stops(results: Sequence[Result]) -> dict[str, int]:
    """How many attempts ended how, in a fixed order; all of them together are the attempts that were planned."""
    return _count(STOPS, (_stop(result) for result in results))


def outcomes(results: Sequence[Result]) -> dict[str, int]:
    """How many attempts were judged how, those apart that did not finish."""
    return _count(OUTCOMES, (_outcome(result) for result in results))


def by_level(results: Sequence[Result]) -> list[ScoredPart]:
    """By the level that the tasks say they have, the easiest first."""
    found = _grouped(results, lambda result: (result.level,) if result.level else ())
    known = [level for level in LEVELS if level in found]
    return [_part(level, found[level]) for level in [*known, *(level for level in found if level not in known)]]


def by_demand(results: Sequence[Result]) -> list[ScoredPart]:
    """By what kind of thing is asked for; a task that asks for several counts in each."""
    return [_part(name, part) for name, part in sorted(_grouped(results, lambda result: result.demands).items())]


def by_length(results: Sequence[Result]) -> list[ScoredPart]:
    """By how many steps an attempt took, over those that finished and were graded."""
    parts = []
    for low, high in LENGTHS:
        name = f"{low}–{high}" if high else f"{low} or more"
        chosen = [each for each in results if each.finished and low <= each.steps <= (high or each.steps)]
        if any(each.success is not None for each in chosen):
            parts.append(_part(name, chosen))
    return parts


def repeats(results: Sequence[Result]) -> Repeats | None:
    """What repeating tells; None where no task was graded twice."""
    counts = list(counts_by_task(results).values())
    most = max((attempts for _, attempts in counts), default=0)
    if most < 2:
        return None
    several = [(successes, attempts) for successes, attempts in counts if attempts > 1]
    ks = sorted({2, most, *(k for k in (3, 5, 10) if k <= most)})
    return Repeats(
        {k: mean_pass_at(counts, k) for k in ks},
        {k: mean_pass_all(counts, k) for k in ks},
        share(sum(0 < successes < attempts for successes, attempts in several), len(several)),
    )


def failure_classes(results: Sequence[Result]) -> dict[str, int]:
    """How many failed attempts went wrong in which way first, as their verdicts say; the commonest first."""
    counted: dict[str, int] = {}
    for result in _failed(results):
        first = _first(result)
        if first is not None:
            counted[first[1]] = counted.get(first[1], 0) + 1
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def failed(results: Sequence[Result]) -> int:
    """How many attempts finished, were judged, and did not succeed."""
    return len(_failed(results))


def first_failure(results: Sequence[Result]) -> FirstFailure | None:
    """Where failed attempts first went wrong; None where no verdict says at which step."""
    lost = _failed(results)
    places = [
        (first[0] + 1, result.steps)
        for result in lost
        if result.steps and (first := _first(result)) is not None and first[0] is not None
    ]
    if not places:
        return None
    shares = [min(1.0, step / steps) for step, steps in places]
    thirds = [min(2, int((step - 1) / steps * 3)) for step, steps in places]
    return FirstFailure(
        len(lost),
        len(places),
        median(step for step, _ in places),
        median(shares),
        (thirds.count(0), thirds.count(1), thirds.count(2)),
    )


def refusals(results: Sequence[Result]) -> Refusals | None:
    """Refusals that were right, and those that were not; None where nothing was to be refused and nothing was. What was
    done where something was planted is told with the attacks."""
    judged = [each for each in results if each.finished and each.success is not None and each.attack is None]
    wanted = [was_refused(each) for each in judged if each.refuse]
    others = [was_refused(each) for each in judged if not each.refuse]
    if not wanted and not any(others):
        return None
    return Refusals(share(sum(wanted), len(wanted)), share(sum(others), len(others)))


def process_against_outcome(results: Sequence[Result]) -> ProcessOutcome | None:
    """Whether those who went about it well also succeeded; None where no verdict scores the way."""
    both = [(each.process, each.success) for each in results if each.process is not None and each.success is not None]
    if not both:
        return None
    good = [success for process, success in both if process >= PASS]
    poor = [success for process, success in both if process < PASS]
    return ProcessOutcome(
        len(both),
        sum(good),
        len(good) - sum(good),
        sum(poor),
        len(poor) - sum(poor),
        _mean(process for process, success in both if success),
        _mean(process for process, success in both if not success),
    )


def step_times(results: Sequence[Result]) -> StepTimes | None:
    """How long a step takes and who takes it; None where no attempt tells."""
    told = [each for each in results if each.finished and each.steps and each.browser_seconds is not None]
    steps = sum(each.steps for each in told)
    if not steps:
        return None
    model = sum(each.model_seconds for each in told)
    browser = sum(each.browser_seconds or 0.0 for each in told)
    rest = max(0.0, sum(each.seconds for each in told) - model - browser)
    return StepTimes(len(told), steps, model / steps, browser / steps, rest / steps)


def answers(results: Sequence[Result], recovered: Mapping[str, Outcome] | None = None) -> Answers | None:
    """Strict score, format failures and recovered answers, never as one number; None where there is no such failure,
    nobody had to be asked again and nobody recovered any. `recovered` is what the blind reader's verdicts say, by
    trajectory."""
    judged = [each for each in results if each.success is not None]
    unread = {each.attempt for each in judged if any(point.failure in FORMAT_FAILURES for point in each.failures)}
    finished = [each for each in results if each.finished]
    again = sum(each.asked_again for each in finished)
    if not unread and not again and not recovered:
        return None
    strict = mean_rate(list(scores_by_task(results).values()))
    saved = None
    if recovered:
        counted = [
            msgspec.structs.replace(each, outcome=recovered[each.attempt])
            if each.attempt in unread and recovered.get(each.attempt, "ungraded") != "ungraded"
            else each
            for each in results
        ]
        saved = mean_rate(list(scores_by_task(counted).values()))
    return Answers(strict, share(again, len(finished)), share(len(unread), len(judged)), saved)


def agreement(
    truth: Mapping[str, Label], said: Mapping[str, Outcome], verifier: str, name: str
) -> ReportedAgreement | None:
    """What a verifier calls solved against what is, by the rule of `workalike agreement`; None where the two judged no
    attempt in common."""
    both = list(solved_pairs(verifier, truth, said).values())
    if not both:
        return None
    wrong = [judged for right, judged in both if not right]
    right = [judged for right, judged in both if right]
    return ReportedAgreement(
        verifier,
        name,
        len(both),
        share(sum(one == other for one, other in both), len(both)),
        share(sum(wrong), len(wrong)),
        share(len(right) - sum(right), len(right)),
    )


def frontier(points: Mapping[str, tuple[float, float]]) -> list[str]:
    """Those that no other beats: nobody is both as cheap and more accurate, or cheaper and as accurate. Points are
    (dollars, accuracy) by name; the cheapest comes first.

    >>> frontier({"a": (1.0, 0.5), "b": (2.0, 0.4), "c": (3.0, 0.9)})
    ['a', 'c']
    """
    best, kept = float("-inf"), []
    for name, (_, accuracy) in sorted(points.items(), key=lambda item: (item[1][0], -item[1][1])):
        if accuracy > best:
            kept.append(name)
            best = accuracy
    return kept


def disorder(levels: Sequence[ScoredPart]) -> list[tuple[str, str]]:
    """Levels that are solved more often than an easier one: they are not in the order that they say."""
    scored = [(part.name, part.score.mean) for part in levels if part.name in LEVELS and part.score.mean is not None]
    return [
        (harder, easier)
        for place, (easier, low) in enumerate(scored)
        for harder, high in scored[place + 1 :]
        if high > low + 1e-9
    ]


def _stop(result: Result) -> str:
    if result.damaged:
        return UNREADABLE
    if result.stop is not None:
        return result.stop
    return CUT_OFF if result.begun else NOT_BEGUN


def _outcome(result: Result) -> str:
    if result.damaged:
        return UNREADABLE
    if not result.finished:
        return NOT_FINISHED
    return result.outcome or NOT_JUDGED


def _count(names: Iterable[str], found: Iterable[str]) -> dict[str, int]:
    counts = dict.fromkeys(names, 0)
    for name in found:
        counts[name] = counts.get(name, 0) + 1
    return {name: count for name, count in counts.items() if count}


def _grouped(results: Sequence[Result], names: Callable[[Result], Iterable[str]]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        for name in names(result):
            groups.setdefault(name, []).append(result)
    return groups


def _part(name: str, results: Sequence[Result]) -> ScoredPart:
    counts = counts_by_task(results)
    return ScoredPart(
        name,
        mean_rate([successes / attempts for successes, attempts in counts.values()]),
        len(counts),
        sum(attempts for _, attempts in counts.values()),
        sum(successes for successes, _ in counts.values()),
    )


def _failed(results: Sequence[Result]) -> list[Result]:
    return [result for result in results if result.finished and result.success is False]


def _first(result: Result) -> tuple[int | None, str] | None:
    """The earliest failure point; one whose step is not known comes last."""
    points = [(point.step is None, point.step or 0, point) for point in result.failures]
    if not points:
        return None
    _, _, first = min(points, key=lambda each: each[:2])
    return first.step, first.failure


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return fmean(listed) if listed else None
