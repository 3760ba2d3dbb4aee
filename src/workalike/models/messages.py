"""What is said to a model and what it says back, in words that no service owns.

The wire modules turn these values into the bodies of each API and back; the server does the same from the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from workalike.core.errors import BadInput
from workalike.core.observation import Element, ImageRef
from workalike.core.screen import Size
from workalike.core.trajectory import Usage

Role = Literal["system", "user", "assistant"]
Ending = Literal["end", "calls", "length", "refused", "other"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
JsonMode = Literal["prompt", "object", "schema"]
P = TypeVar("P")


class _Part(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="part"):
    """Common ground of all parts of a message; never met itself."""


class Text(_Part, frozen=True, tag="text"):
    """Words of our own, of the user's or of the model's. `raw` is the service's own item where it says more than the
    words (what they are for, say), to be handed back as it came."""

    text: str
    raw: dict[str, Any] = {}


class Untrusted(_Part, frozen=True, tag="untrusted"):
    """Words that somebody else wrote: page text, an address, a dialog, a tool's result. They are fenced off when they
    are sent, so that nothing in them can pass for an instruction."""

    text: str
    label: str = "web page"


class Picture(_Part, frozen=True, tag="picture"):
    """A picture as it is sent, already encoded. `source` is the clean picture that it was made from."""

    data: bytes
    size: Size | None = None
    source: ImageRef | None = None


class Shot(_Part, frozen=True, tag="shot"):
    """A screenshot before it is made into the picture that is sent: of the clean `source`, `size` pixels large (None:
    as it is), with the `marked` elements of the `screen` numbered, encoded so. What a family says is put together of
    these; only what goes out, over the wire or into an export, is rendered."""

    source: ImageRef
    size: Size | None = None
    screen: Size | None = None
    marked: tuple[Element, ...] = ()
    form: Literal["jpeg", "png"] = "jpeg"
    quality: int = 92


class PictureRef(_Part, frozen=True, tag="picture_ref"):
    """A picture in a transcript: by reference."""

    ref: ImageRef
    source: ImageRef | None = None


class Thinking(_Part, frozen=True, tag="thinking"):
    """What a model thought aloud. `raw` is the service's own block, handed back as it came."""

    text: str
    raw: dict[str, Any] = {}


class SafetyCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A warning that a service attached to a call, to be acknowledged by whoever runs the agent."""

    id: str
    code: str | None = None
    message: str | None = None


class ToolCall(_Part, frozen=True, tag="call"):
    """A tool the model wants used. A computer call is named `computer`; its arguments are the family's own words.
    `unread` holds arguments that were not JSON."""

    id: str
    name: str
    arguments: dict[str, Any] = {}
    checks: tuple[SafetyCheck, ...] = ()
    unread: str | None = None
    raw: dict[str, Any] = {}


class ToolResult(_Part, frozen=True, tag="result"):
    """What became of a tool call."""

    id: str
    name: str = ""
    parts: tuple[Text | Untrusted | Picture | Shot | PictureRef, ...] = ()
    error: bool = False
    acknowledged: tuple[SafetyCheck, ...] = ()


Part = Text | Untrusted | Picture | Shot | PictureRef | Thinking | ToolCall | ToolResult


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One turn. Tool results stand in a user's message, calls and thinking in an assistant's."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return text_of(self.parts)


class Tool(msgspec.Struct, frozen=True, omit_defaults=True, tag="function"):
    """A function the model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any] = {}


class ComputerTool(msgspec.Struct, frozen=True, omit_defaults=True, tag="computer"):
    """A screen the model may act on, as big as the pictures it is sent. `version` is the service's name of the tool."""

    size: Size
    version: str = ""
    environment: str = "browser"


