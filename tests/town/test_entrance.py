"""The town's door: the proxy's user name is the attempt, whoever gives none is asked, and nothing else is reached."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from workalike.env.policy.reach import Policy
from workalike.runtime.serving import serving
from workalike.town.entrance import Entrance, user_name
from workalike.town.server import App
from workalike.town.site import DOMAIN
from workalike.town.town import Town

SHOP = f"http://marlow.{DOMAIN}/"


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def door() -> AsyncIterator[tuple[int, Town]]:
    """The town behind its entrance, with two attempts open: the port and the town."""
    town = Town()
    names = {name: town.open().token for name in ("ann", "bob")}
    async with serving(App(town)) as port:
        place = f"127.0.0.1:{port}"
        hosts = {f"*.{DOMAIN}": place, f"*.{DOMAIN}:8400": place}
        entrance = Entrance(Policy(hosts=hosts), lambda name: names.get(name))
        yield await entrance.open(), town
        await entrance.close()


def basic(name: str) -> str:
    return f"Proxy-Authorization: Basic {base64.b64encode(f'{name}:any'.encode()).decode()}\r\n"


async def ask(port: int, line: str, headers: str = "", body: str = "") -> tuple[int, str]:
    """One request by hand: the status and all that came back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    host = line.split()[1].removeprefix("http://").split("/")[0]
    length = f"Content-Length: {len(body)}\r\nContent-Type: application/x-www-form-urlencoded\r\n" if body else ""
    writer.write(f"{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}{length}\r\n{body}".encode())
    async with asyncio.timeout(20):
        came = (await reader.read()).decode("utf-8", "replace")
    writer.close()
    return int(came.split()[1]), came


async def test_whoever_gives_no_name_is_asked_for_one(door: tuple[int, Town]) -> None:
    status, came = await ask(door[0], f"GET {SHOP}")
    assert status == 407
    assert 'Proxy-Authenticate: Basic realm="workalike"' in came


async def test_a_name_that_is_not_known_is_told_so(door: tuple[int, Town]) -> None:
    status, came = await ask(door[0], f"GET {SHOP}", basic("eve"))
    assert status == 403
    assert "no attempt called" in came


async def test_each_name_has_a_state_of_its_own(door: tuple[int, Town]) -> None:
    port, town = door
    ann, bob = town.tokens[:2]
    form = "email=ann%40town.example"
    status, _ = await ask(port, f"POST {SHOP}-/subscribe", basic("ann"), form)
    assert status < 400
    assert [change.table for change in town.changes(ann)] == ["ground_subscription"]
    assert town.changes(bob) == ()


async def test_the_proxys_word_goes_before_a_header_or_cookie(door: tuple[int, Town]) -> None:
    port, town = door
    ann, bob = town.tokens[:2]
    claims = f"X-Town-Attempt: {ann}\r\nCookie: attempt={ann}\r\n"
    before = town.changes(ann)
    await ask(port, f"POST {SHOP}-/subscribe", basic("bob") + claims, "email=bob%40town.example")
    assert town.changes(ann) == before
    assert any(change.table == "ground_subscription" for change in town.changes(bob))


async def test_the_port_of_the_town_is_as_good_and_nothing_else_is_reached(door: tuple[int, Town]) -> None:
    port, _ = door
    assert (await ask(port, f"GET http://search.{DOMAIN}:8400/", basic("ann")))[0] == 200
    assert (await ask(port, "GET http://example.org/", basic("ann")))[0] == 403
    assert (await ask(port, f"CONNECT search.{DOMAIN}:443", basic("ann")))[0] == 403


@pytest.mark.parametrize("value", ["", "Basic", "Basic !!", "Bearer YTpi", "Basic Og=="])
def test_what_names_nobody(value: str) -> None:
    assert user_name(f"GET / HTTP/1.1\r\nProxy-Authorization: {value}".encode()) is None
