"""Tell how much two pictures of a screen differ, and where."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

from workalike.core.screen import Box

NOTICEABLE = 24
NEARLY_SAME = 0.0005
_CELL = 32


def changed_fraction(first: Image.Image, second: Image.Image, noticeable: int = NOTICEABLE) -> float:
    """The share of pixels that differ noticeably; pictures of different sizes differ wholly."""
    if first.size != second.size:
        return 1.0
    return float(np.mean(_changed(first, second, noticeable)))


def near_duplicate(first: Image.Image, second: Image.Image, tolerance: float = NEARLY_SAME) -> bool:
    """Whether two pictures show the same screen, a blinking caret or a clock aside."""
    return changed_fraction(first, second) <= tolerance


class PictureChange(msgspec.Struct, frozen=True):
    """How much of a picture differs noticeably from another, and the smallest box around the largest part of it that
    hangs together (None: nothing differs): a clock or a pointer elsewhere does not count."""

    share: float
    box: Box | None = None


def change_between(
    first: Image.Image, second: Image.Image, little: float = 1.0, noticeable: int = NOTICEABLE
) -> PictureChange:
    """How two pictures differ, in a fraction of the time that the exact `changed_box` takes. Where it is looked for
    only if the change is `little`, a larger one has the whole picture as its box."""
    everywhere = Box(0.0, 0.0, 1.0, 1.0)
    if first.size != second.size:
        return PictureChange(1.0, everywhere)
    levels = [0] * (noticeable + 1) + [255] * (255 - noticeable)
    differs = ImageChops.difference(first.convert("L"), second.convert("L")).point(levels)
    count = differs.histogram()[255]
    share = count / (differs.width * differs.height)
    return PictureChange(share, None if not count else _largest_part(differs) if share <= little else everywhere)


def _largest_part(differs: Image.Image) -> Box:
    """The largest part of what differs that hangs together, by cells of some pixels."""
    grid = np.asarray(differs.reduce(_CELL))
    left = set(zip(*map(np.ndarray.tolist, np.nonzero(grid)), strict=True))
    if not left:  # too little in any one cell
        corners = differs.getbbox() or (0, 0, differs.width, differs.height)
        return _box(corners, differs.size)
    parts: list[list[tuple[int, int]]] = []
    while left:
        part = [left.pop()]
        for row, column in part:
            near = {(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)} & left
            left -= near
            part.extend(near)
        parts.append(part)
    rows, columns = zip(*max(parts, key=lambda part: sum(int(grid[cell]) for cell in part)), strict=True)
    right, bottom = (max(columns) + 1) * _CELL, (max(rows) + 1) * _CELL
    corners = min(columns) * _CELL, min(rows) * _CELL, min(right, differs.width), min(bottom, differs.height)
    return _box(corners, differs.size)


def _box(corners: tuple[int, int, int, int], size: tuple[int, int]) -> Box:
    (left, top, right, bottom), (wide, high) = corners, size
    return Box(left / wide, top / high, (right - left) / wide, (bottom - top) / high)


def changed_box(first: Image.Image, second: Image.Image, noticeable: int = NOTICEABLE) -> Box | None:
    """The smallest box around everything that differs; None when nothing does."""
    if first.size != second.size:
        return Box(0.0, 0.0, 1.0, 1.0)
    changed = _changed(first, second, noticeable)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return None
    high, wide = changed.shape
    left, top = int(columns[0]), int(rows[0])
    return Box(left / wide, top / high, (int(columns[-1]) + 1 - left) / wide, (int(rows[-1]) + 1 - top) / high)


def _changed(first: Image.Image, second: Image.Image, noticeable: int) -> NDArray[np.bool_]:
    one, other = np.asarray(first.convert("L"), np.int16), np.asarray(second.convert("L"), np.int16)
    changed: NDArray[np.bool_] = np.abs(one - other) > noticeable
    return changed
