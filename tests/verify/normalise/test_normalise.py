"""Answers in a sensible person's words are taken; a neighbour's value is not."""

from __future__ import annotations

import pytest

from workalike.core.key import Answer as A
from workalike.verify.normalise import agrees

RIGHT = [
    (A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")), "Marlow & Finch costs $5 more than Kestrel."),
    (
        A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")),
        "You'd pay less at Kestrel ($20 vs $25 at Marlow).",
    ),
    (
        A("choice", "Kestrel", among=("Kestrel", "Marlow"), unit=("higher",)),
        "Kestrel has the higher rating, Marlow 4.1.",
    ),
    (A("money", 24.99), "It costs $24.99."),
    (A("money", 24.99), "24.99"),
    (A("money", 24.99, also=(29.99,)), "$24.99 (was $29.99)"),
    (A("money", 1299), "The price is 1,299 dollars"),
    (A("money", 24.99), "The 1.7 L kettle costs 24.99"),
    (A("date", "2026-05-12"), "Tuesday, May 12, 2026"),
    (A("date", "2026-05-12"), "5/12"),
    (A("date", "2026-05-12"), "on the 12th of May"),
    (A("time", "14:35"), "2:35 PM"),
    (A("time", "14:35"), "It departs at 14:35."),
    (A("time", "12:00"), "noon"),
    (A("duration", 320), "5h 20m"),
    (A("duration", 320), "5 hours and 20 minutes"),
    (A("duration", 320), "320 min"),
    (A("duration", 300), "5 hours"),
    (A("number", 4, unit=("seats", "seat")), "There are 4 exit row seats left on flight KA 203 on May 12"),
    (A("number", 0, unit=("seats",)), "no seats"),
    (A("number", 4), "four"),
    (
        A("name", "Torvald Linden Electric Kettle, 1.7 L", among=("Torvald Linden Electric Kettle, 1.2 L",)),
        "the Torvald Linden 1.7 L electric kettle",
    ),
    (
        A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")),
        "Kestrel is cheaper ($24.99 vs $27.50 at Marlow and Finch)",
    ),
    (
        A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")),
        "Marlow & Finch is more expensive than Kestrel",
    ),
    (
        A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")),
        "Marlow & Finch sells it for $27.50, while Kestrel has it for $24.99, so Kestrel is cheaper by $2.51",
    ),
    (A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")), "It is cheaper at Kestrel than at Marlow."),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "Kestrel: $24.99, Marlow & Finch: $27.50. Kestrel is $2.51 cheaper.",
    ),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "$24.99 at Kestrel and $27.50 at Marlow and Finch",
    ),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "At Kestrel it's $24.99, and $27.50 at Marlow",
    ),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "Kestrel sells it for $24.99 whereas Marlow & Finch charges $27.50",
    ),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "| Shop | Price |\n| Kestrel | $24.99 |\n| Marlow & Finch | $27.50 |",
    ),
    (A("yes_no", True, unit=("available", "navy")), "The jacket is available in navy."),
    (A("yes_no", False, unit=("available",)), "It isn't available in navy"),
    (A("yes_no", True), "Yes, it is."),
    (A("statement", "unavailable"), "The size is not available."),
    (A("statement", "unavailable"), "Sorry, they don't carry it in XL"),
    (A("statement", "unavailable"), "It's sold out."),
    (A("statement", "unavailable"), "I couldn't find any rooms"),
    (A("statement", "blocked"), "The site asks to prove you are human, so I stopped."),
    (A("statement", "blocked"), "blocked by a CAPTCHA"),
    (A("set", ["A one", "B two"], among=("C three",)), "A one and B two"),
    (A("order", ["A one", "B two"]), "1. A one 2. B two"),
]

WRONG = [
    (A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")), "Kestrel costs $5 more than Marlow."),
    (
        A("choice", "Kestrel", among=("Kestrel", "Marlow"), unit=("higher",)),
        "Marlow has the higher rating, Kestrel 4.1.",
    ),
    (A("money", 24.99), "It costs $29.99."),
    (A("money", 24.99), "$24.99 or $27.50"),
    (A("money", 24.99), "Done."),
    (A("date", "2026-05-12"), "May 13"),
    (A("time", "14:35"), "2:35 AM"),
    (A("duration", 320), "5h 25m"),
    (A("number", 4, unit=("seats",)), "5 seats, 4 flights"),
    (
        A("name", "Torvald Linden Electric Kettle, 1.7 L", among=("Torvald Linden Electric Kettle, 1.2 L",)),
        "Torvald Linden Electric Kettle, 1.2 L",
    ),
    (A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")), "Marlow is cheaper than Kestrel"),
    (A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")), "Kestrel or Marlow"),
    (A("choice", "Kestrel", among=("Kestrel", "Marlow & Finch|Marlow")), "Kestrel is more expensive than Marlow"),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "Kestrel: $27.50, Marlow & Finch: $24.99",
    ),
    (
        A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"),
        "$27.50 at Kestrel and $24.99 at Marlow",
    ),
    (A("pairs", {"Kestrel": 24.99, "Marlow & Finch|Marlow": 27.5}, also=(2.51,), of="money"), "Kestrel: $24.99"),
    (A("yes_no", True, unit=("available",)), "Done."),
    (A("yes_no", True), "No."),
    (A("statement", "unavailable"), "It is available and in your bag"),
    (A("statement", "unavailable"), "Done."),
    (A("statement", "blocked"), "Done, it is in the cart"),
    (A("set", ["A one", "B two"], among=("C three",)), "A one and B two and C three"),
    (A("set", ["A one", "B two"]), "A one"),
    (A("order", ["A one", "B two"]), "B two, A one"),
]


@pytest.mark.parametrize(("expected", "text"), RIGHT)
def test_sensible_words_are_taken(expected: A, text: str) -> None:
    assert agrees(expected, text)


@pytest.mark.parametrize(("expected", "text"), WRONG)
def test_neighbours_are_refused(expected: A, text: str) -> None:
    assert not agrees(expected, text)


@pytest.mark.parametrize("expected", [expected for expected, _ in RIGHT])
def test_silence_is_no_answer(expected: A) -> None:
    assert not agrees(expected, "")
    assert not agrees(expected, "Done.")
