"""The browser that attempts share: started once, with what could leak switched off, and started anew when it dies."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from workalike.core.errors import BadInput, Infrastructure
from workalike.env import chromium
from workalike.env.guard import Confirm
from workalike.env.inherited import inherited
from workalike.env.policy import Policy
from workalike.env.settings import BrowserSettings

if TYPE_CHECKING:
    from workalike.env.browser import BrowserEnvironment

# Whatever does not belong to an attempt goes to a port where nobody listens; names are never resolved by the browser.
NOWHERE = "http://127.0.0.1:9"
GUARDS = ("--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic")
FLAGS = (
    *GUARDS,
    f"--proxy-server={NOWHERE}",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-translate",
    "--disable-smooth-scrolling",
    "--disable-site-isolation-trials",
    "--mute-audio",
)
_KEPT = ("HOME", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")


class Stage:
    """One browser process for many attempts.

    >>> async with Stage() as stage:                                             # doctest: +SKIP
    ...     environment = stage.environment(Policy(public=True))
    ...     sight = await environment.reset(task)
    """

    def __init__(self, settings: BrowserSettings = BrowserSettings()) -> None:
        self.settings = settings
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Stage:
        try:
            await self.browser()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def environment(
        self,
        policy: Policy = Policy(),
        downloads: Path | None = None,
        settings: BrowserSettings | None = None,
        confirm: Confirm | None = None,
    ) -> BrowserEnvironment:
        """A place to act in, with its own policy; `downloads` is the folder for the files it fetches. Its screen, place
        and bounds may differ from the stage's by `settings`; how the browser is started is the stage's alone. `confirm`
        is asked before an irreversible step on a live site, which is stopped otherwise."""
        from workalike.env.browser import BrowserEnvironment

        return BrowserEnvironment(self, policy, downloads, settings, confirm=confirm)

    async def browser(self) -> Browser:
        """The running browser; a dead one is replaced."""
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                self._browser = await self._start()
            return self._browser

    async def close(self) -> None:
        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        try:
            if browser is not None and browser.is_connected():
                await browser.close()
        finally:
            if playwright is not None:
                await playwright.stop()

    async def _start(self) -> Browser:
        if self.settings.headed and not chromium.has_display():
            raise BadInput("a headed browser needs a display: set DISPLAY, or start one with `Xvfb :99`")
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        try:
            if self.settings.endpoint:
                return await self._attach(self._playwright, self.settings.endpoint)
            return await self._launch(self._playwright)
        except PlaywrightError as error:
            raise Infrastructure(f"the browser did not start: {_first_line(error)}") from error

    async def _launch(self, playwright: Playwright) -> Browser:
        executable = self.settings.executable or str(chromium.find(headed=self.settings.headed))
        # The browser's own sandbox needs an ordinary user; some containers forbid it even then.
        for sandbox in (True, False) if _is_ordinary_user() else (False,):
            try:
                return await playwright.chromium.launch(
                    executable_path=executable,
                    headless=not self.settings.headed,
                    args=list(FLAGS),
                    chromium_sandbox=sandbox,
                    env=dict(inherited(*_KEPT)),
                )
            except PlaywrightError as error:
                if not sandbox or "sandbox" not in str(error).lower():
                    raise
        raise AssertionError("unreachable")

    async def _attach(self, playwright: Playwright, endpoint: str) -> Browser:
        """Use a running browser, provided it was started so that nothing can pass by the proxy."""
        browser = await playwright.chromium.connect_over_cdp(endpoint)
        session = await browser.new_browser_cdp_session()
        line = str((await session.send("SystemInfo.getInfo")).get("commandLine", ""))
        await session.detach()
        lacking = [flag for flag in GUARDS if flag not in line]
        if lacking:
            await browser.close()
            raise BadInput(f"the browser at {endpoint} must be started with {' '.join(lacking)}")
        return browser


def _is_ordinary_user() -> bool:
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
