"""The one way out: a proxy of our own, one listening port for each attempt, that enforces the policy.

It resolves names itself and connects to the very address it has checked, so that a name cannot change its meaning
in between. Plain requests, tunnels (TLS, websockets) and upgrades all pass here; the browser resolves no name.
"""

from __future__ import annotations

import asyncio
import base64
import html
import socket
import time
from collections.abc import Awaitable, Callable
from typing import cast
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from workalike.core.errors import BadInput, Refused
from workalike.env.policy.proxy_head import Head, parse_head
from workalike.env.policy.reach import Policy

MOST_HEAD = 256 * 1024
MOST_WAITING = 256 * 1024
"""How much of a request is taken in before there is somewhere to send it."""
CONNECT_SECONDS = 20.0
IDLE_SECONDS = 300.0
HEAD_SECONDS = 30.0
BODY_SECONDS = 60.0
CLOSE_SECONDS = 30.0
"""How long a connection waits for its first request (a browser opens some ahead of need) or for what is written to be
taken, for the rest of a head, for more of a body, and for its last bytes to be taken."""
MOST_REFUSALS = 1000

Resolve = Callable[[str, int], Awaitable[list[str]]]


class Refusal(msgspec.Struct, frozen=True):
    """One connection the policy stopped; `time` is monotonic."""

    target: str
    reason: str
    time: float


class Stranger(Exception):
    """A request without a name, from a client that has to give one."""


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, as the system knows them."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Proxy:
    """One attempt's way out, and the list of what it refused."""

    def __init__(
        self,
        policy: Policy,
        resolve: Resolve = resolve,
        upstream: str | None = None,
        upstream_resolves: bool = False,
        listen: str = "127.0.0.1",
    ) -> None:
        self.policy, self.resolve, self.listen = policy, resolve, listen
        self.upstream = _parse_upstream(upstream) if upstream else None
        self.upstream_resolves = upstream_resolves
        self.refusals: list[Refusal] = []
        self.failures: dict[str, str] = {}
        self.links: set[Link] = set()
        self._server: asyncio.Server | None = None

    async def open(self, port: int = 0) -> int:
        """Listen, and return the port; 0 takes any that is free."""
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: Client(self), self.listen, port, backlog=256)
        except OSError:
            raise BadInput(f"port {port} is taken; choose another, or 0 for any that is free") from None
        return int(self._server.sockets[0].getsockname()[1])

    def admit(self, head: Head, text: bytes) -> Head:
        """A request as it is to go on; raises `Stranger` for one that must say first who it comes from."""
        return head

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for link in list(self.links):
            link.drop()

    def refuse(self, target: str, reason: str) -> None:
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(Refusal(target, reason, time.monotonic()))

    async def connect(self, head: Head, client: Client) -> Server:
        """A connection to where a request may go; raises `Refused` where it may not."""
        own = self.policy.own(head.host, head.port)
        if own is not None:
            return await self._dial(*own, client)
        self.policy.check_host(head.host, head.port)
        if self.upstream is not None:
            return await self._through(self.upstream, head, client)
        addresses = await self._checked(head)
        problem: OSError | None = None
        for address in addresses:
            try:
                return await self._dial(address, head.port, client)
            except OSError as error:
                problem = error
        raise problem or OSError(f"{head.host} has no address")

    async def _checked(self, head: Head) -> list[str]:
        async with asyncio.timeout(CONNECT_SECONDS):
            addresses = await self.resolve(head.host, head.port)
        self.policy.check_addresses(head.host, addresses)
        for address in addresses:
            if _is_own_address(address):
                raise Refused(f"{head.host} is at {address}, which is this machine")
        return addresses

    async def _dial(self, address: str, port: int, client: Client) -> Server:
        loop = asyncio.get_running_loop()
        dialling = loop.create_connection(lambda: Server(self, client), address, port)
        async with asyncio.timeout(CONNECT_SECONDS):
            _, server = await dialling
        return server

    async def _through(self, upstream: SplitResult, head: Head, client: Client) -> Server:
        """A tunnel through the user's own proxy, to the checked address unless that proxy is trusted with names."""
        try:
            address = (await self._checked(head))[0]
        except OSError:
            if not self.upstream_resolves:
                raise
            address = head.host
        name = head.host if self.upstream_resolves else address
        server = await self._dial(str(upstream.hostname), upstream.port or 80, client)
        async with asyncio.timeout(CONNECT_SECONDS):
            await server.ask_for_tunnel(f"[{name}]" if ":" in name else name, head.port, _credentials(upstream))
        return server


