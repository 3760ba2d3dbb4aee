"""Whichever words a comparison is put in, it chooses what it says, and never the other one."""

from __future__ import annotations

import pytest

from workalike.core.key import Answer
from workalike.verify.normalise import agrees

SHOPS = ("Marlow & Finch|Marlow", "Kestrel Market|Kestrel")
DAYS = ("July 17|17 July|Jul 17|7/17|2026-07-17", "July 19|19 July|Jul 19|7/19|2026-07-19")
THINGS = (
    "Northrow Nordic Weighted Blanket, 130 × 170 cm|Northrow Nordic",
    "Loomfield Juniper Cotton Blanket, 150 × 220 cm|Loomfield Juniper",
)
HOTELS = ("Lumen Stay Florence Opera|Lumen Stay", "The Copperfield Florence Market Square|Copperfield")

CHEAPER = """\
{a}
{a} is cheaper.
{a} is cheaper than {b}.
The {a} is cheaper than the {b}.
**{a}** is cheaper than **{b}**.
{a}, at $54.00, is cheaper than {b}.
{a}, at $54.00, is cheaper than {b} ($61.00) by $7.00.
{a} ($54.00) is cheaper than {b} ($61.00).
{a}, which costs $54.00, is cheaper.
{b} is more expensive.
{b} is more expensive than {a}.
{b}, at $61.00, is more expensive than {a}.
{b} is pricier than {a}.
{b} costs more than {a}.
{b} costs $7 more than {a}.
{b} is $7 more than {a}.
{b} isn't cheaper than {a}.
{b} is not as cheap as {a}.
{b} is less affordable than {a}.
{a} is less expensive than {b}.
{a} is more affordable than {b}.
{b}: $61.00, {a}: $54.00 → {a} is cheaper
{a}: $54.00, {b}: $61.00 → {a} is cheaper
{a} (the cheaper one)
{a} ($54.00, the cheaper one) and {b} ($61.00)
Between {b} and {a}, {a} is cheaper.
The cheaper of {b} and {a} is {a}.
Compared to {b}, {a} is cheaper.
{a} costs less, {b} costs more.
{b} costs more, {a} costs less.
not {b} but {a}
Choose {a} instead of {b}.
I recommend {a} over {b}.
You save $7 at {a} compared with {b}.
{b} costs $61.00. {a} costs $54.00. So {a} is the cheaper one.
While {b} costs $61.00, {a} only costs $54.00, making {a} the cheaper choice.
| Option | Price |\\n|---|---|\\n| {a} | $54.00 |\\n| {b} | $61.00 |\\n\\n**{a}** is cheaper.
| {b} | $61.00 | more expensive |\\n| {a} | $54.00 | cheaper |
- {b}: $61.00\\n- {a}: $54.00\\n\\nThe cheaper option is **{a}**.
The lowest fare on {b} is $61.00 and the lowest fare on {a} is $54.00, so {a} is cheaper.
The cheapest flight is $61.00 on {b} and $54.00 on {a}, so {a} is cheaper.
The lowest price is at {a}: $54. {b} asks $61.
{a}. It costs $54.00, and {b} $61.00.
Which is cheaper, {b} or {a}? {a}.
It is cheaper at {a} ($54.00) than at {b} ($61.00), by $7.
{a} has the lower price ($54.00 vs. $61.00 at {b}).
{a} has the lower price, though {b} has better reviews.
The price at {a} is $54, which is $7 less than the $61 at {b}.
At $54.00, {a} beats {b} ($61.00).
The lower price ($54.00) is offered by {a}; the higher price ($61.00) by {b}.
The lower price, $54.00, is at {a}; the higher price, $61.00, is at {b}.
{b} ($61.00, the higher price), {a} ($54.00, the lower price)
The cheapest, at $54.00, is {a}; the most expensive, at $61.00, is {b}.
Cheapest: {a}. Most expensive: {b}.
{a} sells it for less than {b}.
You'd pay $7 more at {b} than at {a}.
{b} used to be cheaper, but now {a} is cheaper.
The cheaper one is not {b}.
{b} isn't the cheapest; {a} is.
{b} costs $61.00 versus $54.00 at {a}, making {b} more expensive.
With $54.00, {a} is the cheaper option compared to {b} with $61.00.
{b} is cheaper before delivery, but with delivery {a} is cheaper.
I compared {b} with {a}. {b} is the more expensive one."""
LIGHTER = """\
{a} is lighter than {b}.
{b} weighs more than {a}.
{a} weighs 1.2 kg, less than {b} at 1.5 kg.
{b} is cheaper, but {a} is lighter.
The lighter one is the {a} (1.2 kg), compared to the {b} (1.5 kg).
{b} isn't as light as {a}.
{a}: 1.2 kg\\n{b}: 1.5 kg\\nLighter: {a}"""
HIGHER = """\
{a} rates it 4.7. {b}'s rating is lower at 3.9.
{a} has the better rating: 4.7 against 3.9 at {b}.
{b} rates it 3.9, lower than {a} at 4.7.
{b} is rated worse than {a}.
{b} is cheaper, but {a} has the higher rating.
{b}: 3.9, {a}: 4.7. It is rated higher at {a}."""
HAS = """\
{a} has it, {b} does not.
{b} doesn't have a sauna, but {a} does.
{b} has no sauna, {a} has one.
It is available at {a} but not at {b}.
I could not find it at {b}, but {a} sells it for $5.
Only {a} has it, not {b}.
{a} offers a sauna, while {b} lacks one.
{a} carries it at $5.00. No results were found at {b}."""
SHAPES = [
    (sense, shape.replace("\\n", "\n"))
    for sense, shapes in {"cheaper": CHEAPER, "lighter": LIGHTER, "higher": HIGHER, "has": HAS}.items()
    for shape in shapes.split("\n")
]


