"""Small actions that together are one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects import strategies as some
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Wait,
    Write,
)
from workalike.core.screen import Point
from workalike.dialects.gestures import Typing, joined, pressed, scrolls_by, scrolls_in

P, Q, R = Point(0.1, 0.2), Point(0.3, 0.4), Point(0.5, 0.6)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([Move(P), Drag((Q,))], [Drag((Q,), P)]),
        ([Move(P), Scroll(dy=1)], [Scroll(dy=1, at=P)]),
        ([Move(P), Scroll(dy=1, at=Q)], [Move(P), Scroll(dy=1, at=Q)]),
        ([Scroll(dy=1, at=P), Scroll(dx=2)], [Scroll(dx=2, dy=1, at=P)]),
        ([Scroll(dx=2), Scroll(dy=1)], [Scroll(dx=2), Scroll(dy=1)]),
        ([MouseDown(P), Move(Q), Move(R), MouseUp()], [Drag((Q, R), P)]),
        ([MouseDown(P), MouseUp(Q)], [Drag((Q,), P)]),
        ([Move(P), MouseDown(), Move(Q), MouseUp(Q)], [Drag((Q,), P)]),
        ([MouseDown(), MouseUp()], [MouseDown(), MouseUp()]),
        ([Move(P), MouseDown()], [MouseDown(P)]),
        ([MouseDown(P, "right"), Move(Q), MouseUp()], [MouseDown(P, "right"), MouseUp(Q)]),
        ([MouseDown(P), Wait(), Move(Q), MouseUp()], [MouseDown(P), Wait(), MouseUp(Q)]),
        ([KeyDown("ctrl"), Click(P), KeyUp("ctrl")], [Click(P, modifiers=("ctrl",))]),
        ([KeyDown("a"), Click(P), KeyUp("a")], [KeyDown("a"), Click(P), KeyUp("a")]),
        (
            [KeyDown("ctrl"), KeyDown("shift"), Move(P), Drag((Q,)), KeyUp("shift"), KeyUp("ctrl")],
            [Drag((Q,), P, modifiers=("ctrl", "shift"))],
        ),
        ([Move(P), Click()], [Move(P), Click()]),
    ],
)
def test_joined(parts: list[Action], whole: list[Action]) -> None:
    assert joined(parts) == tuple(whole)


@settings(max_examples=300)
@given(st.lists(some.everything(st.sampled_from([P, Q, R])), max_size=8))
def test_joining_twice_changes_nothing(actions: list[Action]) -> None:
    assert joined(joined(actions)) == joined(actions)


def test_presses_in_a_row_are_one() -> None:
    parts: list[Action] = [Press(("a",)), Press(("b", "c")), Hotkey(("d",)), Hotkey(("ctrl", "c")), Press(("e",))]
    assert pressed(parts) == (Press(("a", "b", "c", "d")), Hotkey(("ctrl", "c")), Press(("e",)))


@pytest.mark.parametrize("at", [None, P])
@pytest.mark.parametrize("clear", [False, True])
@pytest.mark.parametrize("enter", [False, True])
def test_typing_is_found_again(at: Point | None, clear: bool, enter: bool) -> None:
    typing = Typing("hello", at, clear, enter)
    assert Typing.at_start((*typing.actions, Wait())) == (typing, len(typing.actions))


@pytest.mark.parametrize(
    "actions",
    [
        [Click(P)],
        [Click(P), Wait()],
        [Click(P, "right"), Write("x")],
        [Hotkey(("ctrl", "a")), Press(("backspace",))],
        [Hotkey(("ctrl", "a")), Write("x")],
        [Wait(), Write("x")],
    ],
)
def test_what_is_no_typing(actions: list[Action]) -> None:
    assert Typing.at_start(actions) is None


def test_scrolls_by_steps() -> None:
    actions = (Scroll(dy=-300, dx=20, unit="pixels", at=P), Scroll(dx=1), Click(P))
    assert scrolls_by(5, actions) == (Scroll(dy=-5, at=P), Scroll(dx=5), Click(P))


def test_scrolls_change_their_unit() -> None:
    actions = (Scroll(dy=3, at=P), Click(P), Scroll(dx=-150, unit="pixels"))
    assert scrolls_in("pixels", actions) == (Scroll(dy=300, unit="pixels", at=P), *actions[1:])
    assert scrolls_in("notches", actions, 50) == (*actions[:2], Scroll(dx=-3))
