"""What one attempt has of its own: a context of the browser, a way out, tabs, downloads, clipboard, pointer, clock. A
new attempt begins with a new one, so that nothing of an earlier one is left."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Browser, BrowserContext
from playwright.async_api import Error as PlaywrightError

from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import Notice
from workalike.env.browser import world
from workalike.env.browser.address_bar import AddressBar
from workalike.env.browser.dialogs import OpenDialog
from workalike.env.browser.downloads import Downloads
from workalike.env.browser.elements import Touched
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.settling import PageMark, settle
from workalike.env.browser.stage import answers
from workalike.env.browser.tab import BrowserTab
from workalike.env.browser.tabs import Tabs
from workalike.env.policy.guard import Guard
from workalike.env.policy.proxy import Proxy, Resolve
from workalike.env.policy.reach import Policy

CHOOSER_SECONDS = 2.0
MIDDLE = Point(0.5, 0.5)


class BrowserSession:
    """One attempt's state. `page_view` is set when the agent was last shown a whole page: its size, and where the
    viewport lay in it. `touched` is what the action under way goes to. The guard, where there is one, asks before an
    irreversible step if it `holds`."""

    def __init__(self, task: Task, policy: Policy, settings: BrowserSettings, proxy: Proxy, holds: bool) -> None:
        self.guard = Guard(policy, holds) if policy.guards else None
        self.task, self.policy, self.settings, self.proxy = task, policy, settings, proxy
        self.pointer = MIDDLE
        self.clipboard = ""
        self.bar = AddressBar()
        self.page_view: tuple[Size, Box] | None = None
        self.touched = Touched()
        self.context: BrowserContext
        self.tabs: Tabs
        self.downloads: Downloads
        self._standing: OpenDialog | None = None
        self._notices: list[Notice] = []
        self._started = time.monotonic()

    @staticmethod
    async def begin(
        browser: Browser,
        task: Task,
        policy: Policy,
        settings: BrowserSettings,
        downloads: Path | None,
        resolve: Resolve,
        holds: bool = False,
    ) -> BrowserSession:
        """A fresh context behind a proxy of its own, with one empty tab."""
        proxy = Proxy(policy, resolve, settings.upstream, settings.upstream_resolves, settings.listen)
        attempt = BrowserSession(task, policy, settings, proxy, holds)
        port = await proxy.open()
        try:
            attempt.context = await _context(browser, settings, f"http://{settings.listen}:{port}", policy.guards)
        except BaseException:
            await proxy.close()
            raise
        await attempt.context.add_init_script(world.first_script(policy.guards))
        attempt.tabs = Tabs(attempt.context, settings.most_tabs, attempt.tell, attempt.guard)
        attempt.downloads = Downloads(downloads, settings.most_download, attempt.tell)
        tab = await attempt.tabs.add()
        await attempt.downloads.watch(browser, await tab.context_id())
        return attempt

    async def is_alive(self) -> bool:
        """Whether the browser is still there for this attempt."""
        browser = self.context.browser
        return browser is not None and await answers(browser)

    async def close(self) -> None:
        """Let go of the context and of the way out."""
        with suppress(PlaywrightError):
            await self.context.close()
        await self.downloads.close()
        await self.proxy.close()

    def clock(self) -> float:
        """Seconds since the attempt began."""
        return round(time.monotonic() - self._started, 4)

    def tell(self, kind: str, text: str) -> None:
        """Keep something for the agent to be told with the next percept; what was copied is kept to be pasted, and a
        key that reached a password field makes a secret of what is being typed."""
        if kind == "clipboard":
            self.clipboard = text
        elif kind == "secret":
            self.touched = replace(self.touched, secret=True)
        else:
            self._notices.append(Notice(kind, text, self.clock()))

    def retract(self, notice: Notice) -> None:
        """What was said has not happened after all."""
        self._notices.remove(notice)

    def told(self, since: int = 0) -> list[Notice]:
        """The notices not yet shown, from some number on."""
        return self._notices[since:]

    def drain(self) -> tuple[Notice, ...]:
        """What happened since the last percept, with the proxy's refusals, each target once, and what the address bar
        holds while the keyboard is in it."""
        refusals, self.proxy.refusals[:] = list(self.proxy.refusals), []
        times = Counter((one.target, one.reason) for one in refusals)
        for one in refusals:
            count = times.pop((one.target, one.reason), 0)
            if count:
                often = f" ({count} times)" if count > 1 else ""
                text = f"{one.target}: {one.reason}{often}"
                self._notices.append(Notice("refused", text, round(one.time - self._started, 4)))
        if self.bar.text is not None:
            self.tell("address_bar", self.bar.said)
        notices, self._notices = tuple(self._notices), []
        return notices

    def standing_on(self, tab: BrowserTab) -> OpenDialog:
        """The dialog that stands open on a tab, with what has been typed into it."""
        assert tab.dialog is not None
        if self._standing is None or self._standing.source is not tab.dialog:
            self._standing = OpenDialog(tab.dialog, self.task.files, self.settings.viewport)
        return self._standing

    async def settle(self, tab: BrowserTab, before: PageMark, frames: int = 0) -> None:
        """Let a page come to rest, and whatever it opened: a chooser, other tabs, downloads."""
        await settle(tab, before, self.settings, frames)
        if tab.expects_dialog:
            await tab.wait(lambda: False, CHOOSER_SECONDS)
            tab.expects_dialog = False
        await self.tabs.new_ones(tab)
        front = await self.tabs.front()
        if front is not tab:
            await settle(front, PageMark(), self.settings)
        if front.refused:
            await front.leave()
            await settle(front, PageMark.of(front), self.settings)
        if self.downloads.pending:
            await self.downloads.wait(self.settings.settle)


async def _context(browser: Browser, settings: BrowserSettings, proxy: str, guarded: bool) -> BrowserContext:
    place = settings.geolocation
    return await browser.new_context(
        viewport={"width": settings.viewport.width, "height": settings.viewport.height},
        device_scale_factor=settings.scale,
        locale=settings.locale,
        timezone_id=settings.timezone,
        geolocation={"latitude": place[0], "longitude": place[1]} if place else None,
        permissions=["geolocation"] if place else [],
        user_agent=settings.user_agent,
        color_scheme="dark" if settings.dark else "light",
        reduced_motion="reduce",
        proxy={"server": proxy},
        # What a site's worker asks for is not the page's: no guard would see it.
        service_workers="block" if guarded else "allow",
    )
