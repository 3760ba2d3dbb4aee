"""What of a page responds, told by effect: a grid of clicks, drags and wheels on fresh pages, before and after each of
which the state of everything is compared. The environment's marks are measured against it; it knows nothing of how they
are found, and drives a browser of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Browser, Dialog, Page, Request
from playwright.async_api import Error as PlaywrightError

SCRIPT = Path(__file__).with_name("effects.js").read_text()
STEP = 6
DRAG = (34, 22)
AFTER = 80
IDLE = 3000
TRIES = 5
MOST_HITS = 80
LARGEST = 0.4
FILLS = 0.4

Xy = tuple[float, float]
Rect = tuple[float, float, float, float]


class Effect(msgspec.Struct, frozen=True):
    """What one action did: `changes` that can be seen in the page, what it `scrolled`, and what had a handler run."""

    changes: frozenset[str] = frozenset()
    scrolled: frozenset[int] = frozenset()
    ran: frozenset[int] = frozenset()

    @property
    def nothing(self) -> bool:
        return not (self.changes or self.scrolled or self.ran)


class Target(msgspec.Struct, frozen=True):
    """Something that responds: how, where it was tried, and how far it reaches there. Several places may do the same:
    a field and its label, the parts of a row."""

    kind: str
    tag: str
    points: tuple[Xy, ...]
    boxes: tuple[Rect, ...]


class Responses(msgspec.Struct, frozen=True):
    """All that responds on one page, and the size of the viewport."""

    width: int
    height: int
    targets: tuple[Target, ...]


class Judged(msgspec.Struct, frozen=True):
    """Marks against what responds: the targets, those among them without a mark of their own, how many marks there
    are, and which of them are too large or do nothing."""

    targets: int
    missed: tuple[Target, ...]
    marks: int
    large: tuple[Rect, ...]
    dead: tuple[Rect, ...]


class Prober:
    """One page of a plain browser, opened anew whenever something has changed it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self._clean = False
        self._outside: list[str] = []
        self._noise: set[str] = set()
        page.on("dialog", self._dismiss)
        page.on("request", self._requested)
        page.on("popup", lambda _: self._outside.append("popup"))

    async def fresh(self) -> None:
        """The page as it is when nobody has touched it."""
        if self._clean:
            return
        for left in reversed(range(TRIES)):
            try:
                await self.page.goto(self.url)
                await self.page.wait_for_timeout(AFTER)
                await self.page.evaluate("__effects.begin()")
                break
            except PlaywrightError:  # where the last click led comes up only now, and takes the place of this
                if not left:
                    raise
        self._clean = True

    async def hits(self) -> list[dict[str, Any]]:
        """What a grid of points lies on."""
        await self.fresh()
        found: list[dict[str, Any]] = await self.page.evaluate("step => __effects.hits(step)", STEP)
        return found

    async def learn_noise(self, blank: Xy | None) -> None:
        """What changes by itself, or wherever one clicks, is nobody's response."""
        await self.fresh()
        before = await self._snapshot()
        if blank:
            await self.page.mouse.click(*blank)
        await self.page.wait_for_timeout(IDLE)
        self._noise = {_which(change) for change in _changes(before, await self._snapshot())}
        self._clean = False

    async def effect(self, kind: str, point: Xy) -> Effect:
        """Do it on a fresh page (click, wheel, drag, or hover along the way of the drag); what that did."""
        await self.fresh()
        mouse = self.page.mouse
        await mouse.move(*point)
        await self.page.wait_for_timeout(AFTER / 4)
        try:
            before = await self._snapshot()
            self._outside.clear()
            if kind == "click":
                await mouse.click(*point)
            elif kind == "wheel":
                await mouse.wheel(0, 40)
            else:
                if kind == "drag":
                    await mouse.down()
                await mouse.move(point[0] + DRAG[0], point[1] + DRAG[1], steps=6)
                if kind == "drag":
                    await mouse.up()
            await self.page.wait_for_timeout(AFTER)
            after = await self._snapshot()
            if await self.page.evaluate("__effects.unscroll()"):
                await self.page.wait_for_timeout(AFTER / 4)
        except PlaywrightError:  # the page has gone elsewhere
            self._clean = False
            await self._gone()
            return Effect(frozenset(self._outside or ["navigated"]))
        changes = {one for one in _changes(before, after) if _which(one) not in self._noise} | set(self._outside)
        ran = frozenset(after["ran"])
        scrolled = frozenset(
            int(one)
            for one in {*before["scrolled"], *after["scrolled"]}
            if before["scrolled"].get(one) != after["scrolled"].get(one)
        )
        self._clean = not (changes or scrolled or ran)
        return Effect(frozenset(changes), scrolled, ran)

    async def boxes(self, ids: Sequence[int]) -> dict[int, Rect]:
        """Where elements lie on the page as it stands."""
        return {one: tuple(box) for one, box in await self.page.evaluate("ids => __effects.boxes(ids)", list(ids))}

    async def _snapshot(self) -> dict[str, Any]:
        state: dict[str, Any] = await self.page.evaluate("__effects.snapshot()")
        return state

    async def _gone(self) -> None:
        with suppress(PlaywrightError):
            await self.page.wait_for_load_state()

    async def _dismiss(self, dialog: Dialog) -> None:
        self._outside.append(f"dialog {dialog.message}")
        with suppress(PlaywrightError):
            await dialog.dismiss()

    def _requested(self, request: Request) -> None:
        if request.is_navigation_request():
            self._outside.append(f"to {request.url}")


