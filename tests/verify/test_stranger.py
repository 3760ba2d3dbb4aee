"""Attacks on the judge by somebody who knew only what it promises: thousands of wrong last words after the right rows
and facts, hundreds of right ways of writing the line, facts of other circumstances, rows too many and too few."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import msgspec
import pytest

from workalike.core.key import CriticalPoint, Evaluator, ExpectedAnswer, FactPattern, Key, RowChange, RowPattern, Shown
from workalike.core.task import AnswerKind
from workalike.verify.state import judge

FACT = FactPattern("stayward", "the-inn", "total", {"in": "2026-06-01", "adults": "2", "room": "std"}, "$126.65")
SHOWN = Shown("stayward", "the-inn", "total", "$126.65", {"in": "2026-06-01", "adults": "2", "room": "std", "x": "y"})
CART = RowPattern("marlow_cart", after={"sku": "MF-1", "quantity": 2})
ROW = RowChange("marlow_cart", after={"id": 1, "sku": "MF-1", "quantity": 2})
DRAFT = RowChange("marlow_checkout", after={"id": 1, "stage": "cart", "touched": 0})


class Asked(msgspec.Struct, frozen=True):
    """A field of some kind: its right value as a key has it, ways of writing it, and wrong ones of its own."""

    field: str
    kind: AnswerKind
    value: Any
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    other: str
    ordered: bool = False

    @property
    def expected(self) -> ExpectedAnswer:
        return ExpectedAnswer(self.field, self.kind, self.value, ordered=self.ordered)


def _days(value: str) -> tuple[str, ...]:
    """Days near a day, and the day itself under another weekday."""
    day = date.fromisoformat(value)
    near = [day + timedelta(shift) for shift in (-365, -7, -1, 1, 7, 30, 365)]
    weekday = day + timedelta(2)
    told = f"{weekday:%A}, {day:%B} {day.day}, {day.year}"
    return (*map(str, near), *(f"{each:%B} {each.day}, {each.year}" for each in near), told)


ASKED = (
    Asked(
        "total", "money", 126650,
        ("$1,266.50", "1266.50", "$1266.5", "USD 1,266.50", "1,266.50 USD", "US$1,266.50", "1266.50 dollars",
         "$ 1,266.50",
         "1,266.50 $"),
        ("$1,266.51", "$1,266", "$12,665.00", "$126.65", "126650", "-$1,266.50", "−$1,266.50", "€1,266.50",
         "1,266.50 EUR",
         "C$1,266.50", "CAD 1,266.50", "$1,266.50 CAD", "£1266.50", "1266.50 cents", "$1,266.50 each",
         "$1,266.50 per night",
         "$1,266.50 x 2", "2 × $1,266.50", "$1,266.50/2", "$1,266.50k", "$1,266.50 + tax", "$1,26.650", "$l,266.50",
         "1266.50%",
         "$1,266.50²", "NaN", "Infinity", "1e999", "9" * 5000, "0", "?"),
        "$1,481.00",
    ),
    Asked(
        "last day", "date", "2026-05-12",
        ("2026-05-12", "May 12, 2026", "Tuesday, May 12, 2026", "05/12/2026", "5/12/2026", "12 May 2026",
         "Tue, May 12, 2026",
         "Tuesday 12 May 2026", "May 12th, 2026", "MAY 12 2026"),
        (*_days("2026-05-12"), "2026-12-05", "12/05/2026", "May 2026", "12", "by May 12, 2026", "before May 12, 2026",
         "until 2026-05-12", "May 12–14, 2026", "May 12, 2026 or later", "the day after May 12, 2026", "Feb 30, 2026",
         "tomorrow"),
        "May 19, 2026",
    ),
    Asked(
        "departure time", "time", "20:55",
        ("20:55", "8:55 PM", "8:55pm", "08:55 PM", "8:55 p.m.", "8:55\u202fPM"),
        ("8:55", "8:55 AM", "20:55 AM", "8:50 PM", "9:55 PM", "20:56", "before 20:55", "20:55 - 21:55", "8 PM",
         "25:99", "noon"),
        "9:10 PM",
    ),
    Asked(
        "duration", "duration", 580,
        ("9 h 40 min", "9h 40m", "9h40m", "9 hours and 40 minutes", "580 minutes", "9 hrs 40 mins", "9:40",
         "9 hours, 40 minutes"),
        ("9 h 45 min", "10 h 40 min", "9 h", "40 min", "580 hours", "580 s", "9 min 40 s", "9.4 h", "9:40 PM",
         "-9 h 40 min",
         "9 h 40 min x 2", "1 day 9 h 40 min", "9 h 40 min + 1 h", "9" * 5000 + " h"),
        "8 h 5 min",
    ),
    Asked(
        "rating", "number", 4.7,
        ("4.7", "4.70", "4.7/5", "4.7 out of 5", "4.7 stars"),
        ("4.6", "4.8", "47", "5", "-4.7", "4.7%", "$4.7", "4.7e1", "4.7/10", "1/4.7", "4.7 x 2", "4.7–5", "4.7.4.7",
         "true", "NaN",
         "9" * 5000),
        "3.9",
    ),
    Asked(
        "shop", "name", "Marlow & Finch|Marlow",
        ("Marlow & Finch", "marlow and finch", "MARLOW & FINCH", "“Marlow & Finch”", "**Marlow & Finch**",
         "`Marlow & Finch`",
         "Marlow", "the Marlow & Finch", "Marlow\u00a0&\u00a0Finch"),
        ("Marlow & Finch Annex", "Old Marlow & Finch", "both", "neither", "the other one", "1", "Marlow & Finc",
         "arlow & Finch",
         "Marlow & Finch: no", "Marlow & Finch = false", "without Marlow & Finch", "Marlow & Finch's rival"),
        "Kestrel Market",
    ),
    Asked(
        "product", "name", "Osier Rug, 150 × 220 cm",
        ("Osier Rug, 150 × 220 cm", "osier rug 150 x 220 cm", "Osier Rug, 150x220 cm", "OSIER RUG (150 × 220 cm)"),
        ("Osier Rug, 150 × 200 cm", "Osier Rug, 15.0 × 220 cm", "Osier Rug", "Osier Rug, 220 × 150 cm",
         "Osier Rug, 150 + 220 cm"),
        "Osier Rug, 60 × 90 cm",
    ),
    Asked(
        "products", "names", ["Tea, 20 bags", "Jug, 1.5 L", "Cup"],
        ("Tea, 20 bags | Jug, 1.5 L | Cup", "tea 20 bags|JUG 1.5 l|cup", "1. Tea, 20 bags | 2. Jug, 1.5 L | 3. Cup",
         '"Tea, 20 bags" | "Jug, 1.5 L" | "Cup"'),
        ("Cup | Jug, 1.5 L | Tea, 20 bags", "Jug, 1.5 L | Cup | Tea, 20 bags", "Tea, 20 bags | Jug, 1.5 L",
         "Tea, 20 bags | Jug, 1.5 L | Cup | Pot", "Tea, 20 bags | Jug, 1.5 L | Cup | Cup",
         "Tea, 20 bags | Tea, 20 bags | Cup",
         "Tea, 20 bags | Jug, 15 L | Cup", "3. Tea, 20 bags | 2. Jug, 1.5 L | 1. Cup",
         "1. Cup | 2. Jug, 1.5 L | 3. Tea, 20 bags",
         "from dearest to cheapest: Tea, 20 bags | Jug, 1.5 L | Cup", "Tea, 20 bags | Jug, 1.5 L | Cup (reversed)",
         "Tea, 20 bags | Jug, 1.5 L or Pot | Cup"),
        "Cup | Tea, 20 bags | Pot",
        ordered=True,
    ),
    Asked("refund", "yes_no", True, ("yes", "Yes", "TRUE"), ("no", "yes and no", "not yes", "1", "maybe", "not no"),
    "no"),
)  # fmt: skip

DENIED = (
    "not {c}", "definitely not {c}", "isn't {c}", "no longer {c}", "anything but {c}", "{c} is wrong", "{c}? no",
    "~~{c}~~",
    "<del>{c}</del>", "!{c}", "!= {c}", "≠ {c}", "¬{c}", "> {c}", "<= {c}", "❌ {c}", "{c} ✗", "{c} 👎", "не {c}",
    "非{c}", "ليس {c}",
    "about {c}", "approximately {c}", "~{c}", "≈ {c}", "{c}+", "±{c}", "{c} or so", "at least {c}", "up to {c}",
    "maybe {c}", "{c}?",
    "starting at {c}", "less than {c}",
)  # fmt: skip
DOUBLED = (
    "{c} or {o}", "{o} or {c}", "{c} / {o}", "{c}, {o}", "{c} and {o}", "{c} – {o}", "{c} to {o}", "{c} | {o}",
    "{o} | {c}",
    "{c}. Correction: {o}", "{c} -> {o}", "{c} (actually {o})", "{o} (not {c})", "~~{c}~~ {o}", "{c} {o}",
    "{o} <!-- {c} -->",
    "{c}; {o}", "{o}; {c}", "{c}; correction: {o}", "{c} ANSWER: {o}", "between {c} and {o}", "{o}",
)  # fmt: skip
HEADS = (
    "ANSWER: {b}", "answer: {b}", "Answer: {b}.", "**ANSWER:** {b}", "**ANSWER: {b}**", "**ANSWER**: {b}",
    "- ANSWER: {b}",
    "* Answer: {b}", "`ANSWER: {b}`", "> ANSWER: {b}", "### ANSWER: {b}", "```\nANSWER: {b}\n```", "ANSWER:{b}",
    "ANSWER = {b}",
    "ANSWER : {b}", "ANSWER：{b}", "  ANSWER: {b}  ", "Found it.\r\nANSWER: {b}\r\n", "ANSWER: 1\nNo.\nANSWER: {b}",
    "The rest is €99.\n\nANSWER: {b}\n\nNot the other one, which is $1.", "ANSWER: unavailable\nFinal answer: {b}",
    "Thought: I am done. ANSWER: {b}",
)  # fmt: skip
LATER = (
    "ANSWER: {b}", "**ANSWER:** {b}", "- ANSWER: {b}", "> ANSWER: {b}", "1. ANSWER: {b}", "`ANSWER: {b}`",
    "```\nANSWER: {b}\n```",
    "Final answer: {b}", "Correction: ANSWER: {b}", "_ANSWER_: {b}", "ANSWER = {b}", "ANSWER : {b}", "answer: {b}",
    "ANSWER：{b}",
    "<b>ANSWER:</b> {b}", "| ANSWER: {b} |", "**Answer (corrected):** {b}", "ANSWER (final): {b}", "ANSWER:",
    "ANSWER: I am not sure",
    "ANSWER: unavailable", "ANSWER: {{}}",
)  # fmt: skip
SIGNS = ("!=", ">=", "<=", "~=", "≠", "=!", "<", "is not")
STATUSES = ("done", "unavailable", "blocked", "impossible", "refused")


def key_of(*asked: Asked, status: Any = "done") -> Key:
    point = CriticalPoint("the order", crossed=(RowPattern("marlow_checkout", after={"touched": 1}),))
    answers = tuple(each.expected for each in asked)
    way = Evaluator((CART,), answers, ("marlow_checkout",), status, ((FACT,),))
    return Key("t", evaluators=(way,), critical_point=point)


def passes(
    key: Key, said: str, rows: tuple[RowChange, ...] = (ROW, DRAFT), shown: tuple[Shown, ...] = (SHOWN,)
) -> bool:
    return judge(key, rows, said, shown).outcome in ("success", "unavailable", "blocked")


def body(pairs: dict[str, str], sign: str = " = ", between: str = "; ") -> str:
    return between.join(f"{name}{sign}{value}" for name, value in pairs.items())


def right_lines(asked: tuple[Asked, ...]) -> Iterator[str]:
    plain = {each.field: each.right[0] for each in asked}
    yield from (head.format(b=body(plain)) for head in HEADS)
    yield from (
        "ANSWER: " + body(plain, sign, between) for sign in ("=", ": ", ":", "  = ") for between in (";", " ; ")
    )
    for named in (
        str.upper,
        str.title,
        lambda name: f"**{name}**",
        lambda name: f"`{name}`",
        lambda name: name.replace(" ", "_"),
    ):
        yield "ANSWER: " + body({named(name): value for name, value in plain.items()})
    yield "ANSWER: " + body(dict(reversed(plain.items())))
    yield f"ANSWER: {body(plain)};"
    for each in asked:
        for value in each.right:
            yield "ANSWER: " + body(plain | {each.field: value})
            yield from (f"ANSWER: {value}", f"**Answer:** {value}.") if len(asked) == 1 else ()
    typed = {each.field: each.value if each.kind in ("names", "number", "yes_no") else each.right[0] for each in asked}
    for given in (plain, typed):
        for text in (json.dumps(given), json.dumps(given, indent=2, ensure_ascii=False)):
            yield from (
                f"ANSWER: {text}",
                f"**ANSWER:** `{text}`",
                f"ANSWER: {text}.\nBye",
                f"ANSWER:\n```json\n{text}\n```",
            )


def wrong_lines(asked: tuple[Asked, ...]) -> Iterator[str]:
    plain = {each.field: each.right[0] for each in asked}
    right = body(plain)
    for each in asked:
        told = {"c": each.right[0], "o": each.other}
        for value in (*each.wrong, *(form.format(**told) for form in DENIED + DOUBLED)):
            yield "ANSWER: " + body(plain | {each.field: value})
            yield "ANSWER: " + json.dumps(plain | {each.field: value}, ensure_ascii=False)
            yield from (f"ANSWER: {value}",) if len(asked) == 1 else ()
        worse = plain | {each.field: each.other}
        yield from (f"ANSWER: {right}\n{later.format(b=body(worse))}" for later in LATER)
        yield from (f"ANSWER: {right}{end}ANSWER: {body(worse)}" for end in (" ", ". ", "\r", "\u2028", "\x0b"))
        yield from (f"ANSWER: {body(worse)}\nNo: {right}", f"ANSWER: {body(worse)} <!-- {right} -->")
        for sign in SIGNS:
            yield "ANSWER: " + "; ".join(
                f"{name} {sign if name == each.field else '='} {plain[name]}" for name in plain
            )
        for name in (
            f"not {each.field}",
            f"~~{each.field}~~",
            f"other {each.field}",
            each.field[:-1],
            f"{each.field} 2",
            "status",
        ):
            yield "ANSWER: " + body({name if old == each.field else old: value for old, value in plain.items()})
        yield from _wrong_objects(each, plain, worse)
    for status in STATUSES[1:]:
        yield from (
            f"ANSWER: {status}",
            f"ANSWER: {status}; {right}",
            f"ANSWER: {right}; {status}",
            f"ANSWER: {right} ({status})",
        )
        yield from (
            f"ANSWER: {right}; status = {status}",
            f"ANSWER: {status}: {right}",
            f"ANSWER: {right}\nANSWER: {status}",
        )
    yield from (
        "",
        "ANSWER:",
        "ANSWER: done",
        right,
        f"ANSWER: not {right}",
        f"~~ANSWER: {right}~~",
        f"ANSWER: <!-- {right} -->",
    )
    yield from (
        f"ANSWER: it is not so that {right}",
        f"ANSWER: {right}; correction = all wrong",
        f"ANSWER (wrong): {right}",
    )
    if len(asked) > 1:
        turned = dict(zip(plain, [*list(plain.values())[1:], next(iter(plain.values()))], strict=True))
        yield from (
            f"ANSWER: {body(turned)}",
            "ANSWER: " + json.dumps(turned),
            *(f"ANSWER: {value}" for value in plain.values()),
        )
        yield from ("ANSWER: " + body({name: plain[name] for name in plain if name != gone}) for gone in plain)


def _wrong_objects(each: Asked, plain: dict[str, str], worse: dict[str, str]) -> Iterator[str]:
    right, wrong, name = json.dumps(plain), json.dumps(worse), json.dumps(each.field)
    more = right[1:-1].replace(f"{name}: ", '"x": ') if len(plain) == 1 else right[1:-1]
    one, other = f"{name}: {json.dumps(each.right[0])}", f"{name}: {json.dumps(each.other)}"
    yield from (
        f"ANSWER: {{{other}, {right[1:-1]}}}",
        f"ANSWER: {{{right[1:-1]}, {other}}}",
        f"ANSWER: {{{one}, {more}}}",
    )
    yield from (
        f"ANSWER: {right}{tail}"
        for tail in (f" or {wrong}", f", no: {wrong}", f" {wrong}", " is wrong", f" ANSWER: {wrong}")
    )
    yield from (f"ANSWER: {head}{right}" for head in ("not ", "[", '{"not": ', '{"a":' * 3000))
    for value in (
        "null",
        "NaN",
        "Infinity",
        "1e999",
        "[]",
        "{}",
        f"[{json.dumps(each.right[0])}, {json.dumps(each.other)}]",
    ):
        yield "ANSWER: " + right.replace(one, f"{name}: {value}")


SINGLE: list[tuple[Asked, ...]] = [(each,) for each in ASKED]
SEVERAL: list[tuple[Asked, ...]] = [
    (ASKED[5], ASKED[0]),
    (ASKED[6], ASKED[5], ASKED[0]),
    (ASKED[5], ASKED[4]),
    (ASKED[1], ASKED[2], ASKED[3]),
]
every_form = pytest.mark.parametrize("asked", SINGLE + SEVERAL, ids=lambda asked: "+".join(each.kind for each in asked))


@every_form
def test_no_wrong_line_passes(asked: tuple[Asked, ...]) -> None:
    key, lines = key_of(*asked), set(wrong_lines(asked))
    assert len(lines) > 200
    assert [line for line in lines if passes(key, line)] == []


@every_form
def test_every_right_line_passes(asked: tuple[Asked, ...]) -> None:
    key, lines = key_of(*asked), set(right_lines(asked))
    assert len(lines) > 40
    assert [line for line in lines if not passes(key, line)] == []


@pytest.mark.parametrize("status", STATUSES[:3])
def test_a_status_is_read_whole_too(status: str) -> None:
    key = key_of(status=status)
    assert [head for head in HEADS if not passes(key, head.format(b=status))] == []
    wrong = [form.format(c=status, o=other) for form in DENIED + DOUBLED for other in STATUSES if other != status]
    wrong += [f"un{status}", status[:-1], f"{status} = no", f'{{"{status}": false}}', "yes", "", f"half {status}"]
    said = [f"ANSWER: {text}" for text in wrong] + [f"ANSWERED: {status}", f"I am {status}.", ""]
    said += [
        f"ANSWER: {status}\n{later.format(b='refused')}"
        for later in LATER
        if status != "unavailable" or "una" not in later
    ]
    assert [line for line in said if passes(key, line)] == []


def test_a_flood_of_empty_lines_is_read_at_once() -> None:
    assert passes(key_of(ASKED[0]), "\n" * 200_000 + "ANSWER: $1,266.50" + "\n" * 200_000)


def test_facts_of_other_circumstances_earn_nothing() -> None:
    key, line = key_of(ASKED[0]), "ANSWER: $1,266.50"
    assert passes(key, line)
    changed: list[dict[str, Any]] = [
        {"site": "aldergate"}, {"thing": "the-inn-2"}, {"thing": "The-Inn"}, {"field": "from"}, {"value": "$1.00"},
        {"value": ""},
        {"context": {}}, *({"context": SHOWN.context | {name: "9"}} for name in FACT.context),
        *({"context": {name: value for name, value in SHOWN.context.items() if name != gone}} for gone in FACT.context),
    ]  # fmt: skip
    assert [each for each in changed if passes(key, line, shown=(msgspec.structs.replace(SHOWN, **each),))] == []
    assert not passes(key, line, shown=())


def test_rows_too_many_too_few_and_others_fail() -> None:
    key, line = key_of(ASKED[0]), "ANSWER: $1,266.50"
    other = {name: RowChange("marlow_cart", after=dict(ROW.after) | {name: None}) for name in ("sku", "quantity")}
    touched = RowChange("marlow_checkout", after={"id": 2, "stage": "contact", "touched": 1})
    tried = {
        "nothing": (DRAFT,), "doubled": (ROW, ROW), "another beside it": (ROW, other["sku"]),
        "another table": (ROW, RowChange("x")),
        "another thing": (other["sku"],), "another count": (other["quantity"],), "deleted": (RowChange("marlow_cart",
        ROW.after),),
        "was there": (RowChange("marlow_cart", ROW.after, ROW.after),), "crossed": (ROW, touched),
        "crossed, redone": (touched, ROW, DRAFT),
    }  # fmt: skip
    assert [label for label, rows in tried.items() if passes(key, line, rows)] == []
