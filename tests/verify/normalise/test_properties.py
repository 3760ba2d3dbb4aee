"""Every value is taken in every usual wording, and none of its neighbours is."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.key import Answer
from workalike.verify.normalise import agrees

SUMS = st.integers(100, 999_999)
DAYS = st.dates(date(2026, 1, 1), date(2028, 12, 31))


@settings(max_examples=120)
@given(SUMS, st.integers(1, 5000))
def test_money(cents: int, off: int) -> None:
    expected = Answer("money", cents / 100)
    wordings = ("It costs ${}.", "{}", "The total is USD {}", "{} dollars", "**${}** (incl. delivery)")
    for wording in wordings:
        for number in (f"{cents / 100:.2f}", f"{cents / 100:,.2f}"):
            assert agrees(expected, wording.format(number)), wording.format(number)
        assert not agrees(expected, wording.format(f"{(cents + off) / 100:.2f}"))
    assert not agrees(expected, f"${cents / 100:.2f} or ${(cents + off) / 100:.2f}")


@settings(max_examples=120)
@given(DAYS, st.integers(1, 300))
def test_dates(day: date, later: int) -> None:
    expected, other = Answer("date", day.isoformat()), day + timedelta(later)
    for wording in (
        "{0:%B} {0.day}, {0.year}",
        "{0:%A}, {0:%B} {0.day}",
        "{0.day} {0:%b} {0.year}",
        "{0.month}/{0.day}/{0.year}",
        "{0}",
    ):
        assert agrees(expected, "It arrives on " + wording.format(day) + "."), wording.format(day)
        assert not agrees(expected, "It arrives on " + wording.format(other) + "."), wording.format(other)


@settings(max_examples=120)
@given(st.integers(0, 1439), st.integers(1, 1438))
def test_times(minutes: int, later: int) -> None:
    other = (minutes + later) % 1440
    expected = Answer("time", f"{minutes // 60:02d}:{minutes % 60:02d}")

    def wordings(at: int) -> list[str]:
        hours, rest = divmod(at, 60)
        half = "PM" if hours >= 12 else "AM"
        return [
            f"{hours:02d}:{rest:02d}",
            f"{(hours - 1) % 12 + 1}:{rest:02d} {half}",
            f"{(hours - 1) % 12 + 1}:{rest:02d}{half.lower()}",
        ]

    assert all(agrees(expected, f"It leaves at {said}.") for said in wordings(minutes))
    assert not any(agrees(expected, f"It leaves at {said}.") for said in wordings(other))


@settings(max_examples=120)
@given(st.integers(1, 2000), st.integers(1, 200))
def test_durations(minutes: int, more: int) -> None:
    expected = Answer("duration", minutes)

    def wordings(length: int) -> list[str]:
        hours, rest = divmod(length, 60)
        return [
            f"{length} minutes",
            *([f"{hours}h {rest}m", f"{hours} hours and {rest} minutes", f"{hours} hr {rest} min"] if hours else []),
        ]

    assert all(agrees(expected, f"It takes {said}.") for said in wordings(minutes))
    assert not any(agrees(expected, f"It takes {said}.") for said in wordings(minutes + more))


@settings(max_examples=120)
@given(st.integers(0, 400), st.integers(1, 50))
def test_numbers_beside_their_unit(count: int, more: int) -> None:
    expected = Answer("number", count, unit=("seats", "seat"))
    for said in (f"There are {count} seats left on flight {count + more}.", f"{count} free seats", f"Seats: {count}"):
        assert agrees(expected, said), said
    assert not agrees(expected, f"There are {count + more} seats left on flight {count}.")


@settings(max_examples=80)
@given(SUMS, SUMS)
def test_pairs_are_not_swapped(one: int, two: int) -> None:
    a, b = f"${one / 100:,.2f}", f"${two / 100:,.2f}"
    expected = Answer("pairs", {"Marlow & Finch|Marlow": one / 100, "Kestrel Market|Kestrel": two / 100}, of="money")
    for first, second in ((a, b), (b, a)):
        right = (first, second) == (a, b)
        said = (
            f"Marlow & Finch: {first}, Kestrel Market: {second}",
            f"{first} at Marlow and {second} at Kestrel",
            f"At Marlow and Finch it costs {first}, while Kestrel Market asks {second}.",
            f"Kestrel Market has it for {second}; Marlow & Finch for {first}.",
        )
        for text in said:
            assert agrees(expected, text) == right, text