async def responses(prober: Prober) -> Responses:
    """Try every element that a grid of points finds, each on a fresh page."""
    hits = await prober.hits()
    grounds = [hit for hit in hits if hit["ground"]]
    await prober.learn_noise(_middle(grounds[-1]["points"]) if grounds else None)
    clicked: dict[int, Effect] = {}
    dragged: dict[int, Effect] = {}
    scrolled: dict[int, Rect] = {}
    tried = _sample([hit for hit in hits if not hit["ground"]])
    points = {hit["id"]: _middle(hit["points"]) for hit in tried}
    for point in points.values():
        wheeled = await prober.effect("wheel", point)
        if new := wheeled.scrolled - set(scrolled):
            scrolled |= await prober.boxes(list(new))
    for one, point in points.items():
        clicked[one] = await prober.effect("click", point)
        if not clicked[one].changes:
            dragged[one] = await _dragged(prober, point)
    size = prober.page.viewport_size
    assert size
    most = LARGEST * size["width"] * size["height"]
    by_id = {hit["id"]: hit for hit in tried}
    targets = [
        *_targets("click", clicked, by_id, points, most),
        *_targets("drag", dragged, by_id, points, most),
        *(Target("wheel", "", (box[:2],), (box,)) for box in scrolled.values() if box[2] * box[3] <= most),
    ]
    return Responses(size["width"], size["height"], tuple(targets))


async def _dragged(prober: Prober, point: Xy) -> Effect:
    """What a drag does that moving the pointer along the same way does not."""
    effect = await prober.effect("drag", point)
    if not effect.changes:
        return effect
    passing = {_which(one) for one in (await prober.effect("hover", point)).changes}
    return Effect(frozenset(one for one in effect.changes if _which(one) not in passing), ran=effect.ran)


def _targets(
    kind: str, effects: dict[int, Effect], hits: dict[int, dict[str, Any]], points: dict[int, Xy], most: float
) -> list[Target]:
    """What did something, one target for what did the same: the parts of a row do what the row does."""
    same: dict[tuple[frozenset[str], frozenset[int]], list[int]] = defaultdict(list)
    for one, effect in effects.items():
        if effect.changes:
            telling = {change for change in effect.changes if not change.endswith(" focused")} or effect.changes
            changes = frozenset(telling if kind == "click" else map(_which, telling))
            same[changes, effect.ran].append(one)
    _join(same, hits)
    found = []
    for members in same.values():
        boxes = {one: tuple(hits[one]["box"]) for one in members}
        small = [one for one, box in boxes.items() if box[2] * box[3] <= most]
        small.sort(key=lambda one: -len(hits[one]["points"]))
        if small:
            places, reach = tuple(points[one] for one in small), tuple(boxes[one] for one in small)
            found.append(Target(kind, hits[small[0]]["tag"], places, reach))
    return found


