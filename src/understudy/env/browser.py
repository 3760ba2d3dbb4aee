"""The browser as an environment: reset, act, observe, close. One context of the shared browser for each attempt."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, cast, get_args

import msgspec
from msgspec.structs import replace
from PIL import Image
from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from understudy.core.actions import (
    Action,
    Ask,
    Back,
    CloseTab,
    Forward,
    Hotkey,
    Memorize,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
    points,
)
from understudy.core.contracts import Sight, Wants
from understudy.core.errors import ActionFailed, Infrastructure, PageGone, Refused
from understudy.core.observation import Element, ImageRef, Observation
from understudy.core.screen import Box, Point, Size
from understudy.core.task import Task
from understudy.core.trajectory import Notice, Taken
from understudy.env import acting, keys, world
from understudy.env.address_bar import AddressBar
from understudy.env.dialogs import Standing
from understudy.env.downloads import Downloads
from understudy.env.elements import Touched, read_look, read_touched
from understudy.env.guard import Guard
from understudy.env.policy import Policy
from understudy.env.proxy import Proxy, Resolve, resolve
from understudy.env.settings import BrowserSettings
from understudy.env.settling import Mark, settle
from understudy.env.stage import Stage
from understudy.env.tab import DialogOpened, Tab
from understudy.env.tabs import Tabs
from understudy.env.tree import tree_text
from understudy.pictures import codec
from understudy.pictures.actions import draw_pointer
from understudy.pictures.dialogs import draw_dialog

T = TypeVar("T")
CONVERSATION = (Memorize, Ask, Terminate)
SECRET = "•"
WHEEL_FRAMES = 4
CHOOSER_SECONDS = 2.0
ACT_SECONDS = 10.0


class BrowserEnvironment:
    """Where an agent acts: a fresh context for each attempt, behind a proxy that enforces its policy."""

    def __init__(
        self,
        stage: Stage,
        policy: Policy = Policy(),
        downloads: Path | None = None,
        settings: BrowserSettings | None = None,
        resolve: Resolve = resolve,
    ) -> None:
        self.stage, self.policy, self.downloads, self.resolve = stage, policy, downloads, resolve
        self.settings = settings or stage.settings
        self._proxy: Proxy | None = None
        self._context: BrowserContext | None = None
        self._tabs: Tabs | None = None
        self._downloads: Downloads | None = None
        self._task: Task | None = None
        self._notices: list[Notice] = []
        self._pointer = Point(0.5, 0.5)
        self._standing: Standing | None = None
        self._clipboard = ""
        self._bar = AddressBar()
        self._started = time.monotonic()

    async def reset(self, task: Task, wants: Wants = Wants()) -> Sight:
        """A fresh context at the task's start page."""
        for attempt in (1, 2):
            await self.close()
            try:
                await self._begin(task)
                break
            except (PlaywrightError, Infrastructure) as error:
                if attempt == 2:
                    raise Infrastructure(f"the browser gave no page to start on: {error}") from error
        if task.start_url:
            taken = await self.act(Visit(task.start_url))
            if taken.error:
                self._tell("start", taken.error)
        return await self.observe(wants)

    async def _begin(self, task: Task) -> None:
        settings = self.settings
        self._task, self._started, self._bar = task, time.monotonic(), AddressBar()
        self._notices, self._pointer, self._standing = [], Point(0.5, 0.5), None
        self._clipboard = ""
        browser = await self.stage.browser()
        self._proxy = Proxy(self.policy, self.resolve, settings.upstream, settings.upstream_resolves, settings.listen)
        port = await self._proxy.open()
        place = settings.geolocation
        self._context = await browser.new_context(
            viewport={"width": settings.viewport.width, "height": settings.viewport.height},
            device_scale_factor=settings.scale,
            locale=settings.locale,
            timezone_id=settings.timezone,
            geolocation={"latitude": place[0], "longitude": place[1]} if place else None,
            permissions=["geolocation"] if place else [],
            user_agent=settings.user_agent,
            color_scheme="dark" if settings.dark else "light",
            reduced_motion="reduce",
            proxy={"server": f"http://{self._proxy.listen}:{port}"},
        )
        await self._context.add_init_script(world.first_script(self.policy.guards))
        guard = Guard(self.policy) if self.policy.guards else None
        self._tabs = Tabs(self._context, settings.most_tabs, self._tell, guard)
        tab = await self._tabs.add()
        folder = None if self.stage.settings.endpoint else self.downloads
        self._downloads = Downloads(folder, settings.most_download, self._tell)
        await self._downloads.watch(browser, await tab.context_id())

    async def close(self) -> None:
        """Let go of the context and of the way out."""
        context, self._context, self._tabs = self._context, None, None
        proxy, self._proxy = self._proxy, None
        downloads, self._downloads = self._downloads, None
        if downloads is not None:
            await downloads.close()
        if context is not None:
            with suppress(PlaywrightError):
                await context.close()
        if proxy is not None:
            await proxy.close()

    async def act(self, action: Action) -> Taken:
        """Carry one action out and wait until the page has come to rest."""
        start, told = self._clock(), len(self._notices)
        touched, result, error = Touched(), None, None
        try:
            acting.check_points(action)
            if not isinstance(action, CONVERSATION):
                touched, result = await self._bounded(self._act_or_answer(action), _length(action))
        except (ActionFailed, Refused) as problem:
            error = str(problem)
        except DialogOpened:
            pass
        except PageGone as gone:
            error = str(gone)
        error = error or next((one.text for one in self._notices[told:] if one.kind == "stopped"), None)
        shown = _without_secrets(action) if touched.secret else action
        return Taken(shown, start, self._clock(), error, touched.element, result)

    async def observe(self, wants: Wants = Wants(), taken: tuple[Taken, ...] = ()) -> Sight:
        """Look at the page in front; a page that goes away while being looked at is looked at again."""
        for _ in range(3):
            try:
                return await self._bounded(self._observe(wants, taken))
            except PageGone:
                continue
            except DialogOpened:
                continue
        raise Infrastructure("no page stays long enough to be looked at")

    async def _bounded(self, work: Awaitable[T], longer: float = 0.0) -> T:
        """Tell a dead browser, which ends the try, from what else may go wrong, which the agent is told."""
        try:
            async with asyncio.timeout(ACT_SECONDS + self.settings.load + longer):
                return await work
        except TimeoutError:
            raise ActionFailed("the page does not answer") from None
        except PlaywrightError as error:
            browser = self._context.browser if self._context is not None else None
            if self._context is None or browser is None or not browser.is_connected():
                raise Infrastructure(f"the browser is gone: {error}") from error
            raise ActionFailed(_first_line(error)) from error

    async def _act_or_answer(self, action: Action) -> tuple[Touched, str | None]:
        """An open dialog takes everything but the choice of another tab."""
        tab = await self._open_tabs().front()
        if tab.dialog is None or isinstance(action, (SwitchTab, CloseTab)):
            return await self._act(action)
        standing, before = self._standing_on(tab), Mark.of(tab)
        hit = await standing.answer(action, self._pointer)
        self._pointer = (*points(action), self._pointer)[-1]
        if standing.answered:
            tab.answered()
            await self._settle(tab, before)
        return Touched(hit), None

    def _standing_on(self, tab: Tab) -> Standing:
        assert tab.dialog is not None
        if self._standing is None or self._standing.source is not tab.dialog:
            files = self._task.files if self._task else ()
            self._standing = Standing(tab.dialog, files, self.settings.viewport)
        return self._standing

    async def _act(self, action: Action) -> tuple[Touched, str | None]:
        tabs = self._open_tabs()
        tab = await tabs.front()
        typed = self._bar.take(action)
        if isinstance(typed, str):
            return Touched(), typed
        action = typed or action
        if isinstance(action, get_args(acting.Pointing)):
            return await self._point(tab, cast(acting.Pointing, action)), None
        if isinstance(action, get_args(acting.Typing)):
            touched = await self._type(tab, cast(acting.Typing, action))
            return touched, None if self._bar.text is None else self._bar.said
        if isinstance(action, ReadPage):
            return Touched(), await self._read(tab)
        before = Mark.of(tab)
        await self._browse(tab, action)
        await self._settle(tab, before)
        return Touched(), None

    async def _browse(self, tab: Tab, action: Action) -> None:
        """What a person does with the browser's own buttons."""
        tabs = self._open_tabs()
        match action:
            case Visit(url=url):
                await tab.visit(self._address(url), self.settings.load)
            case Search(query=query):
                await tab.visit(self.settings.search_url(query), self.settings.load)
            case Back():
                await tab.go(-1)
            case Forward():
                await tab.go(+1)
            case SwitchTab(index=index):
                await tabs.switch(index)
            case CloseTab(index=index):
                await tabs.close(index)
            case Wait(seconds=seconds):
                await self._wait(tab, self.settings.wait if seconds is None else seconds)
            case Opaque(text=text):
                raise ActionFailed(f"{text[:80]!r} is no action that can be carried out")
            case _:
                raise ActionFailed(f"a browser cannot do {type(action).__name__}")

    async def _point(self, tab: Tab, action: acting.Pointing) -> Touched:
        places = points(action)
        at = places[0] if places else self._pointer
        x, y = acting.pixels(at, self.settings.viewport)
        before = Mark.of(tab)
        touched = read_touched(await tab.ask(f"hit({x:.2f}, {y:.2f})"))
        self._pointer = at
        await tab.unless_dialog(acting.point(tab, action, at, self.settings.viewport))
        self._pointer = places[-1] if places else at
        await self._settle(tab, before, WHEEL_FRAMES if isinstance(action, Scroll) else 0)
        return touched

    async def _type(self, tab: Tab, action: acting.Typing) -> Touched:
        if isinstance(action, (Hotkey, Press)):
            names = action.keys if isinstance(action, Hotkey) or len(action.keys) == 1 else ()
            own = keys.shortcut(names) if names else None
            if own is not None:
                await self._shortcut(tab, own)
                return Touched()
        before = Mark.of(tab)
        touched = read_touched(await tab.ask("focus()"))
        if self._clipboard and keys.may_paste(action):
            await tab.ask(f"clip({json.dumps(self._clipboard)})")
        await tab.unless_dialog(acting.type_keys(tab, action))
        await self._settle(tab, before)
        return touched

    async def _shortcut(self, tab: Tab, own: keys.Shortcut) -> None:
        tabs, before = self._open_tabs(), Mark.of(tab)
        match own:
            case keys.RELOAD:
                await tab.send("Page.reload")
                await tab.wait(lambda: tab.loading, 2.0)
            case keys.ADDRESS_BAR:
                return self._bar.open(tab.url)
            case keys.NEW_TAB:
                await tabs.add()
                self._bar.open("")
            case keys.NEXT_TAB:
                await tabs.step(+1)
            case keys.PREVIOUS_TAB:
                await tabs.step(-1)
            case _:
                await self._act(cast(Action, own))
        await self._settle(tab, before)

    async def _settle(self, tab: Tab, before: Mark, frames: int = 0) -> None:
        """Let the page come to rest, and any tab it opened."""
        await settle(tab, before, self.settings, frames)
        if tab.expects_dialog:
            await tab.wait(lambda: False, CHOOSER_SECONDS)
            tab.expects_dialog = False
        tabs = self._open_tabs()
        await tabs.new_ones(tab)
        front = await tabs.front()
        if front is not tab:
            await settle(front, Mark(), self.settings)
        if front.refused:
            await front.leave()
            await settle(front, Mark.of(front), self.settings)
        if self._downloads is not None and self._downloads.pending:
            await self._downloads.wait(self.settings.settle)

    async def _wait(self, tab: Tab, seconds: float) -> None:
        if seconds < 0 or seconds > self.settings.most_wait:
            raise ActionFailed(f"a wait of {seconds:g} s is not possible: choose 0 to {self.settings.most_wait:g}")
        await tab.wait(lambda: False, seconds)

    async def _read(self, tab: Tab) -> str:
        most = self.settings.most_text
        answer = await tab.ask(f"text({most})")
        if answer is None:
            raise ActionFailed("the page has no text that can be read")
        text, cut = msgspec.json.decode(answer, type=tuple[str, bool])
        return f"{text}\n[the page goes on]" if cut else text

    def _address(self, text: str) -> str:
        """What a person may type as an address; only web pages are opened."""
        url = text.strip()
        if "://" not in url and not url.startswith("about:") and not _has_scheme(url):
            own = self.policy.own(url.split("/")[0].split(":")[0], 80)
            url = f"{'http' if own else 'https'}://{url}"
        self.policy.check_document(url)
        return url

    async def _observe(self, wants: Wants, taken: tuple[Taken, ...]) -> Sight:
        tab = await self._open_tabs().front()
        if tab.dialog is not None:
            return self._observe_dialog(tab, wants, taken)
        answer, picture = await asyncio.gather(
            tab.ask(f"look({'true' if wants.elements else 'false'})"),
            self._capture_view(tab, wants),
        )
        tab.picture = picture or tab.picture
        title, elements = read_look(answer)
        tab.title = title if title is not None else tab.title
        observation = self._seen(tab, picture, elements)
        if wants.full_page and wants.picture:
            picture, size, view = await self._capture_page(tab)
            reference = ImageRef.of(picture, _png_size(picture))
            observation = replace(observation, picture=reference, size=size, kind="page", view=view)
        tree = tree_text((await tab.send("Accessibility.getFullAXTree"))["nodes"]) if wants.tree else None
        if wants.pointer and picture:
            picture = codec.encode(draw_pointer(codec.decode(picture), self._pointer, self.settings.scale))
            observation = replace(observation, picture=ImageRef.of(picture, _png_size(picture)))
        return Sight(observation, picture, taken, self._drained(), tree)

    def _observe_dialog(self, tab: Tab, wants: Wants, taken: tuple[Taken, ...]) -> Sight:
        """A page under a dialog cannot be captured; the dialog is drawn on what was seen of it last."""
        standing, screen = self._standing_on(tab), self.settings.viewport
        behind = codec.decode(tab.picture) if tab.picture else Image.new("RGB", (screen.width, screen.height), "white")
        drawn = codec.encode(draw_dialog(behind, standing.seen, standing.draft, screen)) if wants.picture else None
        observation = self._seen(tab, drawn, standing.elements if wants.elements else None)
        return Sight(replace(observation, dialog=standing.seen), drawn, taken, self._drained())

    async def _capture_view(self, tab: Tab, wants: Wants) -> bytes | None:
        if not wants.picture or wants.full_page:
            return None
        return await tab.capture_view(self.settings.viewport, self.settings.scale)

    async def _capture_page(self, tab: Tab) -> tuple[bytes, Size, Box]:
        """The whole page, from the top to a bound, and where the viewport lies in it."""
        whole, (left, top) = await tab.extent()
        size = Size(whole.width, min(whole.height, self.settings.most_height))
        shown = self.settings.viewport
        view = Box(left / size.width, top / size.height, shown.width / size.width, shown.height / size.height)
        return await tab.capture_page(size, self.settings.scale), size, view

    def _seen(self, tab: Tab, picture: bytes | None, elements: tuple[Element, ...] | None) -> Observation:
        return Observation(
            picture=ImageRef.of(picture, _png_size(picture)) if picture else None,
            size=self.settings.viewport,
            scale=self.settings.scale,
            url=tab.url,
            title=tab.title,
            tabs=self._open_tabs().seen(),
            pointer=self._pointer,
            elements=elements,
            time=self._clock(),
        )

    def _drained(self) -> tuple[Notice, ...]:
        """What happened since the last look, the proxy's refusals included."""
        if self._proxy is not None:
            for refusal in self._proxy.refusals:
                self._notices.append(
                    Notice("refused", f"{refusal.target}: {refusal.reason}", refusal.time - self._started)
                )
            self._proxy.refusals.clear()
        notices, self._notices = tuple(self._notices), []
        return notices

    def _tell(self, kind: str, text: str) -> None:
        if kind == "clipboard":
            self._clipboard = text
            return
        self._notices.append(Notice(kind, text, self._clock()))

    def _open_tabs(self) -> Tabs:
        if self._tabs is None:
            raise Infrastructure("the environment is closed: reset it first")
        return self._tabs

    def _clock(self) -> float:
        return round(time.monotonic() - self._started, 4)


def _without_secrets(action: Action) -> Action:
    """What may be written down of an action on a password field."""
    match action:
        case Write(text=text):
            return Write(SECRET * len(text))
        case Press(keys=names):
            return Press(tuple(SECRET if len(name) == 1 else name for name in names))
        case _:
            return action


def _length(action: Action) -> float:
    """How many seconds an action takes by itself, at most."""
    match action:
        case Wait(seconds=seconds):
            return seconds or 0.0
        case Write(text=text):
            return len(text) / 100
        case _:
            return 0.0


def _has_scheme(url: str) -> bool:
    head, colon, rest = url.partition(":")
    return bool(colon) and head.isalpha() and not rest[:1].isdigit()


def _png_size(data: bytes) -> Size:
    return Size(*struct.unpack(">II", data[16:24]))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
