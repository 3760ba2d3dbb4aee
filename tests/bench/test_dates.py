"""Dates: found in every style, rolled forward with weekday and length of stay kept, or left alone and listed."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workalike.bench.benchmarks import LIVE
from workalike.bench.dates import passed, roll
from workalike.bench.mentions import doubtful, mentions
from workalike.core.key import Criterion, Key, Rubric
from workalike.core.task import Task
from workalike.formats import webtailbench

TODAY = date(2026, 11, 15)
STYLES = [
    "{0:%m/%d/%Y}",
    "{0:%Y-%m-%d}",
    "{0:%B} {0.day}, {0.year}",
    "{0.day} {0:%b} {0.year}",
    "{0:%b}. {0.day} {0.year}",
]
SHARED = [
    "{0:%B} {0.day}-{1.day}, {0.year}",
    "{0:%b} {0.day} – {1.day}, {0.year}",
    "{0:%b}. {0.day} to {1.day} {0.year}",
    "{0.day}-{1.day} {0:%B} {0.year}",
    "{0.day} until {1.day} of {0:%b}, {0.year}",
]
APART = [
    "{0:%B} {0.day}, {0.year} - {1:%B} {1.day}, {1.year}",
    "{0:%b} {0.day} – {1:%b} {1.day}, {1.year}",
    "{0.day} {0:%B} to {1.day} {1:%B} {1.year}",
    "{0.day}. {0:%B} {0.year} - {1.day}. {1:%b} {1.year}",
    "{0:%m/%d/%Y}–{1:%m/%d/%Y}",
    "{0:%Y-%m-%d}/{1:%Y-%m-%d}",
]
LOOSE = [
    *STYLES,
    *SHARED,
    *APART,
    "{0:%B} {0.day}",
    "{0:%B} {0.day}-{1.day}",
    "{0:%B} {0.year}",
    "{0:%d/%m/%Y}",
    "{0:%m/%d/%y}",
    "{0:%m/%d}",
    "{0.day}th",
]
WORDS = ["to", "and", "-", "until", "or", "the", "of", ",", ".", "3", "12", "2025", "May", "Dec", "7:30", "nights"]
days = st.dates(date(2020, 1, 1), date(2035, 12, 31))


def _rubric(text: str) -> Rubric:
    return Rubric((Criterion("dates", text, 2),))


def _days(text: str) -> list[date]:
    return [day for mention in mentions(text) for day in mention.dates]


@given(days, st.sampled_from(STYLES))
def test_every_style_is_found(day: date, style: str) -> None:
    written = style.format(day)
    (mention,) = mentions(f"Book a room for {written} please")
    assert mention.dates == (day,)
    assert mention.text == written


@pytest.mark.parametrize("text", ["a 2.5 inch cable", "24/7 service", "May I have 3 of them?", "13/13/2025", "Feb 30"])
def test_what_is_no_date_is_not_taken_for_one(text: str) -> None:
    assert mentions(text) == []


def test_a_range_shares_its_year() -> None:
    first, last = mentions("from November 24 to January 3, 2026")
    assert (*first.dates, *last.dates) == (date(2025, 11, 24), date(2026, 1, 3))


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
    one, two = _days(rolled.task.instruction)
    assert (one.weekday(), two - one) == (start.weekday(), end - start)
    assert TODAY + timedelta(days=14) <= one < TODAY + timedelta(days=21)
    assert rolled.key.rubric is not None
    assert f"{one:%m/%d/%Y} and {two:%B} {two.day}." in rolled.key.rubric.items[0].description
    assert rolled.task.extra["dates"] == {"moved_by_days": rolled.days, "instruction": task.instruction}


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("December 12-15, 2025", date(2025, 12, 12), date(2025, 12, 15)),
        ("Dec 20–27, 2025", date(2025, 12, 20), date(2025, 12, 27)),
        ("March 3rd to 5th, 2025", date(2025, 3, 3), date(2025, 3, 5)),
        ("from March 3 through the 5th 2025", date(2025, 3, 3), date(2025, 3, 5)),
        ("15-17 December 2025", date(2025, 12, 15), date(2025, 12, 17)),
        ("15 to 17 of December, 2025", date(2025, 12, 15), date(2025, 12, 17)),
        ("between the 3rd and 5th of March 2025", date(2025, 3, 3), date(2025, 3, 5)),
        ("December 28, 2025 - January 2, 2026", date(2025, 12, 28), date(2026, 1, 2)),
        ("Dec 28 – Jan 2, 2026", date(2025, 12, 28), date(2026, 1, 2)),
        ("Sun, Dec 28 to Friday, Jan 2, 2026", date(2025, 12, 28), date(2026, 1, 2)),
        ("28 Dec-2 Jan 2026", date(2025, 12, 28), date(2026, 1, 2)),
        ("5/12/2025 - 21/12/2025", date(2025, 12, 5), date(2025, 12, 21)),
        ("2025/12/5 until 2025/12/21", date(2025, 12, 5), date(2025, 12, 21)),
    ],
)
def test_both_ends_of_a_range_are_found(text: str, first: date, last: date) -> None:
    assert _days(f"A room for {text} in Rome") == [first, last]
    assert passed(text, TODAY)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("a table on March 4 and 10 restaurants", 1),
        ("March 4 - 7:30 PM", 1),
        ("March 4 to 6 people", 1),
        ("March 4 - 6 nights", 1),
        ("Jan 22 to 25 in Los Angeles", 2),
        ("January 3-6 that is closest", 2),
    ],
)
def test_a_number_that_counts_is_no_end_of_a_range(text: str, days: int) -> None:
    assert sum(len(mention.days) for mention in mentions(text)) == days


@pytest.mark.parametrize(
    ("text", "today", "rolled"),
    [
        ("Hotel in Rome 15-17 December 2025", date(2026, 6, 20), "Hotel in Rome 6-8 July 2026"),
        ("December 12-15, 2025", date(2026, 6, 1), "June 19-22, 2026"),
        ("December 12-15, 2025", date(2026, 6, 12), "June 26-29, 2026"),
        ("December 12-15, 2025", date(2026, 7, 13), "July 31 - August 3, 2026"),
        ("15–17 Dec. 2025", date(2026, 5, 16), "1–3 Jun. 2026"),
        ("March 3rd to the 5th, 2025", date(2026, 12, 14), "December 28th to the 30th, 2026"),
        ("March 3rd to the 5th, 2025", date(2025, 4, 14), "April 28th to the 30th, 2025"),
        ("March 3rd to the 7th, 2025", date(2025, 4, 14), "April 28th to May 2nd, 2025"),
        ("between the 3rd and 7th of March 2025", date(2025, 4, 14), "between the 28th of April and 2nd of May 2025"),
        ("3-7 March 2025", date(2026, 12, 14), "28 December 2026 - 1 January 2027"),
        ("Dec 3 - 7, 2025", date(2026, 12, 16), "Dec 30, 2026 - Jan 3, 2027"),
        ("Nov 24 to Dec 1, 2025", date(2026, 12, 14), "Dec 28, 2026 to Jan 4, 2027"),
        ("20/12/2025 - 25/12/2025", TODAY, "5 December 2026 - 10 December 2026"),
        (
            "on the 3rd of March 2025, or on 5 March 2025.",
            date(2025, 4, 14),
            "on the 28th of April 2025, or on 30 April 2025.",
        ),
    ],
)
def test_ranges_are_rolled_whole(text: str, today: date, rolled: str) -> None:
    got = roll(Task("t", text), Key("t", rubric=_rubric(f"Dates are {text}")), today)
    assert got.task.instruction == rolled
    assert got.key.rubric == _rubric(f"Dates are {rolled}")
    assert got.left == ()


def test_a_rubric_may_write_the_same_days_otherwise() -> None:
    task = Task("t", "A room from 12/12/2025 to 12/15/2025")
    key = Key("t", rubric=_rubric("Dates are December 12-15, 2025 (Dec 12–15; 13 December is in it)."))
    rolled = roll(task, key, date(2026, 6, 1))
    assert rolled.task.instruction == "A room from 06/19/2026 to 06/22/2026"
    assert rolled.key.rubric == _rubric("Dates are June 19-22, 2026 (Jun 19–22; 20 June is in it).")


def test_style_is_kept() -> None:
    rolled = roll(Task("t", "Sept. 3rd, 2025 or 03/09/2025 or 3/9/2025"), Key("t"), TODAY)
    assert rolled.task.instruction == "May 26th, 2027 or 11/29/2026 or 11/29/2026"
    rolled = roll(Task("t", "03/02/2025, 3/2/2025, 2nd of Mar 2025"), Key("t"), TODAY)
    assert rolled.task.instruction == "11/29/2026, 11/29/2026, 29th of Nov 2026"


@pytest.mark.parametrize(
    ("text", "rubric", "why"),
    [
        ("Thanksgiving dinner on November 27, 2025", "", "'Thanksgiving' fixes the date"),
        ("Leave 11/24/2025, come back on December 3", "", "'December 3' has no year"),
        ("The closing price on March 17, 2023", "", "'closing price' tells of the past"),
        ("A stay from December 28-2, 2025", "", "names no plain day"),
        ("A stay from Feb 22 to Feb 29, 2026", "", "Feb 29, 2026 has passed, but names no plain day"),
        ("A stay from January 28 to January 2, 2026", "", "'January 28' has no year"),
        ("A flight in December 2025", "", "December 2025 has passed, but names no plain day"),
        ("A flight on 11/24-12/03/2025", "", "'11/24-12/03/2025' is no plain day"),
        ("A flight on 12/20/25", "", "12/20/25 has passed, but names no plain day"),
        ("A stay on 12/12-15/2025", "", "names no plain day"),
        ("Stay December 12, 13 and 14, 2025", "", "December 12, 13 and 14, 2025 has passed, but names no plain day"),
        ("Stay December 12, 2025 to the 15th", "", "'December 12, 2025 to the 15th' is no plain day"),
        ("A room on December 12, 2025", "As of 10/01/2025", "'10/01/2025' in the rubric is not a date of the task"),
        ("A room on December 12, 2025", "A stay in December 2025", "'December 2025' is no plain day"),
        ("A room on December 12", "December 12, 2025", "only the rubric names it"),
    ],
)
def test_what_is_ambiguous_is_left_and_listed(text: str, rubric: str, why: str) -> None:
    task, key = Task("t", text), Key("t", rubric=_rubric(rubric))
    rolled = roll(task, key, TODAY)
    assert (rolled.task, rolled.key, rolled.days) == (task, key, 0)
    assert len(rolled.left) == 1
    assert rolled.left[0].startswith("t: ")
    assert why in rolled.left[0]


def _range(start: date, stay: int, style: str) -> str:
    """Two days in one of the styles for ranges; where these need one month, the month's first days."""
    end = start + timedelta(days=stay)
    if style in SHARED and (start.year, start.month) != (end.year, end.month):
        start, end = start.replace(day=1), start.replace(day=1 + stay % 28)
    return style.format(start, end)


