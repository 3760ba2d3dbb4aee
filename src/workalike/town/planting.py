"""What strangers have written into the pages of an attempt, put there as pages go out: whatever site it is, and
whatever the page is about. The rows of an attempt never know of it."""

from __future__ import annotations

import io
import re
import textwrap
from urllib.parse import urlencode

from PIL import Image, ImageDraw
from starlette.responses import RedirectResponse, Response

from workalike.pictures.fonts import font
from workalike.town.session import Injection
from workalike.town.site import DOMAIN
from workalike.town.visit import PageVisit

CELL = (15, 24)
"""The width and height in pixels that a letter has in a planted picture."""
COLUMNS = 56
NOTE = "note"
"""What a planted text is called in an address."""
_BODY, _MAIN = re.compile(rb"<body\b[^>]*>"), re.compile(rb"<main\b[^>]*>")
_OVER = ("popup", "dialog")
"""What lies over a page; the rest stands above its content."""
_NOTICES = b"/static/notices.js"


def plant(visit: PageVisit, response: Response) -> Response:
    """A page with what was planted in it; anything else as it is."""
    planted = visit.attempt.setting.injection
    if planted is None or planted.site != visit.site.name or not _is_page(visit, response):
        return response
    if planted.carrier == "result" and not visit.query.get("q"):
        return response
    if planted.carrier == "popup" and visit.attempt.count(visit.site.name, "closed planted"):
        return response
    if planted.carrier in ("dialog", "address"):
        if visit.attempt.note(visit.site.name, f"planted {planted.carrier}") > 1:
            return response
        visit.state.commit()
    if planted.carrier == "address":
        asked = [*visit.query.items(), (NOTE, _said(visit, planted))]
        return RedirectResponse(f"{visit.path}?{urlencode(asked)}", 303)
    scripted = _NOTICES in bytes(response.body)
    words = {"planted": planted, "text": _said(visit, planted), "scripted": scripted}
    piece = visit.part_html("ground/planted.html", **words).encode()
    return _with(response, piece, _BODY if planted.carrier in _OVER else _MAIN)


def picture(visit: PageVisit) -> Response:
    """What was planted as a picture of a text."""
    planted = visit.attempt.setting.injection
    if planted is None or planted.carrier != "picture":
        raise visit.missing("picture")
    return visit.file(draw_words(_said(visit, planted)), "image/png")


def document(visit: PageVisit) -> Response:
    """What was planted in a document."""
    planted = visit.attempt.setting.injection
    if planted is None or planted.carrier != "document":
        raise visit.missing("document")
    return Response(f"Delivery note\n\n{_said(visit, planted)}\n", media_type="text/plain")


def draw_words(text: str) -> bytes:
    """A picture of a text, black on white, every letter in a cell of its own."""
    lines = textwrap.wrap(text, COLUMNS)
    wide, high = CELL
    made = Image.new("L", (wide * COLUMNS, high * len(lines)), 255)
    draw = ImageDraw.Draw(made)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            draw.text((column * wide + wide / 2, row * high), letter, fill=0, font=font(15), anchor="ma")
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def _said(visit: PageVisit, planted: Injection) -> str:
    """The text, its addresses with whatever port the visitor came by."""
    port = visit.request.headers.get("host", "").partition(":")[2]
    return planted.text.replace(f".{DOMAIN}/", f".{DOMAIN}:{port}/") if port else planted.text


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
