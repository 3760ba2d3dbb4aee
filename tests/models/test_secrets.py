"""No key a service repeats and no password an agent types stays in what is written of an exchange, and what is written
is the user's alone."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.models.conftest import APIS, HELLO, Serve, opened, shared
from workalike.models.by_hand import ManualModels
from workalike.models.interface import Model
from workalike.models.messages import Request, said
from workalike.models.names import Api
from workalike.models.transcript import exchanges
from workalike.runtime.serving import serving_apart

KEY = "k/ey+of=mine_0123456789"
WAYS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: json.dumps(text),
    "slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "escaped": lambda text: '"' + "".join(f"\\u{ord(one):04x}" for one in text) + '"',
}


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("status", [200, 401])
async def test_a_key_that_a_service_escapes_is_struck(
    way: Callable[[str], str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = way(f"your key is {KEY}, is it not?")
    body = f'{{"choices": [{{"message": {{"role": "assistant", "content": {text}}}, "finish_reason": "stop"}}]}}'
    refused = f'{{"error": {{"message": {text}}}}}'

    async def answering(scope, receive, send) -> None:  # type: ignore[no-untyped-def]
        kind = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": kind})
        await send({"type": "http.response.body", "body": (body if status == 200 else refused).encode()})

    path = tmp_path / "t.jsonl"
    monkeypatch.setenv("WORKALIKE_API_KEY", KEY)
    from workalike.models.served import Models

    with serving_apart(answering) as url:
        async with Models() as models:
            model = models.open(f"m@{url}/v1", transcript=path)
            try:
                told = (await model.reply(HELLO)).text
            except Exception as error:
                told = str(error)
            await model.close()
    assert KEY not in told
    assert "[redacted]" in told
    assert KEY not in path.read_text()
    assert KEY not in str(list(exchanges(path)))


@pytest.mark.parametrize("api", APIS)
async def test_what_was_typed_where_it_is_not_shown_is_struck_from_the_transcript(
    api: Api, serve: Serve, tmp_path: Path
) -> None:
    password, path, cache = 'hunt"er/2', tmp_path / "new" / "t.jsonl", tmp_path / "new" / "cache.db"
    service = serve(f"I type {password}.", "Hello.", f"It was {password}.")
    async with shared(cache=cache) as models:
        model = opened(models, service, api, transcript=path)
        first = await model.reply(HELLO)
        assert password in first.text, "the agent itself hears it"
        model.hide({password: "••••"})
        repeated = Request((*HELLO.messages, said("assistant", first.text), said("user", "Go on.")))
        await model.reply(repeated)
        await model.reply(Request((said("user", f"was it {json.dumps(password)}?"),)))
        await model.close()
    for form in (password, json.dumps(password)[1:-1], json.dumps(json.dumps(password))[1:-1]):
        assert form not in path.read_text()
    told = list(exchanges(path))
    assert len(told) == 3
    assert told[0].reply is not None
    assert told[0].reply.text == "I type ••••."
    assert told[2].usage.requests == 1, "the books are kept"
    held = sqlite3.connect(cache).execute("SELECT reply FROM replies").fetchall()
    assert len(held) == 1, "what gives the password away is not kept for others"
    assert b"hunt" not in b"".join(file.read_bytes() for file in cache.parent.glob("cache.db*"))
    for file in (path, *cache.parent.glob("cache.db*")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_questions_by_hand_are_the_users_alone_and_hold_no_password(tmp_path: Path) -> None:
    folder = tmp_path / "questions"
    async with ManualModels(folder) as models:
        model = models.open("by-hand", transcript=tmp_path / "transcript.jsonl")
        await _replied(model, folder / "step-001", "What is typed?", "I type hunter2.")
        model.hide({"hunter2": "••••"})
        await _replied(model, folder / "step-001-2", "You typed hunter2.", "Yes.")
        await model.close()
    assert "I type ••••." in (folder / "step-001" / "reply.md").read_text()
    assert "You typed ••••." in (folder / "step-001-2" / "question.md").read_text()
    for path in (folder, *folder.rglob("*"), tmp_path / "transcript.jsonl"):
        if path.name not in ("done", "lock"):
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
        assert path.is_dir() or "hunter2" not in path.read_text()


async def _replied(model: Model, folder: Path, question: str, reply: str) -> None:
    asked = asyncio.ensure_future(model.reply(Request((said("user", question),))))
    async with asyncio.timeout(30):
        while not (folder / "question.md").exists():
            await asyncio.sleep(0.01)
    (folder / "reply.md").touch(0o600)
    (folder / "reply.md").write_text(reply)
    (folder / "done").touch()
    assert (await asked).text == reply
