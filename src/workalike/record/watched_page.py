"""One page of a browser that is being recorded, with our own line to it (CDP): its script tells what is done, its
screencast shows it, and its clock is compared with ours."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Coroutine
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

import msgspec
from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from workalike.core.recording import Event
from workalike.core.screen import Size
from workalike.record.clock import Clock
from workalike.record.page_events import PageReader
from workalike.record.page_secrets import Field, Fields, SecretPlaces
from workalike.record.screencast import Screencast
from workalike.store.recording_video import Pixels

WORLD, BINDING = "workalike-record", "workalikeSaw"


class Recipient(Protocol):
    """Who is told what happens in a page. Times are on the recording's clock."""

    clock: Clock

    def event(self, *events: Event) -> None: ...

    def arriving(self, page: WatchedPage, when: float, url: str) -> None: ...

    def at_page(self, page: WatchedPage, when: float) -> None: ...

    def secrets(self, page: WatchedPage, when: float) -> None: ...

    def frame(self, when: float, pixels: Pixels, view: Size) -> None: ...

    def in_front(self, page: WatchedPage, when: float) -> None: ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None]: ...


class WatchedPage:
    """Follows one page and tells what happens in it. `rate` is how many frames a second are asked for. `url` and
    `title` are those of the page now, `fields` the places of its password fields."""

    def __init__(self, page: Page, recipient: Recipient, rate: float) -> None:
        self.page, self._recipient, self._rate, self._reader = page, recipient, rate, PageReader()
        self._cdp: CDPSession | None = None
        self._ahead = time.time() - time.monotonic()
        self._screencast: Screencast | None = None
        self._secrets: SecretPlaces | None = None
        self.url, self.title = "", ""
        self.fields: list[Field] = []

    async def attach(self, cdp: CDPSession) -> None:
        """Have the page tell, from its first script on."""
        self._cdp = cdp
        self._secrets = SecretPlaces(cdp, self._hide, self._recipient.spawn)
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

    async def look(self) -> None:
        """Send a frame, whether or not anything has changed."""
        if self._screencast is not None:
            await self._screencast.again()

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
            case "arrived":
                recipient.arriving(self, self._time(told[1]), told[2])
            case "page":
                _, when, self.url, self.title, width, height, _ = told
                self._reader.size = Size(max(1, width), max(1, height))
                recipient.at_page(self, self._time(when))
            case "secrets" if self._secrets is not None:
                fields = msgspec.convert({"boxes": told[2], "view": told[3], "top": told[4]}, Fields)
                self._secrets.told(call["executionContextId"], fields, self._time(told[1]))
            case "closed":
                recipient.spawn(self._open(call["executionContextId"], told[2]))
            case "visible":
                if told[2]:
                    recipient.in_front(self, self._time(told[1]))
            case _:
                recipient.event(*self._reader.events(told, self._time(told[1])))

    def _hide(self, fields: list[Field], when: float | None) -> None:
        self.fields = fields
        self._recipient.secrets(self, self._recipient.clock.now() if when is None else when)

    async def _open(self, context: int, number: int) -> None:
        """Show the script what a closed shadow root holds. The browser knows it; no script does unless it is shown."""
        assert self._cdp
        with suppress(PlaywrightError):  # the document has gone
            question = {"expression": f"workalike.asked.get({number})", "contextId": context}
            host = (await self._cdp.send("Runtime.evaluate", question))["result"]
            node = (await self._cdp.send("DOM.describeNode", {"objectId": host["objectId"]}))["node"]
            closed = [root for root in node.get("shadowRoots", ()) if root["shadowRootType"] == "closed"]
            shown = [await self._resolved(context, root["backendNodeId"]) for root in closed]
            answer = {"functionDeclaration": "function (...roots) { workalike.opened(this, ...roots); }"}
            await self._cdp.send("Runtime.callFunctionOn", {**answer, "objectId": host["objectId"], "arguments": shown})

    async def _resolved(self, context: int, node: int) -> dict[str, Any]:
        assert self._cdp
        asked = {"backendNodeId": node, "executionContextId": context}
        return {"objectId": (await self._cdp.send("DOM.resolveNode", asked))["object"]["objectId"]}


@cache
def watching_script() -> str:
    """The script in every page: what elements are called, what is done, and drop-down lists drawn where they show."""
    own, shared = files("workalike.record") / "inpage", files("workalike.env.browser") / "inpage"
    parts = [shared / "names.js", own / "watch.js", shared / "lists.js"]
    once = "if (globalThis.workalike) return; const workalike = globalThis.workalike = {};"
    names, watch, lists = (part.read_text(encoding="utf-8") for part in parts)
    text = f"{names}\n{{ {watch} }}\n{lists}"  # a scope of its own keeps its names from those of the others
    return f"(() => {{ 'use strict'; {once}\n{text}\n}})();"
