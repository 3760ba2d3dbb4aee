"""Pages on a phone: whatever the site and the skin, nothing is wider than the screen."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, async_playwright

from workalike.core.errors import BadInput
from workalike.env.browser import chromium
from workalike.runtime.serving import serving
from workalike.town.server import COOKIE, App
from workalike.town.session import Setting
from workalike.town.site import DOMAIN, Site
from workalike.town.town import Town

WIDTH, HEIGHT = 390, 844
STAY = "in=2026-06-09&out=2026-06-12&adults=2&children=0&rooms=1"
TRIP = "depart=2026-05-25&adults=1&children=0&cabin=Economy"
LISTINGS = {
    "search": ("/?q=hotels", ""),
    "marlow": ("/c/kettles", "/p/"),
    "kestrel": ("/c/plush-toys", "/p/"),
    "gannet": (f"/flights?from=MXP&to=DFW&{TRIP}", "/to/LIS"),
    "solenne": (f"/flights?from=BRU&to=ATL&{TRIP}", "/to/ATL"),
    "stayward": (f"/search?where=Lisbon&{STAY}", "/hotel/"),
    "aldergate": (f"/search?where=Vienna&{STAY}", "/hotel/"),
    "encore": ("/events", "/event/"),
    "alderbrook": ("/parking/garages", "/garage/"),
    "hearthline": ("/homes?deal=sale&town=Quarry+Hill", "/home/"),
    "forkline": ("/search?where=Bologna&day=2026-05-28&guests=3", "/at/"),
    "outbound": ("/search?where=Vienna", "/at/"),
    "fairlead": ("/jobs?q=analyst", "/job/"),
    "commonplace": ("/search?q=lisbon", "/read/"),
    "tidings": ("/search?q=strike", "/read/"),
    "waymark": ("/find?kind=Library&zip=10423", "/place/"),
    "corkboard": ("/board/market", "/board/market/new"),
    "swiftdesk": ("/check", ""),
    "pay": ("/frame", ""),
}
"""A listing of every site, and how the address of a page that it leads to begins."""


async def pages(page: Page, site: Site) -> AsyncIterator[str]:
    """Open a site's home page, a listing and a detail page, one after the other."""
    listing, begins = LISTINGS[site.name]
    for path in ("/", listing):
        await page.goto(site.url(path))
        yield path
    links = await page.eval_on_selector_all("a[href]", "(links) => links.map((link) => link.getAttribute('href'))")
    further = next((link for link in links if begins and link.startswith(begins)), begins)
    if further:
        await page.goto(site.url(further))
        yield further


async def test_no_page_is_wider_than_a_phone(town: Town, app: App) -> None:
    try:
        executable = str(chromium.find())
    except BadInput as problem:
        pytest.skip(str(problem))
    assert LISTINGS.keys() == town.sites.keys()
    too_wide, seen = {}, 0
    async with serving(app) as port, async_playwright() as playwright:
        rule = f"--host-resolver-rules=MAP *.{DOMAIN} 127.0.0.1:{port}"
        browser = await playwright.chromium.launch(executable_path=executable, args=[rule])
        page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for site in town.sites.values():
            for skin in site.skins:
                token = town.open(Setting({site.name: skin.name})).token
                await page.context.add_cookies([{"name": COOKIE, "value": token, "domain": f".{DOMAIN}", "path": "/"}])
                async for path in pages(page, site):
                    seen += 1
                    width = await page.evaluate("document.scrollingElement.scrollWidth")
                    if width > WIDTH:
                        too_wide[site.name, skin.name, path] = width
                town.close(token)
        await browser.close()
    assert seen > 2.5 * sum(len(site.skins) for site in town.sites.values())
    assert too_wide == {}