def _join(same: dict[tuple[frozenset[str], frozenset[int]], list[int]], hits: dict[int, dict[str, Any]]) -> None:
    """A tab and the link that fills it do the same, though more handlers run for the link: they are one."""
    for inner in sorted(same, key=lambda key: -len(key[1])):
        for outer in list(same):
            if outer[0] == inner[0] and outer[1] < inner[1] and inner in same:
                boxes = [tuple(hits[key[0]]["box"]) for key in (same[inner], same[outer])]
                if _overlap(boxes[0], boxes[1]) >= FILLS:
                    same[outer] += same.pop(inner)


def missed(found: Responses, marks: Sequence[Rect]) -> tuple[Target, ...]:
    """The targets without a mark of their own. One mark serves one target of a kind: the one it fits best."""
    without = [
        target
        for target in found.targets
        if target.kind == "wheel" and not any(_overlap(mark, target.boxes[0]) >= 0.5 for mark in marks)
    ]
    for kind in ("click", "drag"):
        targets = [target for target in found.targets if target.kind == kind]
        fits = sorted(
            ((fit, at, number) for at, target in enumerate(targets) for number, fit in _fits(target, marks).items()),
            reverse=True,
        )
        served: dict[int, int] = {}
        for _, at, number in fits:
            if at not in served and number not in served.values():
                served[at] = number
        without += [target for at, target in enumerate(targets) if at not in served]
    return tuple(without)


def _fits(target: Target, marks: Sequence[Rect]) -> dict[int, float]:
    """The marks that a target may take for its own, and how well each fits: where it was tried, the smallest there."""
    fits: dict[int, float] = {}
    for point, box in zip(target.points, target.boxes, strict=True):
        under = [number for number, mark in enumerate(marks) if _holds(mark, point)]
        if under:
            smallest = min(under, key=lambda number: marks[number][2] * marks[number][3])
            fits[smallest] = max(fits.get(smallest, 0.0), _overlap(marks[smallest], box))
    return fits


async def judge(prober: Prober, found: Responses, marks: Sequence[Rect]) -> Judged:
    """Hold the marks against what responds, and try each of them."""
    dead = []
    for mark in marks:
        point = (mark[0] + mark[2] / 2, mark[1] + mark[3] / 2)
        if all([(await prober.effect(kind, point)).nothing for kind in ("click", "wheel", "drag")]):
            dead.append(mark)
    most = LARGEST * found.width * found.height
    large = tuple(mark for mark in marks if mark[2] * mark[3] > most)
    return Judged(len(found.targets), missed(found, marks), len(marks), large, tuple(dead))


@asynccontextmanager
async def prober(browser: Browser, url: str, width: int, height: int) -> AsyncIterator[Prober]:
    """A page to try things on, laid out as the environment lays it out."""
    context = await browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    try:
        await context.add_init_script(SCRIPT)
        yield Prober(await context.new_page(), url)
    finally:
        await context.close()


def _changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """The differences of two looks, each beginning with the element's number."""
    changes = set()
    for one in {*before["elements"], *after["elements"]}:
        old, new = before["elements"].get(one), after["elements"].get(one)
        if old is None or new is None:
            changes.add(f"{(old or new)[2]} {'lost' if new is None else 'got'} one")
        elif old != new:
            changes.add(f"{one} is {new[0]}" if old[0] != new[0] else f"{one} moved")
    if after["focus"] is not None and after["focus"] != before["focus"]:
        changes.add(f"{after['focus']} focused")
    if before["url"] != after["url"]:
        changes.add(f"- {after['url']}")
    return changes


def _which(change: str) -> str:
    return change.partition(" ")[0]


def _middle(points: Sequence[Sequence[float]]) -> Xy:
    """The point of some nearest to their middle."""
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    best = min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)
    return best[0], best[1]


def _sample(hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some of many, evenly."""
    every = max(1, -(-len(hits) // MOST_HITS))
    return hits[::every]


def _holds(mark: Rect, point: Xy) -> bool:
    return mark[0] - 1 <= point[0] <= mark[0] + mark[2] + 1 and mark[1] - 1 <= point[1] <= mark[1] + mark[3] + 1


def _overlap(one: Rect, other: Rect) -> float:
    """How much of both is common: 1 for the same, 0 for apart."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    common = max(0.0, width) * max(0.0, height)
    return common / max(1e-9, one[2] * one[3] + other[2] * other[3] - common)
