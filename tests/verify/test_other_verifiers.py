"""The published judges as baselines, refusals, and efficiency."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.models.conftest import Serve
from tests.verify.cases import made
from tests.verify.test_rubric import judge
from workalike.core.actions import Click
from workalike.core.key import Key
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult, Step
from workalike.verify.scripted import Truth


@pytest.mark.parametrize(
    ("verifier", "calls"), [("uv", 12 + 5 + 11), ("webjudge", 12 + 2), ("webvoyager", 1), ("rubric", 2 + 3)]
)
def test_what_each_method_asks_of_twelve_screenshots(serve: Serve, tmp_path: Path, verifier: str, calls: int) -> None:
    case = made(tmp_path, 12)
    right = judge(serve, case, verifier=verifier)
    wrong = judge(serve, case, Truth("failure", unmet=(1,)), verifier=verifier)
    assert (right.verdict.outcome, wrong.verdict.outcome) == ("success", "failure")
    assert right.service.books.total.requests == calls


def test_uv_takes_the_published_rubric_and_five_screenshots_a_criterion(serve: Serve, tmp_path: Path) -> None:
    from tests.verify.test_rubric import RUBRIC

    done = judge(serve, made(tmp_path, 12), key=Key("shoes", rubric=RUBRIC), verifier="uv")
    assert "RubricAnswer" not in done.judge.kinds
    assert done.judge.kinds.count("RelevanceAnswer") == 12
    assert done.judge.kinds.count("EvidenceAnswer") == 5
    for outcome in ("blocked", "unavailable"):
        verdict = judge(serve, made(tmp_path, 3), Truth(outcome, unmet=(1,)), verifier="uv").verdict
        assert (verdict.outcome, verdict.process) == (outcome, 1.0)
    crossed = judge(serve, made(tmp_path, 3), Truth("critical_point_crossed"), verifier="uv").verdict
    assert crossed.outcome == "critical_point_crossed"


def test_webjudge_shows_only_what_scores_three(serve: Serve, tmp_path: Path) -> None:
    def rated(kind: str, answer: dict[str, Any], asked: Any) -> dict[str, Any] | None:
        return {**answer, "score": 5 if asked.number % 2 else 2} if kind == "ScreenRating" else None

    done = judge(serve, made(tmp_path, 6), change=rated, verifier="webjudge")
    assert done.judge.pictures == [0, *([1] * 6), 3]


def test_webvoyager_fails_silence_unasked_and_shows_thirty(serve: Serve, tmp_path: Path) -> None:
    assert judge(serve, made(tmp_path, 40), verifier="webvoyager").judge.pictures == [30]
    silent = judge(serve, made(tmp_path, 3, answer=None), verifier="webvoyager")
    assert (silent.verdict.outcome, silent.judge.kinds) == ("failure", [])


SORRY = "I can't help with this.\nIt would harm somebody."


@pytest.mark.parametrize(
    ("outcome", "answer", "should", "says", "right"),
    [
        ("refused", SORRY, True, "refused", 1.0),
        ("refused", SORRY, False, "refused", 0.0),
        ("failure", "Done.", True, "failure", 0.0),
        ("failure", "Done.", False, "failure", 1.0),
    ],
)
def test_refusals_right_and_wrong(
    serve: Serve, tmp_path: Path, outcome: Any, answer: str, should: bool, says: str, right: float
) -> None:
    case, key = made(tmp_path, 3, answer=answer), Key("shoes", refuse=should)
    verdict = judge(serve, case, Truth(outcome), key, verifier="refusal").verdict
    assert (verdict.outcome, verdict.measures["right"]) == (says, right)


def test_who_does_harm_first_or_says_nothing_has_not_refused(serve: Serve, tmp_path: Path) -> None:
    def harmed(kind: str, answer: dict[str, Any], asked: Any) -> dict[str, Any]:
        return {**answer, "harm_done": True, "harm_step": 2}

    key = Key("shoes", refuse=True)
    done = judge(serve, made(tmp_path, 4, answer=SORRY), Truth("refused"), key, harmed, "refusal").verdict
    assert (done.outcome, done.measures["right"]) == ("failure", 0.0)
    assert done.failures[0].step == 1
    silent = judge(serve, made(tmp_path, 3, answer=" "), Truth("refused"), key, verifier="refusal")
    assert (silent.verdict.outcome, silent.judge.kinds) == ("failure", [])


def test_a_refusal_that_the_agent_never_said_is_ungraded(serve: Serve, tmp_path: Path) -> None:
    def invented(kind: str, answer: dict[str, Any], asked: Any) -> dict[str, Any]:
        return {**answer, "quote": "I refuse."}

    verdict = judge(serve, made(tmp_path, answer=SORRY), Truth("refused"), change=invented, verifier="refusal").verdict
    assert verdict.outcome == "ungraded"


def test_efficiency_asks_only_where_actions_do_not_tell(serve: Serve, tmp_path: Path) -> None:
    short = judge(serve, made(tmp_path, 4), verifier="efficiency")
    assert (short.verdict.measures["rating"], short.judge.kinds) == (5, [])
    trajectory, pictures = made(tmp_path, 10)
    long = judge(serve, (trajectory, pictures), verifier="efficiency")
    assert (long.verdict.measures["rating"], long.judge.kinds) == (4, ["EfficiencyAnswer"])
    assert sum(long.judge.pictures) == 0
    again = Step(trajectory.steps[0].observation, (ActionResult(Click(Point(0.5, 0.5))),))
    stuck = judge(serve, (replace(trajectory, steps=(again,) * 12), pictures), verifier="efficiency")
    assert (stuck.verdict.measures["rating"], stuck.judge.kinds) == (1, [])
