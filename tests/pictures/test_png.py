"""What goes in as pixels comes out of the PNG as the same pixels."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from workalike.pictures.png import encode_rgb


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (37, 53), (90, 160)])
def test_nothing_is_lost(shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (*shape, 3)).astype(np.uint8)
    read = Image.open(io.BytesIO(encode_rgb(pixels)))
    assert (read.mode, read.size) == ("RGB", shape[::-1])
    assert (np.asarray(read) == pixels).all()


def test_a_view_of_a_larger_picture_will_do() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (40, 60, 3)).astype(np.uint8)[3:30, 5:44]
    assert (np.asarray(Image.open(io.BytesIO(encode_rgb(pixels)))) == pixels).all()


def test_a_plain_screen_is_small() -> None:
    assert len(encode_rgb(np.full((720, 1280, 3), 240, np.uint8))) < 20_000
