"""Answers without a readable line: read by a model that never sees the key, and compared like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.models.conftest import Serve
from tests.verify.cases import made
from tests.verify.test_rubric import judge
from workalike.core.key import Evaluator, ExpectedAnswer, Key
from workalike.core.task import AnswerField
from workalike.verify.scripted import ANSWERS

KEY = Key("shoes", evaluators=(Evaluator(answers=(ExpectedAnswer("price", "money", 4000),)),))


def case(folder: Path, answer: str) -> Any:
    trajectory, pictures = made(folder, 3, answer=answer)
    task = replace(trajectory.task, form=(AnswerField("price", "money"),))
    return replace(trajectory, task=task, extra={"changes": []}), pictures


def test_a_line_that_can_be_read_is_judged_unasked(serve: Serve, tmp_path: Path) -> None:
    right = judge(serve, case(tmp_path, "ANSWER: price = $40.00"), key=KEY, verifier="recovered")
    wrong = judge(serve, case(tmp_path, "ANSWER: price = $41.00"), key=KEY, verifier="recovered")
    assert (right.verdict.outcome, wrong.verdict.outcome) == ("success", "failure")
    assert right.judge.kinds == wrong.judge.kinds == []


def test_a_message_is_read_by_who_does_not_know_the_key(serve: Serve, tmp_path: Path) -> None:
    ANSWERS["RecoveredAnswer"] = lambda text, truth: {"found": "forty" in text, "line": "ANSWER: price = $40.00"}
    done = judge(serve, case(tmp_path, "They cost forty dollars."), key=KEY, verifier="recovered")
    assert (done.verdict.outcome, done.verdict.measures["recovered"]) == ("success", 1.0)
    (prompt,) = done.judge.prompts
    assert "price = (money)" in prompt
    assert "40.00" not in prompt
    assert "4000" not in prompt
    silent = judge(serve, case(tmp_path, "I had a look."), key=KEY, verifier="recovered")
    assert silent.verdict.outcome == "failure"
    assert "recovered" not in silent.verdict.measures
