"""What the server's answering function may give for a request: a reply or a fault."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.models.asked import Asked
from workalike.models.messages import Part, Picture, Reply, Text


class RateLimited(msgspec.Struct, frozen=True):
    """429, with or without a word on when to come back."""

    retry_after: float | None = None


class Broken(msgspec.Struct, frozen=True):
    """A status of 500 or so, and what the service says about it."""

    status: int = 500
    message: str = "something broke here"


class Reported(msgspec.Struct, frozen=True):
    """An error in the body of a reply whose status is 200, as some go-betweens send it."""

    code: int | str | None = None
    message: str = "something broke further up"


class Hanging(msgspec.Struct, frozen=True):
    """Nothing happens for a while, then the reply comes."""

    seconds: float
    reply: Reply = Reply(())


class CutOff(msgspec.Struct, frozen=True):
    """The connection closes in the middle of the reply."""

    reply: Reply = Reply(())


class Malformed(msgspec.Struct, frozen=True):
    """The body ends too early to be JSON."""

    reply: Reply = Reply(())


Fault = RateLimited | Broken | Reported | Hanging | CutOff | Malformed
Answerer = Callable[[Asked], Awaitable[Reply | Fault]]


class NotUnderstood(ValueError):
    """A request that the API it was sent to would refuse; the sentence says why."""


def need(body: dict[str, Any], name: str, kind: type) -> Any:
    """A field that must be there."""
    value = body.get(name)
    if not isinstance(value, kind):
        raise NotUnderstood(f"`{name}` is missing or not of the right type")
    return value


def parts_of(content: Any, read: Callable[[dict[str, Any]], Part]) -> tuple[Part, ...]:
    """What a message holds: a text, or a list of parts of the API's own kinds."""
    if content is None or isinstance(content, str):
        return (Text(content),) if content else ()
    if not isinstance(content, list):
        raise NotUnderstood("`content` must be a text or a list of parts")
    return tuple(read(piece) for piece in content)


def picture_of(url: str) -> Picture:
    """The picture in a data URL."""
    head, _, data = url.partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        raise NotUnderstood("only pictures in base64 data URLs are taken here")
    return picture_from(data)


def picture_from(data: str) -> Picture:
    try:
        decoded = base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise NotUnderstood(f"a picture is not base64: {error}") from error
    return Picture(decoded, size_of(decoded))


def size_of(data: bytes) -> Size | None:
    """A picture's size off its header; None where that cannot be read."""
    from workalike.pictures.codec import stated_size

    try:
        return stated_size(data)
    except BadInput:
        return None
