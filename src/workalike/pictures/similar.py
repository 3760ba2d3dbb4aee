"""Tell how much two pictures of a screen differ, and where."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from workalike.core.screen import Box

NOTICEABLE = 24
NEARLY_SAME = 0.0005


def changed_fraction(first: Image.Image, second: Image.Image, noticeable: int = NOTICEABLE) -> float:
    """The share of pixels that differ noticeably; pictures of different sizes differ wholly."""
    if first.size != second.size:
        return 1.0
    return float(np.mean(_changed(first, second, noticeable)))


def near_duplicate(first: Image.Image, second: Image.Image, tolerance: float = NEARLY_SAME) -> bool:
    """Whether two pictures show the same screen, a blinking caret or a clock aside."""
    return changed_fraction(first, second) <= tolerance


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
