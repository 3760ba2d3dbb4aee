"""The frames of one page, as the browser sends them. It leaves frames out when they come fast, the last one among
them, so whenever they stop coming the page is looked at once more."""

from __future__ import annotations

import asyncio
import base64
import io
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from workalike.core.screen import Size
from workalike.record.clock import Clock
from workalike.store.recording_video import Pixels

_FORMAT = {"format": "jpeg", "quality": 92}
_LOOK_AGAIN_AFTER = 0.12
_ANSWERS_WITHIN = 3.0
_NOISE = 32


class Screencast:
    """Passes on the frames of a page, at most `rate` a second, each with its own time and the size of the view."""

    def __init__(
        self, cdp: CDPSession, clock: Clock, rate: float, passed: Callable[[float, Pixels, Size], None]
    ) -> None:
        self._cdp, self._clock, self._period, self._passed = cdp, clock, 1 / rate, passed
        self._newest: tuple[float, str, Size] | None = None
        self._came = asyncio.Event()
        self._last: tuple[Pixels, Size] | None = None
        self._passing: asyncio.Task[None] | None = None
        cdp.on("Page.screencastFrame", self._frame)

    async def start(self) -> None:
        if self._passing is None:
            self._passing = asyncio.create_task(self._pass_on())
            with suppress(PlaywrightError):
                await self._cdp.send("Page.startScreencast", {**_FORMAT, "everyNthFrame": 1})

    async def stop(self) -> None:
        if self._passing is not None:
            self._passing.cancel()
            self._passing = None
            with suppress(PlaywrightError):
                await self._cdp.send("Page.stopScreencast")

    async def again(self) -> None:
        """Pass on what the page looks like now, though it may not have changed."""
        if self._newest is not None and self._passing is not None:
            data = await self._picture()
            if data is not None:
                await self._pass(self._clock.now(), data, self._newest[2])

    async def _frame(self, frame: dict[str, Any]) -> None:
        """Note a frame; it is acknowledged at once, since frames that come before that are lost."""
        shown = frame["metadata"]
        when = self._clock.at(shown["timestamp"] - (time.time() - time.monotonic()))
        view = Size(max(1, round(shown["deviceWidth"])), max(1, round(shown["deviceHeight"])))
        self._newest = (min(when, self._clock.now()), frame["data"], view)
        self._came.set()
        with suppress(PlaywrightError):
            await self._cdp.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    async def _pass_on(self) -> None:
        """Pass the newest frame on whenever one is due; look again when none has come for a moment."""
        while True:
            await self._came.wait()
            while await self._comes(_LOOK_AGAIN_AFTER):
                await self._pass_newest()
                await asyncio.sleep(self._period)
            await self._look_again()

    async def _comes(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._came.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _pass_newest(self) -> None:
        self._came.clear()
        assert self._newest
        when, data, view = self._newest
        await self._pass(when, data, view)

    async def _pass(self, when: float, data: str, view: Size, again: bool = False) -> None:
        pixels = await asyncio.to_thread(decoded, base64.b64decode(data))
        if again and self._last is not None and (self._last[0].shape != pixels.shape or alike(self._last[0], pixels)):
            return  # a picture of another size is of a view whose own frame is still to come
        self._last = (pixels, view)
        self._passed(when, pixels, view)

    async def _look_again(self) -> None:
        """One picture of the page as it has come to rest; it is passed on if it differs from the last frame."""
        if self._last is None or self._came.is_set():
            return
        asked, came = asyncio.ensure_future(self._picture()), asyncio.ensure_future(self._came.wait())
        try:
            await asyncio.wait({asked, came}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            came.cancel()
            if not asked.done():
                asked.cancel()  # a frame has come instead
        if asked.done() and (data := asked.result()) is not None:
            await self._pass(self._clock.now(), data, self._last[1], again=True)

    async def _picture(self) -> str | None:
        """One picture of the page. The browser never answers when the page is left in that instant."""
        with suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(_ANSWERS_WITHIN):
                shot: dict[str, str] = await self._cdp.send("Page.captureScreenshot", _FORMAT)
                return shot["data"]
        return None


def decoded(picture: bytes) -> Pixels:
    """A picture as height × width × 4: blue, green, red, unused."""
    from PIL import Image

    rgb = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
    return np.dstack((rgb[:, :, ::-1], np.full(rgb.shape[:2], 255, np.uint8)))


def alike(one: Pixels, other: Pixels) -> bool:
    """Whether two pictures show the same, whatever their encoding did to them."""
    return one.shape == other.shape and bool(np.abs(one.astype(np.int16) - other).max() < _NOISE)
