"""Servers on loopback hear those who call them by their own names, and no page of another site."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.viewer.sample import hostile_run
from workalike.models.server.app import application
from workalike.models.server.misbehaving import scripted
from workalike.runtime.serving import serving, serving_apart
from workalike.town.admin import admin_app
from workalike.town.server import App
from workalike.town.site import DOMAIN
from workalike.town.town import Town
from workalike.town.world import edition
from workalike.viewer.library import Library
from workalike.viewer.server import make_app

FOREIGN = {
    "evil.example": 400,
    "127.0.0.1.evil.example": 400,
    "localhost.evil.example": 400,
    "evil.example:PORT": 400,
    "127.0.0.1@evil.example": 400,
    "127.0.0.1:PORT:80": 400,
    "[::1].evil.example": 400,
    "[::2]": 400,
    "0.0.0.0": 400,
    "": 400,
    "town.localhost.evil.example": 400,
}
OWN = ["127.0.0.1", "127.0.0.1:PORT", "localhost", "LOCALHOST:PORT", "localhost.:PORT", "[::1]:PORT"]
ORIGINS = {
    "http://evil.example": 403,
    "null": 403,
    "http://127.0.0.1.evil.example:PORT": 403,
    "http://127.0.0.1:1": 403,
    "http://localhost:PORT": 403,  # another name than the one it is called by: another origin
    "file://": 403,
    "http://[::1": 403,
    "chrome-extension://abc": 403,
}


async def status(port: int, *lines: str, method: str = "GET", path: str = "/") -> int:
    """What a server answers to a request with these headers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "Connection: close", "", ""])
    writer.write(head.replace("PORT", str(port)).encode())
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1])


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


class Named:
    """An application with names of its own."""

    domains = (DOMAIN,)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await hello(scope, receive, send)


@pytest.mark.parametrize("host", [*FOREIGN, *OWN])
async def test_only_its_own_names_are_answered(host: str) -> None:
    async with serving(hello) as port:
        assert await status(port, f"Host: {host}") == FOREIGN.get(host, 200)


async def test_one_name_and_no_more() -> None:
    async with serving(hello) as port:
        assert await status(port, "Host: localhost", "Host: evil.example") == 400
        assert await status(port) == 400


async def test_who_leaves_in_the_middle_of_a_request_is_no_news(capfd: pytest.CaptureFixture[str]) -> None:
    heard = asyncio.Event()

    async def reads(scope: Scope, receive: Receive, send: Send) -> None:
        heard.set()
        try:
            await Request(scope, receive).body()
        finally:
            heard.set()

    async with serving(reads) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf")
        await asyncio.wait_for(heard.wait(), 10)
        heard.clear()
        writer.close()
        await asyncio.wait_for(heard.wait(), 10)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_pages_of_other_sites_are_not_heard(origin: str, method: str) -> None:
    async with serving(hello) as port:
        assert await status(port, "Host: 127.0.0.1:PORT", f"Origin: {origin}", method=method) == 403
        assert await status(port, "Host: 127.0.0.1:PORT", "Origin: http://127.0.0.1:PORT", method=method) == 200


async def test_what_comes_from_elsewhere_is_not_heard_but_a_link_may_be_followed() -> None:
    async with serving(hello) as port:
        host, cross = "Host: 127.0.0.1:PORT", "Sec-Fetch-Site: cross-site"
        assert await status(port, host, cross) == 403
        assert await status(port, host, cross, "Sec-Fetch-Dest: image") == 403
        assert await status(port, host, cross, "Sec-Fetch-Dest: document") == 200
        assert await status(port, host, cross, "Sec-Fetch-Dest: document", method="POST") == 403
        assert await status(port, host, "Sec-Fetch-Site: same-origin") == 200


async def test_the_towns_sites_speak_to_each_other_with_and_without_a_port() -> None:
    async with serving(Named()) as port:
        for host in (f"marlow.{DOMAIN}", f"marlow.{DOMAIN}:PORT", f"MARLOW.{DOMAIN}.", "127.0.0.1:PORT"):
            assert await status(port, f"Host: {host}") == 200
            for origin in (f"http://search.{DOMAIN}", f"http://search.{DOMAIN}:PORT", "null"):
                assert await status(port, f"Host: {host}", f"Origin: {origin}", method="POST") == 200
            assert await status(port, f"Host: {host}", "Origin: http://evil.example", method="POST") == 403
        assert await status(port, f"Host: evil{DOMAIN}") == 400


@asynccontextmanager
async def every_server(folder: Path) -> AsyncIterator[dict[str, int]]:
    town = Town(edition())
    async with AsyncExitStack() as stack:
        oracle = stack.enter_context(serving_apart(application(scripted(["yes"]))))
        yield {
            "oracle": int(oracle.rpartition(":")[2]),
            "admin": await stack.enter_async_context(serving(admin_app(town, "s"))),
            "viewer": await stack.enter_async_context(serving(make_app(Library(folder)))),
            "town": await stack.enter_async_context(serving(App(town))),
        }


async def test_every_server_of_ours_checks(tmp_path: Path) -> None:
    async with every_server(hostile_run(tmp_path / "run")) as ports:
        for port in ports.values():
            for method in ("GET", "POST"):
                assert await status(port, "Host: evil.example", method=method, path="/attempts") == 400
                foreign = ("Host: 127.0.0.1:PORT", "Origin: http://evil.example")
                assert await status(port, *foreign, method=method, path="/v1/chat/completions") == 403
        assert await status(ports["oracle"], "Host: 127.0.0.1:PORT", path="/v1/models") == 200
        assert await status(ports["town"], f"Host: search.{DOMAIN}") == 200
        assert await status(ports["admin"], "Host: localhost:PORT", method="DELETE", path="/attempts/x") == 401
        for long in ("x" * 5000, "%00", "../" * 1500 + "x", "x/" * 2500):
            assert await status(ports["town"], f"Host: search.{DOMAIN}", path=f"/static/{long}") == 404
            assert await status(ports["viewer"], "Host: 127.0.0.1:PORT", path=f"/static/{long}") == 404
            assert await status(ports["viewer"], "Host: 127.0.0.1:PORT", path=f"/picture/0/{long}") == 404
