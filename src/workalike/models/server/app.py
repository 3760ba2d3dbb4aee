"""The server as an ASGI application: three APIs, one answering function, and the books."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from workalike.models.asked import Asked
from workalike.models.messages import Reply, Tokens
from workalike.models.names import Api
from workalike.models.server import anthropic, chat, responses
from workalike.models.server.asked import (
    Answerer,
    Broken,
    CutOff,
    Fault,
    Hanging,
    Malformed,
    NotUnderstood,
    RateLimited,
    Reported,
)
from workalike.models.server.counting import Books
from workalike.models.server.streaming import stream
from workalike.models.wire.anthropic import TOOLSET
from workalike.models.wire.responses import PREVIEW

_READERS = {"chat": chat.read, "responses": responses.read, "messages": anthropic.read}


def application(answer: Answerer, books: Books | None = None, model: str = "oracle") -> Starlette:
    """The routes of the three APIs, `GET /v1/models` and `GET /books` (what was counted)."""
    service = _Service(answer, books or Books(), model)
    return Starlette(
        routes=[
            Route("/v1/chat/completions", service.endpoint("chat"), methods=["POST"]),
            Route("/v1/responses", service.endpoint("responses"), methods=["POST"]),
            Route("/v1/messages", service.endpoint("messages"), methods=["POST"]),
            Route("/v1/models", service.models),
            Route("/books", service.shown),
        ]
    )


class _Service:
    """What the routes share."""

    def __init__(self, answer: Answerer, books: Books, model: str) -> None:
        self._answer, self._books, self._model = answer, books, model

    def endpoint(self, api: Api) -> Any:
        async def handle(request: HttpRequest) -> Response:
            try:
                asked = await self._read(api, request)
            except NotUnderstood as error:
                return _error(api, 400, str(error))
            outcome = await self._answer(asked)
            if isinstance(outcome, Reply):
                return self._delivery(asked, outcome, request)
            return await self._faulty(asked, outcome, request)

        return handle

    async def models(self, request: HttpRequest) -> Response:
        entry = {"id": self._model, "object": "model", "created": 0, "owned_by": "workalike"}
        return JSONResponse({"object": "list", "data": [entry], "has_more": False})

    async def shown(self, request: HttpRequest) -> Response:
        return JSONResponse(msgspec.to_builtins(self._books.total))

    async def _read(self, api: Api, request: HttpRequest) -> Asked:
        try:
            body = msgspec.json.decode(await request.body(), type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise NotUnderstood(f"the body is not a JSON object: {error}") from error
        try:
            read = _READERS[api](body)
            wanted = bool((body.get("stream_options") or {}).get("include_usage"))
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise NotUnderstood(f"the body is not what this API takes: {str(error)[:500]!r}") from error
        asked = Asked(api, str(body.get("model", "")), read, dict(request.headers), self._books.came())
        return msgspec.structs.replace(asked, stream=bool(body.get("stream")), stream_usage=wanted)

    def _delivery(self, asked: Asked, reply: Reply, request: HttpRequest) -> Response:
        tokens = self._books.count(asked.request, reply)
        made = _encoded(asked, reply, tokens)
        return _Delivery(made, _media(asked), self._books, tokens, request)

    async def _faulty(self, asked: Asked, fault: Fault, request: HttpRequest) -> Response:
        match fault:
            case RateLimited(retry_after=wait):
                headers = {} if wait is None else {"retry-after": f"{wait:g}"}
                return _error(asked.api, 429, "too many requests; slow down", headers)
            case Broken(status=status, message=message):
                return _error(asked.api, status, message)
            case Reported(code=code, message=message):
                return JSONResponse({"error": {"message": message, "code": code}})
            case Hanging(seconds=seconds, reply=reply):
                if await _left(request, seconds):
                    self._books.lost()
                    return Response(status_code=499)
                return self._delivery(asked, reply, request)
            case CutOff(reply=reply):
                self._books.lost()
                return _Cut(_encoded(asked, reply, self._books.count(asked.request, reply)), media_type=_media(asked))
            case Malformed(reply=reply):
                self._books.lost()
                made = _encoded(asked, reply, self._books.count(asked.request, reply))
                return Response(made[: len(made) * 2 // 3], media_type=_media(asked))


class _Delivery(Response):
    """A reply that is counted as it goes out, unless nobody waits for it any more. It is counted first: whoever has got
    it must find it in the books."""

    def __init__(self, content: bytes, media: str, books: Books, tokens: Tokens, request: HttpRequest) -> None:
        super().__init__(content, media_type=media)
        self._books, self._tokens, self._request = books, tokens, request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if await self._request.is_disconnected():
            self._books.lost()
            return
        self._books.delivered(self._tokens, self._request.headers.get("x-client-request-id"))
        await super().__call__(scope, receive, send)


class _Cut(Response):
    """Promises a body and breaks off half-way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole = self.body
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": bytes(whole)[: len(whole) // 2], "more_body": True})
        raise ConnectionAbortedError("cut off on purpose")


def _encoded(asked: Asked, reply: Reply, tokens: Tokens) -> bytes:
    reply_id, created = uuid.uuid4().hex, int(time.time())
    version = asked.computer.version if asked.computer else ""
    match asked.api:
        case "chat":
            made = chat.write(reply, asked.model, tokens, reply_id, created)
        case "responses":
            made = responses.write(reply, asked.model, tokens, reply_id, created, version == PREVIEW)
        case "messages":
            made = anthropic.write(reply, asked.model, tokens, reply_id, version == TOOLSET)
    return stream(asked.api, made, asked.stream_usage) if asked.stream else msgspec.json.encode(made)


def _media(asked: Asked) -> str:
    return "text/event-stream" if asked.stream else "application/json"


def _error(api: Api, status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """An error as the API in question words it."""
    kind = {400: "invalid_request_error", 429: "rate_limit_error"}.get(status, "api_error")
    inner = {"type": kind, "message": message}
    body = {"type": "error", "error": inner} if api == "messages" else {"error": {**inner, "param": None, "code": None}}
    return JSONResponse(body, status_code=status, headers=headers)


async def _left(request: HttpRequest, seconds: float) -> bool:
    """Wait; whether the client went away meanwhile."""

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    try:
        await asyncio.wait_for(gone(), seconds)
        return True
    except TimeoutError:
        return False
