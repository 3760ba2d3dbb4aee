"""Ask a page and the frames of other sites in it as one: what can be acted on, what lies at a place, what it says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import msgspec

from workalike.core.screen import Point, Size
from workalike.env.browser.acting import pixels
from workalike.env.browser.elements import (
    PageElements,
    Touched,
    placed,
    read_focus,
    read_look,
    read_lying,
    read_touched,
)
from workalike.env.browser.tab import BrowserTab

MOST_NESTED = 4


class _Marks(msgspec.Struct, frozen=True):
    kept: msgspec.Raw
    foreign: tuple[tuple[int, str | None, msgspec.Raw], ...]


_TOLD = msgspec.json.Decoder(tuple[str, _Marks])
_TEXT = msgspec.json.Decoder(tuple[str, bool])


async def look(tab: BrowserTab, with_elements: bool, with_picture: bool = False) -> PageElements:
    """The page's title and, where wanted, its elements; those in other sites' frames stand where the frame does. With a
    picture that is taken meanwhile, it is looked at when that is drawn: before, it would keep the picture waiting."""
    if with_elements:
        tab.call_out_listeners()
    late = with_elements and with_picture
    seen = read_look(await tab.ask("lookWhenDrawn()" if late else f"look({json.dumps(with_elements)})"))
    told: dict[str, _Marks] = {}
    paths = list(seen.frames)
    for _ in range(MOST_NESTED):
        if not paths:
            break
        answers = [_TOLD.decode(answer) for answer in await tab.ask_all(f"lookIn({json.dumps(paths)})")]
        told.update(answers)
        paths = [path for _, marks in answers for _, path, _ in marks.foreign if path is not None]
    if not told:
        return seen
    joined = await tab.ask(f"joined({msgspec.json.encode(told).decode()})")
    return seen if joined is None else msgspec.structs.replace(read_look(joined), beyond=seen.beyond)


async def hit(tab: BrowserTab, at: Point, x: float, y: float) -> Touched:
    """What an action at a place goes to, given as a fraction and in pixels of the viewport."""
    outer = read_touched(await tab.ask(f"hit({x:.2f}, {y:.2f})"))
    tab.acts_within = outer.frame is not None
    return await _innermost(tab, outer, at, "hitIn")


async def lies(tab: BrowserTab, places: Sequence[Point], screen: Size) -> tuple[Touched, ...]:
    """What lies at some places, told so that it can be compared."""
    if not places:
        return ()
    outer = read_lying(await tab.ask(f"lies({json.dumps([pixels(place, screen) for place in places])})"))
    inner = [_innermost(tab, touched, place, "liesIn") for touched, place in zip(outer, places, strict=False)]
    return tuple(await asyncio.gather(*inner))


async def _innermost(tab: BrowserTab, touched: Touched, at: Point, ask: str) -> Touched:
    for _ in range(MOST_NESTED):
        inner = await _hit_in(tab, touched, at, ask)
        if inner is None:
            break
        touched = inner
    return touched


async def _hit_in(tab: BrowserTab, touched: Touched, at: Point, ask: str) -> Touched | None:
    """The element within a frame of another site; None where there is none, or the frame doesn't answer."""
    frame = touched.frame
    if frame is None or frame.path is None or not frame.place.width or not frame.place.height:
        return None
    x, y = (at.x - frame.place.x) / frame.place.width, (at.y - frame.place.y) / frame.place.height
    for answer in await tab.ask_all(f"{ask}({json.dumps(frame.path)}, {x:.6f}, {y:.6f})"):
        inner = read_touched(answer)
        if inner.element is not None:
            deeper = inner.frame and msgspec.structs.replace(inner.frame, place=inner.frame.place.within(frame.place))
            return msgspec.structs.replace(inner, element=placed(inner.element, frame.place), frame=deeper)
    return None


async def focus(tab: BrowserTab) -> Touched:
    """What has the keyboard. Where that is a frame of another site, its own document knows what is in it and whether it
    is a secret; where none says so, it is taken for one."""
    touched = read_focus(await tab.ask("focus()"))
    tab.acts_within = touched.secret is None
    if touched.secret is not None:
        return touched
    inner = [read_touched(answer) for answer in await tab.ask_all("focusIn()")]
    known = [each for each in inner if each.element is not None and each.secret is not None]
    if not known:
        return Touched(touched.element, True)
    element = known[0].element and msgspec.structs.replace(known[0].element, box=None)  # it was told by another measure
    return Touched(element, any(each.secret for each in known))


async def text(tab: BrowserTab, most: int) -> str | None:
    """What the page and its frames say, each frame of another site after the rest."""
    answer = await tab.ask(f"text({most})")
    if answer is None:
        return None
    answers = [_TEXT.decode(each) for each in (answer, *await tab.ask_all(f"textIn({most})"))]
    whole = "\n\n".join(said for said, _ in answers if said)
    cut = len(whole) > most or any(more for _, more in answers)
    return f"{whole[:most]}\n[the page goes on]" if cut else whole
