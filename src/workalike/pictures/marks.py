"""Draw numbered marks on a screenshot: an outline for each element and a label that hides no other label, and nothing
that is written there as long as there is room beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from workalike.core.observation import Element
from workalike.core.screen import Box
from workalike.pictures.fonts import font

Pixels = NDArray[np.bool_]
Counts = NDArray[np.unsignedinteger]
Corners = tuple[int, int, int, int]
Place = tuple[int, int]
COLOURS = ((196, 30, 58), (0, 92, 175), (0, 122, 61), (148, 0, 148), (163, 84, 0), (0, 110, 120), (90, 60, 170))
_TEXT = 12
# By how much a pixel differs from its neighbour where something is written or drawn; a shaded ground differs by less.
_DETAIL = 24
# Standing in another element's box is as bad as hiding so many pixels: more than a line, less than a word.
_STRANGE = 60
_TOUCH = 2


def draw_marks(picture: Image.Image, elements: Sequence[Element], scale: float = 1.0) -> Image.Image:
    """The picture itself, an RGB one, with every marked element outlined and numbered; `scale` is the screen's device
    scale. Nothing is copied: a screenshot is decoded for this and no more."""
    marked = [(one.mark, one.box) for one in elements if one.mark is not None and one.box is not None]
    written, draw, line = detail(picture), ImageDraw.Draw(picture), max(1, round(scale))
    corners = [_corners(box, *picture.size) for _, box in marked]
    labels = [_label(mark, COLOURS[mark % len(COLOURS)], round(_TEXT * scale)) for mark, _ in marked]
    for (mark, _), (left, top, right, bottom) in zip(marked, corners, strict=True):
        outline = (left, top, max(left, right - 1), max(top, bottom - 1))
        draw.rectangle(outline, outline=COLOURS[mark % len(COLOURS)], width=line)
    sizes = [label.size for label in labels]
    for label, place in zip(labels, place_labels(corners, sizes, picture.size, written), strict=True):
        picture.paste(label, place)
    return picture


def detail(picture: Image.Image) -> Pixels:
    """Where on a picture something is written or drawn: pixels unlike the one before or above."""
    grey = np.asarray(picture.convert("L"))
    found: Pixels = np.empty(grey.shape, dtype=np.bool_)
    found[:, 0] = False
    np.greater(_difference(grey[:, 1:], grey[:, :-1]), _DETAIL, out=found[:, 1:])
    found[1:] |= _difference(grey[1:], grey[:-1]) > _DETAIL
    return found


def _difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    larger = np.maximum(one, other)
    larger -= np.minimum(one, other)
    return larger


def place_labels(
    boxes: Sequence[Corners],
    sizes: Sequence[tuple[int, int]],
    screen: tuple[int, int],
    written: Pixels | None = None,
) -> list[Place]:
    """Where each label goes: at its box's edge where that is free, nothing is `written` and no other element stands,
    else where it hides least, else at the nearest free place. No two overlap as long as there is room at all."""
    taken = np.zeros((screen[1], screen[0]), dtype=np.bool_)
    room = _Room(taken, taken.copy() if written is None else written, _layers(boxes, screen))
    places = []
    for box, size in zip(boxes, sizes, strict=True):
        x, y = _free_place(box, size, room)
        taken[y : y + size[1], x : x + size[0]] = True
        places.append((x, y))
    return places


class _Room(NamedTuple):
    """What the screen has room for: labels that stand, what is written, and how many elements lie at a pixel."""

    taken: Pixels
    written: Pixels
    layers: Counts


def _layers(boxes: Sequence[Corners], screen: tuple[int, int]) -> Counts:
    layers: Counts = np.zeros((screen[1], screen[0]), dtype=np.min_scalar_type(len(boxes)))
    for left, top, right, bottom in boxes:
        layers[top:bottom, left:right] += 1
    return layers


def _free_place(box: Corners, size: tuple[int, int], room: _Room) -> Place:
    high, wide = room.taken.shape
    around = _holders(room.layers[box[1] : box[3], box[0] : box[2]])
    first: Place | None = None
    best: tuple[int, Place] | None = None
    for x, y in _candidates(box, size):
        x, y = max(0, min(x, wide - size[0])), max(0, min(y, high - size[1]))
        first = first or (x, y)
        there = (slice(y, y + size[1]), slice(x, x + size[0]))
        if np.count_nonzero(room.taken[there]):  # quicker than `any` where there is so little
            continue
        inside = box[0] < x + size[0] and x < box[2] and box[1] < y + size[1] and y < box[3]
        core = room.layers[y + _TOUCH : y + size[1] - _TOUCH, x + _TOUCH : x + size[0] - _TOUCH]
        strange = int(core.max(initial=0)) > around + inside
        hidden = int(np.count_nonzero(room.written[there])) + _STRANGE * strange
        if not hidden:
            return x, y
        if best is None or hidden < best[0]:
            best = hidden, (x, y)
    if best is not None:
        return best[1]
    assert first is not None
    return _nearest_free(first, size, room.taken) or first


def _holders(own: Counts) -> int:
    """How many elements hold the one that lies here. Where the first pixel tells that there are none, no other has to
    be read."""
    return int(own.min()) - 1 if own.size and own[0, 0] > 1 else 0


def _candidates(box: Corners, size: tuple[int, int]) -> Iterator[Place]:
    """Around the edges, those places first that cover least of the element; then inside, from its end to its start."""
    left, top, right, bottom = box
    wide, high = size
    yield left, top - high
    yield right - wide, top - high
    yield left, bottom
    yield right - wide, bottom
    for y in (top, (top + bottom - high) // 2, bottom - high):
        yield left - wide, y
        yield right, y
    for y in (top, bottom - high, (top + bottom - high) // 2):
        yield right - wide - 1, y
    for x in range(left + wide, min(right - wide, left + 8 * wide), wide):
        yield x, top - high
        yield x, bottom
    yield left, top


def _nearest_free(start: Place, size: tuple[int, int], taken: Pixels) -> Place | None:
    """A free place near `start`: first in steps of the label's own size, then anywhere at all."""
    high, wide = taken.shape
    for across, down in _spiral(60):
        x, y = start[0] + across * size[0], start[1] + down * size[1]
        inside = 0 <= x <= wide - size[0] and 0 <= y <= high - size[1]
        if inside and not taken[y : y + size[1], x : x + size[0]].any():
            return x, y
    return _anywhere_free(start, size, taken)


def _anywhere_free(start: Place, size: tuple[int, int], taken: Pixels) -> Place | None:
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


def _corners(box: Box, wide: int, high: int) -> Corners:
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
