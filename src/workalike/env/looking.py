"""Look at an attempt: the picture, what is on it, and what happened meanwhile, as an agent is shown it."""

from __future__ import annotations

import asyncio
import struct

from msgspec.structs import replace
from PIL import Image

from workalike.core.contracts import Sight, Wants
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.trajectory import Taken
from workalike.env import frames
from workalike.env.attempt import Attempt
from workalike.env.capturing import capture_page, capture_view, extent
from workalike.env.elements import placed
from workalike.env.tab import Tab
from workalike.env.tree import tree_text
from workalike.pictures import codec
from workalike.pictures.actions import draw_pointer
from workalike.pictures.dialogs import draw_dialog


async def look(attempt: Attempt, wants: Wants, taken: tuple[Taken, ...]) -> Sight:
    """What is to be seen on the tab in front."""
    tab = await attempt.tabs.front()
    attempt.page_view = None
    if tab.dialog is not None:
        return _look_at_dialog(attempt, tab, wants, taken)
    told, picture = await asyncio.gather(frames.look(tab, wants.elements), _capture(attempt, tab, wants))
    tab.title = tab.title if told.title is None else told.title
    tab.picture = picture or tab.picture
    observation = _observation(attempt, tab, told.elements)
    if wants.picture and wants.full_page:
        observation, picture = await _whole_page(attempt, tab, observation)
    if picture is not None and wants.pointer and observation.pointer is not None:
        drawn = draw_pointer(codec.decode(picture), observation.pointer, attempt.settings.scale)
        picture = codec.encode(drawn)
    tree = tree_text((await tab.send("Accessibility.getFullAXTree"))["nodes"]) if wants.tree else None
    return Sight(_with_picture(observation, picture), picture, taken, attempt.drain(), tree)


async def _capture(attempt: Attempt, tab: Tab, wants: Wants) -> bytes | None:
    if not wants.picture or wants.full_page:
        return None
    return await capture_view(tab, attempt.settings.viewport, attempt.settings.scale)


def _look_at_dialog(attempt: Attempt, tab: Tab, wants: Wants, taken: tuple[Taken, ...]) -> Sight:
    """A page under a dialog cannot be captured; the dialog is drawn on what was seen of it last."""
    standing, screen, picture = attempt.standing_on(tab), attempt.settings.viewport, None
    if wants.picture:
        behind = codec.decode(tab.picture) if tab.picture else Image.new("RGB", (screen.width, screen.height), "white")
        picture = codec.encode(draw_dialog(behind, standing.seen, standing.draft, screen))
    observation = _observation(attempt, tab, standing.elements if wants.elements else None)
    observation = replace(observation, dialog=standing.seen)
    return Sight(_with_picture(observation, picture), picture, taken, attempt.drain())


async def _whole_page(attempt: Attempt, tab: Tab, observation: Observation) -> tuple[Observation, bytes]:
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
    seen = replace(observation, size=size, kind="page", view=view, elements=elements, pointer=pointer)
    return seen, picture


def _observation(attempt: Attempt, tab: Tab, elements: tuple[Element, ...] | None) -> Observation:
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
