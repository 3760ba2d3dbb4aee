"""Notices as practices pin them to their doors: photographs of words, which no screen reader can read."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from workalike.town.fonts import font_file

SIZE = (840, 400)
_BOLD, _PLAIN = "SourceSansPro-Bold.ttf", "SourceSansPro-Regular.ttf"


def draw_notice(lines: Sequence[str]) -> bytes:
    """A sheet of paper on a door, a little askew, the first line in bold."""
    made = Image.new("RGB", SIZE, "#b9ad98")
    sheet = Image.new("RGB", (760, 330), "#fffdf4")
    draw = ImageDraw.Draw(sheet)
    for row, line in enumerate(lines):
        draw.text((36, 28 + 56 * row), line, fill="#222", font=_font(_PLAIN if row else _BOLD, 34 if row else 40))
    askew = sheet.rotate(1.4, Image.Resampling.BICUBIC, expand=True, fillcolor="#b9ad98")
    made.paste(askew, ((SIZE[0] - askew.width) // 2, (SIZE[1] - askew.height) // 2))
    ImageDraw.Draw(made).ellipse((410, 22, 430, 42), fill="#b33333")
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(font_file(name) or b""), size)
