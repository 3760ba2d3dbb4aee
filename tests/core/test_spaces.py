"""Coordinate spaces: what a family writes reads back to the same place, within half a cell."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import any_point, sizes
from workalike.core.screen import Point, Size
from workalike.core.spaces import (
    FittedPixels,
    Fractions,
    Grid,
    ResizedPixels,
    ScreenPixels,
    Space,
    smart_resize,
)

SPACES: list[Space] = [Fractions(), ScreenPixels(), ResizedPixels(), ResizedPixels(factor=32), Grid(), FittedPixels()]
screens = sizes.filter(lambda size: max(size.width, size.height) / min(size.width, size.height) <= 200)


@pytest.mark.parametrize("space", SPACES, ids=repr)
@given(point=any_point, screen=screens)
def test_within_half_a_cell(space: Space, point: Point, screen: Size) -> None:
    back = space.read(*space.write(point, screen), screen)
    wide, high = space.cell(screen)
    assert abs(back.x - point.x) <= wide / 2 + 1e-9
    assert abs(back.y - point.y) <= high / 2 + 1e-9


@pytest.mark.parametrize("space", SPACES, ids=repr)
@given(point=any_point, screen=screens)
def test_what_is_on_the_grid_stays(space: Space, point: Point, screen: Size) -> None:
    written = space.write(point, screen)
    assert space.write(space.read(*written, screen), screen) == written


@pytest.mark.parametrize(
    ("size", "seen"),
    [
        (Size(1440, 900), Size(1428, 896)),
        (Size(1920, 1080), Size(1932, 1092)),
        (Size(1280, 720), Size(1288, 728)),
        (Size(14, 14), Size(56, 56)),
        (Size(8000, 8000), Size(3584, 3584)),
        (Size(70, 70), Size(56, 56)),  # 2.5 rounds to the even 2, as Python's round does
    ],
)
def test_smart_resize(size: Size, seen: Size) -> None:
    assert smart_resize(size) == seen


@given(screens, st.sampled_from([28, 32]))
def test_smart_resize_keeps_its_promises(size: Size, factor: int) -> None:
    assume(min(size.width, size.height) >= factor)
    seen = smart_resize(size, factor)
    assert seen.width % factor == seen.height % factor == 0
    assert 3_136 <= seen.width * seen.height <= 12_845_056


def test_a_sliver_is_refused() -> None:
    with pytest.raises(ValueError, match="too narrow"):
        smart_resize(Size(5000, 10))


def test_fitting_keeps_the_aspect() -> None:
    seen = FittedPixels().picture(Size(1440, 900))
    assert seen == Size(1280, 800)
    assert FittedPixels().picture(Size(800, 600)) == Size(800, 600)
    assert math.isclose(seen.width / seen.height, 1440 / 900, rel_tol=0.01)
