"""A real Chromium on the town for tests: actions by pointer and keyboard, observations with elements."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Frame, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from understudy.core import actions as do
from understudy.core.key import RowChange
from understudy.core.observation import Element, Observation, Tab
from understudy.core.screen import Box, Point, Size
from understudy.town.benchmark import Drawn, setting_of
from understudy.town.look import Past
from understudy.town.oracle import next_action
from understudy.town.server import COOKIE
from understudy.town.site import DOMAIN
from understudy.town.town import Town

SIZE = Size(1440, 900)
ELEMENTS = (Path(__file__).parent / "elements.js").read_text()
KEYS = {"enter": "Enter", "backspace": "Backspace", "ctrl": "Control", "home": "Home", "esc": "Escape", "tab": "Tab"}
ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
SETTLED = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r, 30))))"
MOST_STEPS = 150


@asynccontextmanager
async def chromium(port: int) -> AsyncIterator[Browser]:
    """A browser for which the town is the whole web."""
    rules = f"MAP *.localhost 127.0.0.1:{port}, MAP * ~NOTFOUND"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", f"--host-resolver-rules={rules}"],
        )
        try:
            yield browser
        finally:
            await browser.close()


class Screen:
    """One attempt's browser context."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context, self.page = context, page
        context.on("page", self._front)

    def _front(self, page: Page) -> None:
        self.page = page

    async def act(self, action: do.Action) -> None:
        await self._do(action)
        await self._settle()

    async def _do(self, action: do.Action) -> None:
        mouse, keyboard = self.page.mouse, self.page.keyboard
        match action:
            case do.Click(at=Point() as at, count=count):
                await mouse.click(*_pixel(at), click_count=count)
            case do.Move(to=to):
                await mouse.move(*_pixel(to))
            case do.Drag(path=path, start=Point() as start):
                await mouse.move(*_pixel(start))
                await mouse.down()
                for point in path:
                    await mouse.move(*_pixel(point), steps=4)
                await mouse.up()
            case do.Scroll(dy=dy, at=at):
                await mouse.move(*_pixel(at or Point(0.5, 0.5)))
                await mouse.wheel(0, dy * 100)
            case do.Write(text=text):
                await keyboard.type(text)
            case do.Press(keys=keys):
                for key in keys:
                    await keyboard.press((KEYS | ARROWS).get(key, key))
            case do.Hotkey(keys=keys):
                await keyboard.press("+".join(KEYS.get(key, key) for key in keys))
            case do.Visit(url=url):
                await self.page.goto(url)
            case do.Back():
                await self.page.go_back()
            case do.SwitchTab(index=index):
                self.page = self.context.pages[index]
                await self.page.bring_to_front()
            case do.CloseTab():
                await self.page.close()
                self.page = self.context.pages[-1]
            case do.Wait():
                pass
            case _:
                raise AssertionError(f"the oracle should not do {action}")

    async def _settle(self) -> None:
        """Wait until the page has loaded and drawn, and its requests have come back."""
        for _ in range(5):
            try:
                await self.page.wait_for_load_state("load")
                await self.page.evaluate(SETTLED)
                await self.page.wait_for_load_state("load")
                return
            except PlaywrightError:
                continue

    async def observe(self) -> Observation:
        pages = self.context.pages
        tabs = tuple(Tab(page.url, active=page is self.page) for page in pages)
        return Observation(size=SIZE, url=self.page.url, tabs=tabs, elements=await self._elements())

    async def _elements(self) -> tuple[Element, ...]:
        found: list[Element] = []
        for frame in self.page.frames:
            try:
                left, top = await _offset(frame)
                rows = await frame.evaluate(ELEMENTS)
            except PlaywrightError:
                continue
            found += [_element(row, left, top) for row in rows]
        return tuple(found)


@asynccontextmanager
async def screen(browser: Browser, token: str) -> AsyncIterator[Screen]:
    context = await browser.new_context(viewport={"width": SIZE.width, "height": SIZE.height})
    await context.add_cookies([{"name": COOKIE, "value": token, "domain": f".{DOMAIN}", "path": "/"}])
    try:
        yield Screen(context, await context.new_page())
    finally:
        await context.close()


async def solve(town: Town, browser: Browser, drawn: Drawn) -> tuple[tuple[RowChange, ...], str, list[Past]]:
    """Let the oracle do a task on its page; gives the row difference, the answer, and what was done."""
    attempt = town.open(setting_of(drawn.key))
    try:
        async with screen(browser, attempt.token) as view:
            await view.act(do.Visit(drawn.task.start_url or ""))
            past: list[Past] = []
            for _ in range(MOST_STEPS):
                seen = await view.observe()
                action = next_action(drawn.key, seen, past)
                past.append(Past(seen, action))
                if isinstance(action, do.Terminate):
                    return town.changes(attempt.token), action.answer or "", past
                await view.act(action)
        raise AssertionError(f"the oracle does not come to an end on {drawn.task.id}: {[p.action for p in past[-8:]]}")
    finally:
        town.close(attempt.token)


def _pixel(point: Point) -> tuple[float, float]:
    return point.x * SIZE.width, point.y * SIZE.height


def _element(row: dict[str, Any], left: float, top: float) -> Element:
    x, y, width, height = row["box"]
    box = Box((x + left) / SIZE.width, (y + top) / SIZE.height, width / SIZE.width, height / SIZE.height)
    return Element(row["role"], row["name"], box, value=row["value"], states=tuple(row["states"]))


async def _offset(frame: Frame) -> tuple[float, float]:
    if frame.parent_frame is None:
        return 0.0, 0.0
    handle = await frame.frame_element()
    box = await handle.bounding_box()
    return (box["x"], box["y"]) if box else (0.0, 0.0)
