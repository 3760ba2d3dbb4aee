"""Draw what was done on a picture of the screen it was done to, and the pointer where a model expects to see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageDraw

from workalike.core.actions import Action, Click, Drag, MouseDown, MouseUp, Move, Scroll, kind, points
from workalike.core.screen import Box, Point
from workalike.pictures.fonts import font

_INK = (230, 30, 60)
_HALO = (255, 255, 255)
_ARROW = ((0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (6, 12), (12, 12))


def draw_pointer(picture: Image.Image, at: Point, scale: float = 1.0) -> Image.Image:
    """A copy of the picture with the mouse pointer's tip at a point."""
    arrow = _arrow(round(scale * 4))
    copy = picture.convert("RGB")
    copy = copy.copy() if copy is picture else copy
    copy.paste(arrow, (round(at.x * picture.width) - 2, round(at.y * picture.height) - 2), arrow)
    return copy


def draw_action(picture: Image.Image, action: Action, pointer: Point | None = None, scale: float = 1.0) -> Image.Image:
    """A copy of the picture with an action drawn in; `pointer` is where it begins when it does not say."""
    copy = picture.convert("RGB")
    copy = copy.copy() if copy is picture else copy
    draw = ImageDraw.Draw(copy)
    begins = isinstance(action, Drag) and action.start is None and pointer is not None
    named = (pointer, *points(action)) if begins else points(action) or (pointer,)
    places = [_pixel(copy, point) for point in named if point is not None]
    start = places[0] if places else None
    match action:
        case Drag():
            _arrow_along(draw, places, scale)
        case Scroll(dx=dx, dy=dy):
            _scroll(draw, start or (copy.width / 2, copy.height / 2), dx, dy, scale)
        case Click() | MouseDown() | MouseUp() | Move() if start:
            _ring(draw, start, action.count if isinstance(action, Click) else 1, scale)
        case _:
            _caption(draw, caption(action), copy.size, scale)
    return copy


def draw_outline(picture: Image.Image, box: Box, scale: float = 1.0) -> Image.Image:
    """A copy of the picture with a box around something on it: what has the focus, say."""
    copy = picture.convert("RGB")
    copy = copy.copy() if copy is picture else copy
    gap, draw = 3 * scale, ImageDraw.Draw(copy)
    left, top = box.x * copy.width - gap, box.y * copy.height - gap
    right, bottom = box.right * copy.width + gap, box.bottom * copy.height + gap
    for colour, wider, line in ((_HALO, 1, 5), (_INK, 0, 3)):
        more = wider * scale
        draw.rectangle(
            (left - more, top - more, max(left, right) + more, max(top, bottom) + more),
            outline=colour,
            width=max(1, round(line * scale)),
        )
    return copy


def draw_ring(picture: Image.Image, at: Point, radius: float) -> Image.Image:
    """A copy of the picture with a ring around a place, which stays visible inside it."""
    copy = picture.convert("RGB")
    copy = copy.copy() if copy is picture else copy
    draw, centre = ImageDraw.Draw(copy), _pixel(copy, at)
    _circle(draw, centre, radius + 1, 5, _HALO)
    _circle(draw, centre, radius, 3, _INK)
    return copy


def caption(action: Action, most: int = 90) -> str:
    """A few words for an action that has no place on the screen."""
    values = [
        str(getattr(action, field)) for field in action.__struct_fields__ if getattr(action, field) not in (None, "")
    ]
    text = " ".join([kind(action), *values])
    return text if len(text) <= most else text[: most - 1] + "…"


def _pixel(picture: Image.Image, point: Point) -> tuple[float, float]:
    return point.x * picture.width, point.y * picture.height


def _ring(draw: ImageDraw.ImageDraw, at: tuple[float, float], count: int, scale: float) -> None:
    for number in range(count):
        radius = (14 + 6 * number) * scale
        _circle(draw, at, radius, round(5 * scale), _HALO)
        _circle(draw, at, radius, round(3 * scale), _INK)
    dot = 3 * scale
    draw.ellipse((at[0] - dot, at[1] - dot, at[0] + dot, at[1] + dot), fill=_INK)


def _circle(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, line: int, colour: tuple[int, int, int]
) -> None:
    draw.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), outline=colour, width=line)


def _arrow_along(draw: ImageDraw.ImageDraw, path: Sequence[tuple[float, float]], scale: float) -> None:
    if len(path) < 2:
        _ring(draw, path[0], 1, scale)
        return
    for colour, line in ((_HALO, 7), (_INK, 4)):
        draw.line(list(path), fill=colour, width=max(1, round(line * scale)), joint="curve")
    (x0, y0), (x1, y1) = path[-2], path[-1]
    angle, length = math.atan2(y1 - y0, x1 - x0), 16 * scale
    wings = [(x1 - length * math.cos(angle + turn), y1 - length * math.sin(angle + turn)) for turn in (-0.45, 0.45)]
    draw.polygon([(x1, y1), *wings], fill=_INK, outline=_HALO)
    dot = 5 * scale
    draw.ellipse((path[0][0] - dot, path[0][1] - dot, path[0][0] + dot, path[0][1] + dot), fill=_INK, outline=_HALO)


def _scroll(draw: ImageDraw.ImageDraw, at: tuple[float, float], dx: float, dy: float, scale: float) -> None:
    length = math.hypot(dx, dy) or 1.0
    reach = 70 * scale
    end = (at[0] + dx / length * reach, at[1] + dy / length * reach)
    _arrow_along(draw, [at, end], scale)


def _caption(draw: ImageDraw.ImageDraw, words: str, size: tuple[int, int], scale: float) -> None:
    face = font(round(18 * scale))
    left, top, right, bottom = draw.textbbox((0, 0), words, font=face)
    pad = 8 * scale
    wide, high = right - left + 2 * pad, bottom - top + 2 * pad
    x, y = max(0.0, (size[0] - wide) / 2), size[1] - high - 12 * scale
    draw.rounded_rectangle((x, y, x + wide, y + high), radius=6 * scale, fill=(30, 30, 30))
    draw.text((x + pad - left, y + pad - top), words, fill="white", font=face)


@cache
def _arrow(quarter: int) -> Image.Image:
    """The pointer, drawn large and shrunk so that its edges are smooth."""
    fine = 4
    scale = quarter / 4 * fine
    big = Image.new("RGBA", (round(18 * scale), round(25 * scale)), (0, 0, 0, 0))
    shape = [((x + 2) * scale, (y + 2) * scale) for x, y in _ARROW]
    draw = ImageDraw.Draw(big)
    draw.polygon(shape, fill="black")
    draw.line([*shape, shape[0]], fill="white", width=round(1.4 * scale), joint="curve")
    return big.resize((big.width // fine, big.height // fine), Image.Resampling.LANCZOS)
