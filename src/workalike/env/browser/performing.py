"""Carry an action out in an attempt: with the hands on a page, with the browser's own buttons, or on an open dialog."""

from __future__ import annotations

import json
from typing import cast, get_args
from urllib.parse import urlsplit

import msgspec

from workalike.core.actions import (
    Action,
    Back,
    CloseTab,
    Forward,
    Hotkey,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Visit,
    Wait,
    points,
    with_points,
)
from workalike.core.errors import ActionFailed
from workalike.core.screen import Point
from workalike.env import bounds, keys
from workalike.env.browser import acting, frames
from workalike.env.browser.elements import Touched
from workalike.env.browser.session import BrowserSession
from workalike.env.browser.settling import PageMark
from workalike.env.browser.tab import BrowserTab
from workalike.env.policy.reach import Policy

WHEEL_FRAMES = 4


async def perform(attempt: BrowserSession, action: Action) -> str | None:
    """Do it and let the page come to rest; returns what came back. What is touched is left with the attempt, so that it
    is known even if a dialog comes in between. An open dialog takes everything but the choice of another tab."""
    acting.check_points(action)
    bounds.check(action, attempt.settings.most_wait)
    tab = await attempt.tabs.front()
    if tab.dialog is not None and not isinstance(action, (SwitchTab, CloseTab)):
        await _answer(attempt, tab, action)
        return None
    typed = attempt.bar.take(action)
    if isinstance(typed, str):
        return typed if attempt.bar.text is None else None  # what it holds is told with the next look
    action = typed or action
    if isinstance(action, get_args(acting.Pointing)):
        await _point(attempt, tab, cast(acting.Pointing, action))
        return None
    if isinstance(action, get_args(acting.Typing)):
        await _type(attempt, tab, cast(acting.Typing, action))
        return None
    if isinstance(action, ReadPage):
        return await _read(tab, attempt.settings.most_text)
    before = PageMark.of(tab)
    await _browse(attempt, tab, action)
    await attempt.settle(tab, before)
    return None


async def _answer(attempt: BrowserSession, tab: BrowserTab, action: Action) -> None:
    standing, before = attempt.standing_on(tab), PageMark.of(tab)
    attempt.touched = Touched(await standing.answer(action, attempt.pointer))
    attempt.pointer = (*points(action), attempt.pointer)[-1]
    if standing.answered:
        tab.answered()
        await attempt.settle(tab, before)


async def _point(attempt: BrowserSession, tab: BrowserTab, action: acting.Pointing) -> None:
    if attempt.page_view is not None and points(action):
        action = await _on_viewport(attempt, tab, action)
    screen, places = attempt.settings.viewport, points(action)
    at = places[0] if places else attempt.pointer
    x, y = acting.pixels(at, screen)
    before = PageMark.of(tab)
    attempt.touched = await frames.hit(tab, at, x, y)
    attempt.pointer = at
    await tab.unless_dialog(acting.point(tab, action, at, screen))
    attempt.pointer = places[-1] if places else at
    await attempt.settle(tab, before, WHEEL_FRAMES if isinstance(action, Scroll) else 0)


async def _on_viewport(attempt: BrowserSession, tab: BrowserTab, action: acting.Pointing) -> acting.Pointing:
    """An action meant on a picture of the whole page: scroll to where it begins, and say its places anew."""
    assert attempt.page_view is not None
    whole, screen = attempt.page_view[0], attempt.settings.viewport
    first = points(action)[0]
    answer = await tab.ask(f"reveal({first.x * whole.width:.2f}, {first.y * whole.height:.2f})")
    if answer is None:
        raise ActionFailed("the page does not answer")
    left, top = msgspec.json.decode(answer, type=tuple[float, float])

    def moved(point: Point) -> Point:
        return screen.point(point.x * whole.width - left, point.y * whole.height - top)

    shown = cast(acting.Pointing, with_points(action, moved))
    acting.check_points(shown)
    return shown


