"""A practice site on loopback, for trying agents and environments on: a form, a dialog, a second page, a second tab."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from workalike.env.policy.reach import Policy

HOST = "practice.localhost"
START = f"http://{HOST}/"
_PAGES = {
    "/": """<title>Practice</title><h1>Practice</h1>
      <form action=/hello><label>Name <input name=name></label>
      <select name=colour aria-label=Colour><option>red<option>blue</select> <button>Send</button></form>
      <p><a href=/hello>Second page</a> <a href=/hello target=_blank>Second tab</a>
      <button onclick="alert('A dialog')">Dialog</button></p>
      <div style="height:2000px"></div><button>Far below</button>""",
    "/hello": "<title>Hello</title><h1>Hello</h1><a href=/>Back to the start</a>",
}


@asynccontextmanager
async def practice_site() -> AsyncIterator[Policy]:
    """Serve the site; yields the policy that lets a browser reach it and nothing else."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    try:
        yield Policy(hosts={HOST: f"127.0.0.1:{server.sockets[0].getsockname()[1]}"})
    finally:
        server.close()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError, IndexError):
        head = await reader.readuntil(b"\r\n\r\n")
        if f"\r\nhost: {HOST}\r\n".encode() not in head.lower():
            raise ConnectionRefusedError("a page elsewhere calls it by another name")
        path = head.split(b" ", 2)[1].decode("latin-1").partition("?")[0]
        body = ("<!doctype html><meta charset=utf-8>" + _PAGES.get(path, "<title>Nothing</title>")).encode()
        status = b"200 OK" if path in _PAGES else b"404 Not Found"
        writer.write(
            b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            % (status, len(body), body)
        )
        await writer.drain()
    writer.close()