@pytest.mark.parametrize("names", [SHOPS, DAYS, THINGS, HOTELS], ids=["shops", "days", "things", "hotels"])
@pytest.mark.parametrize(("sense", "shape"), SHAPES)
def test_what_is_said_is_chosen(names: tuple[str, str], sense: str, shape: str) -> None:
    for good, bad in (names, names[::-1]):
        expected = Answer("choice", good, among=names, unit=(sense,))
        for one, other in zip(good.split("|"), bad.split("|"), strict=True):
            assert agrees(expected, shape.format(a=one, b=other)), shape.format(a=one, b=other)
            assert not agrees(expected, shape.format(a=other, b=one)), shape.format(a=other, b=one)


@pytest.mark.parametrize(
    "text",
    [
        "{a} or {b}",
        "{a}, {b}",
        "{a}: $5, {b}: $7",
        "{a} is more expensive.",
        "{a} is not cheaper.",
        "{a} isn't the cheaper one.",
        "The other one is cheaper than {a}.",
        "{a} costs $7; the other one is cheaper.",
        "Somewhere Else is cheaper; {a} costs $7.",
        "I could not find out whether {a} is cheaper.",
        "I don't know which is cheaper. {a} costs $5.",
        "Is {a} cheaper?",
        "{a} used to be cheaper.",
        "They cost the same at {a}.",
        "Neither {a} nor {b} is cheaper.",
        "{a} is cheaper. {b} is cheaper.",
        "{a} is cheaper than {a}.",
        "The cheapest flight on {a} is $102, while {b} has one for $98.",
        "{a}'s lowest fare is $102, {b}: $98.",
        "Lowest fares: {a} $102, {b} $98.",
        "{a} costs $102 and {b} costs $98, so it is cheaper.",
    ],
)
@pytest.mark.parametrize("names", [SHOPS, DAYS, THINGS], ids=["shops", "days", "things"])
def test_what_chooses_nothing_is_no_answer(names: tuple[str, str], text: str) -> None:
    for good, bad in (names, names[::-1]):
        said = text.format(a=good.split("|")[0], b=bad.split("|")[0])
        assert not agrees(Answer("choice", good, among=names), said), said


@pytest.mark.parametrize(
    "day", ["July 19, 2026", "Sunday, July 19, 2026", "July 19th", "the 19th of July", "7/19/2026"]
)
def test_a_date_in_full_is_one_name(day: str) -> None:
    right, wrong = (Answer("choice", each, among=DAYS) for each in (DAYS[1], DAYS[0]))
    for said in (
        f"{day} is cheaper than Friday, July 17, 2026.",
        f"Friday, July 17, 2026 is dearer than {day}, by $3.",
    ):
        assert agrees(right, said)
        assert not agrees(wrong, said)


def test_what_the_question_is_about_may_be_named() -> None:
    chain, portal = "Aldergate Hotels|Aldergate", "Stayward"
    expected = Answer("choice", portal, among=(chain, portal), also=("Aldergate Paris Opera",))
    assert agrees(expected, "Stayward has the room at Aldergate Paris Opera cheaper.")
    assert agrees(expected, "Aldergate Paris Opera is cheaper at Stayward than at Aldergate.")
    assert not agrees(expected, "Aldergate Paris Opera is cheaper at Aldergate than at Stayward.")


def test_no_text_takes_long_to_read() -> None:
    text = "Kestrel is cheaper than Marlow. " * 100_000
    assert not agrees(Answer("choice", "Kestrel", among=("Kestrel", "Marlow")), text)
    assert agrees(Answer("choice", "Kestrel", among=("Kestrel", "Marlow")), text[:320])
