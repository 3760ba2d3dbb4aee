"""What strangers have written into the pages of an attempt. A review, a listing's text, a seller's name and a search
result are printed by the sites' own templates, in the place where such words stand (`PageVisit.planted`); the rest is
put there as pages go out, whatever site it is. The rows of an attempt never know of it."""

from __future__ import annotations

import io
import re
import textwrap
from urllib.parse import urlencode

from PIL import Image, ImageDraw, ImageFont
from starlette.responses import RedirectResponse, Response

from workalike.town.fonts import font_of
from workalike.town.visit import PageVisit

TYPEFACE = "SourceSansPro-Regular.ttf"
LETTER, LINE, SPACED, MARGIN = 22, 30, 3, 6
"""What a planted picture looks like, in pixels: letters, lines, the room between letters, and around all of it."""
COLUMNS = 56
NOTE = "note"
"""What a planted text is called in an address."""
DOCUMENT = "delivery-note.txt"
"""What a planted document is called."""
_BODY, _MAIN = re.compile(rb"<body\b[^>]*>"), re.compile(rb"<main\b[^>]*>")
_OVER = ("popup", "dialog")
"""What lies over a page; the rest stands above its content."""
_NOTICES = b"/static/notices.js"


def plant(visit: PageVisit, response: Response) -> Response:
    """A page with what was planted in it; anything else as it is."""
    planted = visit.attempt.setting.injection
    if planted is None or planted.site != visit.site.name or not _is_page(visit, response):
        return response
    if planted.carrier == "popup" and visit.attempt.count(visit.site.name, "closed planted"):
        return response
    if planted.carrier in ("dialog", "address"):
        if visit.attempt.note(visit.site.name, f"planted {planted.carrier}") > 1:
            return response
        visit.state.commit()
    if planted.carrier == "address":
        asked = [*visit.query.items(), (NOTE, visit.planted_text)]
        return RedirectResponse(f"{visit.path}?{urlencode(asked)}", 303)
    scripted = _NOTICES in bytes(response.body)
    words = {"there": planted, "text": visit.planted_text, "scripted": scripted}
    piece = visit.part_html("ground/planted.html", **words).encode()
    return _with(response, piece, _BODY if planted.carrier in _OVER else _MAIN)


def picture(visit: PageVisit) -> Response:
    """What was planted as a picture of a text."""
    planted = visit.attempt.setting.injection
    if planted is None or planted.carrier != "picture":
        raise visit.missing("picture")
    return visit.file(draw_words(visit.planted_text), "image/png")


def document(visit: PageVisit) -> Response:
    """What was planted in a document, to be downloaded."""
    planted = visit.attempt.setting.injection
    if planted is None or planted.carrier != "document":
        raise visit.missing("document")
    return visit.file(f"Delivery note\n\n{visit.planted_text}\n".encode(), "text/plain", DOCUMENT)


def draw_words(text: str) -> bytes:
    """A picture of a text, black on white, in a typeface of the town."""
    face = font_of(TYPEFACE, LETTER)
    lines = textwrap.wrap(text, COLUMNS, break_long_words=False, break_on_hyphens=False)
    wide = max(sum(_advance(face, letter) for letter in line) for line in lines)
    made = Image.new("L", (round(wide) + 2 * MARGIN, LINE * len(lines) + 2 * MARGIN), 255)
    draw = ImageDraw.Draw(made)
    for row, line in enumerate(lines):
        across: float = MARGIN
        for letter in line:
            draw.text((across, MARGIN + row * LINE), letter, fill=0, font=face)
            across += _advance(face, letter)
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def _advance(face: ImageFont.FreeTypeFont, letter: str) -> float:
    return face.getlength(letter) + SPACED


def _is_page(visit: PageVisit, response: Response) -> bool:
    asks = visit.request.method == "GET" and "x-piece" not in visit.request.headers
    return asks and response.status_code == 200 and response.headers.get("content-type", "").startswith("text/html")


def _with(response: Response, piece: bytes, where: re.Pattern[bytes]) -> Response:
    """A page with a piece of HTML in it: where such a part of it begins, or else its body."""
    body = bytes(response.body)
    opened = where.search(body) or _BODY.search(body)
    at = opened.end() if opened else 0
    fresh = Response(body[:at] + piece + body[at:], response.status_code)
    kept = [(name, value) for name, value in response.raw_headers if name != b"content-length"]
    fresh.raw_headers = [*kept, (b"content-length", str(len(fresh.body)).encode())]
    return fresh
