"""Screen geometry: a point is a fraction of the screen, so that it means the same at every resolution."""

from __future__ import annotations

import math

import msgspec


class Point(msgspec.Struct, frozen=True, array_like=True):
    """A place as fractions of width and height. Finite, but outside the screen is allowed here:
    it is refused where it would be executed."""

    x: float
    y: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.x) and math.isfinite(self.y)):
            raise ValueError(f"a point must be finite, got ({self.x}, {self.y})")

    @property
    def on_screen(self) -> bool:
        return 0.0 <= self.x <= 1.0 and 0.0 <= self.y <= 1.0

    def distance(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


LONGEST_SIDE = 1_000_000


class Size(msgspec.Struct, frozen=True, array_like=True):
    """Width and height in pixels."""

    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a size must be positive, got {self.width}×{self.height}")
        if max(self.width, self.height) > LONGEST_SIDE:
            raise ValueError(f"no side of a screen or picture is longer than {LONGEST_SIDE:,} pixels")

    def pixel(self, point: Point) -> tuple[int, int]:
        """The pixel that a point falls in, the last one for a fraction of exactly 1.

        >>> Size(1440, 900).pixel(Point(0.5, 1.0))
        (720, 899)
        """
        x, y = math.floor(point.x * self.width), math.floor(point.y * self.height)
        return (x - (point.x == 1.0), y - (point.y == 1.0))

    def point(self, x: float, y: float) -> Point:
        """The point that stands at pixel coordinates."""
        return Point(x / self.width, y / self.height)

    def centre_of(self, x: int, y: int) -> Point:
        """The middle of a pixel: the inverse of `pixel` at every resolution."""
        return Point((x + 0.5) / self.width, (y + 0.5) / self.height)


VIEWPORT = Size(1440, 900)
"""Of a browser, where nobody asks for another."""


class Box(msgspec.Struct, frozen=True, array_like=True):
    """A rectangle in fractions of the screen: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.x, self.y, self.width, self.height))):
            raise ValueError("a box must be finite")
        if self.width < 0 or self.height < 0:
            raise ValueError("a box cannot have a negative width or height")

    @property
    def centre(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def contains(self, point: Point) -> bool:
        return self.x <= point.x <= self.right and self.y <= point.y <= self.bottom

    def within(self, outer: Box) -> Box:
        """What is given in fractions of a part of the screen, in fractions of the whole.

        >>> Box(0.5, 0, 0.5, 1).within(Box(0.2, 0.5, 0.4, 0.25))
        Box(x=0.4, y=0.5, width=0.2, height=0.25)
        """
        x, y = outer.x + self.x * outer.width, outer.y + self.y * outer.height
        return Box(x, y, self.width * outer.width, self.height * outer.height)

    def overlap(self, other: Box) -> float:
        """The shared area over the joint area (intersection over union)."""
        wide = min(self.right, other.right) - max(self.x, other.x)
        high = min(self.bottom, other.bottom) - max(self.y, other.y)
        if wide <= 0 or high <= 0:
            return 0.0
        areas = self.width * self.height, other.width * other.height
        shared = min(wide * high, *areas)  # edges of boxes that are next to nothing are rounded further than they are
        return shared / (sum(areas) - shared) if sum(areas) > shared else 0.0
