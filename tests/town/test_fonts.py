"""The town's own fonts: served, and the only ones that a page is drawn with."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from tests.town.front_pages import front_pages
from workalike.core.errors import BadInput
from workalike.town.caller import Caller
from workalike.town.fonts import FACES, FAMILIES, stylesheet
from workalike.town.render import GROUND
from workalike.town.server import App
from workalike.town.town import Town

OTHER = files("font_source_serif_pro") / "files"
"""All the fonts of another machine."""
GENERIC = {"serif", "sans-serif", "inherit"}
CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{dir}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


def test_every_face_is_served(town: Town, app: App) -> None:
    caller = Caller(app, town.open().token)
    sheet = caller.get("marlow", "/static/fonts.css")
    assert sheet.body == stylesheet()
    for face in FACES:
        assert len(caller.get("search", f"/static/fonts/{face.file}").body) > 10_000
        assert face.file in sheet.text
    assert caller.get("search", "/static/fonts/../fonts.py").status == 404


def test_no_style_names_a_font_of_the_machine() -> None:
    """Stacks are of served families, and end in a generic one that is never reached."""
    named = set()
    for path in GROUND.rglob("*.css"):
        for stack in re.findall(r"--(?:[a-z]+-font|face|display): ([^;]+);", path.read_text()):
            named |= {part.strip().strip('"') for part in stack.split(",") if "var(" not in part}
    assert named - GENERIC <= set(FAMILIES)


@pytest.mark.sweep
async def test_pages_are_drawn_with_served_fonts_and_look_the_same_elsewhere(app: App, tmp_path: Path) -> None:
    """With the machine's fonts and with one other family alone, a page is the same picture, and Chromium says that all
    its glyphs are of fonts that came with it."""
    pictures = []
    for name, dirs in {"machine": "/usr/share/fonts", "other": OTHER}.items():
        config = tmp_path / f"{name}.conf"
        config.write_text(CONFIG.format(dir=dirs, cache=tmp_path / name))
        try:
            pictures.append(await front_pages(app, config))
        except BadInput as problem:
            pytest.skip(str(problem))
    one, other = pictures
    assert len(one) > 10
    assert {site for site in one if one[site] != other[site]} == set()
