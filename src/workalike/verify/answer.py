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
_MARKUP = r"(?:[ \t>*_#`\-•\"'|✅✔☑]|</?\w{1,6}>)*"
_CALLED = r"(?i:(?:(?:my|the|final|corrected|revised|updated|new)[ _]+)*answer)"
_SIGN = r"(?:(?i:is[ \t]*)?[:=：＝]|[–—]|(?<=\s)-(?=\s))"
_LINE = re.compile(
    rf"(?:^(?:\d{{1,2}}[.)])?{_MARKUP}{_CALLED}|(?<=[.!?:;)…])[ \t]+[*_`]*ANSWER)"
    rf"(?:{_MARKUP}(?P<aside>\([^()\n]*\)))?{_MARKUP}{_SIGN}(?:</\w{{1,6}}>)?",
    re.MULTILINE,
)
"""Where an answer's line begins: with its line, or behind the end of a sentence."""
_SPACES = str.maketrans({**dict.fromkeys("\u00a0\u2007\u202f", " "), **dict.fromkeys("\u200b\u200e\u2060\ufeff")})
_STRUCK = re.compile("[\u0334-\u0338]")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_OBJECT = re.compile(r"[\s*_`\"'“”]*(?:json\s*)?(?=\{)", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([^\w\s])")
_DRESSED = " \t\r*_`\"'“”"
_SIDES = re.compile(r"\s*[=:：＝]\s*")
_UNEQUAL = ("/", "!", "<", ">", "~", "≠")


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
    plain = (said or "").translate(_SPACES)
    heads = list(_LINE.finditer(plain))
    if not heads or (heads[-1]["aside"] or "(final)").lower() != "(final)":  # `ANSWER (corrected):` takes back the rest
        return None
    rest = plain[heads[-1].end() :]
    text, opened = _undressed(_ESCAPED.sub(r"\1", _first_line(rest))), _OBJECT.match(rest)
    if _STRUCK.search(text):
        return None
    given = _of_object(rest[opened.end() :]) if opened else _of_line(text, form)
    status = _status(text, given)
    if status is not None:
        return Answer(status)
    if not form or given is None or set(given) != {_named(field.name) for field in form}:
        return None
    values = {field.name: read_value(field, given[_named(field.name)]) for field in form}
    return None if None in values.values() else Answer("done", values)


def _first_line(rest: str) -> str:
    """The line itself; where nothing stands on it, the lines right below it, each a field."""
    line, _, below = rest.partition("\n")
    if _undressed(line):
        return line
    block = re.sub(r"^\s*```\w*\n", "", below).lstrip("\n").partition("\n\n")[0].partition("```")[0]
    return ";".join(_BULLET.sub("", each) for each in block.splitlines())


def _of_line(text: str, form: Form) -> dict[str, str] | None:
    """The fields of a line by their names; a lone value belongs to the only field there is."""
    known, given = {_named(field.name) for field in form}, dict[str, str]()
    parts = [part for part in re.split("[;；]", text) if part.strip()]
    parts = parts[1:] if len(parts) > 1 and _undressed(parts[0]).lower() == "done" else parts
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
        if part[: sign.start()].endswith(_UNEQUAL):
            break
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
    if len(named) < len(found) or not all(named.values()):
        return None
    return {name: value for name, value in named.items() if len(named) == 1 or (name, value) != ("status", "done")}


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
    said = given["status"] if given is not None and set(given) == {"status"} else text.rstrip("; ")
    return next((status for status in STATUSES if status == said.lower()), None)


def _named(name: str) -> str:
    return " ".join(tokens(name))


def _undressed(text: str) -> str:
    """Without markup, quotes and the full stop of a sentence, but not that of `p.m.`."""
    bare = text.strip(_DRESSED)
    if bare.endswith((".", "!")) and not bare.lower().endswith((".m.", " inc.")):
        bare = bare[:-1].strip(_DRESSED)
    return bare
