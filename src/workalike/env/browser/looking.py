"""Look at an attempt: the picture, what is on it, and what happened meanwhile, as an agent is shown it."""

from __future__ import annotations

import asyncio
import struct
from urllib.parse import urlsplit

from msgspec.structs import replace
from PIL import Image

from workalike.core.contracts import Glance, Percept, Wants
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.trajectory import ActionResult
from workalike.env.browser import frames
from workalike.env.browser.capturing import capture_page, capture_view, extent
from workalike.env.browser.elements import placed
from workalike.env.browser.session import BrowserSession
from workalike.env.browser.tab import BrowserTab
from workalike.env.browser.tree import tree_text
from workalike.pictures import codec
from workalike.pictures.actions import draw_pointer
from workalike.pictures.dialogs import draw_dialog


async def look(attempt: BrowserSession, wants: Wants, taken: tuple[ActionResult, ...]) -> Percept:
    """What is to be seen on the tab in front."""
    tab = await attempt.tabs.front()
    attempt.page_view = None
    if tab.dialog is not None:
        return _look_at_dialog(attempt, tab, wants, taken)
    in_view = wants.picture and not wants.full_page
    told, picture = await asyncio.gather(frames.look(tab, wants.elements, in_view), _capture(attempt, tab, in_view))
    tab.title = tab.title if told.title is None else told.title
    tab.picture = picture or tab.picture
    observation = replace(_observation(attempt, tab, told.elements), beyond=told.beyond)
    if wants.picture and wants.full_page:
        observation, picture = await _whole_page(attempt, tab, observation)
    if picture is not None and wants.pointer and observation.pointer is not None:
        drawn = draw_pointer(codec.decode(picture), observation.pointer, attempt.settings.scale)
        picture = codec.encode(drawn)
    tree = tree_text((await tab.send("Accessibility.getFullAXTree"))["nodes"]) if wants.tree else None
    return Percept(_with_picture(observation, picture), picture, taken, attempt.drain(), tree)


async def glance(attempt: BrowserSession, places: tuple[Point, ...]) -> Glance:
    """Which page stands in front, and what lies at some places of the screen. Places on a picture of the whole page are
    left out: they may be off the screen."""
    tab = await attempt.tabs.front()
    page = f"{tab.document} {route(tab.url)}"
    if tab.dialog is not None:
        seen = attempt.standing_on(tab).seen
        return Glance(tab.id, page, f"{seen.kind} {seen.message}")
    if attempt.page_view is not None:
        return Glance(tab.id, page)
    lying = await frames.lies(tab, places, attempt.settings.viewport)
    return Glance(tab.id, page, spots=tuple(each.spot for each in lying))


def route(url: str) -> str:
    """The part of an address that another page has another of: not what is asked of it, nor a place on it.

    >>> route("https://a.example/hotels?q=London#reviews"), route("https://a.example/#/cart")
    ('a.example/hotels', 'a.example/#/cart')
    """
    parts = urlsplit(url)
    fragment = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{parts.netloc}{parts.path}{fragment}"


async def _capture(attempt: BrowserSession, tab: BrowserTab, wanted: bool) -> bytes | None:
    return await capture_view(tab, attempt.settings.viewport, attempt.settings.scale) if wanted else None


def _look_at_dialog(attempt: BrowserSession, tab: BrowserTab, wants: Wants, taken: tuple[ActionResult, ...]) -> Percept:
    """A page under a dialog cannot be captured; the dialog is drawn on what was seen of it last."""
    standing, screen, picture = attempt.standing_on(tab), attempt.settings.viewport, None
    if wants.picture:
        behind = codec.decode(tab.picture) if tab.picture else Image.new("RGB", (screen.width, screen.height), "white")
        picture = codec.encode(draw_dialog(behind, standing.seen, standing.draft, screen))
    observation = _observation(attempt, tab, standing.elements if wants.elements else None)
    observation = replace(observation, dialog=standing.seen)
    return Percept(_with_picture(observation, picture), picture, taken, attempt.drain())


async def _whole_page(attempt: BrowserSession, tab: BrowserTab, observation: Observation) -> tuple[Observation, bytes]:
    """The page from its top to a bound. Places are then fractions of that, and so are those that actions name."""
    whole, (left, top) = await extent(tab)
    size, shown = Size(whole.width, min(whole.height, attempt.settings.most_height)), attempt.settings.viewport
    view = Box(left / size.width, top / size.height, shown.width / size.width, shown.height / size.height)
    attempt.page_view = (size, view)
    elements = observation.elements and tuple(placed(one, view) for one in observation.elements)
    pointer = observation.pointer and Point(
        view.x + observation.pointer.x * view.width, view.y + observation.pointer.y * view.height
    )
    picture = await capture_page(tab, size, attempt.settings.scale)
    seen = replace(observation, size=size, kind="page", view=view, elements=elements, pointer=pointer, beyond=None)
    return seen, picture


def _observation(attempt: BrowserSession, tab: BrowserTab, elements: tuple[Element, ...] | None) -> Observation:
    return Observation(
        size=attempt.settings.viewport,
        scale=attempt.settings.scale,
        url=tab.url,
        title=tab.title,
        tabs=attempt.tabs.seen(),
        pointer=attempt.pointer,
        elements=elements,
        time=attempt.clock(),
    )


def _with_picture(observation: Observation, picture: bytes | None) -> Observation:
    if picture is None:
        return observation
    return replace(observation, picture=ImageRef.of(picture, Size(*struct.unpack(">II", picture[16:24]))))
