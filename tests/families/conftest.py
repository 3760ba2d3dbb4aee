"""What the agents' tests share: the models' server, a browser, and turns made by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import cache

import pytest
import pytest_asyncio
from PIL import Image

from tests.env.web import Web
from tests.models.conftest import serve, server
from workalike.core.contracts import Percept
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.families.base import Family
from workalike.families.turns import Turn
from workalike.models.messages import Reply, Text
from workalike.pictures.codec import encode

__all__ = ["serve", "server"]

SCREEN = Size(1440, 900)
TASK = Task("t1", "Find the cheapest trip.", persona={"first_name": "Ada"}, start_url="http://web.localhost/")
ELEMENTS = (
    Element("textbox", "City", Box(0.1, 0.1, 0.2, 0.05), 1, value=""),
    Element("button", "Go", Box(0.4, 0.1, 0.1, 0.05), 2),
)


@cache
def png(shade: int, size: Size = SCREEN) -> bytes:
    return encode(Image.new("RGB", (size.width, size.height), (shade, shade, shade)))


def percept(
    shade: int = 0,
    taken: tuple[ActionResult, ...] = (),
    notices: tuple[Notice, ...] = (),
    url: str = "http://web.localhost/trips?secret=1",
    scale: int = 1,
) -> Percept:
    """A look at a page of one shade of grey."""
    data = png(shade, Size(SCREEN.width * scale, SCREEN.height * scale))
    seen = Observation(ImageRef.of(data), SCREEN, float(scale), url=url, elements=ELEMENTS)
    return Percept(seen, data, taken, notices)


def turns(family: Family[object], replies: list[str], last: Percept | None = None) -> list[Turn]:  # type: ignore[type-var]
    """Turns as an agent would remember them: one for each reply, and the one to decide on."""
    made: list[Turn] = []
    for number, text in enumerate(replies):
        look = percept(number)
        turn = Turn(number, look, family.shot(look))
        turn.reply = Reply((Text(text),))
        turn.said = family.read(turn.reply, turn)
        made.append(turn)
    look = last or percept(len(replies))
    return [*made, Turn(len(made), look, family.shot(look))]


@pytest.fixture(scope="session")
def web() -> Iterator[Web]:
    with Web() as web:
        yield web


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def stage() -> AsyncIterator[Stage]:
    async with Stage(BrowserSettings(load=8.0, settle=2.0)) as stage:
        yield stage
