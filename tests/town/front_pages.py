"""The front pages of the town's sites as pictures, and the fonts that they are drawn with."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page, async_playwright

from workalike.env.browser import chromium
from workalike.runtime.serving import serving
from workalike.town.server import App


async def front_pages(app: App, fonts: Path | None = None) -> dict[str, bytes]:
    """A picture of every site's front page, drawn with nothing but fonts that came with it; `fonts` configures those of
    the machine."""
    pictures: dict[str, bytes] = {}
    async with serving(app) as port, async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(chromium.find()),
            args=[f"--host-resolver-rules=MAP *.town.localhost 127.0.0.1:{port}"],
            env={"FONTCONFIG_FILE": str(fonts)} if fonts else None,
        )
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        for site in app.town.sites.values():
            if site.listed:
                for _ in range(2):  # the second time the fonts are at hand from the start
                    await page.goto(site.url(), wait_until="networkidle")
                    await page.evaluate("document.fonts.ready.then(() => true)")
                pictures[site.name] = await page.screenshot()
                assert await foreign_fonts(page) == set(), site.name
        await browser.close()
    return pictures


async def foreign_fonts(page: Page) -> set[str]:
    """The fonts that a page uses and did not bring with it."""
    session = await page.context.new_cdp_session(page)
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    root = (await session.send("DOM.getDocument", {"depth": -1}))["root"]["nodeId"]
    nodes = (await session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "body, body *"}))["nodeIds"]
    used = [await session.send("CSS.getPlatformFontsForNode", {"nodeId": node}) for node in nodes]
    return {font["familyName"] for each in used for font in each["fonts"] if not font["isCustomFont"]}
