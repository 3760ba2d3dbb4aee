"""The answer's line: `ANSWER: shop = …; total = …`, or one of a few words. The last one of what an agent says last
counts; what stands around it is never judged."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import msgspec

from workalike.core.key import AnswerStatus, Evaluator
from workalike.core.task import AnswerField
from workalike.verify.normalise import read_value
from workalike.verify.normalise.words import tokens

Form = tuple[AnswerField, ...]
STATUSES: tuple[AnswerStatus, ...] = get_args(AnswerStatus)
_MARKUP = r"[ \t\u00a0>*_#`\-•\"'|]*"
_LINE = re.compile(
    rf"(?:^{_MARKUP}(?i:(?:final[ _]+)?answer)|\bANSWER){_MARKUP}(?:(?P<aside>\([^()\n]*\)){_MARKUP})?[:=：＝]",
    re.MULTILINE,
)
_OBJECT = re.compile(r"[\s*_`\"'“”]*(?:json\s*)?(?=\{)", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([^\w\s])")
_DRESSED = " \t\r*_`\"'“”"
_SIDES = re.compile(r"\s*[=:：＝]\s*")


class Answer(msgspec.Struct, frozen=True):
    """What a line says: the values of its fields, or a status instead of them."""

    status: AnswerStatus
    values: dict[str, Any] = {}


def form_of(way: Evaluator) -> Form:
    """The fields that a way's line has: those of the task's form."""
    return tuple(AnswerField(each.field, each.kind) for each in way.answers)


def read_answer(said: str | None, form: Form) -> Answer | None:
    """What the last line of an agent's last words says, or None where none can be read.

    >>> read_answer("It is cheap.\\n**ANSWER:** total = $21.00", (AnswerField("total", "money"),)).values
    {'total': 2100}
    """
    heads = list(_LINE.finditer(said or ""))
    if not said or not heads or heads[-1]["aside"]:  # `ANSWER (corrected):` takes back what was said before
        return None
    rest = said[heads[-1].end() :]
    text, opened = _undressed(_ESCAPED.sub(r"\1", rest.partition("\n")[0])), _OBJECT.match(rest)
    given = _of_object(rest[opened.end() :]) if opened else _of_line(text, form)
    status = _status(text, given)
    if status is not None:
        return Answer(status)
    if not form or given is None or set(given) != {_named(field.name) for field in form}:
        return None
    values = {field.name: read_value(field, given[_named(field.name)]) for field in form}
    return None if None in values.values() else Answer("done", values)


def _of_line(text: str, form: Form) -> dict[str, str] | None:
    """The fields of a line by their names; a lone value belongs to the only field there is."""
    known, given = {_named(field.name) for field in form}, dict[str, str]()
    parts = [part for part in text.split(";") if part.strip()]
    for part in parts:
        name, value = _sides(part, known)
        if name is None and len(form) == len(parts) == 1:
            return {_named(form[0].name): _undressed(part)}
        if name is None or name in given:
            return None
        given[name] = value
    return given or None


def _sides(part: str, known: set[str]) -> tuple[str | None, str]:
    """A field's name and its value; a name may itself hold neither sign, a value may."""
    for sign in _SIDES.finditer(part):
        name = _named(part[: sign.start()])
        if name in known or name == "status":
            return name, _undressed(part[sign.end() :])
    return None, part


def _of_object(text: str) -> dict[str, str] | None:
    """The fields of a JSON object; like a value, it is read whole, so that nothing may follow on its line."""
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_each_once).raw_decode(text)
    except (ValueError, RecursionError):
        return None
    if _undressed(text[end:].partition("\n")[0]):
        return None
    named = {_named(str(name)): _spoken(value) for name, value in found.items()}
    return named if len(named) == len(found) and all(named.values()) else None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands there twice")
    return found


def _spoken(value: object) -> str:
    """A JSON value as it would stand in a line; empty where it could not."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " | ".join(map(_spoken, value))
    return _undressed(f"{value}") if isinstance(value, str | int | float) else ""


def _status(text: str, given: dict[str, str] | None) -> AnswerStatus | None:
    said = given["status"] if given is not None and set(given) == {"status"} else text
    return next((status for status in STATUSES if status == said.lower()), None)


def _named(name: str) -> str:
    return " ".join(tokens(name))


def _undressed(text: str) -> str:
    """Without markup, quotes and the full stop of a sentence, but not that of `p.m.`."""
    bare = text.strip(_DRESSED)
    if bare.endswith((".", "!")) and not bare.lower().endswith((".m.", " inc.")):
        bare = bare[:-1].strip(_DRESSED)
    return bare
