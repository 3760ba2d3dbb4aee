"""Dialogs are laid out within the screen, and what is drawn of them is where it can be clicked."""

from __future__ import annotations

import pytest
from PIL import Image

from workalike.core.observation import Dialog
from workalike.core.screen import Size
from workalike.pictures.dialogs import draw_dialog, layout
from workalike.pictures.similar import changed_box

DIALOGS = [
    Dialog("alert", "Saved"),
    Dialog("confirm", "Really?\n\nAll of it?"),
    Dialog("prompt", "Name?", "Bob"),
    Dialog("beforeunload"),
    Dialog("file", "Choose a file", options=("cv.pdf", "photo.png")),
    Dialog("alert", "word " * 2000),
    Dialog("file", "Choose", options=tuple(f"{n}.txt" for n in range(50))),
]


@pytest.mark.parametrize("dialog", DIALOGS, ids=lambda one: f"{one.kind} {one.message[:8]}")
@pytest.mark.parametrize("screen", [Size(1440, 900), Size(390, 844)], ids=lambda one: f"{one.width}")
def test_every_part_is_on_the_screen_and_apart(dialog: Dialog, screen: Size) -> None:
    plan = layout(dialog, screen)
    for part in plan.parts:
        assert part.box.x >= 0
        assert part.box.right <= 1
        assert part.box.y >= 0
        assert part.box.bottom <= 1
        assert plan.part_at(part.box.centre) == part
        assert all(part.box.overlap(other.box) < 1e-9 for other in plan.parts if other is not part)
    buttons = [part.name for part in plan.parts if part.role == "button"]
    assert len(buttons) == (1 if dialog.kind == "alert" else 2)


@pytest.mark.parametrize("scale", [1, 2])
def test_it_is_drawn_where_it_is_laid_out(scale: int) -> None:
    screen, dialog = Size(800, 600), DIALOGS[2]
    picture = Image.new("RGB", (800 * scale, 600 * scale), (160, 160, 160))
    empty, typed = (draw_dialog(picture, dialog, draft, screen) for draft in ("", "Anne"))
    field = next(part for part in layout(dialog, screen).parts if part.role == "textbox")
    box = changed_box(empty, typed)
    assert box is not None
    assert field.box.contains(box.centre)
    assert box.overlap(field.box) > 0
