"""The fonts that the town's pages are drawn with: served by the town itself, from font packages, so that a page looks
the same on every machine."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import msgspec
from PIL import ImageFont

ICONS = "Font Awesome 5 Free"
"""The family of signs, in the private range; last in every stack."""


class FontFace(msgspec.Struct, frozen=True):
    """One cut of a family, as a package holds it."""

    family: str
    package: str
    file: str
    weight: str = "400"
    style: str = "normal"


def _cuts(family: str, package: str, stem: str, ending: str, cuts: dict[str, str]) -> tuple[FontFace, ...]:
    return tuple(FontFace(family, package, f"{stem}-{name}.{ending}", weight) for name, weight in cuts.items())


FACES = (
    *_cuts(
        "Source Sans Pro",
        "font_source_sans_pro",
        "SourceSansPro",
        "ttf",
        {"Regular": "400", "Semibold": "600", "Bold": "700"},
    ),
    FontFace("Source Sans Pro", "font_source_sans_pro", "SourceSansPro-It.ttf", "400", "italic"),
    *_cuts(
        "Source Serif Pro",
        "font_source_serif_pro",
        "SourceSerifPro",
        "ttf",
        {"Regular": "400", "Semibold": "600", "Bold": "700"},
    ),
    FontFace("Source Serif Pro", "font_source_serif_pro", "SourceSerifPro-It.ttf", "400", "italic"),
    FontFace("Manrope", "font_manrope", "Manrope-VariableFont_wght.ttf", "200 800"),
    *_cuts(
        "Hanken Grotesk",
        "font_hanken_grotesk",
        "HankenGrotesk",
        "otf",
        {"Light": "300", "Regular": "400", "SemiBold": "600", "Bold": "700"},
    ),
    FontFace(ICONS, "font_font_awesome", "FontAwesome5-Free-Solid.otf", "100 900"),
)
FAMILIES = tuple(dict.fromkeys(face.family for face in FACES))
_RULE = """@font-face {{
  font-family: "{family}";
  font-style: {style};
  font-weight: {weight};
  font-display: block;
  src: url("/static/fonts/{file}");
}}
"""
_BEFORE = f"""html {{
  font-family: "Source Sans Pro", "{ICONS}", sans-serif;
}}
button,
input,
select,
optgroup,
textarea {{
  font-family: inherit;
}}
"""
"""What holds before a site's own style: nothing is drawn with a font of the machine."""


@cache
def stylesheet() -> bytes:
    """Every face by its family."""
    rules = "".join(
        _RULE.format(family=face.family, style=face.style, weight=face.weight, file=face.file) for face in FACES
    )
    return (rules + _BEFORE).encode()


@cache
def font_file(name: str) -> bytes | None:
    """A font by its file's name, or None where the town has none of that name."""
    face = next((face for face in FACES if face.file == name), None)
    return (files(face.package) / "files" / face.file).read_bytes() if face else None


@cache
def font_of(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font of the town to draw with, by its file's name."""
    data = font_file(name)
    assert data is not None, f"the town has no font {name}"
    return ImageFont.truetype(io.BytesIO(data), size)