@given(days, st.integers(0, 60), st.sampled_from([*SHARED, *APART]), st.sampled_from([*SHARED, *APART]), days)
def test_a_range_is_rolled_as_one(start: date, stay: int, style: str, other: str, today: date) -> None:
    text = _range(start, stay, style)
    ends = _days(text)
    rubric = _range(ends[0], (ends[1] - ends[0]).days, other)
    assume(_days(rubric) == ends)
    task, key = Task("t", f"A room {text} in Rome"), Key("t", rubric=_rubric(f"Dates: {rubric}."))
    rolled = roll(task, key, today)
    assert rolled.left == ()
    assert rolled.key.rubric is not None
    for new in (rolled.task.instruction, rolled.key.rubric.items[0].description):
        assert not passed(new, today)
        assert _days(new) == [day + timedelta(days=rolled.days) for day in ends]
    assert rolled.days % 7 == 0
    assert (rolled.days == 0) == (ends[0] >= today)
    again = roll(rolled.task, rolled.key, today)
    assert (again.task, again.key, again.days, again.left) == (rolled.task, rolled.key, 0, ())


pieces = st.one_of(
    st.sampled_from(WORDS),
    st.builds(lambda style, day: style.format(day, day + timedelta(days=3)), st.sampled_from(LOOSE), days),
)


