"""Pictures of a page over our own line to it, also while navigations swap the page out."""

from __future__ import annotations

import asyncio
import base64
from typing import Any, cast

from playwright.async_api import Error as PlaywrightError

from workalike.core.errors import PageGone
from workalike.core.screen import Size
from workalike.env.browser.tab import BrowserTab, forget

CAPTURE_SECONDS = 10.0
SWAP_SECONDS = 0.25
_PASSING = ("Not attached to an active page", "Unable to capture screenshot", "Internal error")


async def capture_view(tab: BrowserTab, size: Size, scale: float) -> bytes:
    """A picture of the viewport, in the device's pixels."""
    if scale == 1:
        return await _capture(tab, {})
    _, (left, top) = await extent(tab)
    clip = {"x": left, "y": top, "width": size.width, "height": size.height, "scale": scale}
    return await _capture(tab, {"clip": clip})


async def capture_page(tab: BrowserTab, size: Size, scale: float) -> bytes:
    """A picture of the page from its top left corner, shown or not."""
    clip = {"x": 0, "y": 0, "width": size.width, "height": size.height, "scale": scale}
    return await _capture(tab, {"clip": clip, "captureBeyondViewport": True})


async def extent(tab: BrowserTab) -> tuple[Size, tuple[float, float]]:
    """How large the whole page is, and where the viewport begins in it, in CSS pixels."""
    metrics = await tab.send("Page.getLayoutMetrics")
    size, view = metrics["cssContentSize"], metrics["cssVisualViewport"]
    whole = Size(max(1, round(size["width"])), max(1, round(size["height"])))
    return whole, (view["pageX"], view["pageY"])


async def _capture(tab: BrowserTab, part: dict[str, Any]) -> bytes:
    """A picture; repeated while navigations swap the page out."""
    question: dict[str, Any] = {"format": "png", "optimizeForSpeed": True, **part}
    clock = asyncio.get_running_loop().time
    start = clock()
    while (past := clock() - start) < CAPTURE_SECONDS:
        if past > CAPTURE_SECONDS / 2 and tab.loading:  # it would go on for ever
            await tab.send("Page.stopLoading")
        shot = await _capture_once(tab, question, CAPTURE_SECONDS - past)
        if shot is not None:
            return base64.b64decode(shot["data"])
    tab.gone(crashed=True)
    raise PageGone("the page no longer answers")


async def _capture_once(tab: BrowserTab, question: dict[str, Any], seconds: float) -> dict[str, Any] | None:
    """One try; None when the page was swapped out under it. Such a capture may fail or may never come back."""
    task = asyncio.ensure_future(tab.send("Page.captureScreenshot", question))
    task.add_done_callback(lambda _: tab.changed.set())
    moves = tab.moves
    await tab.wait(lambda: task.done() or tab.moves != moves, seconds)
    if not task.done():
        await asyncio.wait((task,), timeout=SWAP_SECONDS)
    if not task.done():
        task.add_done_callback(forget)
        return None
    try:
        return cast(dict[str, Any], task.result())
    except PlaywrightError as error:
        if not any(words in str(error) for words in _PASSING):
            raise
        await tab.wait(lambda: tab.moves != moves, 0.1)
        return None