async def _type(attempt: BrowserSession, tab: BrowserTab, action: acting.Typing) -> None:
    own = _shortcut_of(action)
    if own is not None:
        return await _shortcut(attempt, tab, own)
    before = PageMark.of(tab)
    attempt.touched = Touched(secret=True)  # until it is known
    attempt.touched = await frames.focus(tab)
    if attempt.clipboard and keys.may_paste(action):
        await tab.ask_all(f"clip({json.dumps(attempt.clipboard)})")
    await tab.unless_dialog(acting.type_keys(tab, action))
    await attempt.settle(tab, before)


def _shortcut_of(action: acting.Typing) -> keys.Shortcut | None:
    match action:
        case Hotkey(keys=names) | Press(keys=(_,) as names):
            return keys.shortcut(names)
        case _:
            return None


async def _shortcut(attempt: BrowserSession, tab: BrowserTab, own: keys.Shortcut) -> None:
    before = PageMark.of(tab)
    match own:
        case keys.RELOAD:
            await tab.send("Page.reload")
            await tab.wait(lambda: tab.loading, 2.0)
        case keys.ADDRESS_BAR:
            return attempt.bar.open(tab.url)
        case keys.NEW_TAB:
            await attempt.tabs.add()
            attempt.bar.open("")
        case keys.NEXT_TAB:
            await attempt.tabs.step(+1)
        case keys.PREVIOUS_TAB:
            await attempt.tabs.step(-1)
        case _:
            await _browse(attempt, tab, cast(Action, own))
    await attempt.settle(tab, before)


async def _browse(attempt: BrowserSession, tab: BrowserTab, action: Action) -> None:
    """What a person does with the browser's own buttons."""
    settings = attempt.settings
    match action:
        case Visit(url=url):
            await _visit(attempt, tab, address(url, attempt.policy))
        case Search(query=query):
            await tab.visit(settings.search_url(query), settings.load)
        case Back():
            await tab.go(-1)
        case Forward():
            await tab.go(+1)
        case SwitchTab(index=index):
            await attempt.tabs.switch(index)
        case CloseTab(index=index):
            await attempt.tabs.close(index)
        case Wait(seconds=seconds):
            await tab.wait(lambda: False, settings.wait if seconds is None else seconds)
        case Opaque(text=text):
            raise ActionFailed(f"{text[:80]!r} is no action that can be carried out")
        case _:
            raise ActionFailed(f"a browser cannot do {type(action).__name__}")


async def _visit(attempt: BrowserSession, tab: BrowserTab, url: str) -> None:
    """Go to an address; a site that cannot be reached is a failure, though the proxy shows a page in its place."""
    parts, failures = urlsplit(url), attempt.proxy.failures
    place = f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    failures.pop(place, None)
    try:
        await tab.visit(url, attempt.settings.load)
    except ActionFailed as error:
        raise ActionFailed(f"{error} ({failures[place]})" if place in failures else str(error)) from error
    if place in failures:
        raise ActionFailed(f"{url} could not be opened: {failures[place]}")


async def _read(tab: BrowserTab, most: int) -> str:
    text = await frames.text(tab, most)
    if text is None:
        raise ActionFailed("the page has no text that can be read")
    return text


def address(text: str, policy: Policy) -> str:
    """What a person may type as an address, in full; only web pages are opened. The benchmark's own hosts are served
    without TLS.

    >>> address("example.org/a", Policy(public=True))
    'https://example.org/a'
    """
    url = text.strip()
    scheme, colon, rest = url.partition("://")
    if not colon and not _has_scheme(url):
        scheme, rest = "https", url
        url = f"{scheme}://{rest}"
    if scheme.lower() == "https" and _is_own(f"//{rest}", policy):
        url = f"http://{rest}"
    policy.check_document(url)
    return url


def _is_own(place: str, policy: Policy) -> bool:
    try:
        parts = urlsplit(place)
        return policy.own(parts.hostname or "", parts.port or 80) is not None
    except ValueError:
        return False


def _has_scheme(url: str) -> bool:
    head, colon, rest = url.partition(":")
    return bool(colon) and head.replace("-", "").isalpha() and not rest[:1].isdigit()
