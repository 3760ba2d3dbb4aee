"""Recording through a browser: Chromium is opened on an address and tells, page by page, what the person does in it.

The frames are the browser's own screencast, the events come from a script in every page, and both carry the browser's
times, which are brought onto the recording's clock."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from msgspec.structs import replace
from playwright.async_api import Browser, BrowserContext, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from workalike.core.errors import BadInput, Infrastructure
from workalike.core.recording import Event, KeyChanged, PageChanged, RecordingEnd, SegmentHeader
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.env.browser import chromium
from workalike.env.browser.scratch import scratch
from workalike.env.desktop.atspi import Rectangle
from workalike.record.chords import Command, chord
from workalike.record.clock import Clock
from workalike.record.header import header_of
from workalike.record.inlet import Inlet
from workalike.record.left_out import LEFT_OUT, LeftOut
from workalike.record.pending import Pending
from workalike.record.privacy import RegionLog, types
from workalike.record.screen import CapturedScreen
from workalike.record.scribe import Scribe
from workalike.record.settings import HOLD, Reason, RecordSettings
from workalike.record.watched_page import WatchedPage
from workalike.store.recording_video import Pixels
from workalike.store.recordings import RecordingWriter

VIEWPORT = Size(1280, 800)
_FLAGS = ("--disable-site-isolation-trials", "--disable-features=Translate,IsolateOrigins,site-per-process")
_NOWHERE = "about:blank"
_TICK = 0.05
_MOMENT = 1e-4
_REPEAT_AFTER = 0.4
_SYNC_EVERY = 1.0
_TELLS_WITHIN = 0.1
_EVERYWHERE: Rectangle = (-10, -10, 1 << 16, 1 << 16)


class PagePrivacy:
    """What must not be kept of the page in front: where its password fields are, all of it where it is left out. The
    page itself keeps what is typed into such fields."""

    def __init__(self, left_out: LeftOut) -> None:
        self._left_out, self._log = left_out, RegionLog()
        self._down: set[str] = set()
        self._fields = 0

    def seen(self, time: float, boxes: Sequence[Sequence[float]], scale: float) -> bool:
        """Note where the fields are; answers whether there were more before."""
        before, self._fields = self._fields, len(boxes)
        places = [tuple(round(length * scale) for length in box) for box in boxes]
        self._log.note(time, frozenset((x, y, width, height) for x, y, width, height in places))
        return self._fields < before

    def masked(self, event: Event) -> Event | None:
        """An event as it may be kept. A key that was pressed in secret is let go in secret, even in another page."""
        if not isinstance(event, KeyChanged):
            return event
        if event.masked:
            return replace(event, key="")
        if event.down:
            self._down.add(event.key)
        elif event.key in self._down:
            self._down.discard(event.key)
        elif types(event):
            return KeyChanged(event.time, "", False, masked=True)
        return event

    def regions(self, time: float) -> frozenset[Rectangle]:
        """A page that is left out may be seen a moment before it has told its name, and a moment after it has gone."""
        if any(self._left_out.at(moment) for moment in (time - _TELLS_WITHIN, time, time + _TELLS_WITHIN)):
            return frozenset({_EVERYWHERE})
        return self._log.at(time)

    def forget(self, before: float) -> None:
        self._log.forget(before)


class BrowserRecorder:
    """Opens a browser on an address and records what is done in it until it is stopped or closed.

    >>> async with BrowserRecorder(out, task, "https://example.org") as recorder:   # doctest: +SKIP
    ...     end = await recorder.run()
    """

    def __init__(
        self,
        out: Path,
        task: Task,
        url: str,
        settings: RecordSettings = RecordSettings(),
        *,
        headless: bool = False,
        viewport: Size = VIEWPORT,
        args: Sequence[str] = (),
    ) -> None:
        if not headless and not chromium.has_display():
            raise BadInput("a headed browser needs a display: set DISPLAY, or show no window with --headless")
        self.settings, self._url, self._headless, self._viewport, self._args = settings, url, headless, viewport, args
        self.clock = Clock()
        self._ended = asyncio.Event()
        self._end: tuple[Reason, str] | None = None
        self._pages: list[WatchedPage] = []
        self._watched: dict[Page, asyncio.Future[None]] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self._segments = 0
        self._shown: SegmentHeader | None = None
        self._told_page: tuple[str, str] = ("", "")
        self._last_shot = 0.0
        self._paused = False
        self._left_out = LeftOut(settings.leave_out)
        self._privacy = PagePrivacy(self._left_out)
        chords: dict[Command, frozenset[str]] = {"stop": chord(settings.stop), "pause": chord(settings.pause)}
        self._inlet = Inlet(chords, lambda event: None, self._commanded)
        self._writer = RecordingWriter(out, header_of(task, settings, "browser"))
        self._scribe = Scribe(self._writer, self._privacy, left_out=self._left_out.at)
        self._pending = Pending(self._inlet, self._scribe)

    async def __aenter__(self) -> Self:
        """Open the browser; recording begins with its first page. Where that fails nothing is left behind."""
        try:
            await self._open()
        except BaseException:
            self._writer.discard()
            raise
        return self

    async def _open(self) -> None:
        executable = chromium.find(headed=not self._headless)
        with scratch():
            self._playwright = await async_playwright().start()
        try:
            self._browser = await self._launch(executable)
        except PlaywrightError as error:
            await self._playwright.stop()
            raise Infrastructure(f"the browser did not start: {str(error).splitlines()[0]}") from error
        size: Any = {"width": self._viewport.width, "height": self._viewport.height}
        view = {"viewport": size} if self._headless else {"no_viewport": True}
        self._context: BrowserContext = await self._browser.new_context(**view)
        self._browser.on("disconnected", lambda _: self.stop("browser closed"))
        self._context.on("page", self._watching)
        self.clock.begin()
        self.page = await self._context.new_page()
        await self._watching(self.page)
        try:
            await self.page.goto(self._url, wait_until="commit")
        except PlaywrightError as error:
            await self.__aexit__()
            raise BadInput(f"{self._url} cannot be opened: {str(error).splitlines()[0]}") from error

    async def __aexit__(self, *_: object) -> None:
        for page in self._pages:
            await page.show(False)
        with suppress(PlaywrightError):
            await self._browser.close()
        await self._playwright.stop()

    async def run(self, seconds: float | None = None) -> RecordingEnd:
        """Record until stopped, until the browser is closed, or for some seconds."""
        synced = time.monotonic()
        ends = None if seconds is None else synced + seconds
        try:
            while not self._ended.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), _TICK)
                await asyncio.to_thread(self._write)
                if time.monotonic() - synced > _SYNC_EVERY:
                    await asyncio.to_thread(self._scribe.sync)
                    synced = time.monotonic()
                if ends is not None and time.monotonic() >= ends:
                    self.stop("time is up")
        except Infrastructure as error:
            self.stop("disk failed", str(error))
        return self._finish()

    def stop(self, reason: Reason = "stopped", detail: str = "") -> None:
        """End the recording; the first reason counts."""
        self._end = self._end or (reason, detail)
        self._ended.set()

    async def _launch(self, executable: Path) -> Browser:
        ordinary = not hasattr(os, "geteuid") or os.geteuid() != 0
        return await self._playwright.chromium.launch(
            executable_path=str(executable),
            headless=self._headless,
            args=[*_FLAGS, *self._args],
            chromium_sandbox=ordinary,
        )

    def _watching(self, page: Page) -> asyncio.Future[None]:
        """The task that begins to follow a page; there is one for each."""
        if page not in self._watched:
            self._watched[page] = self.spawn(self._watch(page))
        return self._watched[page]

    async def _watch(self, page: Page) -> None:
        """Follow a page from its first instant; it is the one in front until another takes its place."""
        watched = WatchedPage(page, self, self.settings.rate)
        self._pages.append(watched)
        page.on("close", lambda _: self._closed(watched))
        page.on("dialog", lambda _: None)  # a dialog is the person's to answer
        with suppress(PlaywrightError):  # a page that closes at once
            await watched.attach(await self._context.new_cdp_session(page))
            await self._show(watched, self.clock.now())

    def in_front(self, page: WatchedPage, when: float) -> None:
        """Take the frames from a page, and from no other."""
        self.spawn(self._show(page, when))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        """Do something besides; what is not done when the recording ends is left."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _show(self, watched: WatchedPage, when: float) -> None:
        if watched not in self._pages:
            return  # it has closed meanwhile
        self._pages.remove(watched)
        self._pages.append(watched)
        self.secrets(watched, when)
        self.at_page(watched, when)
        for page in self._pages:
            await page.show(page is watched)

    def _closed(self, watched: WatchedPage) -> None:
        self._pages.remove(watched)
        self.spawn(watched.show(False))
        if self._pages:
            self.in_front(self._pages[-1], self.clock.now())
        else:
            self.stop("browser closed")

    def _commanded(self, command: Command, when: float) -> None:
        if command == "stop":
            self.stop()
            return
        (self._inlet.resume if self._paused else self._inlet.pause)(when)
        self._paused = not self._paused
        if not self._paused:
            self.spawn(self._look())

    def event(self, *events: Event) -> None:
        for event in events:
            self._inlet.feed(event)

    def arriving(self, page: WatchedPage, when: float, url: str) -> None:
        """A page goes to an address. One that is left out is so at once; another begins when it shows itself."""
        if self._left_out.named(*_names(url)):
            page.url, page.title = url, ""
            self.at_page(page, when)

    def at_page(self, page: WatchedPage, when: float) -> None:
        """Tell which page is in front, unless that is known."""
        if not self._is_front(page) or page.url in ("", _NOWHERE):
            return
        out = self._left_out.named(page.title, *_names(page.url))
        if out != self._left_out.at(when):
            self._left_out.note(when, out)
            if not out:
                self.spawn(self._look())
        told = ("", LEFT_OUT) if out else (page.url, page.title)
        if told != self._told_page:
            self._told_page = told
            self._inlet.feed(PageChanged(when, *told))

    def secrets(self, page: WatchedPage, when: float) -> None:
        shown = self._shown
        scale = shown.frame_size.width / shown.screen.width if shown and shown.frame_size else 1.0
        if self._is_front(page) and self._privacy.seen(when, page.fields, scale):
            self.spawn(self._look())  # where a field was, something else may have been hidden for a moment

    def _is_front(self, page: WatchedPage) -> bool:
        return bool(self._pages) and self._pages[-1] is page

    async def _look(self) -> None:
        """Have the page in front seen as it is, in a moment: what was shown of it until then was not kept."""
        await asyncio.sleep(2 * _TELLS_WITHIN)
        if self._pages:
            await self._pages[-1].look()

    def frame(self, when: float, pixels: Pixels, view: Size) -> None:
        """A frame of the page in front; a view of another size begins a new segment."""
        size = Size(pixels.shape[1], pixels.shape[0])
        view = self._shown.screen if self._shown and _is_late(self._shown, size, view) else view
        frame_size = None if size == view else size
        if self._shown is None or (self._shown.screen, self._shown.frame_size) != (view, frame_size):
            scale = round(size.width / view.width, 3)
            self._shown = SegmentHeader(self._segments, view, min(when, self.clock.now()), scale, frame_size=frame_size)
            self._segments += 1
            self._pending.screen(self._shown)
        self._last_shot = max(when, self._last_shot + _MOMENT)
        self._pending.shot(CapturedScreen(self._last_shot, bytearray(pixels.tobytes()), size, (0, 0), None))

    def _write(self) -> None:
        until = self._pending.write_until(self.clock.now() - HOLD)
        self._privacy.forget(until)
        if not self._pending.has_shots and self.clock.now() - self._scribe.last_frame > _REPEAT_AFTER + HOLD:
            self._scribe.repeat(until)

    def _finish(self) -> RecordingEnd:
        reason, detail = self._end or ("stopped", "")
        ended = self.clock.now()
        if self._shown is None:  # it ended before the first frame came
            self._pending.screen(SegmentHeader(0, self._viewport, 0.0))
        try:
            self._pending.write_all(ended, interrupted=reason == "interrupted")
            self._scribe.repeat(ended)
        except Infrastructure as error:
            reason, detail = "disk failed", str(error)
        self._scribe.close()
        counts = dict(self._scribe.counts)
        counts["frames_dropped"] = counts.get("frames_dropped", 0) + self._pending.overflowed
        counts["moves_thinned"] = self._inlet.moves - self._inlet.kept_moves
        end = RecordingEnd(ended, reason, detail, dict(sorted(counts.items())))
        self._writer.end(end)
        return end


def _names(url: str) -> tuple[str, str]:
    """What a page goes by besides its title: its whole address, and its host."""
    with suppress(ValueError):
        return url, urlsplit(url).hostname or ""
    return url, ""


def _is_late(shown: SegmentHeader, size: Size, view: Size) -> bool:
    """Whether a frame is of the view that was shown, though another one is told with it by now: it has the size of the
    frames before, and not the shape of the new view."""
    shape, wanted = size.width / size.height, view.width / view.height
    return size == (shown.frame_size or shown.screen) and abs(shape - wanted) > 0.01 * wanted
