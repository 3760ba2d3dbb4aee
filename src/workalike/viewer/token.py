"""Who may look when the viewer is asked to listen beyond this machine: whoever has the token. It comes once, in the
address that the command prints, and is kept in a cookie that no page of another site makes a browser send."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from workalike.runtime.own_hosts import OwnHosts

COOKIE = "workalike"
_NO_TOKEN = "This viewer asks for the token in the address that `workalike view` printed."


def new_token() -> str:
    return secrets.token_urlsafe(24)


class TokenGate:
    """An application that answers only to who has the token, under any name that leads to it."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = OwnHosts(app, anywhere=True), token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_known(scope):
            await self._app(scope, receive, send)
        elif self._is_right(parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[-1]):
            reply = RedirectResponse("/", 303)
            reply.set_cookie(COOKIE, self._token, httponly=True, samesite="strict", path="/")
            await reply(scope, receive, send)
        else:
            await PlainTextResponse(_NO_TOKEN, 401)(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
        try:
            kept = SimpleCookie("; ".join(given)).get(COOKIE)
        except CookieError:
            return False
        return kept is not None and self._is_right(kept.value)

    def _is_right(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), self._token.encode())
