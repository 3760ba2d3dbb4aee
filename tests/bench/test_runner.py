"""The runner apart from any browser: its jobs travel, its judges harm no attempt, and what both took is booked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from workalike.bench.agent_factory import AttemptSpec
from workalike.bench.attempt import AttemptEnd
from workalike.bench.benchmarks import TaskSet, build
from workalike.bench.runner import Runner, RunSummary, finished_attempts, spent
from workalike.core.contracts import Case, Executor, Job, Needs, PictureSource, Sink, Verifier
from workalike.core.errors import Infrastructure, OverBudget, WorkalikeError
from workalike.core.key import Evaluator, Key
from workalike.core.observation import Observation
from workalike.core.progress import Progress
from workalike.core.task import Task
from workalike.core.trajectory import Step, Stop, Usage
from workalike.core.verdict import Outcome, Verdict
from workalike.report.reading import read_results
from workalike.runtime.pool import PoolLimits
from workalike.store.layers import verdicts_of
from workalike.store.runs import Run, RunInfo, RunWriter

PAIRS = [(Task(id, "do it"), Key(id, extra={"wanted": id})) for id in ("a", "b", "c")]
TASKS: TaskSet = build("own", PAIRS, live=False)


class Elsewhere:
    """An executor at the other end of a line: a job, its steps and its end arrive as bytes, and go as bytes."""

    def __init__(self, stop: Stop = Stop("terminated")) -> None:
        self.stop, self.done = stop, list[str]()

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> AttemptEnd:
        sent = msgspec.msgpack.encode(job.payload)
        spec = msgspec.msgpack.decode(sent, type=AttemptSpec)
        assert spec == job.payload
        assert sink is not None
        self.done.append(job.key)
        step = msgspec.msgpack.encode(Step(Observation(title=spec.task.id)))
        await sink.step(msgspec.msgpack.decode(step, type=Step), b"\x89PNG a picture")
        end = AttemptEnd(self.stop, Observation(title="end"), None, (), {"said": spec.task.id})
        return msgspec.msgpack.decode(msgspec.msgpack.encode(end), type=AttemptEnd)


class Judge:
    """Judges by the facts, raising or taking what it is told to."""

    needs = Needs(key="all")

    def __init__(self, name: str = "judge", raises: WorkalikeError | None = None, usage: Usage | None = None) -> None:
        self.name, self.raises, self.usage, self.asked = name, raises, usage, list[str]()
        self.settings: dict[str, Any] = {}

    def estimate(self, case: Case) -> Usage:
        return Usage()

    async def judge(self, case: Case, pictures: PictureSource) -> Verdict:
        self.asked.append(case.trajectory.task.id)
        if self.raises:
            raise self.raises
        assert case.key is not None
        right = case.trajectory.extra["said"] == case.key.extra["wanted"]
        return Verdict(case.id, self.name, "success" if right else "failure", usage=self.usage)


async def go(
    folder: Path,
    attempts: Executor[AttemptEnd],
    verifiers: Sequence[Verifier] = (),
    told: list[str] | None = None,
    cap: float | None = None,
) -> RunSummary:
    info = Run(folder).info if (folder / "run.json").is_file() else RunInfo("r", "2026-11-16", {"agent": "idle"})
    with RunWriter(folder, info, TASKS.tasks, TASKS.keys.values()) as run:
        runner = Runner(run, TASKS, attempts, verifiers, say=([] if told is None else told).append)
        return await runner.go(1, PoolLimits(width=1, cap=cap))


def said(folder: Path) -> list[tuple[str, str]]:
    return [(verdict.verifier, verdict.outcome) for layer in verdicts_of(folder) for _, verdict in layer]


async def test_what_is_done_elsewhere_is_written_and_judged_here(tmp_path: Path) -> None:
    elsewhere = Elsewhere()
    summary = await go(tmp_path, elsewhere, [Judge()])
    assert (summary.finished, elsewhere.done) == (3, ["a#1", "b#1", "c#1"])
    assert said(tmp_path) == [("judge", "success")] * 3
    trajectories = [stored.trajectory for stored in Run(tmp_path).trajectories()]
    assert [each.steps[0].observation.title for each in trajectories] == ["a", "b", "c"]
    assert [each.extra for each in trajectories] == [{"said": "a"}, {"said": "b"}, {"said": "c"}]


async def test_without_verifiers_nothing_is_said_of_any_attempt(tmp_path: Path) -> None:
    assert (await go(tmp_path, Elsewhere())).finished == 3
    assert verdicts_of(tmp_path) == []


async def test_a_judge_that_cannot_be_had_costs_no_attempt_and_is_asked_again(tmp_path: Path) -> None:
    told: list[str] = []
    summary = await go(tmp_path, Elsewhere(), [Judge(raises=Infrastructure("the service is busy"))], told)
    assert (summary.finished, summary.retried, said(tmp_path)) == (3, 0, [])
    assert "not judged yet: the service is busy" in told[0]
    again, judge = Elsewhere(), Judge()
    summary = await go(tmp_path, again, [judge])
    assert (summary.finished, summary.skipped, again.done) == (0, 3, [])
    assert said(tmp_path) == [("judge", "success")] * 3
    await go(tmp_path, again, [judge])
    assert sorted(judge.asked) == ["a", "b", "c"], "what was judged is not judged again"


async def test_money_that_runs_out_in_judging_stops_the_run_and_keeps_the_attempt(tmp_path: Path) -> None:
    elsewhere = Elsewhere()
    summary = await go(tmp_path, elsewhere, [Judge(raises=OverBudget("the budget is used up"))])
    assert (summary.finished, summary.not_started, summary.stopped) == (1, 2, "the budget is used up")
    assert [name for name, _ in finished_attempts(Run(tmp_path))] == ["a#1"]


async def test_a_second_verifier_is_asked_of_what_was_finished_before(tmp_path: Path) -> None:
    first = Judge("first")
    await go(tmp_path, Elsewhere(), [first])
    await go(tmp_path, Elsewhere(), [first, Judge("second")])
    assert said(tmp_path) == [("first", "success")] * 3 + [("second", "success")] * 3
    assert len(first.asked) == 3


async def test_what_judging_took_is_in_the_books_and_under_the_cap(tmp_path: Path) -> None:
    judge = Judge(usage=Usage(1, 100, 10, 0, 0.2))
    summary = await go(tmp_path, Elsewhere(), [judge], cap=0.35)
    assert (summary.finished, summary.not_started) == (2, 1)
    assert summary.spent == pytest.approx(0.4)
    assert spent(Run(tmp_path)).cost == pytest.approx(0.4)
    assert (await go(tmp_path, Elsewhere(), [judge], cap=0.35)).finished == 0


@pytest.mark.parametrize("outcome", ["blocked", "unavailable", "refused", "invalid_task"])
async def test_a_report_is_in_the_books_as_solved_only_where_the_task_was_made_so(
    tmp_path: Path, outcome: Outcome
) -> None:
    walled = Key("b", extra={"wanted": "b"}, evaluators=(Evaluator(status="blocked"),))
    tasks = build("town@1", [(task, walled if task.id == "b" else key) for task, key in PAIRS], live=False)

    class Reporting(Judge):
        async def judge(self, case: Case, pictures: PictureSource) -> Verdict:
            return Verdict(case.id, self.name, outcome)

    for repeats in (1, 2):  # as they end, and beside what was judged before
        seen: list[Progress] = []
        info = RunInfo("r", "2026-11-16", {"agent": "idle", "benchmark": "town@1"})
        with RunWriter(tmp_path, info, tasks.tasks, tasks.keys.values()) as run:
            await Runner(run, tasks, Elsewhere(), [Reporting()]).go(repeats, PoolLimits(width=1), seen.append)
        assert (seen[-1].good, seen[-1].judged) == (repeats, 3 * repeats)
    assert [each.success for each in read_results(tmp_path).results] == [False, True, False]


async def test_an_attempt_that_ran_out_of_money_is_lost_and_tried_anew(tmp_path: Path) -> None:
    summary = await go(tmp_path, Elsewhere(Stop("out_of_budget", "no money left")), [Judge()])
    assert (summary.finished, summary.stopped) == (0, "no money left")
    (attempt,) = Run(tmp_path).attempts()
    assert attempt.read().trajectory.stop == Stop("interrupted", "no money left")
    assert (await go(tmp_path, Elsewhere(), [Judge()])).finished == 3
