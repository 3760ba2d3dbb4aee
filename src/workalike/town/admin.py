"""The runner's way in over HTTP: open, reset, difference, close. It is served on a port of its own and asks for a
secret, so that no agent's browser can reach it."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from workalike.core.errors import BadInput
from workalike.town.session import Setting
from workalike.town.town import Town

Handler = Callable[[Request], Awaitable[Response]]


def admin_app(town: Town, secret: str) -> Starlette:
    """`POST /attempts` (a setting as JSON, or nothing) opens one; `GET /attempts/TOKEN/changes` and `…/shown`,
    `POST /attempts/TOKEN/reset` and `DELETE /attempts/TOKEN` do what they say. All want the header
    `Authorization: Bearer SECRET`."""

    async def open_one(request: Request) -> Response:
        body = await request.body()
        attempt = town.open(msgspec.json.decode(body, type=Setting) if body else Setting())
        return _json({"token": attempt.token, "cookie": "attempt"}, 201)

    async def changes(request: Request) -> Response:
        return _json(town.changes(request.path_params["token"]))

    async def shown(request: Request) -> Response:
        return _json(town.shown(request.path_params["token"]))

    async def reset(request: Request) -> Response:
        town.reset(request.path_params["token"])
        return _json({"reset": True})

    async def close(request: Request) -> Response:
        town.close(request.path_params["token"])
        return _json({"closed": True})

    paths = {
        ("/attempts", "POST"): open_one,
        ("/attempts/{token}/changes", "GET"): changes,
        ("/attempts/{token}/shown", "GET"): shown,
        ("/attempts/{token}/reset", "POST"): reset,
        ("/attempts/{token}", "DELETE"): close,
    }
    return Starlette(
        routes=[Route(path, _guarded(answer, secret), methods=[how]) for (path, how), answer in paths.items()]
    )


def _guarded(answer: Handler, secret: str) -> Handler:
    async def guarded(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {secret}".encode()):
            return _json({"error": "this needs the secret that `workalike town serve` printed"}, 401)
        try:
            return await answer(request)
        except (BadInput, msgspec.DecodeError, ValueError, RecursionError) as error:
            return _json({"error": str(error)}, 400)

    return guarded


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
