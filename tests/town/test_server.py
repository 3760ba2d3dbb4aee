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
from workalike.runtime.serving import serving
from workalike.town.caller import Caller
from workalike.town.server import App
from workalike.town.session import Setting
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
        skins = [skin for skin in town.sites[site].skins if not skin.mess]
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


@pytest.mark.parametrize("path", ["/c/mugs", "/search?q=mug", "/d/kitchen"])
def test_a_page_that_no_list_reaches_is_missing(town: Town, app: App, path: str) -> None:
    caller = Caller(app, town.open().token)
    for site, where in (("marlow", path), ("search", "/?q=mug"), ("stayward", "/search?where=Lisbon")):
        sign = "&" if "?" in where else "?"
        assert caller.get(site, f"{where}{sign}page={10**24}").status == 404
        assert caller.get(site, f"{where}{sign}page={'9' * 5000}").status == 404
        assert caller.get(site, f"{where}{sign}page=2").status == 200
    assert caller.get("marlow", f"/c/mugs?max={10**24}&min={'9' * 5000}").status == 200
    assert caller.get("stayward", f"/search?where=Lisbon&most={10**24}").status == 200


async def test_a_browser_in_an_attempt_stays_in_it(town: Town) -> None:
    """An unknown or second `?attempt=` changes nothing, and only tokens lead into attempts, not names of theirs."""
    mine, other = town.open(), town.open()
    async with serving(App(town, names={"worker-2": other.token})) as port:

        def cookie_after(given: str, cookie: str) -> str | None:
            class Stay(urllib.request.HTTPRedirectHandler):
                def redirect_request(self, *args: object) -> None:
                    return None

            headers = {"Host": f"marlow.town.localhost:{port}", "Cookie": cookie}
            request = urllib.request.Request(f"http://127.0.0.1:{port}/cart?attempt={given}", headers=headers)
            with pytest.raises(urllib.error.HTTPError) as moved:
                urllib.request.build_opener(Stay()).open(request)
            assert (moved.value.status, moved.value.headers["location"]) == (303, "/cart")
            return moved.value.headers["set-cookie"]

        held = f"attempt={mine.token}"
        assert await asyncio.to_thread(cookie_after, other.token, held) is None
        assert await asyncio.to_thread(cookie_after, "no-such-token", held) is None
        assert await asyncio.to_thread(cookie_after, "no-such-token", "") is None
        assert await asyncio.to_thread(cookie_after, "worker-2", "") is None
        led = await asyncio.to_thread(cookie_after, other.token, "")
        assert led is not None
        assert other.token in led
        town.close(mine.token)
        assert await asyncio.to_thread(cookie_after, other.token, held) is not None


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
