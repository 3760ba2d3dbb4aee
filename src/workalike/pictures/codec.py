"""Bytes to pictures and back, in the forms models and files want. A picture here is Pillow's, in RGB."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Literal

import numpy as np
from PIL import Image, UnidentifiedImageError

from workalike.core.errors import BadInput
from workalike.core.screen import Box, Size
from workalike.pictures.png import encode_rgb

Format = Literal["png", "jpeg"]
MOST_PIXELS = 200_000_000
KINDS = ("PNG", "JPEG", "MPO", "WEBP", "GIF", "BMP", "TIFF")
"""What is read as a picture: Pillow knows others, some of which start programs or are no pictures of a screen."""
_NO_PICTURE = (
    *(UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError),
    *(LookupError, TypeError, ArithmeticError, NotImplementedError, struct.error, zlib.error),
)  # what reading damaged bytes may raise


def decode(data: bytes) -> Image.Image:
    """Read a picture; what is no picture, or an absurdly large one, is refused."""
    try:
        picture = Image.open(io.BytesIO(data), formats=KINDS)
        if picture.width * picture.height > MOST_PIXELS:
            raise BadInput(f"a picture of {picture.width}×{picture.height} is too large: make it smaller first")
        picture.load()
    except _NO_PICTURE as error:
        raise BadInput(f"these {len(data):,} bytes are no picture that can be read: {error}") from error
    return picture if picture.mode == "RGB" else _flattened(picture)


def encode(picture: Image.Image, form: Format = "png", quality: int = 85) -> bytes:
    """Write a picture: PNG without loss and with little effort, or JPEG, which models take as well and is smaller."""
    plain = _rgb(picture)
    if form == "png":
        return encode_rgb(np.asarray(plain))
    out = io.BytesIO()
    plain.save(out, "JPEG", quality=quality)
    return out.getvalue()


def size_of(picture: Image.Image) -> Size:
    return Size(picture.width, picture.height)


def resize(picture: Image.Image, size: Size) -> Image.Image:
    """The picture at exactly this size. One that shrinks to half or less is first averaged over whole pixels, which is
    what a device's pixels are to a page's: twice as fast, and no eye tells the difference (40 dB)."""
    if size_of(picture) == size:
        return picture
    shrinks = size.width <= picture.width and size.height <= picture.height
    gap = 1.0 if shrinks else None
    return picture.resize((size.width, size.height), Image.Resampling.BICUBIC, reducing_gap=gap)


def crop(picture: Image.Image, box: Box, margin: float = 0.0) -> Image.Image:
    """The part of a picture within a box of fractions, widened by a margin; at least one pixel of it."""
    left = min(max(0, int((box.x - margin) * picture.width)), picture.width - 1)
    top = min(max(0, int((box.y - margin) * picture.height)), picture.height - 1)
    right = min(max(left + 1, round((box.right + margin) * picture.width)), picture.width)
    bottom = min(max(top + 1, round((box.bottom + margin) * picture.height)), picture.height)
    return picture.crop((left, top, right, bottom))


def stated_size(data: bytes) -> Size:
    """A picture's size off its header, without reading its pixels."""
    try:
        with Image.open(io.BytesIO(data), formats=KINDS) as picture:
            return size_of(picture)
    except _NO_PICTURE as error:
        raise BadInput(f"these {len(data):,} bytes are no picture that can be read: {error}") from error


def _rgb(picture: Image.Image) -> Image.Image:
    """The picture itself where it is in RGB already: converting it would copy it."""
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def _flattened(picture: Image.Image) -> Image.Image:
    """Whatever shines through is white, as on a page."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    whole = picture.convert("RGBA")
    ground = Image.new("RGBA", whole.size, "white")
    return Image.alpha_composite(ground, whole).convert("RGB")
