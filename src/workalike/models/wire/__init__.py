"""The bodies of each API as a client writes and reads them: pure functions, no network."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from workalike.core.observation import extension
from workalike.models.fences import Fence
from workalike.models.messages import Part, Picture, Shot, Text, ToolCall, Untrusted

T = TypeVar("T")
MEDIA = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}


class Unusable(ValueError):
    """A body that is not what the API promises; the sentence says how."""


def decode(data: bytes, kind: type[T]) -> T:
    """A reply's body, held to its shape. Half a surrogate pair, which some models do write, costs only itself."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        try:
            plain = json.dumps(json.loads(data.decode("utf-8", "replace")), ensure_ascii=False)
            return msgspec.json.decode(plain.encode("utf-8", "replace"), type=kind)
        except (ValueError, RecursionError, msgspec.MsgspecError):
            raise Unusable(f"the reply is not what the API promises: {_instead(data) or error}") from error


def _instead(data: bytes) -> str:
    """What came in place of JSON, where it shows."""
    start = data.lstrip()[:20].lower()
    if not start:
        return "it is empty"
    if start.startswith(b"<"):
        return "it is a web page; is the address that of the API?"
    if start.startswith((b"data:", b"event:", b":")):
        return "it is a stream, which was not asked for"
    return ""


def media_type(data: bytes) -> str:
    return MEDIA.get(extension(data), "image/png")


def data_url(picture: Picture | Shot) -> str:
    if isinstance(picture, Shot):
        raise Unusable("a screenshot that nobody has rendered cannot be sent")
    return f"data:{media_type(picture.data)};base64,{base64.b64encode(picture.data).decode('ascii')}"


def runs(parts: Sequence[Part], fence: Fence) -> list[str | Picture | Shot]:
    """Words and pictures in order, neighbouring words made one: services differ in what they put between them."""
    found: list[str | Picture | Shot] = []
    for part in parts:
        if isinstance(part, Picture | Shot):
            found.append(part)
        elif isinstance(part, Text | Untrusted):
            words = fence.render(part)
            if found and isinstance(found[-1], str):
                found[-1] += words
            elif words:
                found.append(words)
    return found


def function_call(call_id: str, name: str, arguments: Any, raw: dict[str, Any] | None = None) -> ToolCall:
    """A call whose arguments came as JSON text, which a model may have got wrong."""
    if isinstance(arguments, dict):
        return ToolCall(call_id, name, arguments, raw=raw or {})
    try:
        read = msgspec.json.decode(arguments or "{}")
    except (msgspec.MsgspecError, UnicodeError):
        read = None
    if isinstance(read, dict):
        return ToolCall(call_id, name, read, raw=raw or {})
    return ToolCall(call_id, name, unread=str(arguments), raw=raw or {})


def arguments_text(call: ToolCall) -> str:
    return call.unread if call.unread is not None else msgspec.json.encode(call.arguments).decode()
