"""JSON out of the mouths of models: in tags, in fences, bare, or as the Python dict it was meant to be."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from workalike.core.errors import Inexpressible, Unreadable
from workalike.dialects.values import readable

_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_OPENING = re.compile(r"\[\s*\{\s*[\"']|\{\s*[\"']")
"""A brace in prose is followed by no quote."""
_DECODER = json.JSONDecoder(strict=False)  # models break lines within texts
_GAP = re.compile(r"[\s,]*")
_FENCE = "```"
_WRAPPERS = ("<|begin_of_box|>", "<answer>")
"""What GLM and others put before an answer."""
_TAGS = ("<tool_call>", "</tool_call>", "</think>")


class Said(NamedTuple):
    """What a model said: its thought, empty where it has none, and the JSON values that follow."""

    thought: str
    values: list[Any]


def read(text: str) -> Said:
    """The thought and the calls of a reply; a reply that has no JSON in it is unreadable."""
    thinking, reply = _apart(readable(text))
    calls = list(_CALL.finditer(reply))
    if calls:
        return Said(_thought(thinking, reply[: calls[0].start()]), _values(calls))
    opening = _OPENING.search(reply)
    if opening is None:
        raise Unreadable("there is no call in this reply", text)
    before, rest = reply[: opening.start()], reply[opening.start() :]
    return Said(_thought(thinking, _without_fence_at_end(before)), _successive(rest)[0])


def write(thought: str, values: list[dict[str, Any]], dialect: str) -> str:
    """A thought and calls in tags, such that `read` finds them again."""
    if any(tag in thought for tag in _TAGS):
        raise Inexpressible(dialect, "a thought", "it holds a tag that only calls may hold")
    blocks = [f"<tool_call>\n{dumps(value)}\n</tool_call>" for value in values]
    return "\n".join([thought, *blocks] if thought else blocks)


def loads(text: str) -> Any:
    """A JSON value, or the same written as a Python literal."""
    bare = _without_fences(text)
    try:
        return json.loads(bare, strict=False)
    except (ValueError, RecursionError) as error:
        return _literal(bare, error)


def dumps(value: object) -> str:
    """JSON in which no text is mistaken for a tag."""
    written = json.dumps(value, ensure_ascii=False)
    for tag in _TAGS:
        written = written.replace(tag, "\\u003c" + tag[1:])
    return written


def _apart(text: str) -> tuple[str, str]:
    """What a model thought between its tags of thinking, and what it said after them."""
    thinking, end, reply = text.partition("</think>")
    if not end or not reply.strip():
        return "", text
    return thinking.replace("<think>", "", 1).strip(), reply


def _thought(thinking: str, before: str) -> str:
    said = before.strip()
    for wrapper in _WRAPPERS:
        said = said.removesuffix(wrapper).rstrip()
    return "\n\n".join(part for part in (thinking, said) if part)


def _values(calls: Iterable[re.Match[str]]) -> list[Any]:
    """What stands in the tags: one value in each, or several one after the other."""
    found: list[Any] = []
    for call in calls:
        bare = _without_fences(call[1])
        values, rest = _successive(bare)
        found += [loads(bare)] if rest or not values else values
    return found


def _successive(text: str) -> tuple[list[Any], str]:
    """The JSON values a text begins with, and the words that follow them."""
    at = 0
    values: list[Any] = []
    while text.startswith(("{", "["), at):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            return [*values, _literal(_without_fences(text[at:]), error)], ""
        values.append(value)
        gap = _GAP.match(text, end)
        at = gap.end() if gap else end
    return values, text[at:]


def _without_fences(text: str) -> str:
    bare = text.strip()
    if bare.startswith(_FENCE):
        bare = bare.partition("\n")[2]
    return bare.removesuffix(_FENCE).strip()


def _without_fence_at_end(text: str) -> str:
    before, fence, after = text.rstrip().rpartition(_FENCE)
    return before if fence and "\n" not in after else text


def _literal(text: str, error: Exception) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise Unreadable(f"not a JSON object ({error})", text) from error
