"""The viewer's server, on loopback. What it shows came off web pages and out of models: the page gets it as data, under
a content policy that lets no foreign script, style or address in."""

from __future__ import annotations

from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from workalike.core.errors import BadInput
from workalike.core.observation import extension
from workalike.viewer.source import Source

_STATIC = Path(__file__).parent / "static"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_PICTURES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
_GUARDS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def make_app(source: Source) -> Starlette:
    """The application that shows one source. Only loopback's own names are answered, so that no page elsewhere can
    reach it by a name of its own that leads here."""

    async def page(request: Request) -> Response:
        return _file("index.html")

    async def static(request: Request) -> Response:
        return _file(request.path_params["name"])

    async def attempts(request: Request) -> Response:
        return _json({"name": source.name, "entries": source.entries})

    async def attempt(request: Request) -> Response:
        shown = source.show(_index(request, source))
        return _json({**msgspec.structs.asdict(shown.trajectory), "verdicts": shown.verdicts})

    async def picture(request: Request) -> Response:
        data = source.picture(_index(request, source), request.path_params["name"])
        kind = _PICTURES.get(extension(data))
        if kind is None:
            raise BadInput("that file is no picture the viewer shows")
        return Response(data, media_type=kind, headers={**_GUARDS, "cache-control": "max-age=3600"})

    return Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name}", static),
            Route("/api/attempts", attempts),
            Route("/api/attempt/{index:int}", attempt),
            Route("/picture/{index:int}/{name:path}", picture),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1", "[::1]"])],
        exception_handlers={BadInput: _complain},
    )


def _index(request: Request, source: Source) -> int:
    index = int(request.path_params["index"])
    if not 0 <= index < len(source.entries):
        raise HTTPException(404)
    return index


def _file(name: str) -> Response:
    path = _STATIC / name
    if path.parent != _STATIC or not path.is_file():
        raise HTTPException(404)
    return Response(path.read_bytes(), headers={**_GUARDS, "content-type": _TYPES[path.suffix]})


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=_GUARDS)


async def _complain(request: Request, error: Exception) -> Response:
    return PlainTextResponse(str(error), 404, headers=_GUARDS)
