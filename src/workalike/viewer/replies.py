"""How the viewer answers: every reply under a content policy that lets no foreign script, style or address in, and
pictures only where their own bytes say that they are one."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from workalike.core.errors import BadInput
from workalike.core.observation import extension
from workalike.store.lines import NOT_READABLE

T = TypeVar("T")
STATIC = Path(__file__).parent / "static"
PAGE = "index.html"
MOST_SENT = 1_000_000
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PICTURE_TYPES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
_IMPORTS = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


def _policy() -> str:
    """The page's one script of its own, which says where its modules lie, is let in by its hash."""
    found = _IMPORTS.search((STATIC / PAGE).read_text("utf-8"))
    assert found is not None, "the page says where its modules lie"
    digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; img-src 'self'; media-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


GUARDS = {
    "content-security-policy": _policy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_KEPT = {**GUARDS, "cache-control": "private, max-age=3600"}


def json_reply(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=GUARDS)


def done_reply() -> Response:
    """What was asked for is done, and there is nothing to say."""
    return Response(status_code=204, headers=GUARDS)


def picture_reply(data: bytes, request: Request | None = None) -> Response:
    """A picture, once it is one by its own first bytes."""
    kind = PICTURE_TYPES.get(extension(data))
    if kind is None:
        raise BadInput("that file is no picture the viewer shows")
    return part_reply(data, kind, request)


def part_reply(data: bytes, kind: str, request: Request | None) -> Response:
    """Bytes, or the one stretch of them that a `Range` header asks for."""
    headers = {**_KEPT, "accept-ranges": "bytes"}
    asked = request.headers.get("range") if request is not None else None
    span = _span(asked, len(data)) if asked else None
    if span is None:
        return Response(data, media_type=kind, headers=headers)
    first, last = span
    if first > last:
        return Response(status_code=416, headers={**GUARDS, "content-range": f"bytes */{len(data)}"})
    headers["content-range"] = f"bytes {first}-{last}/{len(data)}"
    return Response(data[first : last + 1], 206, media_type=kind, headers=headers)


def _span(asked: str, length: int) -> tuple[int, int] | None:
    """The first and last byte of a range; first > last where there is no such byte, None where nothing sound was
    asked."""
    found = _RANGE.fullmatch(asked)
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        return max(0, length - int(found[2])), length - 1
    return int(found[1]), min(int(found[2] or length), length - 1)


def static_reply(name: str) -> Response:
    """One of the viewer's own files: no other name is ever looked for."""
    if name not in _names():
        raise HTTPException(404)
    path = STATIC / name
    return Response(path.read_bytes(), headers={**GUARDS, "content-type": _TYPES[path.suffix]})


@cache
def _names() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.suffix in _TYPES)


async def complain(request: Request, error: Exception) -> Response:
    """Bad input, in its own words."""
    return PlainTextResponse(str(error), 404, headers=GUARDS)


async def refuse(request: Request, error: Exception) -> Response:
    """What the routes themselves do not answer."""
    assert isinstance(error, HTTPException)
    return PlainTextResponse(error.detail, error.status_code, headers=GUARDS)


async def body_of(request: Request, shape: type[T]) -> T:
    """What was sent as JSON, once it is of that shape."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadInput("only JSON is taken here")
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_SENT:
            raise HTTPException(413, f"more than {MOST_SENT:,} bytes were sent")
    try:
        return msgspec.json.decode(bytes(data), type=shape)
    except NOT_READABLE as error:
        raise HTTPException(400, f"what was sent cannot be read: {error}") from error
