"""A structured question: the answer decoded into a struct, asked again a bounded number of times when it cannot be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec

from workalike.core.errors import ModelFailed
from workalike.core.trajectory import Usage
from workalike.models.interface import Model
from workalike.models.messages import Message, Reply, Request, SampleKey, said
from workalike.models.prompts import Prompts

T = TypeVar("T")
_LONGEST_SHOWN = 4_000
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?```", re.DOTALL)
_QUOTED = re.compile(r"(?<=Invalid enum value) .*?(?=( - at `\$[^`]*`)?\Z)", re.DOTALL)


class StructuredAnswer(msgspec.Struct, Generic[T], frozen=True):
    """An answer, the words it was read from, how often it was asked again, and what it all took."""

    value: T
    text: str
    reasked: int
    usage: Usage


async def ask(
    model: Model,
    question: Request,
    kind: type[T],
    *,
    draw: SampleKey = SampleKey(),
    tries: int = 3,
    check: Callable[[T], str | None] | None = None,
    prompts: Prompts | None = None,
    whole: bool = False,
) -> StructuredAnswer[T]:
    """Ask until the reply holds JSON of the wanted kind that passes `check` (a sentence on what is wrong, or None).
    With `whole` the reply must be that JSON and nothing else, so that nothing it quotes can be taken for the answer.
    Raises `ModelFailed` with the last reason when `tries` replies were of no use."""
    words = prompts or Prompts()
    schema = answer_schema(kind)
    form = words.get("models/answer").fill(schema=json.dumps(schema, ensure_ascii=False))
    request = msgspec.structs.replace(question, messages=_with_form(question.messages, form), schema=schema)
    total, reason = Usage(), ""
    for number in range(tries):
        reply = await model.reply(request, draw.again(number) if number else draw)
        total = total + reply.usage
        try:
            read = read_whole(_finished(reply), kind) if whole else read_answer(reply.text, kind)
            value = _checked(read, check)
            return StructuredAnswer(value, reply.text, number, total)
        except ValueError as error:
            reason = str(error) if reply.ending != "length" else f"the reply was cut off at its longest ({error})"
        again = words.get("models/answer_again").fill(reason=reason)
        shown = reply.text[:_LONGEST_SHOWN] or "(nothing)"
        messages = (*request.messages, said("assistant", shown), said("user", again))
        request = msgspec.structs.replace(request, messages=messages)
    raise ModelFailed(f"{model.name} gave no answer of the wanted form in {tries} tries: {reason}")


def answer_schema(kind: type[Any]) -> dict[str, Any]:
    """The JSON schema of an answer, its parts written out in place: smaller models follow no references."""
    return msgspec.json.decode(_encoded_schema(kind), type=dict[str, Any])  # type: ignore[arg-type]  # types are


@cache
def _encoded_schema(kind: type[Any]) -> bytes:
    """Made once: it takes longer than all else about a question."""
    (top,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    return msgspec.json.encode(_inlined(top, parts, ()))


def read_answer(text: str, kind: type[T]) -> T:
    """The last JSON value in a text that is of the wanted kind. Words around it do no harm, nor does a code fence.

    >>> read_answer('I think so. ```json\\n{"a": 1}\\n```', dict[str, int])
    {'a': 1}
    """
    reason = "there is no JSON in it"
    for _, value in reversed(list(json_values(text))):
        try:
            return msgspec.convert(value, kind, strict=False)
        except (msgspec.ValidationError, ValueError) as error:
            reason = str(error)
    raise ValueError(reason)


def read_whole(text: str, kind: type[T]) -> T:
    """A text that is one JSON value of the wanted kind and nothing else, at most within a code fence. Types are taken
    at their word: `"4"` is no number, and 1 is not true.

    >>> read_whole('```json\\n{"a": 1}\\n```', dict[str, int])
    {'a': 1}
    """
    found = _FENCED.fullmatch(text.strip())
    try:
        value = json.loads(found[1] if found else text, strict=False, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"it is not one JSON value and nothing else ({error})") from None
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_unquoted(error)) from None


def _finished(reply: Reply) -> str:
    """The words of a reply that its service neither cut nor refused: whatever they look like, they are not all."""
    if reply.ending in ("length", "refused"):
        raise ValueError("it was cut off or refused")
    return reply.text


def _unquoted(error: Exception) -> str:
    """What is wrong with an answer, without the value itself: it may be what a page wanted said, and what we say of it
    stands outside every fence."""
    return _QUOTED.sub("", str(error))


def json_values(text: str) -> Iterator[tuple[int, Any]]:
    """Every outermost JSON object or list in a text, with where it begins."""
    decoder, at = json.JSONDecoder(strict=False), 0
    while (start := _next_open(text, at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
            yield start, value
        except (ValueError, RecursionError):
            at = start + 1


def _next_open(text: str, at: int) -> int:
    found = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(found, default=-1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which nothing is said twice: of two values for a name nobody could say which was meant."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return made


def _checked(value: T, check: Callable[[T], str | None] | None) -> T:
    wrong = check(value) if check else None
    if wrong:
        raise ValueError(wrong)
    return value


def _with_form(messages: tuple[Message, ...], form: str) -> tuple[Message, ...]:
    """The last user's message with the wanted form below it."""
    *before, last = messages
    if last.role != "user":
        return (*messages, said("user", form))
    return (*before, said("user", *last.parts, f"\n\n{form}"))


def _inlined(value: Any, parts: dict[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_inlined(each, parts, within) for each in value]
    if not isinstance(value, dict):
        return value
    name = value.get("$ref")
    if isinstance(name, str) and name in parts and name not in within:
        return _inlined(parts[name], parts, (*within, name))
    if isinstance(name, str):
        return {"type": "object"}
    return {key: _inlined(each, parts, within) for key, each in value.items()}
