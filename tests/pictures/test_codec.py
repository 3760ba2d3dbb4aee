"""Pictures survive the way through bytes, at any size, and what is no picture is refused in words."""

from __future__ import annotations

import io
from contextlib import suppress
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from workalike.core.errors import BadInput
from workalike.core.screen import Box, Size
from workalike.pictures.codec import crop, decode, encode, resize, size_of, stated_size


def noise(width: int = 60, height: int = 40) -> Image.Image:
    return Image.fromarray(np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8))


def test_png_loses_nothing_and_jpeg_little() -> None:
    picture = Image.new("RGB", (50, 30), (10, 200, 90))
    assert decode(encode(picture)).tobytes() == picture.tobytes()
    back = np.asarray(decode(encode(picture, "jpeg")), np.int16)
    assert np.abs(back - np.asarray(picture, np.int16)).max() <= 3


def test_what_shines_through_is_white() -> None:
    clear = Image.new("RGBA", (2, 2), (255, 0, 0, 0))
    out = io.BytesIO()
    clear.save(out, "PNG")
    assert decode(out.getvalue()).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("data", [b"", b"not a picture", encode(noise())[:60], b"\x89PNG\r\n\x1a\n" + b"\x00" * 40])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="no picture"):
        decode(data)


def test_resizing() -> None:
    assert size_of(resize(noise(), Size(28, 56))) == Size(28, 56)
    small = noise()
    assert resize(small, Size(60, 40)) is small


@settings(max_examples=60)
@given(*[st.floats(-0.5, 1.5)] * 2, *[st.floats(0, 1.5)] * 2, st.floats(0, 0.2))
def test_a_crop_is_never_empty_and_never_outside(x: float, y: float, wide: float, high: float, margin: float) -> None:
    part = crop(noise(), Box(x, y, wide, high), margin)
    assert 1 <= part.width <= 60
    assert 1 <= part.height <= 40


def test_a_crop_is_the_part_that_was_meant() -> None:
    picture = Image.new("RGB", (100, 100), "white")
    picture.paste("red", (20, 30, 40, 60))
    part = crop(picture, Box(0.2, 0.3, 0.2, 0.3))
    assert (part.size, part.getcolors()) == ((20, 30), [(600, (255, 0, 0))])


NO_PICTURES = {
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg' width='5' height='5'/>",
    "html": b"<!doctype html><p>404",
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 5 5\n%%EndComments\n",
    "text": b"P1 2 2 1 0 1 0",  # Pillow reads it as a picture
    "nothing": b"",
    "cut": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
}


@pytest.mark.parametrize("data", NO_PICTURES.values(), ids=NO_PICTURES)
def test_what_is_no_picture_of_a_screen_is_refused(data: bytes) -> None:
    for read in (decode, stated_size):
        with pytest.raises(BadInput, match="no picture that can be read"):
            read(data)


@given(st.sampled_from(["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"]), st.randoms(use_true_random=False))
def test_damaged_pictures_are_read_or_refused(form: str, chance: Random) -> None:
    out = io.BytesIO()
    Image.new("RGB", (7, 5), "red").save(out, form)
    data = bytearray(out.getvalue())
    for _ in range(chance.randint(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    for read in (decode, stated_size):
        with suppress(BadInput):
            read(bytes(data[: chance.randint(0, len(data))] if chance.random() < 0.3 else data))
