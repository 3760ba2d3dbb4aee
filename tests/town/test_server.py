"""One server: the site by the host's name, the attempt by its token."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import subprocess
import sys
import urllib.request

import pytest

from workalike.core.errors import BadInput
from workalike.models.server.serving import serving
from workalike.town.attempt import Setting
from workalike.town.caller import Caller
from workalike.town.server import App
from workalike.town.town import Town

PAGES = [
    ("search", "/"),
    ("search", "/?q=rain+jacket"),
    ("marlow", "/"),
    ("marlow", "/c/kettles?sort=price-low&brand=Torvald"),
    ("kestrel", "/"),
    ("kestrel", "/search?q=boots"),
    ("kestrel", "/help/delivery"),
]


def digest(town: Town, skins: dict[str, str]) -> str:
    """One hash over many pages of an attempt."""
    caller = Caller(App(town), town.open(Setting(skins, ("cookies",))).token)
    parts = [caller.get(site, path).body for site, path in PAGES]
    slug = town.facts["marlow"].execute("SELECT slug FROM product ORDER BY id LIMIT 1").fetchone()[0]
    parts += [caller.get("marlow", path).body for path in (f"/p/{slug}", f"/p/{slug}/reviews", f"/pic/{slug}.svg")]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_pages_are_the_same_byte_for_byte_in_another_process(town: Town) -> None:
    """Whatever the seed of Python's own hashing is."""
    skins = {"marlow": "harbour", "kestrel": "mono"}
    code = "from tests.town.test_server import digest; from workalike.town.town import Town"
    code += f"; print(digest(Town(), {skins}))"
    environment = os.environ | {"PYTHONHASHSEED": "4242", "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == digest(town, skins)


def test_skins_differ_in_more_than_colour(town: Town, app: App) -> None:
    for site in ("marlow", "kestrel"):
        skins = town.sites[site].skins
        assert {skin.split for skin in skins} == {"train", "test"}
        assert len({skin.steps for skin in skins}) == len({skin.words["add"] for skin in skins}) == len(skins)
        layouts = {
            skin.split: {each.layout or each.name for each in skins if each.split == skin.split} for skin in skins
        }
        assert not layouts["train"] & layouts["test"]
        pages = set()
        for skin in skins:
            caller = Caller(app, town.open(Setting({site: skin.name})).token)
            pages.add(re.sub(r"<link[^>]*>|<script.*", "", caller.get(site, "/c/mugs").text))
        assert len(pages) == len(skins)


def test_unknown_hosts_and_pages_are_told_apart(town: Town, app: App) -> None:
    caller = Caller(app, town.open().token)
    assert caller.get("nowhere", "/").status == 404
    missing = caller.get("marlow", "/p/no-such-thing")
    assert missing.status == 404
    assert "can&#39;t find that product" in missing.text
    assert caller.get("marlow", "/static/../__init__.py").status == 404
    assert caller.get("marlow", "/static/shop.css").headers["content-type"].startswith("text/css")


def test_a_page_that_breaks_leaves_no_rows(town: Town, app: App) -> None:
    caller = Caller(app, town.open().token)
    assert caller.post("marlow", "/cart/add", {"product": "no-such-thing"}).status == 404
    assert [change for change in town.changes(caller.token) if change.table != "ground_trace"] == []


async def test_tokens_come_by_address_cookie_or_not_at_all(town: Town, app: App) -> None:
    """`?attempt=` sets a cookie for all sites and vanishes; a visitor without one gets an attempt of its own."""
    attempt = town.open()
    async with serving(app) as port:

        def ask(path: str, cookie: str = "") -> urllib.request.Request:
            headers = {"Host": f"marlow.town.localhost:{port}", "Cookie": cookie}
            return urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *args: object) -> None:
                return None

        opener = urllib.request.build_opener(Stay())
        with pytest.raises(urllib.error.HTTPError) as moved:
            await asyncio.to_thread(opener.open, ask(f"/c/mugs?sort=name&attempt={attempt.token}"))
        assert moved.value.status == 303
        assert moved.value.headers["location"] == "/c/mugs?sort=name"
        assert f"attempt={attempt.token}" in moved.value.headers["set-cookie"]
        assert "Domain=town.localhost" in moved.value.headers["set-cookie"]
        known = await asyncio.to_thread(opener.open, ask("/", f"attempt={attempt.token}"))
        assert known.headers["set-cookie"] is None
        stranger = await asyncio.to_thread(opener.open, ask("/"))
        assert "attempt=" in stranger.headers["set-cookie"]
        assert f"http://search.town.localhost:{port}" not in known.read().decode()


async def test_a_port_that_is_taken_is_said(app: App) -> None:
    async with serving(app) as port:
        with pytest.raises(BadInput, match="choose another"):
            async with serving(app, port):
                pass
