"""The answer's line from the writer's side: the oracle's own, further right ways to put it, and attacks on its
reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from workalike.core.key import AnswerStatus, Evaluator, ExpectedAnswer
from workalike.town.render import long_date, money

STATUSES: tuple[AnswerStatus, ...] = ("done", "unavailable", "blocked", "impossible", "refused")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def write_line(way: Evaluator, instead: Mapping[str, Any] = {}) -> str:
    """The line of a right way; with some values put in instead, a wrong one.

    >>> write_line(Evaluator(answers=(ExpectedAnswer("total", "money", 2100),)))
    'ANSWER: total = $21.00'
    """
    if way.status != "done" or not way.answers:
        return f"ANSWER: {way.status}"
    values = {each.field: writings(each.kind, instead.get(each.field, each.value))[0] for each in way.answers}
    return f"ANSWER: {_joined(values)}"


def writings(kind: str, value: Any) -> list[str]:
    """Ways to write a value; the pages' own first."""
    match kind:
        case "money":
            whole = [f"${value // 100:,}", f"{value // 100} USD"] if value % 100 == 0 else []
            plain = f"{value // 100}.{value % 100:02d}"
            return [money(value), plain, f"{plain} USD", f"${plain}", f"USD {plain}", f"US${plain}", *whole]
        case "date":
            day = date.fromisoformat(value)
            short = f"{day:%b} {day.day}, {day.year}"
            others = (
                value,
                short,
                f"{day.month}/{day.day}/{day.year}",
                f"{day:%B} {day.day}",
                f"{day.day} {day:%B} {day.year}",
            )
            return [long_date(day), *others]
        case "time":
            hours, minutes = map(int, value.split(":"))
            half = f"{(hours - 1) % 12 + 1}:{minutes:02d} {'AM' if hours < 12 else 'PM'}"
            return [half, value, half.lower().replace(" ", ""), half.replace("AM", "a.m.").replace("PM", "p.m.")]
        case "duration":
            hours, minutes = divmod(value, 60)
            return [
                f"{hours} h {minutes:02d} min",
                f"{hours}h {minutes}m",
                f"{value} minutes",
                f"{hours} hours {minutes} minutes",
            ]
        case "number":
            words = [NUMBERS[int(value)]] if value == int(value) and value < len(NUMBERS) else []
            return [f"{value:.10g}", f"{float(value)}", *words]
        case "names":
            spelled = [each.split("|")[0] for each in value]
            return [" | ".join(spelled), "|".join(spelled), " | ".join(each.lower() for each in spelled)]
        case "yes_no":
            return ["Yes", "yes", "true", "Y"] if value else ["No", "no", "false", "N"]
        case _:
            first = value.split("|")[0]
            return [
                *value.split("|"),
                first.upper(),
                first.lower(),
                f"the {first}" if not first.startswith("The ") else first,
            ]


def right_ways(way: Evaluator) -> list[str]:
    """At least ten ways to say the same."""
    if way.status != "done" or not way.answers:
        said = way.status
        return [
            f"ANSWER: {said}",
            f"answer: {said}",
            f"**ANSWER: {said}**",
            f"ANSWER = {said}",
            f"`ANSWER: {said}`",
            f"ANSWER: {said.upper()}.",
            f"I tried everything else first.\nANSWER: refused\nThat was hasty.\n\nANSWER: {said}",
            f"Here is how it went. ANSWER: {said}",
            f'ANSWER: {{"status": "{said}"}}',
            f"- **Final answer:** {said}",
        ]
    values = {each.field: writings(each.kind, each.value) for each in way.answers}
    first = {field: written[0] for field, written in values.items()}
    last = {field: written[-1] for field, written in values.items()}
    told = {each.field: _as_json(each) for each in way.answers}
    ways = [
        f"ANSWER: {_joined(first)}",
        f"answer: {_joined(first)}",
        f"**ANSWER:** {_joined(last)}",
        f"ANSWER = {_joined(dict(reversed(list(first.items()))))}",
        f"`ANSWER: {_joined(first, ':')}`",
        f"ANSWER: {_joined({field.upper(): text for field, text in first.items()})}.",
        f"ANSWER: {_joined(dict.fromkeys(first, 'x'))}\nNo, I looked again.\nANSWER: {_joined(first)}",
        f"It took a while, and others cost $1.00. ANSWER: {_joined(first)}",
        f"ANSWER: {msgspec.json.encode(told).decode()}",
        f"- **Final answer:** {_joined(first)};",
    ]
    ways += [f"ANSWER: {_joined(first | {field: text})}" for field, all_ in values.items() for text in all_[1:-1]]
    return ways + ([f"ANSWER: {next(iter(first.values()))}"] if len(first) == 1 else [])


