"""Wait until a page has come to rest after an action: navigation, network, layout. Events end the wait, never a fixed
time; a page that does not rest costs a bound."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from understudy.core.errors import PageGone
from understudy.env.settings import BrowserSettings
from understudy.env.tab import DialogOpened, Tab

MOST_NAVIGATIONS = 4


class Mark(msgspec.Struct, frozen=True):
    """Where a page stood before an action: how many requests and documents it had begun."""

    requests: int
    documents: int

    @staticmethod
    def of(tab: Tab) -> Mark:
        return Mark(tab.network.count, tab.navigations)


async def settle(tab: Tab, before: Mark, settings: BrowserSettings) -> None:
    """Come back when what began after `before` is over, a dialog opens, the page is gone, or the bound is reached."""
    left = _countdown(settings.settle)
    while await _rest(tab, min(settings.quiet, left())):
        if tab.loading and tab.navigations - before.documents <= MOST_NAVIGATIONS:
            await _load(tab, settings)
            left = _countdown(settings.settle)
            continue
        documents = tab.navigations
        await tab.wait(partial(_at_rest, tab, before, documents), left())
        if left() <= 0 or not tab.network.pending(before.requests):
            return


def _at_rest(tab: Tab, before: Mark, documents: int) -> bool:
    return not tab.network.pending(before.requests) or tab.navigations != documents or tab.loading


async def _load(tab: Tab, settings: BrowserSettings) -> None:
    """Wait for a document: long for it to be there at all, shorter for the last of its parts."""
    if await tab.wait(lambda: not tab.loading or tab.interactive, settings.load):
        await tab.wait(lambda: not tab.loading, settings.settle)


async def _rest(tab: Tab, seconds: float) -> bool:
    """Let the page take in what was done to it; False when it is no longer there to ask."""
    try:
        await tab.ask(f"rest({round(seconds * 1000)})", seconds + 5)
    except (DialogOpened, PageGone):
        return False
    return tab.alive and tab.dialog is None


def _countdown(seconds: float) -> Callable[[], float]:
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    return lambda: max(0.0, end - clock())
