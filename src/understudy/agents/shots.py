"""A screenshot as a family wants it: scaled, marked, encoded. Done once for each screenshot, when it is first seen."""

from __future__ import annotations

import io
from typing import Literal

from PIL import Image

from understudy.core.observation import ImageRef, Observation
from understudy.core.screen import Size
from understudy.models.messages import Picture

Form = Literal["jpeg", "png"]


def shot(
    data: bytes, seen: Observation, size: Size, marks: bool = False, form: Form = "jpeg", quality: int = 92
) -> Picture:
    """The picture that is sent. One that already has the right size, and needs no marks, goes as it came."""
    source = seen.picture or ImageRef.of(data, seen.size)
    with Image.open(io.BytesIO(data)) as stated:
        fits = stated.size == (size.width, size.height)
        if fits and not marks:
            return Picture(data, size, source)
        picture = stated.convert("RGB")
    if not fits:
        picture = picture.resize((size.width, size.height), Image.Resampling.BICUBIC)
    return Picture(_encoded(picture, form, quality), size, source)


def _encoded(picture: Image.Image, form: Form, quality: int) -> bytes:
    out = io.BytesIO()
    if form == "png":
        picture.save(out, "PNG", compress_level=1)
    else:
        picture.save(out, "JPEG", quality=quality, subsampling=0)
    return out.getvalue()
