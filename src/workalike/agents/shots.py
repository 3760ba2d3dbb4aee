"""A screenshot as a family wants it: scaled, marked, encoded. Done once for each screenshot, when it is first seen."""

from __future__ import annotations

from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Size
from workalike.models.messages import Picture
from workalike.pictures.codec import Format, decode, encode, resize, stated_size
from workalike.pictures.marks import draw_marks


def shot(
    data: bytes, seen: Observation, size: Size, marks: bool = False, form: Format = "jpeg", quality: int = 92
) -> Picture:
    """The picture that is sent. One that already has the right size, and needs no marks, goes as it came."""
    source = seen.picture or ImageRef.of(data, seen.size)
    if not marks and stated_size(data) == size:
        return Picture(data, size, source)
    picture = resize(decode(data), size)
    if marks:
        picture = draw_marks(picture, seen.elements or (), size.width / (seen.size or size).width)
    return Picture(encode(picture, form, quality), size, source)
