"""Wait until a page has come to rest after an action: navigation, network, layout. Events end the wait, never a fixed
time; a page that does not rest costs a bound."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from workalike.core.errors import PageGone
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.tab import BrowserTab, DialogOpened

MOST_LOADS = 4


class PageMark(msgspec.Struct, frozen=True):
    """Where a page stood before an action: how many requests and loads it had begun."""

    requests: int = 0
    loads: int = 0

    @staticmethod
    def of(tab: BrowserTab) -> PageMark:
        return PageMark(tab.network.count, tab.loads)


async def settle(tab: BrowserTab, before: PageMark, settings: BrowserSettings, frames: int = 0) -> None:
    """Come back when what began after `before` is over, a dialog opens, the page is gone, or the bound is reached.
    The first effect of some actions is only seen after a few `frames` are drawn."""
    left, waited = _countdown(settings.settle), 0
    while await _rest(tab, min(settings.quiet, left()), left(), frames):
        frames = 0
        loads = tab.loads
        if tab.loading and waited < loads <= before.loads + MOST_LOADS:
            await _load(tab, settings)
            left, waited = _countdown(settings.settle), loads
            continue
        if left() <= 0 or not tab.network.pending(before.requests):
            return
        await tab.wait(partial(_still, tab, before, loads), left())
        frames = 2  # what has arrived is read by a script, and drawn with the frame after


def _still(tab: BrowserTab, before: PageMark, loads: int) -> bool:
    """Whether there is nothing more to wait for, or something else that comes first."""
    return not tab.network.pending(before.requests) or tab.loads != loads


async def _load(tab: BrowserTab, settings: BrowserSettings) -> None:
    """Wait for a document: long for it to be there at all, shorter for the last of its parts."""
    loads = tab.loads
    if await tab.wait(lambda: not tab.loading or tab.interactive or tab.loads != loads, settings.load):
        await tab.wait(lambda: not tab.loading or tab.loads != loads, settings.settle)


async def _rest(tab: BrowserTab, quiet: float, most: float, frames: int) -> bool:
    """Let the page take in what was done to it, and its frames of other sites what was done in one of them: layout for
    `quiet` seconds, animations that end for the `most`. False when it is no longer there to ask."""
    call = f"rest({round(quiet * 1000)}, {round(most * 1000)}, {frames})"
    try:
        if tab.acts_within:
            await tab.ask_all(call, most + 5)
        await tab.ask(call, most + 5)
    except (DialogOpened, PageGone):
        return False
    return tab.alive and not tab.stands_still


def _countdown(seconds: float) -> Callable[[], float]:
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    return lambda: max(0.0, end - clock())
