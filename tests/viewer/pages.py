"""The viewer in a real browser, for its tests: a page that must not complain."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Page, expect

from workalike.env.browser.stage import Stage
from workalike.runtime.serving import serving
from workalike.viewer.library import Library
from workalike.viewer.server import make_app

expect.set_options(timeout=30_000)  # a loaded machine takes its time
_RUN_AXE = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"


@asynccontextmanager
async def opened(path: Path, where: str = "#/", **settings: Any) -> AsyncIterator[Page]:
    """A page of the viewer over a path. Whatever the page itself complains of fails the test."""
    async with serving(make_app(Library(path))) as port, Stage() as stage:
        browser = await stage.browser()
        context = await browser.new_context(proxy={"server": "per-context", "bypass": "127.0.0.1"}, **settings)
        page = await context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        await page.goto(f"http://127.0.0.1:{port}/{where}")
        await page.wait_for_selector("main > .page, main > .complaint")
        yield page
        await context.close()
    assert complaints == []


async def axe(page: Page) -> list[str]:
    """What axe-core finds on the page that is serious or critical."""
    await page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
    found = await page.evaluate(_RUN_AXE)
    return [
        f"{each['id']}: {each['help']} ({'; '.join(node['html'][:120] for node in each['nodes'][:3])})"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def key_of(path: Path, place: str = "") -> str:
    """The key of what lies at a place below a path."""
    found = Library(path).collections()
    (key,) = [each.key for each in found if each.place == (place or path.resolve().name)]
    return key
