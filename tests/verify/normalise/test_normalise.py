"""Values read whole, by their kind: every way of writing them, and nothing that is more, less or other than one
value."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.core.key import ExpectedAnswer
from workalike.core.task import AnswerField, AnswerKind
from workalike.verify.normalise import agrees, read_value


def says(kind: AnswerKind, value: Any, text: str, field: str = "x", **more: Any) -> bool:
    read = read_value(AnswerField(field, kind), text)
    return read is not None and agrees(ExpectedAnswer(field, kind, value, **more), read)


@pytest.mark.parametrize(
    ("kind", "value", "texts"),
    [
        ("money", 129900, ["$1,299.00", "1299", "1,299.00", "$1299", "USD 1,299.00", "1299.00 dollars", "US$1,299"]),
        ("money", 2150, ["$21.50", "21.5", "$ 21.50", "21.50 $"]),
        (
            "date",
            "2026-05-12",
            ["2026-05-12", "May 12, 2026", "12 May 2026", "5/12/2026", "05/12/26", "May 12", "5/12"],
        ),
        ("date", "2026-05-12", ["Tuesday, May 12, 2026", "Tue, May 12", "May 12th", "the 12th of May", "12 May"]),
        ("time", "14:35", ["14:35", "2:35 PM", "2:35pm", "02:35 p.m.", "2.35 pm"]),
        ("time", "00:00", ["midnight", "12:00 AM", "0:00"]),
        ("duration", 320, ["5h 20m", "5 h 20 min", "5 hours and 20 minutes", "320 minutes", "5:20", "5 hours 20"]),
        ("number", 4, ["4", "four", "4.0", "Four"]),
        ("number", 4.3, ["4.3", "4.30"]),
        ("name", "Marlow & Finch|Marlow", ["Marlow & Finch", "marlow and finch", "MARLOW", "the Marlow"]),
        ("name", "Rug, 150 × 220 cm", ["Rug, 150 × 220 cm", "rug 150x220 cm", "Rug, 150 x 220 cm"]),
        ("names", ["A, 1 L", "B"], ["A, 1 L | B", "a 1 l|b", "1. A, 1 L | 2. B"]),
        ("yes_no", True, ["Yes", "yes", "true", "Y"]),
        ("yes_no", False, ["No", "false"]),
    ],
)
def test_every_way_of_writing_a_value_is_read(kind: AnswerKind, value: Any, texts: list[str]) -> None:
    assert [text for text in texts if not says(kind, value, text, ordered=True)] == []


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (
            "money",
            ["€21.00", "£21", "not $21.00", "$21.00 or $22.00", "$21. Correction: $481", "21.000,00", "$21 each", ""],
        ),
        ("money", ["$138.00 (others start at $170)", "$59.99 + $0 delivery", "about $21", "-$21", "$1,29", "9" * 5000]),
        (
            "date",
            [
                "May 12 or 13",
                "May 12–15",
                "not May 12",
                "2026-13-01",
                "5/32/2026",
                "soon",
                "May",
                "Monday, May 12, 2026",
            ],
        ),
        ("time", ["2:35", "25:00", "14:35 or 15:35", "before 14:35", "in the morning"][1:]),
        ("duration", ["5", "5 h 20 min or more", "about 5 hours", "5 h 90 x", "9" * 5000 + " min"]),
        ("number", ["4 or 5", "not 4", "at most 4", "4 of 9", "some", "4 dollars"]),
        ("name", ["", "!?", "Marlow | Kestrel"]),
        ("names", ["A | | B", "", "2. A | 1. B"]),
        ("yes_no", ["maybe", "yes and no", "not no", ""]),
    ],
)
def test_what_is_no_single_value_is_none(kind: AnswerKind, texts: list[str]) -> None:
    assert [text for text in texts if read_value(AnswerField("x", kind), text) is not None] == []


def test_only_a_rating_is_in_stars_and_out_of_five() -> None:
    for text in ("4/5", "4 out of 5", "4 stars"):
        assert says("number", 4, text, "rating at Marlow & Finch")
        assert not says("number", 4, text, "extra legroom seats")
    assert says("number", 4, "4 seats", "extra legroom seats")


def test_a_neighbouring_value_is_another() -> None:
    assert not says("money", 2100, "$21.01")
    assert not says("date", "2026-05-12", "May 13")
    assert not says("date", "2026-05-12", "May 12, 2025")
    assert not says("time", "14:35", "2:35 AM")
    assert not says("name", "Marlow & Finch|Marlow", "Marlow & Finch Two")
    for sign in ("!", "~", "≠ ", "❌ ", "не ", "非"):
        assert not says("name", "Marlow & Finch|Marlow", f"{sign}Marlow")
    assert says("name", "C++ für 東京", "c++ fur 東京")
    assert not says("name", "Marlow", "not Marlow")


def test_names_are_a_set_or_an_order() -> None:
    assert says("names", ["A", "B"], "B | A")
    assert not says("names", ["A", "B"], "B | A", ordered=True)
    assert not says("names", ["A", "B"], "A | A")
    assert not says("names", ["A", "B"], "A")


def test_further_right_values_and_tolerance_are_the_keys() -> None:
    assert says("money", 2100, "$22.00", also=(2200,))
    assert says("number", 10, "11", tolerance=1)
    assert not says("number", 10, "12", tolerance=1)


def test_what_is_counted_may_stand_behind_a_number_by_the_fields_own_name() -> None:
    assert says("number", 4, "4 seats", "extra legroom seats")
    assert says("number", 1, "1 seat", "seats")
    assert not says("number", 4, "4 rows", "seats")


@given(st.integers(0, 10_000_000))
def test_money_survives_every_writing(cents: int) -> None:
    plain = f"{cents // 100}.{cents % 100:02d}"
    for text in (f"${cents // 100:,}.{cents % 100:02d}", plain, f"{plain} USD"):
        assert says("money", cents, text)
        assert not says("money", cents + 1, text)


@given(st.dates(date(2026, 1, 1), date(2027, 12, 31)))
def test_dates_survive_every_writing(day: date) -> None:
    for text in (day.isoformat(), f"{day:%A}, {day:%B} {day.day}, {day.year}", f"{day.month}/{day.day}/{day.year}"):
        assert says("date", day.isoformat(), text)
        assert not says("date", (day + timedelta(1)).isoformat(), text)


def test_a_weekday_must_be_that_of_the_day_though_no_year_is_said() -> None:
    expected = ExpectedAnswer("day", "date", "2026-07-10")
    field = AnswerField("day", "date")
    assert agrees(expected, read_value(field, "Friday, July 10"))
    assert not agrees(expected, read_value(field, "Saturday, July 10"))
