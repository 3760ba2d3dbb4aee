"""The action space: every action survives JSON, and what cannot be is refused at once."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given

from tests.strategies import actions
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    Press,
    Scroll,
    Write,
    kind,
    points,
    with_points,
    without_secrets,
)
from workalike.core.screen import Point


@given(actions)
def test_an_action_survives_json(action: Action) -> None:
    assert msgspec.json.decode(msgspec.json.encode(action), type=Action) == action


@given(actions)
def test_an_action_names_itself(action: Action) -> None:
    assert msgspec.json.decode(msgspec.json.encode(action))["do"] == kind(action)


def test_json_is_what_the_docs_show() -> None:
    assert msgspec.json.encode(Click(Point(0.5, 0.25), count=2)) == b'{"do":"click","at":[0.5,0.25],"count":2}'


def test_a_drag_or_scroll_may_have_no_start() -> None:
    end = Point(0.1, 0.2)
    assert points(Drag((end,))) == (end,)
    assert points(Scroll(dy=3)) == ()


@pytest.mark.parametrize("count", [0, 4, -1])
def test_a_click_is_at_most_triple(count: int) -> None:
    with pytest.raises(ValueError, match="single, double or triple"):
        Click(count=count)
    with pytest.raises(msgspec.ValidationError, match="single, double or triple"):
        msgspec.json.decode(b'{"do":"click","count":%d}' % count, type=Action)


def test_keys_are_needed() -> None:
    for make in (Press, Hotkey):
        with pytest.raises(ValueError, match="at least one key"):
            make(())


@given(actions)
def test_the_same_action_at_other_places(action: Action) -> None:
    places = points(action)
    moved = with_points(action, lambda point: Point(point.x + 2, point.y))
    assert points(moved) == tuple(Point(place.x + 2, place.y) for place in places)
    origin = Point(0, 0)
    assert with_points(moved, lambda point: origin) == with_points(action, lambda point: origin)


def test_points_are_finite_but_may_lie_outside() -> None:
    assert not Point(1.5, -0.2).on_screen
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="finite"):
            Point(bad, 0.0)


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"do":"explode"}', type=Action)


@pytest.mark.parametrize(
    ("action", "shown"),
    [
        (Write("hunter2"), Write("•••••••")),
        (Press(("a", "tab", "space", "num5", "KP_3", "at", "home")), Press(("•", "tab", "•", "•", "•", "•", "home"))),
        (Hotkey(("shift", "a")), Hotkey(("shift", "•"))),
        (Hotkey(("a",)), Hotkey(("•",))),
        (Hotkey(("ctrl", "alt", "q")), Hotkey(("ctrl", "alt", "•"))),
        (Hotkey(("altgr", "q")), Hotkey(("altgr", "•"))),
        (Hotkey(("ctrl", "a")), Hotkey(("ctrl", "a"))),
        (Hotkey(("shift", "home")), Hotkey(("shift", "home"))),
        (KeyDown("a"), KeyDown("•")),
        (KeyUp("A"), KeyUp("•")),
        (KeyDown("shift"), KeyDown("shift")),
        (Click(), Click()),
    ],
)
def test_what_may_be_written_down_of_a_secret(action: Action, shown: Action) -> None:
    assert without_secrets(action) == shown
