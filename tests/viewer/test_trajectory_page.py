"""A trajectory's page in a real browser: drawn, read, walked through by keys, saved; hostile text stays text."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import Page, expect

from tests.viewer.pages import axe, key_of, opened
from tests.viewer.sample import EVIL, hostile_run
from workalike.env.browser.stage import Stage
from workalike.viewer.library import Library
from workalike.viewer.run_collection import RunCollection
from workalike.viewer.standalone import saved_page


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return hostile_run(tmp_path / "run")


def _collection(run: Path) -> RunCollection:
    (found,) = Library(run).collections()
    assert isinstance(found, RunCollection)
    return found


def _where(run: Path, step: int = 1) -> str:
    (entry,) = _collection(run).entries()
    return f"#/trajectory/{key_of(run)}/{quote(entry.ref, safe='')}/{step}"


async def _shown(page: Page, text: str) -> None:
    await expect(page.locator(".told")).to_contain_text(text)


async def _clean(page: Page) -> None:
    """Nothing that came with the trajectory has become part of the page."""
    assert await page.title() != "owned"
    assert await page.locator("img[src=x], main script").count() == 0


async def test_a_step_is_drawn_and_told(run: Path) -> None:
    async with opened(run, _where(run)) as page:
        assert await page.locator(".strip button").count() == 4
        assert await page.locator(".frame .hit").count() == 1
        assert await page.locator(".frame .mark").count() >= 2
        labels = await page.locator(".drawn").all_inner_texts()
        assert [label[0] for label in labels] == ["1", "2", "3", "4"]
        image = page.locator(".frame img").first
        assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 144
        assert EVIL in await page.inner_text(".task")
        await page.keyboard.press("ArrowRight")
        await _shown(page, "drag")
        assert page.url.endswith("/2")
        assert "step value 3" in await page.inner_text(".told")
        await page.keyboard.press("m")
        assert await page.locator(".frame svg > *").count() == 0
        await page.keyboard.press("Space")
        assert await page.locator(".frame .curtain").is_visible()
        await page.keyboard.press("End")
        await _shown(page, "after the last action")
        await page.keyboard.press("?")
        assert "the next step" in await page.inner_text("dialog")
        await page.keyboard.press("Escape")
        await _clean(page)
        assert await axe(page) == []


async def test_what_is_judged_said_and_seen_leads_to_its_step(run: Path) -> None:
    async with opened(run, _where(run), color_scheme="dark") as page:
        await page.keyboard.press("2")
        await _shown(page, "1 / 2")
        await page.click(".criterion button:text('step 2')")
        assert page.url.endswith("/2")
        assert await axe(page) == []
        await page.keyboard.press("Home")
        await page.keyboard.press("3")
        await page.wait_for_selector(".message.assistant")
        sent = page.locator(".message img")
        assert await sent.evaluate("image => image.decode().then(() => image.naturalWidth)") == 144
        await page.keyboard.press("4")
        await page.wait_for_selector(".elements button")
        assert await page.locator(".frame .element").count() == 1
        await page.hover(".elements button")
        assert await page.locator(".frame .element.chosen").count() == 1
        assert await axe(page) == []
        await _clean(page)


async def test_a_link_leads_to_its_step_and_steps_are_searched(run: Path) -> None:
    async with opened(run, _where(run, step=3), viewport={"width": 390, "height": 844}) as page:
        await _shown(page, "The parting words")
        await page.keyboard.press("Home")
        await page.keyboard.press("/")
        await page.keyboard.type("parting")
        assert await page.locator(".strip .matching").count() == 1
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".told mark")
        assert page.url.endswith("/3?q=parting")
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await axe(page) == []


async def test_a_saved_page_needs_nothing_else(run: Path, tmp_path: Path) -> None:
    (entry,) = _collection(run).entries()
    file = tmp_path / "saved.html"
    file.write_bytes(saved_page(_collection(run), entry.ref))
    async with Stage() as stage:
        context = await (await stage.browser()).new_context()
        page = await context.new_page()
        asked: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(file.as_uri() + "#2")
        await _shown(page, "drag")
        assert await axe(page) == []
        image = page.locator(".frame img").first
        assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 144
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("3")
        await page.wait_for_selector(".message.user")
        await _clean(page)
        assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
        assert complaints == []
        await context.close()
