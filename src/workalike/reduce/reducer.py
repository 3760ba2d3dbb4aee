"""Events → actions: a pure function over a stream, with an account of every event."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from urllib.parse import urlsplit

import msgspec

from workalike.core.recording import ButtonChanged, Event, PageChanged, WheelTurned, WindowChanged
from workalike.core.screen import Size
from workalike.reduce.account import Dropped, Gesture, Reduction
from workalike.reduce.gestures import gesture
from workalike.reduce.merging import Merger, PartialGesture, Stirred
from workalike.reduce.settings import ReduceSettings
from workalike.reduce.strokes import Stroke, Strokes


class ShownArea(msgspec.Struct, frozen=True):
    """What the pictures show from one time on: an area of this size, in the pixels that events speak of."""

    start: float
    size: Size


class Whereabouts:
    """Where a person is while they act, by pages and windows.

    A title changes while one types (`*Untitled`), and so does what an address asks for (`?q=`): that is still the same
    place. Another program or another address without its question is another; the event file of a browser that begins
    with typing was somewhere before its first page is told."""

    def __init__(self) -> None:
        self._place: tuple[str, ...] | None = None
        self._program: str | None = None

    def left(self, event: Event) -> bool:
        """Whether an event takes the person somewhere else.

        >>> where = Whereabouts()
        >>> [where.left(PageChanged(0, url)) for url in ("https://x.org/a", "https://x.org/a?q=b", "https://x.org/b")]
        [True, False, True]
        """
        if isinstance(event, PageChanged):
            before, self._place = self._place, _place(event.url)
            return self._place != before
        if isinstance(event, WindowChanged) and (event.title or event.program):  # with neither, no window is active
            program, self._program = self._program, event.program
            return program is not None and program != event.program
        return False


def still(start: float, end: float) -> bool:
    """What is known of the screen without pictures of it: nothing changed there."""
    return False


def reduce_events(
    events: Iterable[Event],
    shown: Size | Sequence[ShownArea],
    settings: ReduceSettings = ReduceSettings(),
    stirred: Stirred = still,
) -> Iterator[Gesture | Dropped]:
    """What a person did, one gesture after the other as soon as it is certain, and what was left out and why. `stirred`
    is asked about long silences in typing: where the screen changed, somebody waited for it; otherwise they thought.

    >>> from workalike.core.recording import ButtonChanged
    >>> clicked = [ButtonChanged(1.0, 50, 20, "left", True), ButtonChanged(1.1, 50, 20, "left", False)]
    >>> [thing.actions for thing in reduce_events(clicked, Size(100, 100))]
    [(Click(at=Point(x=0.5, y=0.2), button='left', count=1, modifiers=()),)]
    """
    areas = (ShownArea(0.0, shown),) if isinstance(shown, Size) else tuple(shown)
    strokes, merger, whereabouts = Strokes(settings), Merger(settings, stirred), Whereabouts()
    moves: set[int] = set()
    for index, event in enumerate(events):
        if whereabouts.left(event):
            moves.add(index)
        for item in strokes.feed(index, event):
            yield from _means(item, areas, merger, settings, moves)
    for item in strokes.finish():
        yield from _means(item, areas, merger, settings, moves)
    yield from merger.finish()


def reduction(
    events: Iterable[Event],
    shown: Size | Sequence[ShownArea],
    settings: ReduceSettings = ReduceSettings(),
    stirred: Stirred = still,
) -> Reduction:
    """All of it at once, with the account."""
    counted = [0]

    def count() -> Iterator[Event]:
        for event in events:
            counted[0] += 1
            yield event

    things = list(reduce_events(count(), shown, settings, stirred))
    return Reduction(
        gestures=tuple(thing for thing in things if isinstance(thing, Gesture)),
        dropped=tuple(thing for thing in things if isinstance(thing, Dropped)),
        events=counted[0],
        settings=settings,
    )


def _means(
    item: Stroke | Dropped,
    areas: Sequence[ShownArea],
    merger: Merger,
    settings: ReduceSettings,
    moves: AbstractSet[int],
) -> Iterator[Gesture | Dropped]:
    if isinstance(item, Dropped):
        if any(index in moves for index in item.events):
            merger.elsewhere()
        yield item
        return
    size = _area(areas, item.event.time)
    meant = gesture(item, size, settings)
    if isinstance(meant, Dropped):
        yield from merger.interrupt()
        yield meant
        return
    pressed = item.event
    place = (pressed.x, pressed.y) if isinstance(pressed, ButtonChanged | WheelTurned) else None
    under = tuple(held.events[0] for held in item.held)
    moments = tuple(move.time for _, move in item.approach)
    yield from merger.feed(PartialGesture(meant, size, under, item.event.time, place, moments))


def _area(areas: Sequence[ShownArea], time: float) -> Size:
    return areas[max(0, bisect_right(areas, time, key=lambda area: area.start) - 1)].size


def _place(url: str) -> tuple[str, ...]:
    """An address without what is asked there. What follows # counts where it names a page, as in `#/inbox`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return (url,)
    route = parts.fragment.split("?")[0] if parts.fragment.startswith(("/", "!/")) else ""
    return (parts.scheme, parts.netloc, parts.path, route)
