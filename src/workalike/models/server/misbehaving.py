"""Answering functions that follow a script, and ones that go wrong on purpose, so that whoever talks to the server can
be seen to cope."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from workalike.core.errors import BadInput
from workalike.models.asked import Asked
from workalike.models.messages import Part, Reply, Text, ToolCall
from workalike.models.server.asked import Answerer, Broken, CutOff, Fault, Hanging, Malformed, RateLimited

LONG = 10 * 1024 * 1024
CODE = "```python\nimport os\nos.system('touch /tmp/workalike-was-here')\n```"
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def scripted(outcomes: Iterable[Reply | Fault | str]) -> Answerer:
    """Answers in a fixed order, the last one for ever after; a plain string is a reply of that text."""
    left = [Reply((Text(each),)) if isinstance(each, str) else each for each in outcomes]
    if not left:
        raise BadInput("a script needs at least one answer")

    async def answer(asked: Asked) -> Reply | Fault:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


class Misbehaviour(msgspec.Struct, frozen=True, omit_defaults=True):
    """What goes wrong, in turn, on every n-th request; `hang` and `retry_after` in seconds."""

    kinds: tuple[str, ...]
    every: int = 5
    hang: float = 600.0
    retry_after: float = 1.0

    def __post_init__(self) -> None:
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown or not self.kinds:
            raise BadInput(
                f"the server cannot misbehave by {', '.join(unknown) or 'nothing'}; it can by {', '.join(KINDS)}"
            )
        if self.every < 1:
            raise BadInput(f"every {self.every}th request makes no sense; give a number from 1 on")


def misbehaving(answer: Answerer, how: Misbehaviour) -> Answerer:
    """The same answers, spoilt now and then."""
    last: dict[str, Reply] = {}

    async def spoilt(asked: Asked) -> Reply | Fault:
        turn, left = divmod(asked.number + 1, how.every)
        kind = how.kinds[(turn - 1) % len(how.kinds)] if left == 0 else ""
        if kind == "loop" and asked.model in last:
            return last[asked.model]
        outcome = await answer(asked)
        if not isinstance(outcome, Reply):
            return outcome
        last[asked.model] = outcome
        return KINDS[kind](outcome, how) if kind else outcome

    return spoilt


def _astray(reply: Reply, how: Misbehaviour) -> Reply:
    """Every number far off: coordinates off the screen, marks that are not there."""
    return msgspec.structs.replace(reply, parts=tuple(_numbers_off(part) for part in reply.parts))


def _numbers_off(part: Part) -> Part:
    match part:
        case Text(text=text):
            return Text(_NUMBER.sub("99999", text))
        case ToolCall(arguments=arguments):
            off = _NUMBER.sub("99999", msgspec.json.encode(arguments).decode())
            return msgspec.structs.replace(part, arguments=msgspec.json.decode(off))
        case _:
            return part


def _long(reply: Reply, how: Misbehaviour) -> Reply:
    return Reply((Text("and so on " * (LONG // 10)),))


KINDS: dict[str, Callable[[Reply, Misbehaviour], Reply | Fault]] = {
    "429": lambda reply, how: RateLimited(how.retry_after),
    "500": lambda reply, how: Broken(500),
    "hang": lambda reply, how: Hanging(how.hang, reply),
    "cut": lambda reply, how: CutOff(reply),
    "malformed": lambda reply, how: Malformed(reply),
    "empty": lambda reply, how: Reply(()),
    "astray": _astray,
    "loop": lambda reply, how: reply,
    "long": _long,
    "code": lambda reply, how: Reply((Text(CODE),)),
}
