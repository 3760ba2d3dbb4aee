"""The size of a picture, from its header alone."""

from __future__ import annotations

import io

from understudy.core.errors import Damaged
from understudy.core.screen import Size


def size_of(data: bytes, name: str = "a picture") -> Size:
    """Width and height of an encoded picture; nothing is decoded."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            return Size(*picture.size)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Damaged(f"{name} is no picture that can be read ({error}); restore it from a copy") from error