@given(st.lists(pieces, max_size=7).map(" ".join), st.lists(pieces, max_size=5).map(" ".join))
def test_whatever_stands_there_nothing_passed_stays_unlisted(text: str, rubric: str) -> None:
    rolled = roll(Task("t", text), Key("t", rubric=_rubric(rubric)), TODAY)
    assert rolled.key.rubric is not None
    listed = " ".join(rolled.left)
    for new in (rolled.task.instruction, rolled.key.rubric.items[0].description):
        assert all(mention.text in listed for mention in passed(new, TODAY))
    again = roll(rolled.task, rolled.key, TODAY)
    assert (again.task, again.key, again.days, again.left) == (rolled.task, rolled.key, 0, rolled.left)


@given(st.text(max_size=80))
def test_no_text_is_too_strange(text: str) -> None:
    rolled = roll(Task("t", text), Key("t", rubric=_rubric(text)), TODAY)
    assert rolled.days % 7 == 0
    assert (rolled.task.instruction == text) == (rolled.days == 0)


DATE_LIKE = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:[a-z]*y|ch|il|e|[a-z]*ber|ust)?\.? \d{1,4}\b"
    r"|\b\d+(?:st|nd|rd|th)? (?:of )?(?:January|March|May|July|December)\b|\d/\d{1,2}/\d|\b20\d\d-\d\d-\d",
    re.IGNORECASE,
)


def test_every_date_of_the_published_tasks_is_found_or_doubted(fixtures: Path) -> None:
    texts = 0
    for name, folder in (("webtailbench@v1", "webtailbench"), ("online-mind2web",) * 2, ("webvoyager",) * 2):
        benchmark = LIVE[name](fixtures / folder)
        for task in benchmark.tasks:
            rubric = benchmark.keys[task.id].rubric
            items = rubric.items if rubric else ()
            for text in (task.instruction, *(part for item in items for part in (item.criterion, item.description))):
                named = mentions(text)
                told = [*(mention.text for mention in named), *doubtful(text, named)]
                for like in DATE_LIKE.finditer(text):
                    texts += 1
                    assert any(like[0].strip() in each for each in told), text
            rolled = roll(task, benchmark.keys[task.id], TODAY)
            again = roll(rolled.task, rolled.key, TODAY)
            assert (again.task, again.key, again.left) == (rolled.task, rolled.key, rolled.left)
            assert bool(rolled.left) or not passed(rolled.task.instruction, TODAY)
    assert texts > 300


def test_the_published_tasks(fixtures: Path) -> None:
    pairs = webtailbench.read(fixtures / "webtailbench" / "WebTailBench-v1-rubrics.tsv")
    stale = [task.id for task, _ in pairs if passed(task.instruction, TODAY)]
    assert len(stale) == 4
    for task, key in pairs:
        rolled = roll(task, key, TODAY)
        assert not passed(rolled.task.instruction, TODAY)
        assert (rolled.days > 0) == (task.id in stale)