class Sampling(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a reply is drawn. What is None is left to the service. `thoughts` asks for a summary of what a model thinks
    before it answers; left out, agents that act by calls ask for one."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    effort: Effort | None = None
    json: JsonMode | None = None
    thoughts: bool | None = None

    def over(self, defaults: Sampling) -> Sampling:
        """These settings, with the gaps filled from others.

        >>> Sampling(seed=7).over(Sampling(temperature=0.0, seed=1))
        Sampling(temperature=0.0, top_p=None, seed=7, max_tokens=None, effort=None, json=None, thoughts=None)
        """
        mine = {name: getattr(self, name) for name in self.__struct_fields__}
        return msgspec.structs.replace(defaults, **{name: value for name, value in mine.items() if value is not None})


_BOUNDS: dict[str, tuple[Callable[[float], bool], str]] = {
    "temperature": (lambda value: 0 <= value <= 2, "from 0 to 2"),
    "top_p": (lambda value: 0 < value <= 1, "more than 0 and at most 1"),
    "max_tokens": (lambda value: value >= 1, "at least 1"),
}


def read_sampling(given: Mapping[str, Any]) -> Sampling:
    """What a user says of how a model is to be asked.

    >>> read_sampling({"temperature": 0.2}).temperature
    0.2
    """
    try:
        made = msgspec.convert(given, Sampling)
    except msgspec.ValidationError as error:
        known = ", ".join(Sampling.__struct_fields__)
        raise BadInput(f"the model cannot be asked like that: {error}; there are {known}") from error
    for name, (holds, wanted) in _BOUNDS.items():
        value = getattr(made, name)
        if value is not None and not holds(value):
            raise BadInput(f"the model cannot be asked like that: {name} must be {wanted}, not {value:g}")
    return made


class SampleKey(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which of several independent replies to the same request is wanted."""

    repeat: int = 0
    attempt: int = 0
    step: int = 0
    vote: int = 0
    reask: int = 0

    def again(self, times: int = 1) -> SampleKey:
        """The draw of the same question asked once more."""
        return msgspec.structs.replace(self, reask=self.reask + times)


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question. `sampling` are the caller's defaults; what the user set for the model goes before them. `schema`
    is the JSON schema of the answer, for services that can hold a model to it."""

    messages: tuple[Message, ...]
    tools: tuple[Tool | ComputerTool, ...] = ()
    sampling: Sampling = Sampling()
    schema: dict[str, Any] | None = None

    @property
    def thoughts(self) -> bool:
        """Whether a summary of the thoughts is wanted: agents that act by calls have no other words to show."""
        wanted = self.sampling.thoughts
        return any(isinstance(tool, ComputerTool) for tool in self.tools) if wanted is None else wanted


class Tokens(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a service counted. `input` holds all of the prompt, `cached` the part of it read from a cache, `written`
    the part put into one; `output` holds the reasoning too."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer. `tokens` is None where the service did not say; `usage` is what it took to get it, retries included
    (nothing when it came out of the cache)."""

    parts: tuple[Part, ...]
    ending: Ending = "end"
    tokens: Tokens | None = None
    id: str | None = None
    model: str | None = None
    usage: Usage = Usage()
    cached: bool = False

    @property
    def text(self) -> str:
        return text_of(self.parts)

    @property
    def thinking(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, Thinking) and part.text)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


def text_of(parts: Iterable[Part]) -> str:
    """The words of some parts, one after the other."""
    return "".join(part.text for part in parts if isinstance(part, Text | Untrusted))


def said(role: Role, *parts: Part | str) -> Message:
    """A message; plain strings become text.

    >>> said("user", "What is this?").text
    'What is this?'
    """
    return Message(role, tuple(Text(part) if isinstance(part, str) else part for part in parts))


def pictures(messages: Iterable[Message]) -> tuple[Picture, ...]:
    """Every picture in some messages, those in tool results included."""
    return _all_of(Picture, messages)


def shots(messages: Iterable[Message]) -> tuple[Shot, ...]:
    """Every screenshot in some messages that is still to be rendered."""
    return _all_of(Shot, messages)


def _all_of(kind: type[P], messages: Iterable[Message]) -> tuple[P, ...]:
    parts = (part for message in messages for part in message.parts)
    return tuple(
        [e for part in parts for e in (part.parts if isinstance(part, ToolResult) else (part,)) if isinstance(e, kind)]
    )


def rendered(messages: Iterable[Message], render: Callable[[Shot], Picture]) -> tuple[Message, ...]:
    """The messages with their screenshots made into pictures."""

    def made(part: Part) -> Part:
        if isinstance(part, ToolResult):
            return msgspec.structs.replace(part, parts=tuple(map(made, part.parts)))
        return render(part) if isinstance(part, Shot) else part

    return tuple(Message(message.role, tuple(map(made, message.parts))) for message in messages)


def by_reference(message: Message) -> Message:
    """The same message with its pictures by reference, as it is kept and hashed."""
    return Message(message.role, tuple(_referred(part) for part in message.parts))


def _referred(part: Part) -> Part:
    match part:
        case Picture(data=data, size=size, source=source):
            return PictureRef(ImageRef.of(data, size), source)
        case ToolResult(parts=inner):
            referred = tuple(each for each in map(_referred, inner) if isinstance(each, Text | Untrusted | PictureRef))
            return msgspec.structs.replace(part, parts=referred)
        case _:
            return part
