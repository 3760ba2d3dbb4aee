"""Attempts opened from outside: each with a state of its own, judged as it stands, over HTTP."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from workalike.bench.config import ORACLE
from workalike.bench.loading import load_benchmark
from workalike.bench.outside import Outside
from workalike.bench.sandbox import town_sandbox
from workalike.core.errors import BadInput
from workalike.models.server.app import application
from workalike.store.config import RunConfig


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def outside() -> AsyncIterator[tuple[Outside, str]]:
    """Attempts at one task, and the address they are opened at."""
    loaded = load_benchmark(RunConfig(benchmark="town", agent="som", model=ORACLE, tasks=("shopping_1",)))
    assert loaded.town is not None
    async with town_sandbox(loaded.town, with_eyes=True) as sandbox:
        made = Outside(sandbox, loaded.task_set)
        with sandbox.oracle_model(application, more=made.routes()) as address:
            yield made, address.removesuffix("/v1")


def _fetch(url: str, body: bytes | None = None) -> dict[str, Any]:
    with urllib.request.urlopen(urllib.request.Request(url, body), timeout=120) as answer:
        return dict(json.load(answer))


async def test_attempts_have_states_of_their_own(outside: tuple[Outside, str]) -> None:
    attempts, address = outside
    one, two = attempts.open("shopping_1"), attempts.open("shopping_1")
    assert one.token != two.token
    assert one.token in one.start
    assert one.start.startswith("http://search.town.localhost:"), "the port is there for browsers without our proxy"
    judged = await asyncio.to_thread(_fetch, f"{address}/attempts/{one.token}/verdict?answer=Done")
    assert judged["outcome"] == "failure"


async def test_an_attempt_opened_over_http_is_known_to_the_model(outside: tuple[Outside, str]) -> None:
    _, address = outside
    await asyncio.to_thread(_fetch, f"{address}/attempts", b'{"task": "shopping_1", "name": "worker-7"}')
    body = json.dumps({"model": "fara", "messages": [{"role": "user", "content": "Go on."}]}).encode()
    request = urllib.request.Request(
        f"{address}/v1/chat/completions", body, {"Authorization": "Bearer worker-7", "content-type": "application/json"}
    )
    with await asyncio.to_thread(urllib.request.urlopen, request, timeout=120) as answer:
        said = json.load(answer)["choices"][0]["message"]["content"]
    assert '"wait"' in said, "no page of this attempt has been opened yet"


async def test_a_name_moves_on_to_the_next_attempt(outside: tuple[Outside, str]) -> None:
    attempts, address = outside
    one, two = attempts.open("shopping_1", "worker-1"), attempts.open("shopping_1", "worker-1")
    assert (one.name, two.name) == ("worker-1", "worker-1")
    assert attempts.verdict("worker-1", None).outcome == "failure"
    with pytest.raises(BadInput, match="no attempt called"):
        attempts.verdict(one.token, None)
    request = urllib.request.Request(f"{address}/attempts/worker-1", method="DELETE")
    with await asyncio.to_thread(urllib.request.urlopen, request, timeout=120) as answer:
        assert json.load(answer) == {"closed": "worker-1"}
    with pytest.raises(BadInput, match="'worker-1'"):
        attempts.close("worker-1")


async def test_a_browser_may_give_the_name_in_a_header(outside: tuple[Outside, str]) -> None:
    opened = outside[0].open("shopping_1", "worker-9")
    page = opened.start.partition("?")[0]
    asked = urllib.request.Request(page, headers={"X-Town-Attempt": "worker-9", "Host": "search.town.localhost"})
    asked.full_url = page.replace("search.town.localhost", "127.0.0.1")
    with await asyncio.to_thread(urllib.request.urlopen, asked, timeout=120) as answer:
        assert answer.status == 200
        assert answer.headers["set-cookie"] is None, "a visitor who is not known is given a cookie"


@pytest.mark.parametrize("name", ["", "a b", "a:b", "é", "x" * 81])
def test_a_name_must_fit_a_proxy_and_a_path(outside: tuple[Outside, str], name: str) -> None:
    with pytest.raises(BadInput, match="cannot be called"):
        outside[0].open("shopping_1", name)


def test_a_task_that_is_not_there_is_named(outside: tuple[Outside, str]) -> None:
    with pytest.raises(BadInput, match="no task 'nothing'"):
        outside[0].open("nothing")


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"task": 3}', b'{"task": "nothing"}'])
async def test_bad_requests_are_answered(outside: tuple[Outside, str], body: bytes) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        await asyncio.to_thread(_fetch, f"{outside[1]}/attempts", body)
    assert caught.value.code == 400
    assert json.load(caught.value)["error"].startswith("that cannot be done")
