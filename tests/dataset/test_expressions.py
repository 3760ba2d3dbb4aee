"""Filters say what they mean, refuse what they cannot read, and never drop a row in silence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.errors import BadInput
from workalike.dataset.expressions import Expression

ROW: dict[str, Any] = {
    "task_id": "a1",
    "efficiency_score": 7,
    "alignment_score": 8.5,
    "system": "ubuntu",
    "steps": 12,
    "task_completed": True,
    "reason": None,
    "domain": ["Work", "Daily"],
    "instruction": "Open the Excel sheet",
    "verify_feedback": {"quality": "good"},
    "traj": [
        {"index": 0, "value": {"code": "pyautogui.click(x=0.5, y=0.5)", "last_step_correct": True}},
        {"index": 1, "value": {"code": "pyautogui.hotkey(keys=['ctrl', 'c'])", "last_step_correct": False}},
    ],
}


@pytest.mark.parametrize(
    "text",
    [
        "efficiency_score >= 7 and system == 'ubuntu' and steps < 30",
        "alignment_score > 8.25",
        "efficiency_score > -1",
        "task_completed",
        "not reason",
        "reason == null and missing == none",
        "domain contains 'Work' and 'Daily' in domain",
        "domain in ['Daily', 'Other']",
        "system in ['ubuntu', \"macos\"]",
        "system not in ['windows']",
        "not system == 'windows'",
        "instruction matches 'excel|word'",
        "instruction contains 'Excel'",
        "lower(instruction) == 'open the excel sheet'",
        "length(traj) == 2 and length(instruction) > 5",
        "verify_feedback.quality == 'good'",
        "verify_feedback.other.deep == null",
        "any(traj, code contains 'hotkey')",
        "all(traj, index < 2)",
        "count(traj, last_step_correct == false) == 1",
        "any(traj, value.last_step_correct != true and index == 1)",
        "(steps == 1 or steps == 12) and (true)",
        "'it\\'s' == \"it's\"",
        "task_completed == true and task_completed != 1",
        "1 <= 2 and 'a' < 'b'",
        r"task_id matches '^a\d$'",
        r"'a\\b' == 'a\b' and length('\d') == 2",
    ],
)
def test_what_passes(text: str) -> None:
    assert Expression(text)(ROW) is True


@pytest.mark.parametrize(
    "text",
    ["steps > 12", "system == 'Ubuntu'", "efficiency_score == '7'", "task_completed == 1", "false", "null", "[]", "''"],
)
def test_what_does_not(text: str) -> None:
    expression = Expression(text)
    assert expression(ROW) is False
    assert expression.undecided == 0


@pytest.mark.parametrize(
    "text",
    [
        "reason > 3",
        "steps < 'many'",
        "missing <= 1",
        "steps in 3",
        "instruction < 5",
        "task_completed > 0",
        "length(steps) > 1",
        "lower(steps) == 'a'",
        "any(steps, true)",
        "reason matches 'a'",
    ],
)
def test_what_cannot_be_decided_is_counted(text: str) -> None:
    expression = Expression(text)
    assert expression(ROW) is False
    assert expression.undecided == 1


@pytest.mark.parametrize(
    ("text", "passes", "undecided"),
    [
        ("steps == 12 or reason > 3", True, 0),
        ("reason > 3 or steps == 12", True, 0),
        ("reason > 3 or steps == 1", False, 1),
        ("reason > 3 and steps == 1", False, 0),
        ("reason > 3 and steps == 12", False, 1),
        ("not (reason > 3)", False, 1),
        ("any(traj, reason > 1 or index == 1)", True, 0),
        ("all(traj, reason > 1)", False, 1),
        ("all(traj, reason > 1 and index == 9)", False, 0),
        ("count(traj, reason > 1) == 0", False, 1),
    ],
)
def test_what_is_undecided_matters_only_where_nothing_else_settles_it(text: str, passes: bool, undecided: int) -> None:
    expression = Expression(text)
    assert expression(ROW) is passes
    assert expression.undecided == undecided


def test_names_of_steps_are_not_names_of_rows() -> None:
    assert Expression("steps > 1 and any(traj, code contains 'x') and a.b == 1").names == {"steps", "traj", "a.b"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "missing at the end"),
        ("steps <", "missing at the end"),
        ("steps < 3 4", "nothing more"),
        ("steps = 3", "▸"),
        ("(steps < 3", r"'\)' was expected"),
        ("__import__('os')", "no function '__import__'"),
        ("eval(1)", "no function 'eval'"),
        ("and steps", "not 'and'"),
        ("steps == == 3", "not '=='"),
        ("instruction matches '('", "no regular expression"),
        ("instruction matches system", "pattern in quotes"),
        ("any(traj)", "',' was expected"),
        ("1x", "▸1x"),
        ("steps; drop", "▸; drop"),
        ("(" * 100 + "1" + ")" * 100, "nested"),
        ("not " * 5000 + "1", "too long|nested"),
        ("[" * 2000, "nested"),
        ("length(" * 1000, "nested"),
    ],
)
def test_what_cannot_be_read_says_where(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Expression(text)


words = st.sampled_from(
    [
        "steps",
        "traj",
        "any",
        "all",
        "count",
        "not",
        "and",
        "or",
        "in",
        "(",
        ")",
        "[",
        "]",
        ",",
        "==",
        "<",
        "'a'",
        "3",
        ".",
    ]
)


@given(st.text(max_size=40) | st.lists(words, max_size=14).map(" ".join))
@settings(max_examples=300)
def test_nothing_breaks_the_parser(text: str) -> None:
    try:
        expression = Expression(text)
    except BadInput:
        return
    assert expression(ROW) in (True, False)
