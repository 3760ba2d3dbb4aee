"""The tabs of one attempt: a new one is followed, the old ones are kept up to a number, a crashed one restarts once."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from playwright.async_api import BrowserContext, Dialog, Page
from playwright.async_api import Error as PlaywrightError

from workalike.core.errors import ActionFailed
from workalike.core.observation import TabInfo
from workalike.env.browser.tab import BrowserTab, Tell
from workalike.env.policy.guard import Guard

POPUP_SECONDS = 2.0


class Tabs:
    """All tabs in the order they opened, and which of them is in front. `tell(kind, text)` makes a notice."""

    def __init__(self, context: BrowserContext, most: int, tell: Tell, guard: Guard | None = None) -> None:
        self._context, self._most, self._tell, self._guard = context, most, tell, guard
        self._tabs: list[BrowserTab] = []
        self._front: BrowserTab | None = None
        self._crashes: dict[str, int] = {}
        self._too_many = self._arrived = 0
        self._closing: set[asyncio.Future[None]] = set()
        self._early: list[Dialog] = []
        context.on("page", self._on_page)
        context.on("dialog", self._on_dialog)

    def __len__(self) -> int:
        return len(self._tabs)

    async def front(self) -> BrowserTab:
        """The tab in front, in working order: a closed one gives way to another, a crashed one is restarted."""
        if self._front is not None and self._front.crashed:
            await self._restart(self._front)
        self._tabs = [tab for tab in self._tabs if not tab.closed]
        if self._front is None or self._front.closed:
            self._front = self._tabs[-1] if self._tabs else None
        if self._front is None:
            self._front = await self.add()
        await self._front.opened()
        return self._front

    async def add(self) -> BrowserTab:
        """Open an empty tab and bring it to the front."""
        page = await self._context.new_page()
        tab = next((tab for tab in self._tabs if tab.page is page), None) or self._follow(page)
        await tab.opened()
        return tab

    def seen(self) -> tuple[TabInfo, ...]:
        return tuple(TabInfo(tab.url, tab.title, tab is self._front) for tab in self._tabs if tab.alive)

    @property
    def holding(self) -> list[BrowserTab]:
        """The tabs with a request that waits for the user's word."""
        return [tab for tab in self._tabs if tab.held]

    async def switch(self, index: int) -> None:
        self._front = self._at(index)
        await self._front.opened()
        await self._front.page.bring_to_front()

    async def step(self, by: int) -> None:
        """The next or the previous tab, around the ends."""
        tabs = [tab for tab in self._tabs if tab.alive]
        if self._front in tabs:
            await self.switch((tabs.index(self._front) + by) % len(tabs))

    async def close(self, index: int | None) -> None:
        tab = await self.front() if index is None else self._at(index)
        await tab.page.close()

    async def new_ones(self, tab: BrowserTab) -> None:
        """Wait for the tabs that a page is about to open, which arrive a moment later by another way."""
        await tab.wait(lambda: self._arrived >= tab.opens, POPUP_SECONDS)
        self._arrived = tab.opens = 0
        if self._too_many:
            self._tell("popups", f"{self._too_many} more pop-ups were closed: {self._most} tabs may be open")
            self._too_many = 0

    def _at(self, index: int) -> BrowserTab:
        tabs = [tab for tab in self._tabs if tab.alive]
        if not 0 <= index < len(tabs):
            raise ActionFailed(f"there is no tab {index}: the tabs are numbered from 0 to {len(tabs) - 1}")
        return tabs[index]

    def _on_page(self, page: Page) -> None:
        if sum(1 for tab in self._tabs if tab.alive) >= self._most:
            self._too_many += 1
            closing = asyncio.ensure_future(_close(page))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        elif all(tab.page is not page for tab in self._tabs):
            self._follow(page)
        self._arrived += 1
        for tab in self._tabs:
            tab.changed.set()

    def _on_dialog(self, dialog: Dialog) -> None:
        """A dialog may open before its tab is known to have."""
        tab = next((tab for tab in self._tabs if tab.page is dialog.page), None)
        if tab is None:
            self._early.append(dialog)
        else:
            tab.on_dialog(dialog)

    def _follow(self, page: Page) -> BrowserTab:
        tab = BrowserTab(page, self._context, self._tell, self._guard)
        self._tabs.append(tab)
        for dialog in [early for early in self._early if early.page in (page, None)]:
            self._early.remove(dialog)
            tab.on_dialog(dialog)
        self._front = tab
        return tab

    async def _restart(self, tab: BrowserTab) -> None:
        """Open a crashed page again in the same place; a second crash of the same address leaves the tab empty."""
        times = self._crashes[tab.url] = self._crashes.get(tab.url, 0) + 1
        again = times == 1
        self._tell("crash", f"the page {tab.url} crashed or hung and was {'opened again' if again else 'left closed'}")
        place = self._tabs.index(tab)
        await _close(tab.page)
        new = await self.add()
        self._tabs.remove(new)
        self._tabs[place] = new
        if again and tab.url != "about:blank":
            await new.visit(tab.url)


async def _close(page: Page) -> None:
    with suppress(PlaywrightError):
        await page.close()
