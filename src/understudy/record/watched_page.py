"""One page of a browser that is being recorded, with our own line to it (CDP): its script tells what is done, its
screencast shows it, and its clock is compared with ours."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Coroutine, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from understudy.core.recording import Event
from understudy.core.screen import Size
from understudy.record.clock import Clock
from understudy.record.page_events import PageReader
from understudy.record.screencast import Screencast
from understudy.store.recording_video import Pixels

WORLD, BINDING = "understudy-record", "understudySaw"


class Recipient(Protocol):
    """Who is told what happens in a page. Times are on the recording's clock."""

    clock: Clock

    def event(self, *events: Event) -> None: ...

    def at_page(self, when: float, url: str, title: str) -> None: ...

    def secrets(self, when: float, boxes: Sequence[Sequence[float]]) -> None: ...

    def frame(self, when: float, pixels: Pixels, view: Size) -> None: ...

    def in_front(self, page: WatchedPage) -> None: ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None]: ...


class WatchedPage:
    """Follows one page and tells what happens in it. `rate` is how many frames a second are asked for."""

    def __init__(self, page: Page, recipient: Recipient, rate: float) -> None:
        self.page, self._recipient, self._rate, self._reader = page, recipient, rate, PageReader()
        self._cdp: CDPSession | None = None
        self._ahead = time.time() - time.monotonic()
        self._screencast: Screencast | None = None
        self._secrets: dict[int, list[list[float]]] = {}

    async def attach(self, cdp: CDPSession) -> None:
        """Have the page tell, from its first script on."""
        self._cdp = cdp
        cdp.on("Runtime.bindingCalled", self._told)
        self._screencast = Screencast(cdp, self._recipient.clock, self._rate, self._recipient.frame)
        cdp.on("Page.frameNavigated", lambda _: self._recipient.spawn(self._compare_clocks()))
        source = {"source": watching_script(), "worldName": WORLD, "runImmediately": True}
        await asyncio.gather(
            cdp.send("Page.enable"),
            cdp.send("Runtime.enable"),
            cdp.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD}),
            cdp.send("Page.addScriptToEvaluateOnNewDocument", source),
        )
        await self._compare_clocks()

    async def show(self, front: bool) -> None:
        """Begin or end sending frames."""
        if self._screencast is not None:
            await (self._screencast.start() if front else self._screencast.stop())

    async def _compare_clocks(self) -> None:
        """How far the page's clock, in seconds since 1970, is ahead of the machine's monotonic one."""
        assert self._cdp
        question = {"expression": "performance.timeOrigin + performance.now()", "returnByValue": True}
        best = 1.0
        for _ in range(3):
            before = time.monotonic()
            try:
                answer = await self._cdp.send("Runtime.evaluate", question)
            except PlaywrightError:
                return
            taken = time.monotonic() - before
            if taken < best and "value" in answer["result"]:
                best = taken
                self._ahead = answer["result"]["value"] / 1000 - (before + taken / 2)

    def _time(self, milliseconds: float) -> float:
        """A time of the page's on the recording's clock; never later than now."""
        return min(self._recipient.clock.at(milliseconds / 1000 - self._ahead), self._recipient.clock.now())

    def _told(self, call: dict[str, Any]) -> None:
        if call["name"] != BINDING:
            return
        told = json.loads(call["payload"])
        recipient = self._recipient
        match told[0]:
            case "moves":
                recipient.event(*(self._reader.move(place[1:], self._time(place[0])) for place in told[1]))
            case "page":
                _, when, url, title, width, height, _ = told
                self._reader.size = Size(max(1, width), max(1, height))
                recipient.at_page(self._time(when), url, title)
            case "secrets":
                _, when, boxes, fresh = told
                self._secrets = {} if fresh else self._secrets  # another document: nothing of the former shows
                self._secrets[call["executionContextId"]] = boxes
                recipient.secrets(self._time(when), [box for boxes in self._secrets.values() for box in boxes])
            case "visible":
                if told[2]:
                    recipient.in_front(self)
            case _:
                recipient.event(*self._reader.events(told, self._time(told[1])))


@cache
def watching_script() -> str:
    """The script in every page: what elements are called, what is done, and drop-down lists drawn where they show."""
    own, shared = files("understudy.record") / "inpage", files("understudy.env") / "inpage"
    parts = [shared / "names.js", own / "watch.js", shared / "lists.js"]
    once = "if (globalThis.understudy) return; const understudy = globalThis.understudy = {};"
    names, watch, lists = (part.read_text(encoding="utf-8") for part in parts)
    text = f"{names}\n{{ {watch} }}\n{lists}"  # a scope of its own keeps its names from those of the others
    return f"(() => {{ 'use strict'; {once}\n{text}\n}})();"
