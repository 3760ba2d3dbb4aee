"""The runner's endpoint does its work for those who know the secret."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from workalike.runtime.serving import serving
from workalike.town.admin import admin_app
from workalike.town.caller import Caller
from workalike.town.server import App
from workalike.town.town import Town


async def call(port: int, method: str, path: str, secret: str = "s3cret", body: bytes | None = None) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {secret}"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, headers, method=method)

    def ask() -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    return await asyncio.to_thread(ask)


async def test_open_change_reset_close(town: Town, app: App) -> None:
    async with serving(admin_app(town, "s3cret")) as port:
        status, opened = await call(port, "POST", "/attempts", body=b'{"skins": {"marlow": "harbour"}}')
        assert status == 201
        token = opened["token"]
        slug = town.facts["marlow"].execute("SELECT slug FROM product WHERE stock > 9 ORDER BY id").fetchone()[0]
        Caller(app, token).post("marlow", "/saved", {"product": slug})
        _, changes = await call(port, "GET", f"/attempts/{token}/changes")
        assert [change["after"]["product"] for change in changes if change["table"] == "marlow_saved"] == [slug]
        assert (await call(port, "POST", f"/attempts/{token}/reset"))[0] == 200
        assert (await call(port, "GET", f"/attempts/{token}/changes"))[1] == []
        assert (await call(port, "DELETE", f"/attempts/{token}"))[0] == 200
        status, told = await call(port, "GET", f"/attempts/{token}/changes")
        assert status == 400
        assert "no attempt" in told["error"]


async def test_nobody_else_gets_in(town: Town, app: App) -> None:
    async with serving(admin_app(town, "s3cret")) as port:
        assert (await call(port, "POST", "/attempts", secret="guess"))[0] == 401
    attempt = town.open()
    assert Caller(app, attempt.token).get("marlow", f"/attempts/{attempt.token}/changes").status == 404


async def test_a_bad_setting_is_explained(town: Town) -> None:
    async with serving(admin_app(town, "s3cret")) as port:
        status, told = await call(port, "POST", "/attempts", body=b'{"skins": {"marlow": "velvet"}}')
        assert (status, "velvet" in told["error"]) == (400, True)
        assert (await call(port, "POST", "/attempts", body=b"{"))[0] == 400


ILL_TYPED = (
    b"5", b"[]", b'"x"', b"null", b"\xff", b"[" * 100_000, b'{"skins": ' + b"[" * 50_000, b'{"skins": 5}',
    b'{"skins": {"marlow": 5}}', b'{"skins": {"nobody": "x"}}', b'{"obstacles": 5}', b'{"obstacles": ["moat"]}',
    b'{"wall": {"marlow": 5}}', b'{"wall": {"nobody": "/"}}', b'{"wall": {"marlow": "checkout"}}',
    b'{"skins": {"\\ud800": "x"}}',
)  # fmt: skip


@pytest.mark.parametrize("body", ILL_TYPED, ids=range(len(ILL_TYPED)))
async def test_ill_typed_settings_are_bad_requests(town: Town, body: bytes) -> None:
    async with serving(admin_app(town, "s3cret")) as port:
        status, told = await call(port, "POST", "/attempts", body=body)
        assert status == 400
        assert told["error"]
