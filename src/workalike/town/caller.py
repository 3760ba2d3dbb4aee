"""Plain requests to the town within the process, as one attempt: the real handlers without browser or socket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from starlette.types import ASGIApp, Message

from workalike.core.errors import Infrastructure
from workalike.town.server import HEADER
from workalike.town.site import DOMAIN

Form = Mapping[str, object] | Sequence[tuple[str, str]]


class PageReply(msgspec.Struct, frozen=True):
    """What came back, redirects followed; `url` is where it came from in the end."""

    status: int
    url: str
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Caller:
    """Asks for pages as the attempt with a token. Handlers never wait, so no event loop is needed."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    def get(self, site: str, path: str, **query: object) -> PageReply:
        full = path + ("?" + urlencode(query) if query else "")
        return self._follow("GET", f"http://{site}.{DOMAIN}{full}", b"")

    def post(self, site: str, path: str, form: Form = ()) -> PageReply:
        return self._follow("POST", f"http://{site}.{DOMAIN}{path}", urlencode(form).encode())

    def send(self, site: str, path: str, data: bytes) -> PageReply:
        """Post bytes as they are: a document that is handed over."""
        return self._follow("POST", f"http://{site}.{DOMAIN}{path}", data)

    def _follow(self, method: str, url: str, body: bytes) -> PageReply:
        for _ in range(10):
            reply = self.ask(method, url, body)
            if reply.status == 503:
                reply = self.ask(method, url, body)  # a page may fail once; anybody would load it again
            if reply.status not in (302, 303, 307):
                return reply
            there = reply.headers["location"]
            url = there if there.startswith("http") else f"http://{urlsplit(url).netloc}{there}"
            method, body = "GET", b""
        raise Infrastructure(f"the town redirects without end at {url}")

    def ask(self, method: str, url: str, body: bytes) -> PageReply:
        parts = urlsplit(url)
        sent: list[Message] = []
        _run(self.app(_scope(method, parts.netloc, parts.path, parts.query, self.token), _receive(body), _keep(sent)))
        head, rest = sent[0], sent[1:]
        headers = {name.decode(): value.decode() for name, value in head["headers"]}
        return PageReply(head["status"], url, headers, b"".join(part.get("body", b"") for part in rest))


def query_of(url: str) -> dict[str, str]:
    """The query of an address as a dictionary."""
    return dict(parse_qsl(urlsplit(url).query))


def _scope(method: str, host: str, path: str, query: str, token: str) -> dict[str, Any]:
    headers = {"host": host, HEADER: token, "accept": "text/html", "content-type": "application/x-www-form-urlencoded"}
    return {
        "type": "http",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": (host, 80),
    }


def _receive(body: bytes) -> Any:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _keep(sent: list[Message]) -> Any:
    async def send(message: Message) -> None:
        sent.append(message)

    return send


def _run(coroutine: Any) -> None:
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise Infrastructure("a page of the town waited for something; handlers must not")
