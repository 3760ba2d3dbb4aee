"""Draw a dialog that stands open: a headless browser shows none, but an agent should see it where people would."""

from __future__ import annotations

import textwrap

import msgspec
from PIL import Image, ImageDraw

from workalike.core.observation import Dialog
from workalike.core.screen import Box, Point, Size
from workalike.pictures.fonts import font

ACCEPT, DISMISS = "OK", "Cancel"
_LABELS = {"beforeunload": ("Leave", "Stay"), "file": ("Open", "Cancel")}
_WIDTH, _PAD, _LINE, _ROW, _BUTTON = 520, 20, 22, 28, (92, 32)
_MOST_LINES, _MOST_ROWS = 12, 12


class DialogPart(msgspec.Struct, frozen=True):
    """One piece of a dialog: a button, the field, a row. Boxes are fractions of the screen."""

    role: str
    name: str
    box: Box


class Layout(msgspec.Struct, frozen=True):
    """Where everything of a dialog is."""

    panel: Box
    lines: tuple[str, ...]
    parts: tuple[DialogPart, ...]

    def part_at(self, point: Point) -> DialogPart | None:
        return next((part for part in self.parts if part.box.contains(point)), None)


def layout(dialog: Dialog, screen: Size) -> Layout:
    """Where a dialog and its parts stand on a screen: near the top, in the middle, as browsers put it."""
    wide = min(_WIDTH, screen.width - 2 * _PAD)
    lines = _wrapped(dialog, wide)
    rows = dialog.options[:_MOST_ROWS]
    accept, dismiss = _LABELS.get(dialog.kind, (ACCEPT, DISMISS))
    has_field = dialog.kind in ("prompt", "file")
    high = 2 * _PAD + len(lines) * _LINE + len(rows) * _ROW + (_ROW + 10 if has_field else 0) + _BUTTON[1] + 12
    left, top = (screen.width - wide) / 2, min(60.0, max(0.0, (screen.height - high) / 2))

    def box(x: float, y: float, width: float, height: float) -> Box:
        return Box(x / screen.width, y / screen.height, width / screen.width, height / screen.height)

    parts = []
    y = top + _PAD + len(lines) * _LINE
    for row in rows:
        parts.append(DialogPart("option", row, box(left + _PAD, y, wide - 2 * _PAD, _ROW)))
        y += _ROW
    if has_field:
        parts.append(DialogPart("textbox", "", box(left + _PAD, y + 6, wide - 2 * _PAD, _ROW)))
    x, y = left + wide - _PAD - _BUTTON[0], top + high - _PAD - _BUTTON[1]
    parts.append(DialogPart("button", accept, box(x, y, *_BUTTON)))
    if dialog.kind != "alert":
        parts.append(DialogPart("button", dismiss, box(x - _BUTTON[0] - 10, y, *_BUTTON)))
    return Layout(box(left, top, wide, high), lines, tuple(parts))


def draw_dialog(picture: Image.Image, dialog: Dialog, draft: str, screen: Size) -> Image.Image:
    """A copy of the picture, dimmed, with the dialog on it; `draft` is what stands in its field."""
    plan = layout(dialog, screen)
    scale = picture.width / screen.width
    copy = Image.blend(picture.convert("RGB"), Image.new("RGB", picture.size, "black"), 0.35)
    draw = ImageDraw.Draw(copy)
    draw.rounded_rectangle(_pixels(plan.panel, copy), radius=10 * scale, fill="white", outline=(140, 140, 140))
    left, top = plan.panel.x * copy.width + _PAD * scale, plan.panel.y * copy.height + _PAD * scale
    for number, line in enumerate(plan.lines):
        ink = (90, 90, 90) if number == 0 else (20, 20, 20)
        draw.text((left, top + number * _LINE * scale), line, fill=ink, font=font(round(15 * scale)))
    for part in plan.parts:
        _draw_part(draw, copy, part, draft, scale)
    return copy


def _draw_part(draw: ImageDraw.ImageDraw, picture: Image.Image, part: DialogPart, draft: str, scale: float) -> None:
    x0, y0, x1, y1 = _pixels(part.box, picture)
    face = font(round(14 * scale))
    if part.role == "button":
        first = part.name in (ACCEPT, *(names[0] for names in _LABELS.values()))
        ground, ink = ((26, 95, 208), "white") if first else ((235, 235, 235), (20, 20, 20))
        draw.rounded_rectangle((x0, y0, x1, y1), radius=5 * scale, fill=ground)
        draw.text(((x0 + x1) / 2, (y0 + y1) / 2), part.name, fill=ink, font=face, anchor="mm")
        return
    chosen = part.role == "option" and part.name in draft.split("\n")
    ground = (215, 230, 255) if chosen else (255, 255, 255)
    outline = (120, 120, 120) if part.role == "textbox" else (225, 225, 225)
    draw.rectangle((x0, y0, x1, y1), fill=ground, outline=outline)
    words = draft.replace("\n", ", ") if part.role == "textbox" else part.name
    draw.text((x0 + 8 * scale, (y0 + y1) / 2), words[-60:], fill=(20, 20, 20), font=face, anchor="lm")


def _wrapped(dialog: Dialog, wide: int) -> tuple[str, ...]:
    head = {"file": dialog.message, "beforeunload": "Leave this page?"}.get(dialog.kind, "This page says")
    body = (
        ""
        if dialog.kind == "file"
        else dialog.message or ("Changes may not be saved." if dialog.kind == "beforeunload" else "")
    )
    lines = [
        line for paragraph in body.splitlines() for line in textwrap.wrap(paragraph, (wide - 2 * _PAD) // 8) or [""]
    ]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], "…"]
    return (head, *lines)


def _pixels(box: Box, picture: Image.Image) -> tuple[float, float, float, float]:
    return (
        box.x * picture.width,
        box.y * picture.height,
        box.right * picture.width,
        box.bottom * picture.height,
    )
