"""Places at the edge of a model's own picture: those off it are told to it in its own unit before anything is done
with them, and nobody is taught the pixel after the last.

The dialects read such places as they are, since recordings hold them too; it is an agent's reply that is sent back.
"""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.actions import Action, points, with_points
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import FittedPixels, Fractions, ResizedPixels, ScreenPixels, Space
from workalike.dialects.values import plain

HAIR = 0.001
"""How far beyond the edge is still the edge: about a pixel. The far edge itself, 1000 of 1000, is on the screen."""

_FAR = 0.9


def on_screen(actions: Sequence[Action], screen: Size, space: Space) -> tuple[Action, ...]:
    """The actions, with places a hair beyond the edge put on it; one further off is unreadable.

    >>> from workalike.core.actions import Move
    >>> from workalike.core.spaces import Grid
    >>> on_screen([Move(Point(1.5, 0.2))], Size(1440, 900), Grid(1000))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    workalike.core.errors.Unreadable: the place (1500, 200) is off the screenshot: x must be from 0 to 1000, ...
    """
    named = [point for action in actions for point in points(action)]
    if all(point.on_screen for point in named):
        return tuple(actions)
    for point in named:
        if not (-HAIR <= point.x <= 1 + HAIR and -HAIR <= point.y <= 1 + HAIR):
            raise Unreadable(_why(point, screen, space))
    return tuple(with_points(action, _within) for action in actions)


def on_picture(actions: Sequence[Action], screen: Size, space: Space) -> tuple[Action, ...]:
    """The actions as a model should name their places: the far edge of the screen is the last pixel of its picture."""
    if all(max(point.x, point.y) < _FAR for action in actions for point in points(action)):
        return tuple(actions)
    return tuple(with_points(action, lambda point: last_pixel(point, screen, space)) for action in actions)


def last_pixel(point: Point, screen: Size, space: Space) -> Point:
    """A point within the picture whose pixels a space counts; fractions and grids have no pixels."""
    if not isinstance(space, ScreenPixels | ResizedPixels | FittedPixels) or not point.on_screen:
        return point
    shown = space.picture(screen)
    return Point(min(point.x, 1 - 1 / shown.width), min(point.y, 1 - 1 / shown.height))


def _within(point: Point) -> Point:
    return point if point.on_screen else Point(min(max(point.x, 0.0), 1.0), min(max(point.y, 0.0), 1.0))


def _why(point: Point, screen: Size, space: Space) -> str:
    x, y = map(plain, space.write(point, screen))
    if isinstance(space, Fractions):
        return f"the place ({x}, {y}) is off the screen: x and y are fractions of its width and height, from 0 to 1"
    wide, high = map(plain, space.write(Point(1, 1), screen))
    return f"the place ({x}, {y}) is off the screenshot: x must be from 0 to {wide}, y from 0 to {high}"
