"""The answer's line: the last one counts, in whatever dress; prose around it is never judged."""

from __future__ import annotations

import pytest

from workalike.core.task import AnswerField
from workalike.verify.answer import STATUSES, Answer, read_answer

FORM = (AnswerField("shop", "name"), AnswerField("total", "money"))
TIME = (AnswerField("departure time", "time"),)
RIGHT = Answer("done", {"shop": ("kestrel", "market"), "total": 2100})


@pytest.mark.parametrize(
    "said",
    [
        "ANSWER: shop = Kestrel Market; total = $21.00",
        "answer: total = 21; shop = the kestrel market",
        "**ANSWER:** shop: Kestrel Market; total: $21.00.",
        "`ANSWER: shop = Kestrel Market; total = $21.00`",
        "> ANSWER = **shop** = Kestrel Market ; **total** = 21.00 USD;",
        "It is cheaper there. ANSWER: shop = Kestrel Market; total = $21.00",
        'ANSWER: {"shop": "Kestrel Market", "total": 21.0}',
        'ANSWER: {\n  "total": "$21.00",\n  "shop": "Kestrel Market"\n}',
        'ANSWER:\n```json\n{"shop": "Kestrel Market", "total": 21.0}\n```',
        "ANSWER：shop：Kestrel Market; total：$21.00",
        r"ANSWER: shop = Kestrel Market; total = \$21.00",
        "ANSWER: unavailable\nI looked again.\nANSWER: SHOP = Kestrel Market; Total = $21.00",
        "Answer: it is $481!\n\nFinal answer: shop = Kestrel Market; total = $21.00\n\nThe other one costs €99.",
    ],
)
def test_a_line_is_read_in_any_dress(said: str) -> None:
    assert read_answer(said, FORM) == RIGHT


@pytest.mark.parametrize(
    "said",
    [
        None,
        "",
        "It costs $21.00 at Kestrel Market.",
        "ANSWER:",
        "ANSWER: shop = Kestrel Market",
        "ANSWER: shop = Kestrel Market; total = $21. Correction: $481",
        "ANSWER: shop = Kestrel Market; total = not $21.00",
        "ANSWER: shop = Kestrel Market; total = €21.00",
        "ANSWER: shop = Kestrel Market; total = $21.00; total = $22.00",
        "ANSWER: shop = Kestrel Market; total = $21.00; correction = $481",
        "ANSWER: done, unavailable",
        "ANSWER: Kestrel Market; $21.00",
        'ANSWER: {"shop": "Kestrel Market", "total": null}',
        'ANSWER: ["Kestrel Market", 21]',
        "ANSWER: shop = Kestrel Market; total = $21.00\nANSWER: I am not sure",
        "ANSWER: shop = Kestrel Market; total = $21.00\nANSWER (corrected): total = $481",
        "ANSWER: shop = Kestrel Market; total != $21.00",
        "ANSWER: ~~shop~~ = Kestrel Market; total = $21.00",
        'ANSWER: {"shop": "Marlow", "shop": "Kestrel Market", "total": 21}',
        'ANSWER: {"shop": "Kestrel Market", "total": 21} is wrong',
        'ANSWER: {"shop": "Kestrel Market", "total": 21} or {"shop": "Marlow", "total": 21}',
    ],
)
def test_what_cannot_be_read_is_none(said: str | None) -> None:
    assert read_answer(said, FORM) is None


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_stands_instead_of_fields(status: str) -> None:
    for form in ((), FORM):
        for said in (f"ANSWER: {status}", f"**Answer:** {status.upper()}.", f'ANSWER: {{"status": "{status}"}}'):
            read = read_answer(said, form)
            assert read is not None
            assert (read.status, read.values) == (status, {})


def test_a_lone_value_belongs_to_the_only_field() -> None:
    for said in ("ANSWER: 2:35 PM", "ANSWER: departure time: 14:35", "ANSWER: Departure_time = 2:35 p.m."):
        assert read_answer(said, TIME) == Answer("done", {"departure time": 875})


def test_a_task_without_fields_takes_a_status_alone() -> None:
    assert read_answer("ANSWER: in the cart", ()) is None
