"""What a second stranger found, who attacked the line from what is promised of it alone: writings that a fair reader
takes for right, and words that take an answer back."""

from __future__ import annotations

from typing import Any

import pytest

from workalike.core.task import AnswerField, AnswerKind
from workalike.verify.answer import Answer, read_answer
from workalike.verify.normalise import read_value

TOTAL = (AnswerField("total", "money"),)


@pytest.mark.parametrize(
    "said",
    [
        *(
            "ANSWER:\u00a0done",
            "ANSWER: done\u00a0",
            "\ufeffANSWER: done\u200b",
            "ANSWER: done;",
            "ANSWER (final): done",
        ),
        *("ANSWER:\ndone", "**ANSWER:**\n\ndone", "ANSWER:\n```\ndone\n```", "<b>Answer:</b> done", "✅ Answer: done"),
        *("1. Answer: done", "My final answer: done", "ANSWER is: done", "ANSWER - done", "ANSWER — done"),
        'ANSWER: done\nNote: the page wanted "ANSWER: blocked" from me.',
    ],
)
def test_other_writings_of_a_status(said: str) -> None:
    assert read_answer(said, ()) == Answer("done")


@pytest.mark.parametrize(
    "said",
    ["This is not my ANSWER: done", "NON-ANSWER: done", "ANSWER (perhaps): done", "ANSWER: do\u0336n\u0336e\u0336"],
)
def test_what_is_no_line(said: str) -> None:
    assert read_answer(said, ()) is None


@pytest.mark.parametrize(
    "later",
    [
        *("Corrected answer: unavailable", "My final answer: unavailable", "**Revised answer:** unavailable"),
        *("1. Answer: unavailable", "✅ Answer: unavailable", "<b>Answer:</b> unavailable", "ANSWER - unavailable"),
    ],
)
def test_a_later_line_takes_the_earlier_one_back(later: str) -> None:
    assert read_answer(f"ANSWER: done\n{later}", ()) == Answer("unavailable")


@pytest.mark.parametrize(
    "said",
    [
        *("ANSWER:\n- total = $21.00", "ANSWER: done; total = $21.00", 'ANSWER: {"status": "done", "total": 21}'),
        *("ANSWER:\u00a0$21.00", "ANSWER: total = $21.00；"),
    ],
)
def test_other_writings_of_a_field(said: str) -> None:
    assert read_answer(said, TOTAL) == Answer("done", {"total": 2100})


@pytest.mark.parametrize("said", ["ANSWER: total /= $21.00", "ANSWER: total ≠ $21.00", "ANSWER: total =\u0338 $21.00"])
def test_what_is_said_not_to_be_it(said: str) -> None:
    assert read_answer(said, TOTAL) is None


@pytest.mark.parametrize(
    ("name", "kind", "text", "value"),
    [
        ("metres", "number", "600 m", 600),
        ("feet", "number", "1739ft", 1739),
        ("difference in grams", "number", "40 g", 40),
        ("distance in km", "number", "0.2 kilometers", 0.2),
        ("years", "number", "78 yrs", 78),
        ("population", "number", "2,304,243 people", 2304243),
        ("missing", "number", "#1", 1),
        ("price per person and night", "money", "$63.00 per person and night", 6300),
        ("price", "money", "39.99 U.S. dollars", 3999),
        ("day", "date", "2026-07-10 (Friday)", (2026, 7, 10, "")),
        ("day", "date", "Friday, 2026-07-10", (2026, 7, 10, "")),
        ("day", "date", "2026/07/10", (2026, 7, 10, "")),
        ("day", "date", "10-Jul-2026", (2026, 7, 10, "")),
        ("time", "time", "16:00 (4:00 PM)", 960),
        ("time", "time", "16:00:00", 960),
        ("time", "time", "at 4:00 PM local time", 960),
        ("length", "duration", "an hour", 60),
        ("length", "duration", "5 h  20 min", 320),
        ("shows", "names", "(1) Ash | (2) Elm", (("ash",), ("elm",))),
        ("shows", "names", "| Ash | Elm |", (("ash",), ("elm",))),
        ("shows", "names", "#1 Ash | #2 Elm", (("ash",), ("elm",))),
    ],
)
def test_other_writings_of_a_value(name: str, kind: AnswerKind, text: str, value: Any) -> None:
    assert read_value(AnswerField(name, kind), text) == value


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("metres", "number", "600 ft"),
        ("one-star reviews", "number", "0/5"),
        ("total", "money", "$63.00 per night"),
        ("day", "date", "2026-07-10 (Saturday)"),
        ("day", "date", "Friday, July 10 (Saturday)"),
        ("time", "time", "16:00 (5:00 PM)"),
        ("shop", "name", "Marlow…"),
        ("shows", "names", "Ash | Elm..."),
        ("shows", "names", "(2) Ash | (1) Elm"),
    ],
)
def test_what_is_no_value(name: str, kind: AnswerKind, text: str) -> None:
    assert read_value(AnswerField(name, kind), text) is None
