"""Letters in a picture, read by their shapes: where there is ink, it is cut into lines and letters, and each is
compared with those of the typefaces that the town's pages are drawn with. Nothing is known of size, place, wording or
layout; letters that touch one another, and other typefaces, are read as nonsense."""

from __future__ import annotations

import io
from functools import cache

import msgspec
import numpy as np
from PIL import Image, ImageDraw

from workalike.town.fonts import FACES, ICONS, font_of

LETTERS = "".join(chr(code) for code in range(33, 127) if chr(code) != '"')
"""What is told apart. A double quote is two strokes side by side, and put together afterwards."""
SIDE, DRAWN = 14, 96
"""How finely shapes are compared, and how large letters are drawn for that, in pixels."""
SIZES = np.arange(9, 48, 0.5, dtype=np.float32)
"""The sizes of letters that are tried, in pixels."""
INKED = 0.35
WEIGHT = 60.0
"""How much it counts where a letter stands on its line, and how large it is, beside its shape."""


class Glyph(msgspec.Struct, frozen=True):
    """A letter's shape within its own edges, and where those lie in its line, from the top down."""

    shape: np.ndarray
    top: float
    bottom: float
    width: float
    room: float = 0
    """How much room there is before it, from the letter before; 0 for the first of a line."""


class Typeface(msgspec.Struct, frozen=True):
    """The letters of one font; places and sizes are fractions of the font's size."""

    shapes: np.ndarray
    places: np.ndarray


def read_picture(screenshot: bytes, box: tuple[float, float, float, float]) -> str:
    """What stands in a part of a screenshot, in words; nonsense where no words stand there."""
    left, top, wide, high = map(round, box)
    seen = np.asarray(Image.open(io.BytesIO(screenshot)).convert("L"), dtype=np.float32)
    lines = cut_lines(ink_of(seen[max(top, 0) : max(top + high, 0), max(left, 0) : max(left + wide, 0)]))
    named = name_lines(lines)
    if not named:
        return ""
    gap = word_gap([glyph.room for line in lines for glyph in line if glyph.room])
    words = []
    for line, names in zip(lines, named, strict=True):
        spaced = (f" {name}" if glyph.room > gap else name for glyph, name in zip(line, names, strict=True))
        words.append("".join(spaced))
    return " ".join(words).replace("''", '"')


def ink_of(seen: np.ndarray) -> np.ndarray:
    """How much ink there is at each place, whatever the colours: what differs from what most of it looks like."""
    if not seen.size:
        return seen
    away = np.abs(seen - np.median(seen))
    return np.asarray(away / max(float(away.max()), 1.0), dtype=np.float32)


def cut_lines(ink: np.ndarray) -> list[list[Glyph]]:
    """The letters of every line, from left to right."""
    if not ink.size:
        return []
    lines = []
    for top, bottom in _whole(_runs(np.any(ink > INKED, axis=1))):
        line = ink[top:bottom]
        columns = _runs(np.any(line > INKED, axis=0))
        rows = [_runs(np.any(line[:, left:right] > INKED, axis=1)) for left, right in columns]
        glyphs, before = list[Glyph](), 0
        for (left, right), spans in zip(columns, rows, strict=True):
            high, low = spans[0][0], spans[-1][1]
            shape = _small(line[high:low, left:right])
            room = float(left - before) if before else 0.0
            glyphs.append(Glyph(shape, float(high), float(low), float(right - left), room))
            before = right
        lines.append(glyphs)
    return lines


def _whole(lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Lines as they are read: where nothing is as tall as an i, its dot stands alone above them."""
    usual = float(np.median([bottom - top for top, bottom in lines])) if lines else 0.0
    whole = list[tuple[int, int]]()
    above: int | None = None
    for top, bottom in lines:
        if bottom - top < usual / 3:
            above = top if above is None else above
            continue
        whole.append((top if above is None else above, bottom))
        above = None
    return whole


def name_lines(lines: list[list[Glyph]]) -> list[str]:
    """What letters these are: those of the typeface and size that fit all of them best; nothing where all sizes are
    too small or too large."""
    tall = max((glyph.bottom - glyph.top for line in lines for glyph in line), default=0.0)
    best, named = np.inf, list[str]()
    for face in typefaces():
        unlike = [_unlike(line, face) for line in lines]
        for size in SIZES[(tall > SIZES * 0.5) & (tall < SIZES * 1.3)]:
            costs = [_best_foot(line, shapes, face, size) for line, shapes in zip(lines, unlike, strict=True)]
            whole = sum(float(cost.min(axis=1).sum()) for cost in costs)
            if whole < best:
                best = whole
                named = ["".join(LETTERS[place] for place in cost.argmin(axis=1)) for cost in costs]
    return named


def _unlike(line: list[Glyph], face: Typeface) -> np.ndarray:
    """How unlike each letter's shape is to each of the typeface's."""
    shapes = np.stack([glyph.shape for glyph in line])
    return np.asarray(((shapes[:, None] - face.shapes[None]) ** 2).sum(axis=(2, 3)), dtype=np.float32)


def _best_foot(line: list[Glyph], unlike: np.ndarray, face: Typeface, size: float) -> np.ndarray:
    """What it costs to take each letter for each of the typeface's, at the height where the line fits best to stand."""
    costs = []
    for foot in sorted({glyph.bottom for glyph in line}):
        places = np.array([[foot - each.top, foot - each.bottom, each.width] for each in line], dtype=np.float32)
        away = np.abs(places[:, None] / size - face.places[None]).sum(axis=2)
        costs.append(unlike + WEIGHT * away)
    return min(costs, key=lambda cost: float(cost.min(axis=1).sum()))


def word_gap(rooms: list[float]) -> float:
    """The room between letters from which on it is one between words: where the rooms fall apart into two heaps."""
    best, found = 0.0, np.inf
    for at in sorted(set(rooms))[:-1]:
        near = [room for room in rooms if room <= at]
        far = [room for room in rooms if room > at]
        apart = sum(far) / len(far) - sum(near) / len(near)
        spread = len(near) * len(far) * apart**2
        if spread > best and apart > sum(near) / len(near):
            best, found = spread, at
    return found


@cache
def typefaces() -> tuple[Typeface, ...]:
    """The upright typefaces of the town in their regular weight."""
    upright = [face for face in FACES if face.family != ICONS and face.style == "normal" and face.weight == "400"]
    return tuple(_typeface(face.file) for face in upright)


def _typeface(name: str) -> Typeface:
    font, foot = font_of(name, DRAWN), 2 * DRAWN
    shapes, places = [], []
    for letter in LETTERS:
        drawn = Image.new("L", (3 * DRAWN, 3 * DRAWN), 0)
        ImageDraw.Draw(drawn).text((DRAWN, foot), letter, fill=255, font=font, anchor="ls")
        left, top, right, bottom = drawn.getbbox() or (0, 0, 1, 1)
        ink = np.asarray(drawn, dtype=np.float32)[top:bottom, left:right] / 255
        shapes.append(_small(ink))
        places.append([(foot - top) / DRAWN, (foot - bottom) / DRAWN, (right - left) / DRAWN])
    return Typeface(np.stack(shapes), np.array(places, dtype=np.float32))


def _small(ink: np.ndarray) -> np.ndarray:
    """A shape at the size that all are compared at."""
    return np.asarray(Image.fromarray(ink).resize((SIDE, SIDE), Image.Resampling.BILINEAR), dtype=np.float32)


def _runs(marked: np.ndarray) -> list[tuple[int, int]]:
    """Where something is marked without a break: from, and up to."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False])).astype(np.int8)))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
