"""Draw numbered marks on a screenshot: an outline for each element and a label that hides no other label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from workalike.core.observation import Element
from workalike.core.screen import Box
from workalike.pictures.fonts import font

Taken = NDArray[np.bool_]
Place = tuple[int, int]
COLOURS = ((196, 30, 58), (0, 92, 175), (0, 122, 61), (148, 0, 148), (163, 84, 0), (0, 110, 120), (90, 60, 170))
_TEXT = 12


def draw_marks(picture: Image.Image, elements: Sequence[Element], scale: float = 1.0) -> Image.Image:
    """The picture itself, an RGB one, with every marked element outlined and numbered; `scale` is the screen's device
    scale. Nothing is copied: a screenshot is decoded for this and no more."""
    marked = [(one.mark, one.box) for one in elements if one.mark is not None and one.box is not None]
    draw, line = ImageDraw.Draw(picture), max(1, round(scale))
    corners = [_corners(box, *picture.size) for _, box in marked]
    labels = [_label(mark, COLOURS[mark % len(COLOURS)], round(_TEXT * scale)) for mark, _ in marked]
    for (mark, _), (left, top, right, bottom) in zip(marked, corners, strict=True):
        outline = (left, top, max(left, right - 1), max(top, bottom - 1))
        draw.rectangle(outline, outline=COLOURS[mark % len(COLOURS)], width=line)
    for label, place in zip(labels, place_labels(corners, [label.size for label in labels], picture.size), strict=True):
        picture.paste(label, place)
    return picture


def place_labels(
    boxes: Sequence[tuple[int, int, int, int]], sizes: Sequence[tuple[int, int]], screen: tuple[int, int]
) -> list[Place]:
    """Where each label goes: at its box's edge if that is free, else at the nearest free place. No two overlap as
    long as there is room at all."""
    taken = np.zeros((screen[1], screen[0]), dtype=np.bool_)
    places = []
    for box, size in zip(boxes, sizes, strict=True):
        x, y = _free_place(box, size, taken)
        taken[y : y + size[1], x : x + size[0]] = True
        places.append((x, y))
    return places


def _free_place(box: tuple[int, int, int, int], size: tuple[int, int], taken: Taken) -> Place:
    high, wide = taken.shape
    first: Place | None = None
    for x, y in _candidates(box, size):
        x, y = max(0, min(x, wide - size[0])), max(0, min(y, high - size[1]))
        first = first or (x, y)
        if not taken[y : y + size[1], x : x + size[0]].any():
            return x, y
    assert first is not None
    return _nearest_free(first, size, taken) or first


def _candidates(box: tuple[int, int, int, int], size: tuple[int, int]) -> Iterator[Place]:
    """Around the edges, those places first that cover least of the element."""
    left, top, right, bottom = box
    wide, high = size
    yield left, top - high
    yield right - wide, top - high
    yield left, bottom
    yield right - wide, bottom
    yield left - wide, top
    yield right, top
    yield left, top
    yield right - wide, bottom - high


def _nearest_free(start: Place, size: tuple[int, int], taken: Taken) -> Place | None:
    """A free place near `start`: first in steps of the label's own size, then anywhere at all."""
    high, wide = taken.shape
    for across, down in _spiral(60):
        x, y = start[0] + across * size[0], start[1] + down * size[1]
        inside = 0 <= x <= wide - size[0] and 0 <= y <= high - size[1]
        if inside and not taken[y : y + size[1], x : x + size[0]].any():
            return x, y
    return _anywhere_free(start, size, taken)


def _anywhere_free(start: Place, size: tuple[int, int], taken: Taken) -> Place | None:
    """The free place nearest to `start`, by sums over all windows of the label's size at once: thorough, and slow."""
    wide, high = size
    if taken.shape[0] < high or taken.shape[1] < wide:
        return None
    sums = np.pad(taken.astype(np.int32), ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    covered = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
    ys, xs = np.nonzero(covered == 0)
    if not len(xs):
        return None
    best = int(np.argmin((xs - start[0]) ** 2 + (ys - start[1]) ** 2))
    return int(xs[best]), int(ys[best])


@cache
def _spiral(most: int) -> list[Place]:
    """Steps across and down, nearest first; a label is about twice as wide as high."""
    steps = [(across, down) for across in range(-most, most + 1) for down in range(-most, most + 1)]
    return sorted(steps, key=lambda step: (2 * step[0]) ** 2 + step[1] ** 2)


def _corners(box: Box, wide: int, high: int) -> tuple[int, int, int, int]:
    left, top = max(0, round(box.x * wide)), max(0, round(box.y * high))
    return left, top, min(wide, round(box.right * wide)), min(high, round(box.bottom * high))


@cache
def _label(mark: int, colour: tuple[int, int, int], size: int) -> Image.Image:
    """A number in white on a coloured ground."""
    words, face = str(mark), font(size, bold=True)
    left, top, right, bottom = face.getbbox(words)
    pad = max(1, size // 6)
    label = Image.new("RGB", (round(right - left) + 2 * pad, round(bottom - top) + 2 * pad), colour)
    ImageDraw.Draw(label).text((pad - left, pad - top), words, fill="white", font=face)
    return label
