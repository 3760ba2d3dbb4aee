"""The writer's side of the answer's line: every right way is read as the same, no attack is."""

from __future__ import annotations

from typing import Any

import pytest

from workalike.core.key import Evaluator, ExpectedAnswer, Key
from workalike.core.task import AnswerKind
from workalike.town.kit.lines import right_ways, write_line, wrong_lines
from workalike.verify.state import judge

VALUES: dict[AnswerKind, Any] = {
    "money": 129950,
    "date": "2026-05-12",
    "time": "14:35",
    "duration": 320,
    "number": 4,
    "name": "Marlow & Finch|Marlow",
    "names": ["Kettle, 1.7 L", "Mug"],
    "yes_no": True,
}


@pytest.mark.parametrize("kind", VALUES)
def test_right_ways_pass_and_attacks_fail(kind: AnswerKind) -> None:
    way = Evaluator(answers=(ExpectedAnswer("thing", kind, VALUES[kind], ordered=True),))
    key = Key("t", evaluators=(way,))
    assert len(right_ways(way)) >= 10
    assert [line for line in right_ways(way) if not judge(key, [], line).success] == []
    attacks = dict(wrong_lines(way))
    assert len(attacks) >= 12
    assert [label for label, line in attacks.items() if judge(key, [], line).success] == []


def test_two_fields_can_be_turned_round() -> None:
    fields = (ExpectedAnswer("a", "money", 100), ExpectedAnswer("b", "money", 200))
    assert dict(wrong_lines(Evaluator(answers=fields)))["turned round"] == "ANSWER: a = $2.00; b = $1.00"


def test_the_line_of_a_status_or_of_nothing_asked() -> None:
    assert write_line(Evaluator(status="blocked")) == "ANSWER: blocked"
    assert write_line(Evaluator()) == "ANSWER: done"
