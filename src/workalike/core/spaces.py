"""Coordinate spaces: the numbers each model family writes for a place on the screen.

A space turns a `Point` into the two numbers a model writes, and back. Rounding is exactly Python's `round`
(half to even), as in the families' own preprocessing; bugs elsewhere came from rounding otherwise.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Protocol

import msgspec

from workalike.core.screen import Point, Size

QWEN_FACTOR = 28
QWEN_MIN_PIXELS = 3_136
QWEN_MAX_PIXELS = 12_845_056


@lru_cache(256)
def smart_resize(
    size: Size,
    factor: int = QWEN_FACTOR,
    min_pixels: int = QWEN_MIN_PIXELS,
    max_pixels: int = QWEN_MAX_PIXELS,
) -> Size:
    """The size a Qwen-family model sees: sides in multiples of `factor`, area within bounds.

    >>> smart_resize(Size(1440, 900))
    Size(width=1428, height=896)
    """
    width, height = size.width, size.height
    if max(width, height) / min(width, height) > 200:
        raise ValueError(f"a picture of {width}×{height} is too narrow: one side is over 200 times the other")
    wide = max(factor, round(width / factor) * factor)
    high = max(factor, round(height / factor) * factor)
    if wide * high > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        wide = max(factor, math.floor(width / shrink / factor) * factor)
        high = max(factor, math.floor(height / shrink / factor) * factor)
    elif wide * high < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        wide = math.ceil(width * grow / factor) * factor
        high = math.ceil(height * grow / factor) * factor
    return Size(wide, high)


class Space(Protocol):
    """How a family writes a place: two numbers, given the screen the place is on."""

    def write(self, point: Point, screen: Size) -> tuple[float, float]: ...
    def read(self, x: float, y: float, screen: Size) -> Point: ...
    def cell(self, screen: Size) -> tuple[float, float]:
        """Width and height of one cell of the grid, as fractions of the screen."""
        ...


class Fractions(msgspec.Struct, frozen=True):
    """Fractions of the screen with a fixed number of decimals (AgentNet: 4)."""

    digits: int = 4

    def write(self, point: Point, screen: Size) -> tuple[float, float]:
        return round(point.x, self.digits), round(point.y, self.digits)

    def read(self, x: float, y: float, screen: Size) -> Point:
        return Point(x, y)

    def cell(self, screen: Size) -> tuple[float, float]:
        return 10.0**-self.digits, 10.0**-self.digits


class _Pixels(msgspec.Struct, frozen=True):
    """Whole pixels of some picture of the screen."""

    def picture(self, screen: Size) -> Size:
        raise NotImplementedError

    def write(self, point: Point, screen: Size) -> tuple[float, float]:
        shown = self.picture(screen)
        return round(point.x * shown.width), round(point.y * shown.height)

    def read(self, x: float, y: float, screen: Size) -> Point:
        return self.picture(screen).point(x, y)

    def cell(self, screen: Size) -> tuple[float, float]:
        shown = self.picture(screen)
        return 1 / shown.width, 1 / shown.height


class ScreenPixels(_Pixels, frozen=True):
    """Pixels of the screen itself (PyAutoGUI, OpenAI)."""

    def picture(self, screen: Size) -> Size:
        return screen


class ResizedPixels(_Pixels, frozen=True):
    """Absolute pixels of the smart-resized picture (Fara-7B, Qwen2.5-VL, UI-TARS 1.5)."""

    factor: int = QWEN_FACTOR
    min_pixels: int = QWEN_MIN_PIXELS
    max_pixels: int = QWEN_MAX_PIXELS

    def picture(self, screen: Size) -> Size:
        return smart_resize(screen, self.factor, self.min_pixels, self.max_pixels)


class Grid(_Pixels, frozen=True):
    """A square of `side` cells stretched over the screen: the 0–1000 grid of Qwen3-VL, the fixed
    square of Fara1.5."""

    side: int = 1000

    def picture(self, screen: Size) -> Size:
        return Size(self.side, self.side)


class FittedPixels(_Pixels, frozen=True):
    """Pixels of a picture scaled down, aspect kept, to fit within bounds (Anthropic computer use)."""

    most: Size = Size(1280, 800)

    def picture(self, screen: Size) -> Size:
        shrink = min(1.0, self.most.width / screen.width, self.most.height / screen.height)
        return Size(max(1, round(screen.width * shrink)), max(1, round(screen.height * shrink)))