class Link(asyncio.Protocol):
    """One end of a connection; what arrives here is written to the other end, no faster than that end takes it."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self.transport: asyncio.Transport | None = None
        self.other: Link | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.proxy.links.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._take_again()
        self.proxy.links.discard(self)
        self.transport = None
        if self.other is not None:
            self.other.peer_gone(self)

    def pause_writing(self) -> None:
        self._stalled = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.drop)
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        self._take_again()
        if self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def _take_again(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()

    def peer_gone(self, peer: Link) -> None:
        if self.other is peer:
            self.end()

    def end(self) -> None:
        """Close, once what was written has been taken; who does not take it in time loses it."""
        if self.transport is not None:
            self.transport.close()
            if self.transport.get_write_buffer_size():
                asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.transport.abort)

    def write(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.write(data)

    def drop(self) -> None:
        if self.transport is not None:
            self.transport.abort()


class Server(Link):
    """The end towards a site. Responses pass unread."""

    def __init__(self, proxy: Proxy, client: Client) -> None:
        super().__init__(proxy)
        self.other = client
        self._answer: asyncio.Future[bytes] | None = None
        self._heard = b""

    def data_received(self, data: bytes) -> None:
        if self._answer is None:
            cast(Link, self.other).write(data)
            return
        self._heard += data
        head, end, rest = self._heard.partition(b"\r\n\r\n")
        if end and not self._answer.done():
            self._answer.set_result(head)
            self._heard = rest
        elif len(self._heard) > MOST_HEAD:
            self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(OSError("the upstream proxy hung up"))

    async def ask_for_tunnel(self, host: str, port: int, credentials: bytes) -> None:
        self._answer = asyncio.get_running_loop().create_future()
        place = f"{host}:{port}".encode()
        self.write(b"CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (place, place, credentials))
        words = (await self._answer).split(None, 2)
        self._answer = None
        if len(words) < 2 or not words[1].startswith(b"2"):
            self.drop()
            raise OSError(f"the upstream proxy answered {b' '.join(words[1:]).decode(errors='replace')[:80]}")


class Client(Link):
    """The end towards the browser: reads each request's head, has it checked and connected, passes the body on."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(proxy)
        self._buffer = b""
        self._body = 0
        self._raw = False
        self._place: tuple[str, int] | None = None
        self._task: asyncio.Task[None] | None = None
        self._deaf = 0  # so much of a body is still to come that goes nowhere
        self._waits_for = ""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._wait_for("first", IDLE_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_for("")
        if self._task is not None:
            self._task.cancel()

    def peer_gone(self, peer: Link) -> None:
        """A site that hangs up ends this connection too, unless another request is already on its way elsewhere."""
        if self._task is None or self._task.done():
            super().peer_gone(peer)

    def data_received(self, data: bytes) -> None:
        if self._raw and self.other is not None:
            self.other.write(data)
            return
        if self._deaf:
            return self._throw_away(data)
        self._buffer += data
        if self._task is None or self._task.done():
            self._advance()
        elif len(self._buffer) > MOST_WAITING and self.transport is not None:
            self.transport.pause_reading()  # until there is somewhere to send it

    def _wait_for(self, what: str, seconds: float = 0.0) -> None:
        """Give up on a client that is not heard of in time; with nothing to wait for, never."""
        if self._timer is not None:
            self._timer.cancel()
        self._waits_for = what
        self._timer = asyncio.get_running_loop().call_later(seconds, self.drop) if what else None

    def _throw_away(self, data: bytes) -> None:
        self._deaf = max(0, self._deaf - len(data))
        if not self._deaf:
            self.end()

    def _advance(self) -> None:
        """Pass on what belongs to the current body, then begin the next request if its head is complete."""
        if self._body and self.other is not None:
            part, self._buffer = self._buffer[: self._body], self._buffer[self._body :]
            self._body -= len(part)
            self.other.write(part)
        if self._body:
            return self._wait_for("body", BODY_SECONDS)
        if not self._buffer:
            return self._wait_for("")
        text, end, rest = self._buffer.partition(b"\r\n\r\n")
        if end:
            self._wait_for("")
            self._buffer = rest
            self._begin(text)
        elif self._waits_for != "head":  # from its first byte on, however slowly the others come
            self._wait_for("head", HEAD_SECONDS)
        if not end and len(self._buffer) > MOST_HEAD:
            self._answer(431, "Too large", "The request's head is too long.")

    def _begin(self, text: bytes) -> None:
        try:
            head = self.proxy.admit(parse_head(text), text)
        except ValueError as error:
            return self._answer(400, "Bad request", str(error))
        except Refused as refusal:
            return self._answer(403, "Refused", f"{refusal}.")
        except Stranger as stranger:
            return self._answer(407, "Who is it?", str(stranger), 'Proxy-Authenticate: Basic realm="workalike"\r\n')
        if self._place == (head.host, head.port) and not head.is_tunnel and self._reusable():
            self._pass_on(head)
        else:
            self._task = asyncio.get_running_loop().create_task(self._serve(head))

    def _reusable(self) -> bool:
        transport = self.other.transport if self.other is not None else None
        return transport is not None and not transport.is_closing()

    async def _serve(self, head: Head) -> None:
        target = f"{head.host}:{head.port}"
        try:
            server = await self.proxy.connect(head, self)
        except Refused as refusal:
            self.proxy.refuse(target, str(refusal))
            self._answer(403, "Refused", f"Refused by policy: {refusal}.", body=head.body)
        except TimeoutError:
            self._fail(504, "No answer", head, "did not answer in time")
        except (OSError, UnicodeError) as error:
            self._fail(502, "Unreachable", head, f"cannot be reached: {error}")
        else:
            if self.transport is None:
                server.drop()
                return
            self.other, self._place = server, (head.host, head.port)
            self._task = None
            self.transport.resume_reading()
            self._pass_on(head)

    def _pass_on(self, head: Head) -> None:
        assert self.other is not None
        if head.is_tunnel:
            self.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            self.other.write(head.forward)
        self._raw = head.is_tunnel or head.endless
        self._body = head.body
        if self._raw:
            self.other.write(self._buffer)
            self._buffer = b""
        else:
            self._advance()

    def _fail(self, status: int, title: str, head: Head, why: str) -> None:
        target = f"{head.host}:{head.port}"
        if len(self.proxy.failures) < MOST_REFUSALS:
            self.proxy.failures[target] = f"{target} {why}"
        self._answer(status, title, f"{target} {why}.", body=head.body)

    def _answer(self, status: int, title: str, sentence: str, more: str = "", body: int = 0) -> None:
        """Answer in the site's place, with a page an agent can read. A body still under way is heard to its end: the
        browser would otherwise take it for a broken connection, and show no page."""
        if self.transport is None:
            return
        page = (
            f"<!doctype html><meta charset=utf-8><title>{title}</title>"
            f"<body style='font:20px sans-serif;margin:15vh auto;max-width:40em'><h1>{title}</h1><p>"
            f"{html.escape(sentence)}</p>"
        ).encode()
        head = (
            f"HTTP/1.1 {status} {title}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(page)}\r\n"
            f"Cache-Control: no-store\r\nConnection: close\r\n{more}\r\n"
        )
        self.write(head.encode() + page)
        self._deaf = max(0, body - len(self._buffer))
        if self._deaf:
            self._buffer = b""
            self._wait_for("body", BODY_SECONDS)
            self.transport.resume_reading()
        else:
            self.end()


def _parse_upstream(text: str) -> SplitResult:
    parts = urlsplit(text)
    if parts.scheme != "http" or not parts.hostname:
        raise BadInput(
            f"the upstream proxy {text!r} is not understood: write http://host:port or http://user:password@host:port"
        )
    return parts


def _credentials(upstream: SplitResult) -> bytes:
    if not upstream.username:
        return b""
    pair = f"{unquote(upstream.username)}:{unquote(upstream.password or '')}"
    return b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode()) + b"\r\n"


def _is_own_address(address: str) -> bool:
    """Whether a public address is this machine's: then packets to it would leave from it. Nothing is sent."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))
        except OSError:
            return False
        return str(probe.getsockname()[0]) == address
