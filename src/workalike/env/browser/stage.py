"""The browser that attempts share: started once, with what could leak switched off, and started anew when it dies."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from workalike.core.errors import BadInput, Infrastructure
from workalike.env.browser import chromium, shorten
from workalike.env.browser.scratch import scratch
from workalike.env.browser.settings import BrowserSettings
from workalike.env.inherited import inherited
from workalike.env.policy.guard import Confirm
from workalike.env.policy.reach import Policy

if TYPE_CHECKING:
    from workalike.env.browser.environment import BrowserEnvironment

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
ANSWER_SECONDS = 30.0
_SHORTENED = Path(__file__).with_name("shortened.sh")
_KEPT = ("HOME", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")


class Stage:
    """One browser process for many attempts.

    >>> async with Stage() as stage:                                             # doctest: +SKIP
    ...     environment = stage.environment(Policy(public=True))
    ...     percept = await environment.reset(task)
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
        from workalike.env.browser.environment import BrowserEnvironment

        return BrowserEnvironment(self, policy, downloads, settings, confirm=confirm)

    async def browser(self) -> Browser:
        """The running browser; a dead one is replaced, and so is one whose driver is dead."""
        async with self._starting:
            if self._browser is None or not await answers(self._browser):
                await self.close()
                self._browser = await self._start()
            return self._browser

    async def is_wedged(self, seconds: float = ANSWER_SECONDS) -> bool:
        """Whether the browser is running and does not answer for so long. One that is gone is replaced when it is
        needed."""
        browser = self._browser
        return browser is not None and browser.is_connected() and not await answers(browser, seconds)

    async def close(self) -> None:
        """End the browser and its driver, as far as they still listen."""
        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        with suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                if browser is not None and browser.is_connected():
                    await browser.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                if playwright is not None:
                    await playwright.stop()

    async def _start(self) -> Browser:
        if self.settings.headed and not chromium.has_display():
            raise BadInput("a headed browser needs a display: set DISPLAY, or start one with `Xvfb :99`")
        if self._playwright is None:
            with scratch():
                self._playwright = await async_playwright().start()
        try:
            if self.settings.endpoint:
                return await self._attach(self._playwright, self.settings.endpoint)
            return await self._launch(self._playwright)
        except PlaywrightError as error:
            raise Infrastructure(f"the browser did not start: {_first_line(error)}") from error

    async def _launch(self, playwright: Playwright) -> Browser:
        named = self.settings.executable or str(chromium.find(headed=self.settings.headed))
        executable = shutil.which(named)
        if executable is None:
            raise Infrastructure(f"the browser did not start: {named} is no program")
        # The browser's own sandbox needs an ordinary user; some containers forbid it even then.
        for sandbox in (True, False) if _is_ordinary_user() else (False,):
            try:
                return await playwright.chromium.launch(
                    executable_path=_SHORTENED,
                    headless=not self.settings.headed,
                    args=list(FLAGS),
                    chromium_sandbox=sandbox,
                    env={**inherited(*_KEPT), shorten.PYTHON: sys.executable, shorten.BROWSER: executable},
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


async def answers(browser: Browser, seconds: float = ANSWER_SECONDS) -> bool:
    """Whether a browser does what it is asked. One whose driver has died still counts as connected."""
    if not browser.is_connected():
        return False
    try:
        async with asyncio.timeout(seconds):
            await (await browser.new_browser_cdp_session()).detach()
    except (PlaywrightError, TimeoutError):
        return False
    return True


def _is_ordinary_user() -> bool:
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