def wrong_lines(way: Evaluator) -> Iterator[tuple[str, str]]:
    """What must not pass though everything else was done right, each by what is wrong with it."""
    line = write_line(way)
    yield "said nothing", ""
    yield "prose without a line", f"Everything is done; {line.removeprefix('ANSWER: ')}"
    yield "a line with nothing on it", "ANSWER:"
    yield "took it back", f"{line}\nANSWER: {'done' if way.status != 'done' else 'unavailable'}"
    yield "negated", line.replace("ANSWER: ", "ANSWER: not ")
    yield "doubted", f"{line} or not"
    for status in STATUSES:
        if status != way.status or way.answers:
            yield f"says {status}", f"ANSWER: {status}"
    if way.status != "done" or not way.answers:
        yield "says why instead", "ANSWER: sold out, blocked by a CAPTCHA"
        yield "two words at once", "ANSWER: done, unavailable"
        return
    for expected in way.answers:
        yield from _attacked(way, expected)
    yield "another name for the field", line.replace(" = ", " too = ", 1)
    if len(way.answers) > 1:
        yield "only the first field", line.partition(";")[0]
        yield "turned round", write_line(way, _rotated(way.answers))


def _attacked(way: Evaluator, expected: ExpectedAnswer) -> Iterator[tuple[str, str]]:
    """Attacks on one field."""
    field, right = expected.field, writings(expected.kind, expected.value)[0]
    values = {each.field: writings(each.kind, each.value)[0] for each in way.answers}

    def said(text: str) -> str:
        return f"ANSWER: {_joined(values | {field: text})}"

    for number, value in enumerate(_perturbed(expected), 1):
        yield f"{field} off, {number}", said(writings(expected.kind, value)[0])
    yield f"{field} negated", said(f"not {right}")
    yield f"{field} corrected", said(f"{right}. Correction: {writings(expected.kind, _perturbed(expected)[0])[0]}")
    yield f"{field} or another", said(f"{right} or {writings(expected.kind, _perturbed(expected)[0])[0]}")
    yield f"{field} twice", f"{said(right)}; {field} = {writings(expected.kind, _perturbed(expected)[0])[0]}"
    yield f"{field} left empty", said("")
    if expected.kind == "money":
        for sign in ("€", "£"):
            yield f"{field} in {sign}", said(right.replace("$", sign))


def _perturbed(expected: ExpectedAnswer) -> list[Any]:
    """Values next to the right one."""
    value = expected.value
    match expected.kind:
        case "money":
            return [value + 100, value - 1 if value > 1 else value + 1, value * 10 or 10]
        case "date":
            day = date.fromisoformat(value)
            return [(day + timedelta(1)).isoformat(), (day - timedelta(7)).isoformat()]
        case "time":
            minutes = sum(int(part) * by for part, by in zip(value.split(":"), (60, 1), strict=True))
            return [f"{(minutes + by) % 1440 // 60:02d}:{(minutes + by) % 60:02d}" for by in (60, 720)]
        case "duration":
            return [value + 60, value + 1]
        case "number":
            return [value + 1, value * 2 + 1]
        case "names":
            return [list(reversed(value)), value[:-1]] if expected.ordered else [value[:-1], [*value, "Another One"]]
        case "yes_no":
            return [not value]
        case _:
            first = value.split("|")[0]
            return [f"{first} Two", f"Neither {first}"]


def _rotated(answers: Sequence[ExpectedAnswer]) -> dict[str, Any]:
    """Every field with the value of the next one of its kind; where there is none, something else."""
    turned: dict[str, Any] = {}
    for place, each in enumerate(answers):
        later = [*answers[place + 1 :], *answers[:place]]
        same = next((other.value for other in later if other.kind == each.kind and other.value != each.value), None)
        turned[each.field] = _perturbed(each)[0] if same is None else same
    return turned


def _as_json(expected: ExpectedAnswer) -> Any:
    match expected.kind:
        case "number" | "yes_no":
            return expected.value
        case "money":
            return expected.value / 100
        case "names":
            return [each.split("|")[0] for each in expected.value]
        case kind:
            return writings(kind, expected.value)[0]


def _joined(values: Mapping[str, str], sign: str = " =") -> str:
    return "; ".join(f"{field}{sign} {text}" for field, text in values.items())
