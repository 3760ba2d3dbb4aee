"""Browsers that are being recorded, for the tests: opened without a window, and waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page

from tests.record.conftest import TASK
from tests.record.counter_program import read_count
from workalike.core.recording import Event, KeyChanged, RecordingEnd
from workalike.core.screen import Size
from workalike.record.browser import BrowserRecorder
from workalike.record.settings import RecordSettings
from workalike.store.recording_video import Pixels

VIEW = Size(1000, 700)


class Newest(BrowserRecorder):
    """A recorder that can be waited for: it knows the newest frame, and the number in it."""

    count = -1
    newest: Pixels | None = None
    newest_at = 0.0

    def frame(self, when: float, pixels: Pixels, view: Size) -> None:
        super().frame(when, pixels, view)
        self.newest, self.newest_at, self.count = pixels, when, read_count(pixels[:, :, 1])

    async def shows(self, count: int) -> None:
        await self.seen(lambda _: self.count == count)

    async def seen(self, wanted: Callable[[Pixels], bool], since: float = 0.0) -> None:
        """Wait for a frame from after some time that shows something."""
        async with asyncio.timeout(20):
            while self.newest is None or self.newest_at < since or not wanted(self.newest):
                await asyncio.sleep(0.02)


@asynccontextmanager
async def recording(
    out: Path, url: str, settings: RecordSettings = RecordSettings()
) -> AsyncIterator[tuple[Newest, asyncio.Task[RecordingEnd]]]:
    async with Newest(out, TASK, url, settings, headless=True, viewport=VIEW) as recorder:
        await recorder.page.wait_for_load_state()
        run = asyncio.create_task(recorder.run())
        yield recorder, run
        recorder.stop()
        await run


async def drawn(page: Page) -> None:
    """Wait until the page has drawn what was done, and a frame of it has come."""
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await asyncio.sleep(0.15)


async def middle(page: Page, selector: str) -> tuple[float, float]:
    box = await page.locator(selector).bounding_box()
    assert box
    return (round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2))


def texts(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, KeyChanged))
