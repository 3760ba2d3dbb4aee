"""Who may speak to a server on loopback: those who call it by a name of its own, and no page of another site.

Any page in the user's browser can send requests to this machine, by a name of its own that leads here (then `Host`
gives it away) or straight across (then `Origin` or `Sec-Fetch-Site` does).
"""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:\[\]/@?#]+)(?::(\d{1,5}))?")
_STRANGE_NAME = "This server answers to its own names on this machine only."
_STRANGE_PAGE = "This server takes no requests from pages of other sites."


class OwnHosts:
    """An application that hears only those who may speak to it. Its `domains`, if it has any, are further names of its
    own: what is served under them may speak across them, as the pages of the town's sites do. `anywhere` answers to
    every name, for a server that asks who comes by other means; pages of other sites are still not heard."""

    def __init__(self, app: ASGIApp, anywhere: bool = False) -> None:
        self._app, self._anywhere = app, anywhere
        self._domains: tuple[str, ...] = getattr(app, "domains", ())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is None:
            with suppress(ClientDisconnect):  # who asked has gone in the middle of it: nobody waits for an answer
                await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        hosts = _given(scope, b"host")
        name = host_name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not (self._anywhere or name in LOOPBACK or self._is_own(name)):
            return PlainTextResponse(_STRANGE_NAME, 400)
        if any(not self._may_speak(origin, hosts[0]) for origin in _given(scope, b"origin")):
            return PlainTextResponse(_STRANGE_PAGE, 403)
        if not self._domains and "cross-site" in _given(scope, b"sec-fetch-site") and not _is_visit(scope):
            return PlainTextResponse(_STRANGE_PAGE, 403)
        return None

    def _is_own(self, name: str) -> bool:
        return any(name == domain or name.endswith(f".{domain}") for domain in self._domains)

    def _may_speak(self, origin: str, host: str) -> bool:
        if origin == "null":  # what a page of the town's sends on after a redirect, or a page that hides where it is
            return bool(self._domains)
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        name = host_name(parts.netloc)
        if parts.scheme not in ("http", "https") or name is None:
            return False
        return self._is_own(name) or _authority(parts.netloc) == _authority(host)


def host_name(authority: str) -> str | None:
    """The name in a `Host` header, or None where it holds no such thing.

    >>> host_name("LocalHost.:80"), host_name("[::1]:8600"), host_name("127.0.0.1:80:80")
    ('localhost', '[::1]', None)
    """
    found = _AUTHORITY.fullmatch(authority.lower())
    return found[1].removesuffix(".") if found else None


def _authority(text: str) -> tuple[str | None, str]:
    found = _AUTHORITY.fullmatch(text.lower())
    return host_name(text), (found[2] if found else None) or "80"


def _given(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _is_visit(scope: Scope) -> bool:
    """Whether somebody follows a link here, which shows a page and does nothing."""
    return scope.get("method") == "GET" and _given(scope, b"sec-fetch-dest") == ["document"]
