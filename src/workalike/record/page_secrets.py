"""Where password fields are in a page that is being recorded, in its frames too, of whatever site.

A frame knows where its fields lie within itself; where the frame lies in the page is asked of the browser, some times a
second while there is need. Everything is held for longer than that before it is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

Field = tuple[float, float, float, float]  # left, top, width and height in the page's view
Quad = tuple[float, ...]  # the four corners of a frame in the page's view, clockwise from the upper left
_ASK_EVERY = 0.05


class Fields(msgspec.Struct, frozen=True):
    """The password fields of one document, and the size of its own view."""

    boxes: tuple[Field, ...]
    view: tuple[float, float]
    top: bool


class SecretPlaces:
    """Collects what the documents of one page tell. `tell` gets all the places whenever some have changed, with the
    time of the change where it is known."""

    def __init__(
        self,
        cdp: CDPSession,
        tell: Callable[[list[Field], float | None], None],
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Future[None]],
    ) -> None:
        self._cdp, self._tell, self._spawn = cdp, tell, spawn
        self._frames: dict[int, str] = {}
        self._fields: dict[int, Fields] = {}
        self._quads: dict[int, Quad | None] = {}
        self._following: asyncio.Future[None] | None = None
        cdp.on("Runtime.executionContextCreated", self._began)
        cdp.on("Runtime.executionContextDestroyed", lambda gone: self._gone(gone["executionContextId"]))
        cdp.on("Runtime.executionContextsCleared", lambda _: self._cleared())

    def told(self, context: int, fields: Fields, when: float) -> None:
        """A document, known by the context of its script, told where its fields are."""
        self._fields[context] = fields
        self._tell(self._places(), when)
        if self._framed() and (self._following is None or self._following.done()):
            self._following = self._spawn(self._follow())

    def _began(self, created: dict[str, Any]) -> None:
        context = created["context"]
        self._frames[context["id"]] = context["auxData"].get("frameId", "")

    def _gone(self, context: int) -> None:
        self._frames.pop(context, None)
        self._quads.pop(context, None)
        if self._fields.pop(context, None) is not None:
            self._tell(self._places(), None)

    def _cleared(self) -> None:
        """The page goes elsewhere; what is still shown of it stays hidden until the next document tells."""
        self._frames, self._fields, self._quads = {}, {}, {}

    def _framed(self) -> list[int]:
        return [context for context, fields in self._fields.items() if fields.boxes and not fields.top]

    def _places(self) -> list[Field]:
        return [box for context in self._fields for box in self._shown(context, self._quads.get(context))]

    def _shown(self, context: int, quad: Quad | None) -> list[Field]:
        fields = self._fields[context]
        if fields.top:
            return list(fields.boxes)
        return [place for box in fields.boxes if quad and (place := within(quad, fields.view, box))]

    async def _follow(self) -> None:
        """Keep asking where the frames are that have such fields, until there are none."""
        while framed := self._framed():
            found = {context: await self._quad(context) for context in framed}
            moved = [context for context in found if found[context] != self._quads.get(context)]
            between = [box for context in moved for box in self._passed(context, found[context])]
            self._quads |= found
            if moved:
                self._tell([*self._places(), *between], None)
            await asyncio.sleep(_ASK_EVERY)
            if between:
                self._tell(self._places(), None)

    def _passed(self, context: int, quad: Quad | None) -> list[Field]:
        """What the fields of a frame passed over on the way from where it was."""
        if context not in self._fields:
            return []  # it has gone while it was asked about
        pairs = zip(self._shown(context, self._quads.get(context)), self._shown(context, quad), strict=False)
        return [_around([one, other]) for one, other in pairs]

    async def _quad(self, context: int) -> Quad | None:
        """Where the frame of a document is; None where it is not shown."""
        try:
            owner = await self._cdp.send("DOM.getFrameOwner", {"frameId": self._frames.get(context, "")})
        except PlaywrightError:
            self._gone(context)
            return None
        try:
            box = await self._cdp.send("DOM.getBoxModel", {"backendNodeId": owner["backendNodeId"]})
        except PlaywrightError:
            return None
        return tuple(box["model"]["content"])


def within(quad: Quad, view: tuple[float, float], box: Field) -> Field | None:
    """A place in a frame as a place in the page; None where the frame does not show it.

    >>> within((100, 50, 300, 50, 300, 150, 100, 150), (100, 50), (10, 20, 30, 40))
    (120.0, 90.0, 60.0, 60.0)
    """
    left, top = max(0.0, box[0]), max(0.0, box[1])
    right, bottom = min(view[0], box[0] + box[2]), min(view[1], box[1] + box[3])
    if left >= right or top >= bottom:
        return None
    x, y, across, down = (
        quad[0],
        quad[1],
        (quad[2] - quad[0], quad[3] - quad[1]),
        (quad[6] - quad[0], quad[7] - quad[1]),
    )
    corners = [(right_by / view[0], down_by / view[1]) for right_by in (left, right) for down_by in (top, bottom)]
    points = [(x + a * across[0] + d * down[0], y + a * across[1] + d * down[1]) for a, d in corners]
    return _around([(*point, 0.0, 0.0) for point in points])


def _around(boxes: Sequence[Field]) -> Field:
    """The smallest box that holds all of some."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return (float(left), float(top), float(right - left), float(bottom - top))
