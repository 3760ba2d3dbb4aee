"""Dates: found in every style, rolled forward with weekday and length of stay kept, or left alone and listed."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.bench.dates import mentions, passed, roll
from understudy.core.key import Criterion, Key, Rubric
from understudy.core.task import Task
from understudy.formats import webtailbench

TODAY = date(2026, 11, 15)
STYLES = [
    "{0:%m/%d/%Y}",
    "{0:%Y-%m-%d}",
    "{0:%B} {0.day}, {0.year}",
    "{0.day} {0:%b} {0.year}",
    "{0:%b}. {0.day} {0.year}",
]
days = st.dates(date(2020, 1, 1), date(2035, 12, 31))


def _rubric(text: str) -> Rubric:
    return Rubric((Criterion("dates", text, 2),))


@given(days, st.sampled_from(STYLES))
def test_every_style_is_found(day: date, style: str) -> None:
    written = style.format(day)
    (mention,) = mentions(f"Book a room for {written} please")
    assert mention.date == day
    assert mention.text == written


@pytest.mark.parametrize("text", ["a 2.5 inch cable", "24/7 service", "May I have 3 of them?", "13/13/2025", "Feb 30"])
def test_what_is_no_date_is_not_taken_for_one(text: str) -> None:
    assert mentions(text) == []


def test_a_range_shares_its_year() -> None:
    first, last = mentions("from November 24 to January 3, 2026")
    assert (first.date, last.date) == (date(2025, 11, 24), date(2026, 1, 3))


def test_a_date_without_a_year_never_passes() -> None:
    assert passed("reserve a table on March 4", TODAY) == []
    assert [mention.text for mention in passed("fly 11/24/2025, back 12/14/2027", TODAY)] == ["11/24/2025"]


@given(days, st.integers(0, 40), st.sampled_from(STYLES))
def test_a_roll_keeps_weekday_and_length_of_stay(start: date, stay: int, style: str) -> None:
    end = start + timedelta(days=stay)
    task = Task("t", f"From {style.format(start)} until {style.format(end)}.")
    key = Key("t", rubric=_rubric(f"Uses {start:%m/%d/%Y} and {end:%B} {end.day}."))
    rolled = roll(task, key, TODAY)
    if start >= TODAY and end >= TODAY:
        assert (rolled.task, rolled.key, rolled.days) == (task, key, 0)
        return
    one, two = (mention.date for mention in mentions(rolled.task.instruction))
    assert one is not None
    assert two is not None
    assert (one.weekday(), two - one) == (start.weekday(), end - start)
    assert TODAY + timedelta(days=14) <= one < TODAY + timedelta(days=21)
    assert rolled.key.rubric is not None
    assert f"{one:%m/%d/%Y} and {two:%B} {two.day}." in rolled.key.rubric.items[0].description
    assert rolled.task.extra["dates"] == {"moved_by_days": rolled.days, "instruction": task.instruction}


def test_style_is_kept() -> None:
    rolled = roll(Task("t", "Sept. 3rd, 2025 or 03/09/2025 or 3/9/2025"), Key("t"), TODAY)
    assert rolled.task.instruction == "May 26th, 2027 or 11/29/2026 or 11/29/2026"
    rolled = roll(Task("t", "03/02/2025, 3/2/2025, 2nd of Mar 2025"), Key("t"), TODAY)
    assert rolled.task.instruction == "11/29/2026, 11/29/2026, 29th of Nov 2026"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Thanksgiving dinner on November 27, 2025", "'Thanksgiving' fixes the date"),
        ("Leave 11/24/2025, come back on December 3", "'December 3' has no year"),
    ],
)
def test_what_is_ambiguous_is_left_and_listed(text: str, why: str) -> None:
    task, key = Task("t", text), Key("t")
    rolled = roll(task, key, TODAY)
    assert (rolled.task, rolled.key, rolled.days) == (task, key, 0)
    assert why in rolled.left[0]


@given(st.text(max_size=80))
def test_no_text_is_too_strange(text: str) -> None:
    roll(Task("t", text), Key("t", rubric=_rubric(text)), TODAY)


def test_the_published_tasks(fixtures: Path) -> None:
    pairs = webtailbench.read(fixtures / "webtailbench" / "WebTailBench-v1-rubrics.tsv")
    stale = [task.id for task, _ in pairs if passed(task.instruction, TODAY)]
    assert len(stale) == 4
    for task, key in pairs:
        rolled = roll(task, key, TODAY)
        assert not passed(rolled.task.instruction, TODAY)
        assert (rolled.days > 0) == (task.id in stale)
