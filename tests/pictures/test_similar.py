"""Near-duplicates are told from pictures that differ, and where they differ is found."""

from __future__ import annotations

import pytest
from PIL import Image

from workalike.core.screen import Box
from workalike.pictures.similar import changed_box, changed_fraction, near_duplicate

PAGE = Image.new("RGB", (1000, 500), "white")


def with_patch(x: int, y: int, wide: int, high: int, colour: str = "black") -> Image.Image:
    copy = PAGE.copy()
    copy.paste(colour, (x, y, x + wide, y + high))
    return copy


def test_the_same_and_nearly_the_same() -> None:
    assert changed_fraction(PAGE, PAGE) == 0
    assert near_duplicate(PAGE, with_patch(10, 10, 2, 18))
    assert near_duplicate(PAGE, Image.new("RGB", (1000, 500), (250, 250, 250)))
    assert not near_duplicate(PAGE, with_patch(10, 10, 60, 20))


def test_different_sizes_differ_wholly() -> None:
    other = Image.new("RGB", (999, 500), "white")
    assert changed_fraction(PAGE, other) == 1
    assert changed_box(PAGE, other) == Box(0, 0, 1, 1)


def test_where_it_differs() -> None:
    assert changed_box(PAGE, PAGE) is None
    box = changed_box(PAGE, with_patch(100, 50, 200, 25))
    assert box is not None
    assert (box.x, box.y, box.width, box.height) == pytest.approx((0.1, 0.1, 0.2, 0.05))
    assert changed_fraction(PAGE, with_patch(100, 50, 200, 25)) == pytest.approx(0.01)
