"""The town's own fonts: served, and the only ones that a page is drawn with."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from workalike.core.errors import BadInput
from workalike.env.browser import chromium
from workalike.runtime.serving import serving
from workalike.town.caller import Caller
from workalike.town.fonts import FACES, FAMILIES, stylesheet
from workalike.town.render import GROUND
from workalike.town.server import App
from workalike.town.town import Town

OTHER = files("font_source_serif_pro") / "files"
"""All the fonts of another machine."""
GENERIC = {"serif", "sans-serif", "inherit"}
CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>{dirs}<cachedir>{cache}</cachedir></fontconfig>
"""


def test_every_face_is_served(town: Town, app: App) -> None:
    caller = Caller(app, town.open().token)
    sheet = caller.get("marlow", "/static/fonts.css")
    assert sheet.body == stylesheet()
    for face in FACES:
        assert len(caller.get("search", f"/static/fonts/{face.file}").body) > 10_000
        assert face.file in sheet.text
    assert caller.get("search", "/static/fonts/../fonts.py").status == 404


def test_no_style_names_a_font_of_the_machine() -> None:
    """Stacks are of served families, and end in a generic one that is never reached."""
    named = set()
    for path in GROUND.rglob("*.css"):
        for stack in re.findall(r"--(?:[a-z]+-font|face|display): ([^;]+);", path.read_text()):
            named |= {part.strip().strip('"') for part in stack.split(",") if "var(" not in part}
    assert named - GENERIC <= set(FAMILIES)


@pytest.mark.sweep
async def test_pages_are_drawn_with_served_fonts_and_look_the_same_elsewhere(app: App, tmp_path: Path) -> None:
    """With the machine's fonts and with one other family alone, a page is the same picture, and Chromium says that all
    its glyphs are of fonts that came with it."""
    try:
        executable = str(chromium.find())
    except BadInput as problem:
        pytest.skip(str(problem))
    pictures: dict[str, list[bytes]] = {}
    async with serving(app) as port, async_playwright() as playwright:
        for name, dirs in {"machine": "<dir>/usr/share/fonts</dir>", "other": f"<dir>{OTHER}</dir>"}.items():
            config = tmp_path / f"{name}.conf"
            config.write_text(CONFIG.format(dirs=dirs, cache=tmp_path / name))
            rule = f"--host-resolver-rules=MAP *.town.localhost 127.0.0.1:{port}"
            browser = await playwright.chromium.launch(
                executable_path=executable, args=[rule], env={"FONTCONFIG_FILE": str(config)}
            )
            page = await browser.new_page(viewport={"width": 1440, "height": 900})
            for site in app.town.sites.values():
                if site.listed:
                    for _ in range(2):  # the second time the fonts are at hand from the start
                        await page.goto(site.url(), wait_until="networkidle")
                        await page.evaluate("document.fonts.ready.then(() => true)")
                    pictures.setdefault(site.name, []).append(await page.screenshot())
                    assert await foreign_fonts(page) == set(), (name, site.name)
            await browser.close()
    assert {site for site, (one, other) in pictures.items() if one != other} == set()


async def foreign_fonts(page: Page) -> set[str]:
    """The fonts that a page uses and did not bring with it."""
    session = await page.context.new_cdp_session(page)
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    root = (await session.send("DOM.getDocument", {"depth": -1}))["root"]["nodeId"]
    nodes = (await session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "body, body *"}))["nodeIds"]
    used = [await session.send("CSS.getPlatformFontsForNode", {"nodeId": node}) for node in nodes]
    return {font["familyName"] for each in used for font in each["fonts"] if not font["isCustomFont"]}
