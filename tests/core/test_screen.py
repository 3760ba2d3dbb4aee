"""Geometry: points and pixels lose nothing on the way to each other and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import boxes, sizes
from workalike.core.screen import Box, Point, Size


@given(sizes, st.data())
def test_a_pixels_centre_falls_in_that_pixel(size: Size, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(0, size.width - 1)), data.draw(st.integers(0, size.height - 1))
    assert size.pixel(size.centre_of(x, y)) == (x, y)


def test_the_far_edge_is_the_last_pixel() -> None:
    assert Size(1440, 900).pixel(Point(1.0, 1.0)) == (1439, 899)
    assert Size(1440, 900).pixel(Point(1.1, -0.1)) == (1584, -90)


@given(boxes, boxes)
def test_overlap_is_symmetric_and_a_fraction(one: Box, other: Box) -> None:
    assert one.overlap(other) == other.overlap(one)
    assert 0 <= one.overlap(other) <= 1.000001


def test_overlap_of_a_box_with_itself_is_one() -> None:
    assert Box(0.1, 0.1, 0.2, 0.2).overlap(Box(0.1, 0.1, 0.2, 0.2)) == pytest.approx(1)


@given(boxes)
def test_a_box_contains_its_centre(box: Box) -> None:
    assert box.contains(box.centre)


def test_a_size_is_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        Size(0, 5)
