"""What was done is drawn where it was done."""

from __future__ import annotations

import pytest
from PIL import Image

from workalike.core.actions import (
    Action,
    Back,
    Click,
    Drag,
    Hotkey,
    MouseDown,
    MouseUp,
    Move,
    Opaque,
    Scroll,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.screen import Point
from workalike.pictures.actions import caption, draw_action, draw_pointer
from workalike.pictures.similar import changed_box

WHITE = Image.new("RGB", (800, 600), "white")
HERE, THERE = Point(0.25, 0.5), Point(0.75, 0.25)


PLACED = (
    *(Click(HERE), Click(HERE, count=3), Move(HERE), MouseDown(HERE), MouseUp(HERE)),
    *(Scroll(dy=3, at=HERE), Scroll(at=HERE), Drag((THERE,), start=HERE), Drag((THERE, HERE), start=HERE)),
)


@pytest.mark.parametrize("action", PLACED, ids=repr)
def test_actions_with_a_place_are_drawn_there(action: Action) -> None:
    box = changed_box(WHITE, draw_action(WHITE, action))
    assert box is not None
    assert box.contains(HERE)
    assert box.contains(THERE) or not isinstance(action, Drag)


@pytest.mark.parametrize("action", [Click(), MouseUp(), Drag((THERE,)), Scroll(dx=1)], ids=repr)
def test_actions_without_a_place_begin_at_the_pointer(action: Action) -> None:
    box = changed_box(WHITE, draw_action(WHITE, action, pointer=HERE))
    assert box is not None
    assert box.contains(HERE)


@pytest.mark.parametrize(
    "action",
    [
        Write("hello"),
        Hotkey(("ctrl", "c")),
        Wait(),
        Visit("http://a/"),
        Back(),
        Terminate("success", "42"),
        Opaque("?"),
        Click(),
    ],
    ids=repr,
)
def test_everything_else_is_said_at_the_bottom(action: Action) -> None:
    box = changed_box(WHITE, draw_action(WHITE, action))
    assert box is not None
    assert box.y > 0.85


def test_off_the_screen_and_at_scale_two() -> None:
    assert draw_action(WHITE, Click(Point(2, -1)), scale=2).size == (800, 600)
    assert draw_pointer(WHITE, Point(1, 1), scale=2).size == (800, 600)


def test_the_pointer_s_tip_is_at_its_place() -> None:
    box = changed_box(WHITE, draw_pointer(WHITE, HERE))
    assert box is not None
    assert (box.x * 800, box.y * 600) == pytest.approx((200, 300), abs=2)
    assert WHITE.getcolors() == [(480_000, (255, 255, 255))]


def test_captions_are_short() -> None:
    assert caption(Write("x" * 500)).endswith("…")
    assert len(caption(Write("x" * 500))) == 90
    assert caption(Visit("http://a/")) == "visit http://a/"
