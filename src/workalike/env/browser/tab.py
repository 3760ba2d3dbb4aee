"""One page with our own line to it (CDP): what it shows, what it is loading, which dialog stands open."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, CDPSession, FileChooser, Page
from playwright.async_api import Dialog as PageDialog
from playwright.async_api import Error as PlaywrightError

from workalike.core.errors import ActionFailed, Infrastructure, PageGone
from workalike.env.browser import world
from workalike.env.browser.network import Network
from workalike.env.policy.guard import Guard
from workalike.env.policy.reach import is_document

T = TypeVar("T")
Tell = Callable[[str, str], None]
MOST_TOLD = 100_000
_GUARDED = [{"urlPattern": "*", "resourceType": kind} for kind in ("Document", "XHR", "Fetch")]
# What is sent and answered is nothing to us: requests are counted, and judged by address and method.
_NETWORK = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 1}
_LOST_WORLD = (
    "Cannot find context",
    "context was destroyed",
    "navigated or closed",
    "uniqueContextId not found",
    "No frame for given id",
)


class DialogOpened(Exception):
    """A dialog opened, or a request was held, while something was under way; the page stands still until it is
    answered."""


class BrowserTab:
    """A page that is followed. All waiting is on `changed`, which every event of interest sets."""

    def __init__(self, page: Page, context: BrowserContext, tell: Tell, guard: Guard | None = None) -> None:
        self.page, self._tell, self._guard = page, tell, guard
        self.changed = asyncio.Event()
        self.network = Network(self.changed)
        self.dialog: PageDialog | FileChooser | None = None
        self.url, self.title, self.document = page.url, "", ""
        self.picture: bytes | None = None
        self.crashed = self.closed = self.loading = self.interactive = self.refused = False
        self.loads = self.moves = 0
        self.opens = 0
        self.expects_dialog = False
        self.acts_within = False
        self.held: list[tuple[str, str]] = []
        self._blocked: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._cdp: CDPSession | None = None
        self._tasks: set[asyncio.Future[Any]] = set()
        self._frame = ""
        self._world: int | None = None
        self._worlds: set[int] = set()
        self._own_worlds: set[int] = set()
        page.on("filechooser", self.on_dialog)
        page.on("crash", lambda _: self.gone(crashed=True))
        page.on("close", lambda _: self.gone(closed=True))
        self._opening = asyncio.ensure_future(self._open(context))
        self._opening.add_done_callback(forget)

    async def opened(self) -> None:
        """Wait until our own line to the page stands; a page that opens with a dialog gives none before its answer."""
        try:
            await asyncio.wait((self._opening, self._blocked), return_when=asyncio.FIRST_COMPLETED)
            if self._opening.done():
                self._opening.result()
        except PlaywrightError as error:
            if self.alive:
                raise Infrastructure(f"a new tab could not be used: {error}") from error

    async def _open(self, context: BrowserContext) -> None:
        cdp = await context.new_cdp_session(self.page)
        self._cdp = cdp
        self._listen(cdp)
        tree = await cdp.send("Page.getFrameTree")
        self._frame = tree["frameTree"]["frame"]["id"]
        await asyncio.gather(
            cdp.send("Page.enable"),
            cdp.send("Network.enable", _NETWORK),
            cdp.send(
                "Page.addScriptToEvaluateOnNewDocument",
                {
                    "source": world.script(*(self._guard.patterns, self._guard.own) if self._guard else (None,)),
                    "worldName": world.NAME,
                    "runImmediately": True,
                },
            ),
            cdp.send("Runtime.enable"),
            cdp.send("Runtime.addBinding", {"name": world.BINDING, "executionContextName": world.NAME}),
            *([cdp.send("Fetch.enable", {"patterns": _GUARDED})] if self._guard else []),
        )
        self._committed(tree["frameTree"]["frame"])

    @property
    def alive(self) -> bool:
        return not (self.crashed or self.closed)

    @property
    def id(self) -> str:
        """What tells it from other tabs; empty until our line stands."""
        return self._frame

    @property
    def stands_still(self) -> bool:
        """Whether the page waits for a word: a dialog is open, or a request is held until the user has been asked."""
        return self.dialog is not None or bool(self.held)

    async def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """One command over our line; the page's end becomes `PageGone`, an opening dialog `DialogOpened`."""
        if self._cdp is None:
            raise PageGone("the page closed before it could be used")
        return await self.unless_dialog(self._cdp.send(method, params))

    async def unless_dialog(self, work: Awaitable[T]) -> T:
        """Await something that a dialog would block; what is left of it finishes by itself once that is answered."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait((task, self._blocked), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.add_done_callback(forget)
        if not task.done():
            raise (
                DialogOpened
                if self.alive
                else PageGone("the page crashed or hangs" if self.crashed else "the page closed")
            )
        try:
            return task.result()
        except PlaywrightError as error:
            if not self.alive or "has been closed" in str(error) or "crashed" in str(error):
                raise PageGone("the page closed or crashed") from error
            raise

    async def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait for the page's events to make something true; a dialog or the page's end stops the wait too."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not condition():
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0 or self.stands_still or not self.alive:
                return False
            self.changed.clear()
            try:
                async with asyncio.timeout(left):
                    await self.changed.wait()
            except TimeoutError:
                return condition()
        return True

    async def ask(self, call: str, seconds: float = 5.0) -> str | None:
        """Call a function of our script in the page; None when the document would not stay long enough."""
        for _ in range(5):
            try:
                async with asyncio.timeout(seconds):
                    return await self._evaluate(call)
            except TimeoutError:
                return None
            except PlaywrightError as error:
                if not any(words in str(error) for words in _LOST_WORLD):
                    raise
                self._world = None
                await self.wait(lambda: not self.loading, 1.0)
        return None

    async def _evaluate(self, call: str) -> str | None:
        if self._world is None:
            made = await self.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": world.NAME})
            self._world = int(made["executionContextId"])
        question = {
            "expression": f"workalike.{call}",
            "contextId": self._world,
            "returnByValue": True,
            "awaitPromise": True,
        }
        answer = await self.send("Runtime.evaluate", question)
        if "exceptionDetails" in answer:
            return None
        value = answer["result"].get("value")
        return value if isinstance(value, str) else None

    async def ask_all(self, call: str, seconds: float = 2.0) -> list[str]:
        """Call a function of our script in every document, also in the frames of other sites; the answers that come."""
        question = {"expression": f"workalike.{call}", "returnByValue": True, "awaitPromise": True}
        asked = [self.send("Runtime.evaluate", {**question, "contextId": each}) for each in sorted(self._worlds)]
        try:
            async with asyncio.timeout(seconds):
                answers = await asyncio.gather(*asked, return_exceptions=True)  # a frame may be gone by now
        except TimeoutError:
            return []
        values = [answer["result"].get("value") for answer in answers if isinstance(answer, dict)]
        return [value for value in values if isinstance(value, str)]

    def call_out_listeners(self) -> None:
        """Have every document say which of its elements it listens to. Our script hears that before it is asked
        anything afterwards, since the line keeps its order; nothing waits for it here."""
        for each in sorted(self._own_worlds):
            question = {"expression": world.listeners_script(), "contextId": each, "includeCommandLineAPI": True}
            self._later("Runtime.evaluate", question)

    async def visit(self, url: str, seconds: float = 30.0) -> None:
        """Go to an address; comes back when its document is there or has failed to come."""
        try:
            async with asyncio.timeout(seconds):
                answer = await self.send("Page.navigate", {"url": url})
        except TimeoutError:
            raise ActionFailed(f"{url} did not answer within {seconds:.0f} s") from None
        problem = answer.get("errorText")
        if problem and problem != "net::ERR_ABORTED":
            raise ActionFailed(f"{url} could not be opened: {problem}")

    async def go(self, by: int) -> None:
        """Move in the history."""
        history = await self.send("Page.getNavigationHistory")
        index = history["currentIndex"] + by
        entries = history["entries"]
        if not 0 <= index < len(entries) or (index == 0 and entries[0]["url"] == "about:blank"):
            raise ActionFailed(f"there is no page to go {'back' if by < 0 else 'forward'} to")
        moves = self.moves
        await self.send("Page.navigateToHistoryEntry", {"entryId": entries[index]["id"]})
        await self.wait(lambda: self.loading or self.moves != moves, 2.0)

    async def leave(self) -> None:
        """Go back from a document that was refused, or to an empty page where there is nothing to go back to."""
        try:
            await self.go(-1)
            await self.wait(lambda: not self.refused, 2.0)
        except ActionFailed:
            await self.send("Page.navigate", {"url": "about:blank"})
        self.refused = False

    async def context_id(self) -> str:
        return str((await self.send("Target.getTargetInfo"))["targetInfo"]["browserContextId"])

    def _listen(self, cdp: CDPSession) -> None:
        handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "Page.frameStartedLoading": self._on_started,
            "Page.frameStoppedLoading": self._on_stopped,
            "Page.frameNavigated": lambda event: self._committed(event["frame"]),
            "Page.navigatedWithinDocument": self._on_moved,
            "Page.domContentEventFired": self._on_interactive,
            "Page.windowOpen": self._on_window_open,
            "Page.frameRequestedNavigation": self._on_requested,
            "Runtime.bindingCalled": self._on_told,
            "Runtime.executionContextCreated": self._on_world,
            "Runtime.executionContextDestroyed": self._on_world_gone,
            "Runtime.executionContextsCleared": self._on_worlds_gone,
            "Fetch.requestPaused": self._on_paused,
            "Network.requestWillBeSent": self.network.began,
            "Network.responseReceived": self.network.answered,
            "Network.dataReceived": self.network.answered,
            "Network.loadingFinished": self.network.ended,
            "Network.loadingFailed": self.network.ended,
        }
        for name, handler in handlers.items():
            cdp.on(name, handler)

    def _on_started(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self.loading, self.interactive = True, False
            self.loads += 1
            self.changed.set()

    def _on_stopped(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self.loading = False
            self.changed.set()

    def _on_interactive(self, event: dict[str, Any]) -> None:
        self.interactive = True
        self.changed.set()

    def _on_moved(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self.url = event["url"]
            self.moves += 1
            self.changed.set()

    def _on_requested(self, event: dict[str, Any]) -> None:
        if event["disposition"] in ("newTab", "newWindow"):  # a link taken with control or the middle button
            self.opens += 1

    def _on_window_open(self, event: dict[str, Any]) -> None:
        self.opens += 1

    def _on_world(self, event: dict[str, Any]) -> None:
        context = event["context"]
        if context["name"] == world.NAME:
            self._worlds.add(int(context["id"]))
            if context["auxData"]["frameId"] == self._frame:
                self._world = int(context["id"])
        elif context["auxData"].get("isDefault"):
            self._own_worlds.add(int(context["id"]))

    def _on_world_gone(self, event: dict[str, Any]) -> None:
        self._worlds.discard(event["executionContextId"])
        self._own_worlds.discard(event["executionContextId"])

    def _on_worlds_gone(self, event: dict[str, Any]) -> None:
        self._worlds.clear()
        self._own_worlds.clear()

    def _on_told(self, event: dict[str, Any]) -> None:
        """Our script in the page has something to say."""
        if event["name"] == world.BINDING:
            for kind, text in json.loads(event["payload"]).items():
                if kind == "chooser":
                    self.expects_dialog = True
                else:
                    self._tell(kind, str(text)[:MOST_TOLD])

    def _on_paused(self, event: dict[str, Any]) -> None:
        """A live site's request that may be an irreversible step waits for our word."""
        assert self._guard is not None
        request = event["request"]
        problem = self._guard.problem(request["method"], request["url"], event["resourceType"] == "Document")
        if problem and self._guard.holds:
            self.held.append((event["requestId"], problem))
            self._block()
        else:
            self._judged(event["requestId"], problem)

    def release(self, passes: bool) -> None:
        """Let the first of the held requests go on, or fail it."""
        request, problem = self.held.pop(0)
        self._judged(request, None if passes else problem)
        self._unblock()

    def _judged(self, request: str, problem: str | None) -> None:
        if problem:
            self._tell("stopped", problem)
            self._later("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"})
        else:
            self._later("Fetch.continueRequest", {"requestId": request})

    async def give_leave(self, leave: bool) -> None:
        """Tell the guards in the page and in its frames to let everything pass, or no longer."""
        assert self._cdp is not None
        told = {"expression": f"workalike.leave = {json.dumps(leave)}"}
        sends = [self._cdp.send("Runtime.evaluate", {**told, "contextId": each}) for each in self._worlds]
        await asyncio.gather(*sends, return_exceptions=True)  # a frame may be gone by now

    def _later(self, method: str, params: dict[str, Any]) -> None:
        assert self._cdp is not None
        task = asyncio.ensure_future(self._cdp.send(method, params))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(forget)

    def _committed(self, frame: dict[str, Any]) -> None:
        """A document has taken its place, in the page or in a frame of it."""
        url = frame.get("unreachableUrl") or frame["url"] + frame.get("urlFragment", "")
        refused = not is_document(url)
        if refused:
            self._tell("refused", f"a document of {url[:80]} was not shown")
        if frame["id"] == self._frame:
            self.url, self.refused, self.document = url, refused, str(frame["loaderId"])
            if "unreachableUrl" in frame:
                self._later("Page.setDocumentContent", {"frameId": frame["id"], "html": _unreachable(url)})
            self.network.forget(but=frame["loaderId"])
            self.moves += 1
            self.changed.set()

    def on_dialog(self, dialog: PageDialog | FileChooser) -> None:
        self.dialog, self.expects_dialog = dialog, False
        self._block()

    def answered(self) -> None:
        """The dialog is out of the way."""
        self.dialog = None
        self._unblock()

    def _unblock(self) -> None:
        if self.alive and not self.stands_still:
            self._blocked = asyncio.get_running_loop().create_future()

    def _block(self) -> None:
        if not self._blocked.done():
            self._blocked.set_result(None)
        self.changed.set()

    def gone(self, crashed: bool = False, closed: bool = False) -> None:
        """The page is no more; one that hangs is as good as crashed."""
        self.crashed, self.closed = self.crashed or crashed, self.closed or closed
        self.loading = False
        self.held.clear()
        self.network.forget()
        self._block()


def _unreachable(url: str) -> str:
    """What stands in the place of a page that could not be had; a headless browser would leave it white."""
    return (
        "<title>Unreachable</title><body style='font:20px sans-serif;margin:15vh auto;max-width:40em'>"
        f"<h1>This page cannot be reached</h1><p>{html.escape(url[:200])}</p>"
    )


def forget(task: asyncio.Future[Any]) -> None:
    """Look at what became of something nobody waits for, so that it is not reported as never retrieved."""
    if not task.cancelled():
        task.exception()
