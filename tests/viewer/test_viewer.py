"""The viewer in a real browser: it shows an attempt, and hostile text stays text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Page
from starlette.testclient import TestClient

from workalike.core.actions import Click, Drag, Scroll, Terminate
from workalike.core.errors import BadInput
from workalike.core.observation import Element, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Step, Stop, Taken
from workalike.core.verdict import Verdict
from workalike.env.stage import Stage
from workalike.models.server.serving import serving
from workalike.pictures.codec import encode
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.runs import RunInfo, RunWriter
from workalike.viewer.server import make_app
from workalike.viewer.source import Source

EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def _png(colour: str) -> bytes:
    return encode(Image.new("RGB", (144, 90), colour))


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A small run: hostile words everywhere a page or a model could put them."""
    folder = tmp_path / "run"
    task = Task(EVIL, f"Do {EVIL}", EVIL)
    with RunWriter(folder, RunInfo("r1", "", {}), [task]) as run:
        attempt, writer = run.begin(task, 1)
        shots = [run.pictures.put(_png(colour), Size(144, 90)) for colour in ("white", "grey", "black")]
        hit = Element("button", EVIL, Box(0.4, 0.4, 0.2, 0.2))
        seen = [Observation(shot, Size(144, 90), url=f"http://a/{EVIL}", title=EVIL) for shot in shots]
        writer.step(
            Step(
                seen[0],
                (Taken(Click(Point(0.5, 0.5)), hit=hit, error=EVIL), Taken(Scroll(dy=3))),
                reply=EVIL,
                thought=EVIL,
            )
        )
        writer.step(Step(seen[1], (Taken(Drag((Point(0.9, 0.9),), Point(0.1, 0.1))),), notices=(Notice("x", EVIL),)))
        writer.step(Step(seen[1], (Taken(Terminate("success", EVIL)),)))
        writer.finish(Stop("terminated"), seen[2])
    with LayerWriter(folder, VERDICTS, "state", Verdict) as verdicts:
        verdicts.put(attempt.id, Verdict(attempt.id, "state", "failure", EVIL))
    return folder


@asynccontextmanager
async def _page(folder: Path) -> AsyncIterator[Page]:
    async with serving(make_app(Source(folder))) as port, Stage() as stage:
        browser = await stage.browser()
        context = await browser.new_context(proxy={"server": "per-context", "bypass": "127.0.0.1"})
        page = await context.new_page()
        await page.goto(f"http://127.0.0.1:{port}/")
        await page.wait_for_selector("#film button")
        yield page
        await context.close()


async def test_an_attempt_is_shown_with_its_actions_drawn(run_folder: Path) -> None:
    async with _page(run_folder) as page:
        assert await page.locator("#film button").count() == 4
        assert await page.locator("#marks .mark").count() >= 2
        assert await page.locator("#marks .hit").count() == 1
        assert await page.locator(".number").count() == 1
        assert await page.evaluate("document.getElementById('shot').naturalWidth") == 144
        await page.keyboard.press("ArrowRight")
        assert "drag" in await page.inner_text("#details")
        await page.keyboard.press("m")
        assert await page.locator("#marks > *").count() == 0
        await page.keyboard.press("End")
        assert "after the last action" in await page.inner_text("#details")
        assert "failure by state" in await page.inner_text("#summary")


async def test_hostile_text_stays_text(run_folder: Path) -> None:
    async with _page(run_folder) as page:
        for _ in range(4):
            await page.keyboard.press("ArrowRight")
            assert EVIL in await page.inner_text("#summary")
        assert "owned" not in await page.title()
        assert await page.locator("img[src=x]").count() == 0


def test_only_what_the_trajectory_names_is_read(run_folder: Path) -> None:
    client = TestClient(make_app(Source(run_folder)), base_url="http://127.0.0.1")
    for name in ("../../run.json", "%2e%2e/run.json", "/etc/passwd", "nothing.png"):
        assert client.get(f"/picture/0/{name}").status_code == 404
    assert client.get("/api/attempt/7").status_code == 404
    assert client.get("/static/..%2fserver.py").status_code == 404
    name = Source(run_folder).show(0).trajectory.pictures[0].name
    assert client.get(f"/picture/0/{name}").headers["content-type"] == "image/png"


def test_other_names_for_loopback_are_not_answered(run_folder: Path) -> None:
    client = TestClient(make_app(Source(run_folder)), base_url="http://evil.example")
    assert client.get("/").status_code == 400


def test_every_answer_carries_the_content_policy(run_folder: Path) -> None:
    client = TestClient(make_app(Source(run_folder)), base_url="http://localhost")
    for path in ("/", "/static/viewer.js", "/api/attempts", "/api/attempt/0"):
        assert "default-src 'none'" in client.get(path).headers["content-security-policy"]


def test_an_attempt_alone_and_nothing_at_all(run_folder: Path, tmp_path: Path) -> None:
    (path,) = run_folder.rglob("trajectory.jsonl")
    source = Source(path)
    assert source.picture(0, source.show(0).trajectory.pictures[0].name).startswith(b"\x89PNG")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="holds no trajectory"):
        Source(empty)
