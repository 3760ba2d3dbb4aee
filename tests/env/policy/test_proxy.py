"""The proxy passes what the policy allows, byte for byte, and nothing else; raw clients try it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workalike.core.errors import BadInput
from workalike.env.policy.proxy import Proxy
from workalike.env.policy.proxy_head import parse_head
from workalike.env.policy.reach import Policy

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def served(serve: Serve) -> AsyncIterator[int]:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@asynccontextmanager
async def proxied(proxy: Proxy) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    port = await proxy.open()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    yield reader, writer
    writer.close()
    await proxy.close()


async def echo_requests(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers every request with what it received, and keeps the connection."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")), 0
            )
            seen = head + await reader.readexactly(length)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(seen) + seen)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def answer(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    return head, await reader.readexactly(length)


async def test_requests_are_passed_in_the_form_a_site_expects() -> None:
    async with served(echo_requests) as port:
        proxy = Proxy(Policy(hosts={"a.local": f"127.0.0.1:{port}", "b.local": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            for host in ("a.local", "a.local", "b.local"):
                writer.write(
                    b"POST http://%s/path?q=http://x/ HTTP/1.1\r\nHost: %s\r\nProxy-Connection: keep-alive\r\n"
                    b"Content-Length: 5\r\n\r\nhello" % (host.encode(), host.encode())
                )
                head, body = await answer(reader)
                assert head.startswith(b"HTTP/1.1 200")
                assert (
                    body
                    == b"POST /path?q=http://x/ HTTP/1.1\r\nHost: %s\r\nContent-Length: 5\r\n\r\nhello" % host.encode()
                )
        assert proxy.refusals == []


async def test_a_body_that_comes_in_pieces() -> None:
    async with served(echo_requests) as port:
        proxy = Proxy(Policy(hosts={"a.local": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            for piece in (b"POST http://a.lo", b"cal/ HTTP/1.1\r\nContent-Len", b"gth: 6\r\n\r", b"\nabc", b"def"):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)
            _, body = await answer(reader)
            assert body.endswith(b"\r\n\r\nabcdef")


async def test_tunnels_pass_everything_both_ways() -> None:
    async def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data.upper())
            await writer.drain()
        writer.close()

    async with served(shout) as port:
        proxy = Proxy(Policy(hosts={"a.local:443": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            writer.write(b"CONNECT a.local:443 HTTP/1.1\r\nHost: a.local:443\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            sent = b"x" * 3_000_000
            writer.write(sent)
            assert await reader.readexactly(len(sent)) == sent.upper()


@pytest.mark.parametrize(
    ("request_line", "policy", "why"),
    [
        (b"GET http://other.local/ HTTP/1.1", Policy(), "none of the hosts"),
        (b"CONNECT 127.0.0.1:22 HTTP/1.1", Policy(public=True), "not on the public internet"),
        (b"CONNECT [::1]:443 HTTP/1.1", Policy(public=True), "not on the public internet"),
        (b"GET http://localhost/ HTTP/1.1", Policy(public=True), "not on the public internet"),
        (b"GET http://169.254.169.254/latest HTTP/1.1", Policy(public=True), "not on the public internet"),
        (b"GET http://2130706433/ HTTP/1.1", Policy(public=True), "not on the public internet"),
        (b"GET http://blocked.example/ HTTP/1.1", Policy(public=True, block=("blocked.example",)), "blocked hosts"),
        (b"GET http://x.example/ HTTP/1.1", Policy(public=True, allow=("y.example",)), "allowed hosts"),
    ],
)
async def test_what_the_policy_does_not_allow_is_refused_and_noted(
    request_line: bytes, policy: Policy, why: str
) -> None:
    proxy = Proxy(policy)
    async with proxied(proxy) as (reader, writer):
        writer.write(request_line + b"\r\nHost: x\r\n\r\n")
        head, body = await answer(reader)
        assert head.startswith(b"HTTP/1.1 403")
        assert why.encode() in body
        assert why in proxy.refusals[0].reason


async def test_a_kept_connection_is_checked_at_every_request() -> None:
    async with served(echo_requests) as port:
        proxy = Proxy(Policy(hosts={"a.local": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            writer.write(b"GET http://a.local/ HTTP/1.1\r\n\r\n")
            await answer(reader)
            writer.write(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\n\r\n" % port)
            head, _ = await answer(reader)
            assert head.startswith(b"HTTP/1.1 403")
        assert len(proxy.refusals) == 1


async def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    asked = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) > 1 else ["8.8.8.8"]

    proxy = Proxy(Policy(public=True), rebinding)
    dialled: list[str] = []

    async def dial(address: str, port: int, client: object) -> object:
        dialled.append(address)
        raise OSError("not really")

    proxy._dial = dial  # type: ignore[assignment, method-assign]
    async with proxied(proxy) as (reader, writer):
        writer.write(b"GET http://rebind.example/ HTTP/1.1\r\n\r\n")
        head, _ = await answer(reader)
    assert head.startswith(b"HTTP/1.1 502")
    assert (dialled, len(asked)) == (["8.8.8.8"], 1)


async def test_an_upstream_proxy_is_asked_for_the_checked_address() -> None:
    heard: list[bytes] = []

    async def upstream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 fine\r\n\r\n")
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

    async def resolve(host: str, port: int) -> list[str]:
        return ["8.8.8.8"]

    async with served(upstream) as port:
        proxy = Proxy(Policy(public=True), resolve, upstream=f"http://me:pass%20word@127.0.0.1:{port}")
        async with proxied(proxy) as (reader, writer):
            writer.write(b"GET http://site.example/x HTTP/1.1\r\nHost: site.example\r\n\r\n")
            assert (await answer(reader))[1] == b"hi"
    assert heard[0].startswith(b"CONNECT 8.8.8.8:80 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic bWU6cGFzcyB3b3Jk\r\n" in heard[0]
    assert heard[1].startswith(b"GET /x HTTP/1.1\r\nHost: site.example\r\n")


async def test_an_upstream_that_resolves_is_asked_for_the_name() -> None:
    heard: list[bytes] = []

    async def upstream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 407 who are you\r\n\r\n")

    async def unknown(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    async with served(upstream) as port:
        place = f"http://127.0.0.1:{port}"
        for resolves in (True, False):
            async with proxied(Proxy(Policy(public=True), unknown, place, resolves)) as (reader, writer):
                writer.write(b"CONNECT site.example:443 HTTP/1.1\r\n\r\n")
                head, body = await answer(reader)
                assert head.startswith(b"HTTP/1.1 502")
                assert (b"407 who are you" if resolves else b"no such name") in body
    assert [line.split(b"\r\n")[0] for line in heard] == [b"CONNECT site.example:443 HTTP/1.1"]


@pytest.mark.parametrize("upstream", ["socks5://x:1", "nonsense", "http://"])
def test_an_upstream_that_is_not_understood_is_told(upstream: str) -> None:
    with pytest.raises(BadInput, match="upstream proxy"):
        Proxy(Policy(), upstream=upstream)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1", b"nonsense", b"CONNECT nowhere HTTP/1.1", b"GET ftp://a/ HTTP/1.1", b"GET http:/// HTTP/1.1",
        b"POST http://a/ HTTP/1.1\r\nContent-Length: -4", b"POST http://a/ HTTP/1.1\r\nContent-Length: 4_0",
        b"POST http://a/ HTTP/1.1\r\nContent-Length: 4\r\nContent-Length: 5", b"GET http://a:99999/ HTTP/1.1",
    ],
)  # fmt: skip
async def test_requests_that_are_none_are_answered_with_400(head: bytes) -> None:
    with pytest.raises(ValueError):
        parse_head(head)
    async with proxied(Proxy(Policy(hosts={"a": "127.0.0.1:1"}))) as (reader, writer):
        writer.write(head + b"\r\n\r\n")
        assert (await answer(reader))[0].startswith(b"HTTP/1.1 400")


async def test_a_head_without_end_is_refused() -> None:
    async with proxied(Proxy(Policy())) as (reader, writer):
        writer.write(b"GET http://a/ HTTP/1.1\r\nX: " + b"x" * 300_000)
        assert (await answer(reader))[0].startswith(b"HTTP/1.1 431")


async def test_closing_drops_what_is_open() -> None:
    async with served(echo_requests) as port:
        proxy = Proxy(Policy(hosts={"a.local:443": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            writer.write(b"CONNECT a.local:443 HTTP/1.1\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            await proxy.close()
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await reader.readexactly(1)


BODY = 60 << 20


async def stable(size: Callable[[], int]) -> int:
    """A size once it has stopped changing."""
    seen: list[int] = []
    while len(seen) < 20 or len(set(seen[-20:])) > 1:
        await asyncio.sleep(0.01)
        seen.append(size())
    return seen[-1]


async def post(port: int, host: str, size: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST http://%s/ HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (host.encode(), size))
    writer.write(bytes(size))
    return reader, writer


async def test_bodies_wait_outside_while_their_host_is_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, got = asyncio.Event(), []

    async def slowly(host: str, port: int) -> list[str]:
        await gate.wait()
        return ["127.0.0.1"]

    async def taking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        got.append(len(await reader.readexactly(BODY)))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    monkeypatch.setattr("workalike.env.policy.reach.is_public", lambda text: True)
    monkeypatch.setattr("workalike.env.policy.proxy._is_own_address", lambda address: False)
    async with served(taking) as far, served(echo_requests) as near:
        proxy = Proxy(Policy(hosts={"near.local": f"127.0.0.1:{near}"}, public=True), slowly)
        port = await proxy.open()
        posts = [await post(port, f"slow.example:{far}", BODY) for _ in range(3)]
        left = await stable(lambda: sum(writer.transport.get_write_buffer_size() for _, writer in posts))
        assert left > 3 * BODY - (32 << 20)
        reader, writer = await post(port, "near.local", 10)
        assert (await answer(reader))[1].endswith(bytes(10))
        gate.set()
        heads = [await answer(reader) for reader, _ in posts]
        assert all(head.startswith(b"HTTP/1.1 200") for head, _ in heads)
        assert got == [BODY] * 3
        for one in (writer, *(writer for _, writer in posts)):
            one.close()
        await proxy.close()


async def test_a_refused_post_has_its_answer_after_its_body() -> None:
    proxy = Proxy(Policy())
    port = await proxy.open()
    reader, writer = await post(port, "other.example", BODY)
    await writer.drain()
    head, page = await answer(reader)
    assert head.startswith(b"HTTP/1.1 403")
    assert b"none of the hosts" in page
    assert await reader.read() == b""
    await proxy.close()


HALVES = {
    "nothing": b"",
    "half a line": b"GET http://a.lo",
    "half a head": b"GET http://a.local/ HTTP/1.1\r\nHost: a.local\r\n",
    "half a body": b"POST http://a.local/ HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
    "half a refused body": b"POST http://b.local/ HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
}


@pytest.mark.parametrize("sent", HALVES.values(), ids=HALVES)
async def test_half_open_connections_are_closed(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IDLE_SECONDS", "HEAD_SECONDS", "BODY_SECONDS", "CLOSE_SECONDS"):
        monkeypatch.setattr(f"workalike.env.policy.proxy.{name}", 0.2)
    async with served(echo_requests) as port:
        proxy = Proxy(Policy(hosts={"a.local": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            writer.write(sent)
            await heard_out(reader)
            await gone(proxy)


async def test_a_head_that_drips_is_not_waited_for_from_each_drop_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workalike.env.policy.proxy.HEAD_SECONDS", 0.3)
    proxy = Proxy(Policy())
    async with proxied(proxy) as (reader, writer):
        writer.write(b"GET http://a.local/ HTTP/1.1\r\n")
        closed = asyncio.ensure_future(heard_out(reader))
        while not closed.done():
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.05)


async def test_who_does_not_take_what_is_written_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workalike.env.policy.proxy.IDLE_SECONDS", 0.4)

    async def pouring(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(32 << 20))
        await asyncio.sleep(0.3)
        writer.transport.abort()

    async with served(pouring) as port:
        proxy = Proxy(Policy(hosts={"a.local": f"127.0.0.1:{port}"}))
        async with proxied(proxy) as (reader, writer):
            writer.write(b"GET http://a.local/ HTTP/1.1\r\n\r\n")
            await reader.readexactly(10)  # and no more
            await gone(proxy)


async def heard_out(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        await reader.read()


async def gone(proxy: Proxy) -> None:
    while proxy.links:
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("host", ["t", "h", "p", "ht", "http", "tp:80"])
def test_a_host_whose_name_is_part_of_the_scheme(host: str) -> None:
    head = parse_head(f"GET http://{host}/x.png?http://t/ HTTP/1.1\r\nHost: {host}".encode())
    assert head.forward.startswith(b"GET /x.png?http://t/ HTTP/1.1\r\n")
    assert head.host == host.partition(":")[0]


NO_HEADS = {
    "tab in the host": b"GET http://a.lo\tcal/ HTTP/1.1",
    "tab in the path": b"GET http://a.local/\tx HTTP/1.1",
    "tab in a tunnel": b"CONNECT a.lo\tcal:443 HTTP/1.1",
    "control character": b"GET \x01http://a.local/ HTTP/1.1",
    "bare line feed": b"GET http://a.local/ HTTP/1.1\r\nA: b\nContent-Length: 5",
    "zero byte": b"GET http://a.local/\0 HTTP/1.1",
    "letters beyond ascii": "GET http://a.local/é HTTP/1.1".encode(),
    "no version": b"GET http://a.local/ x",
    "long length": b"POST http://a.local/ HTTP/1.1\r\nContent-Length: " + b"9" * 5000,
    "port": b"GET http://a.local:99999/ HTTP/1.1",
    "brackets": b"GET http://[::1/ HTTP/1.1",
    "empty": b"",
}


@pytest.mark.parametrize("text", NO_HEADS.values(), ids=NO_HEADS)
async def test_what_is_no_head_is_answered_as_a_bad_request(text: bytes) -> None:
    proxy = Proxy(Policy())
    async with proxied(proxy) as (reader, writer):
        writer.write(text + b"\r\n\r\n")
        assert (await answer(reader))[0].startswith(b"HTTP/1.1 400")


@given(some.binary(max_size=80), some.binary(max_size=80))
def test_any_head_is_read_or_said_to_be_none(line: bytes, more: bytes) -> None:
    for text in (line + b"\r\n" + more, b"GET http://" + line + b" HTTP/1.1\r\n" + more):
        try:
            head = parse_head(text)
        except ValueError:
            continue
        assert 0 < head.port < 65536
        assert head.is_tunnel or b"/" in head.forward.split(b" ")[1][:1]
