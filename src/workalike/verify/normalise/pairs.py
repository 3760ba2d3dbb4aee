"""Values beside names: `Kestrel: $24.99, Marlow & Finch: $27.50`. Swapped values do not agree."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from workalike.core.key import Answer, AnswerKind
from workalike.verify.normalise import date, duration, money, number, time
from workalike.verify.normalise.span import Span

_FIND: dict[AnswerKind, Callable[[str], list[Span]]] = {
    "money": money.find,
    "date": date.find,
    "time": time.find,
    "duration": duration.find,
    "number": number.find,
}
_READ: dict[AnswerKind, Callable[[Any], Any]] = {
    "money": money.cents,
    "date": date.read,
    "time": time.read,
    "duration": int,
    "number": float,
}
_CLAUSE = re.compile(
    r"[;!?\n|]+|\.(?!\d)|,(?!\d{3})|\band\b|\bwhile\b|\bwhereas\b|\bbut\b|\bvs\b|\bversus\b", re.IGNORECASE
)


def agrees(expected: Answer, text: str) -> bool:
    """Each name must stand beside its own value. A clause with one name decides by itself, one with as many names as
    values by their order, any other by whether names come before values or after them."""
    kind: AnswerKind = expected.of or "money"
    wanted = {name: _READ[kind](value) for name, value in expected.value.items()}
    may = {_READ[kind](value) for value in expected.also}
    told: dict[str, set[Any]] = {name: set() for name in wanted}
    for name, value in _tell(text, list(wanted), kind):
        if value not in may or value == wanted[name]:
            told[name].add(value)
    return all(told[name] == {value} for name, value in wanted.items())


def _tell(text: str, names: list[str], kind: AnswerKind) -> list[tuple[str, Any]]:
    labels, values = _labels(text, names), _FIND[kind](text)
    told: list[tuple[str, Any]] = []
    for start, end in _clauses(text, [*labels, *values]):
        here = [span for span in labels if start <= span.start < end]
        sums = [span for span in values if start <= span.start < end]
        if len({span.value for span in here}) == 1 and len(sums) >= 1:
            told += [(here[0].value, span.value) for span in sums]
        elif len(here) == len(sums):
            told += [(label.value, span.value) for label, span in zip(here, sums, strict=True)]
        elif sums:
            before = sorted(here or labels, key=lambda span: span.start)
            told += _by_order(before, sums, names_first=_names_first(labels, values))
    return told


def _by_order(labels: list[Span], values: list[Span], names_first: bool) -> list[tuple[str, Any]]:
    told = []
    for value in values:
        if names_first:
            near = [label for label in labels if label.start < value.start][-1:]
        else:
            near = [label for label in labels if label.start > value.start][:1]
        told += [(label.value, value.value) for label in near]
    return told


def _names_first(labels: list[Span], values: list[Span]) -> bool:
    return bool(labels) and bool(values) and labels[0].start < values[0].start


def _labels(text: str, names: list[str]) -> list[Span]:
    found: list[Span] = []
    for name in names:
        for spelling in sorted(name.split("|"), key=len, reverse=True):
            loose = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", spelling))
            loose = loose.replace(r"\W+", r"(?:\W+|\s+and\s+)", 1) if "&" in spelling else loose
            for match in re.finditer(rf"\b{loose}\b", text, re.IGNORECASE):
                if not any(span.start <= match.start() < span.end for span in found):
                    found.append(Span(match.start(), match.end(), name))
    return sorted(found, key=lambda span: span.start)


def _clauses(text: str, solid: list[Span]) -> list[tuple[int, int]]:
    """The clauses of a text; a cut never falls inside a name or value (`Marlow and Finch`, `$1,299.00`)."""
    inside = [range(span.start, span.end) for span in solid]
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text) if not any(match.start() in held for held in inside))]
    return list(zip(cuts, [*cuts[1:], len(text) + 1], strict=True))
