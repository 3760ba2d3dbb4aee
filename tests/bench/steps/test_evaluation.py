"""Every step counts, what was not predicted counts as nothing, and means know their spread."""

from __future__ import annotations

import pytest

from workalike.bench.steps.evaluation import SCORERS, evaluate, scorer, summarize
from workalike.bench.steps.predictions import Prediction
from workalike.core.errors import BadInput
from workalike.formats.agentnetbench import BenchStep, BenchTask, TrueAction


def click(number: int, milestone: bool = False) -> BenchStep:
    return BenchStep(number, "a.png", (TrueAction("click", {"position": {"x": 0.5, "y": 0.5}}),), milestone=milestone)


WRITE = BenchStep(
    3, "a.png", (TrueAction("write", {"text": "hi"}),), alternative_options=(click(3).ground_truth_actions,)
)
END = BenchStep(4, "a.png", (TrueAction("terminate", {"status": "success"}),))
TASKS = [BenchTask("a", (click(1, True), click(2), WRITE, END)), BenchTask("b", (click(1),))]


def predicted(**codes: str) -> dict[tuple[str, int], Prediction]:
    keys = {(name[0], int(name[1:])): code for name, code in codes.items()}
    return {key: Prediction(*key, code) for key, code in keys.items()}


GOOD = "pyautogui.click(x=0.5, y=0.5)"


def test_groups_milestones_and_success() -> None:
    given = predicted(
        a1=GOOD, a2="pyautogui.click(x=0.9, y=0.9)", a3=GOOD, a4="computer.terminate(status='success')", z9=GOOD
    )
    results = evaluate(TASKS, given, "2025-08")
    summary = summarize(results, "2025-08", given)
    assert (summary.steps, summary.tasks, summary.unpredicted, summary.unknown, summary.alternatives) == (5, 2, 1, 1, 1)
    assert summary.average.mean == pytest.approx(3 / 5)
    assert summary.success.mean == pytest.approx(3 / 5)
    assert summary.milestones.mean == 1
    assert summary.groups["function"].mean == 1
    assert summary.groups["content"].mean is None
    assert summary.groups["coordinate"].count == 3
    assert results[-1].why == "no prediction"


@pytest.mark.parametrize("name", SCORERS)
def test_a_replay_is_perfect_and_nothing_is_nothing(name: str) -> None:
    given = predicted(
        a1=GOOD, a2=GOOD, a3="pyautogui.write(message='hi')", a4="computer.terminate(status='success')", b1=GOOD
    )
    assert summarize(evaluate(TASKS, given, name), name).average.mean == 1
    empty = summarize(evaluate(TASKS, {}, name), name)
    assert (empty.average.mean, empty.unpredicted) == (0, 5)
    assert empty.groups["function"].mean == (0 if name == "strict" else None)


def test_an_unreadable_prediction_is_told() -> None:
    given = predicted(a1="I would click it", b1="os.remove(1)")
    for name in ("2025-08", "strict"):
        assert summarize(evaluate(TASKS, given, name), name).unread == 2


def test_an_unknown_scorer_is_refused() -> None:
    with pytest.raises(BadInput, match="there are 2025-08, 2026, strict"):
        scorer("2027")
