"""Whether a screen has settled: pictures compared on the luma plane, tolerant of noise, of a caret, of a clock, and of
the pointer itself. Pure functions over small arrays; nothing here decodes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
import numpy.typing as npt

from workalike.core.screen import Size
from workalike.reduce.windows import MatchSettings, SearchWindow

Cells = npt.NDArray[np.uint8]
_SIDE = 8


class FrameLook(msgspec.Struct, frozen=True):
    """One frame as far as comparing goes: since when it was seen, its cells, and where the pointer was in it, in
    cells; None where the pointer is not in the picture."""

    time: float
    cells: Cells
    pointer: tuple[float, float] | None = None


class ChosenFrame(msgspec.Struct, frozen=True):
    """Which of some looks is the state; whether the screen had settled in it; whether it is from before the
    approach, or from later because the screen changed meanwhile."""

    index: int
    settled: bool
    before_approach: bool = True


def cells_of(luma: npt.NDArray[np.uint8]) -> Cells:
    """A picture as means of squares of 8 pixels, of which every fourth pixel of every fourth row is read."""
    few = luma[::4, ::4]
    high, wide = few.shape[0] // 2 * 2, few.shape[1] // 2 * 2
    corners = [few[row:high:2, column:wide:2].astype(np.uint16) for row in (0, 1) for column in (0, 1)]
    sums: npt.NDArray[np.uint16] = corners[0] + corners[1] + corners[2] + corners[3]
    return (sums >> 2).astype(np.uint8)


def cell_place(place: tuple[float, float], shown: Size, frame: Size) -> tuple[float, float]:
    """A place on the screen in cells of the picture."""
    return place[0] * frame.width / shown.width / _SIDE, place[1] * frame.height / shown.height / _SIDE


def differing(one: FrameLook, other: FrameLook, reach: float, noise: int) -> int:
    """How many cells differ, those around the pointer in either look left out."""
    apart = np.maximum(one.cells, other.cells) - np.minimum(one.cells, other.cells) > noise
    for look in (one, other):
        if look.pointer is not None:
            column, row = look.pointer
            top, left = max(0, int(row - reach)), max(0, int(column - reach))
            apart[top : max(0, int(row + reach) + 1), left : max(0, int(column + reach) + 1)] = False
    return int(np.count_nonzero(apart))


def choose(
    window: SearchWindow, looks: Sequence[FrameLook], settings: MatchSettings, reach: float
) -> ChosenFrame | None:
    """The state among the looks at a window, in order of time; None when there is none."""
    usable = [look for look in looks if look.time <= window.arrival]
    if not usable:
        return None
    since = _still_since(usable, settings, reach)
    early = _at(usable, since, window, window.began, settings, reach)
    late = _at(usable, since, window, window.arrival, settings, reach) or ChosenFrame(len(usable) - 1, False, False)
    # A person who moves on at once may be overtaken by what the action before brings up, however small that is; one
    # who had looked around for a while moves over things that only light up under the pointer.
    looked = window.began - window.floor >= settings.effect
    if early is None or not looked or (late.settled and not early.settled):
        return late
    hovered = differing(usable[early.index], usable[-1], reach, settings.noise)
    return early if hovered <= settings.hover * usable[-1].cells.size else late


def _at(
    looks: Sequence[FrameLook],
    since: Sequence[float],
    window: SearchWindow,
    limit: float,
    settings: MatchSettings,
    reach: float,
) -> ChosenFrame | None:
    """The last settled look up to a time; the very last one where the screen has changed since it had settled."""
    upto = [i for i, look in enumerate(looks) if look.time <= limit]
    if not upto:
        return None
    before = looks[upto[-1]].time <= window.began
    settled = _last_settled(looks, since, window, limit, settings)
    if settled is None or changed(looks[settled], looks[upto[-1]], settings, reach):
        return ChosenFrame(upto[-1], False, before)
    return ChosenFrame(settled, True, looks[settled].time <= window.began)


def changed(one: FrameLook, other: FrameLook, settings: MatchSettings, reach: float) -> bool:
    """Whether a person would say that the screen changed between two looks."""
    return differing(one, other, reach, settings.noise) > settings.cells


def _still_since(looks: Sequence[FrameLook], settings: MatchSettings, reach: float) -> list[float]:
    """For each look, since when the screen had been like this."""
    since = [looks[0].time]
    for before, look in pairwise(looks):
        since.append(look.time if changed(before, look, settings, reach) else since[-1])
    return since


def _last_settled(
    looks: Sequence[FrameLook], since: Sequence[float], window: SearchWindow, limit: float, settings: MatchSettings
) -> int | None:
    """The last look that was still on the screen, settled, after the floor and before a limit."""
    ends = [*(min(look.time, limit) for look in looks[1:]), limit]
    for index in range(len(looks) - 1, -1, -1):
        end = ends[index]
        if looks[index].time <= limit and end > window.floor and end - since[index] >= settings.settled:
            return index
    return None
