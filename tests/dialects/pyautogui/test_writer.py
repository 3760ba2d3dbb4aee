"""Code written from actions, and the promise that reading it gives the actions back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects import strategies as some
from tests.dialects.families import FAMILIES
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    MouseDown,
    Opaque,
    Press,
    Scroll,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.errors import Inexpressible
from workalike.core.screen import Point, Size
from workalike.core.spaces import Fractions, Grid, ResizedPixels, ScreenPixels, Space
from workalike.dialects import pyautogui

P, Q = Point(0.25, 0.5), Point(0.75, 0.125)
PYAUTOGUI = FAMILIES[0]
SPACES: tuple[Space, ...] = (Fractions(), ScreenPixels(), ResizedPixels(), Grid())


@pytest.mark.parametrize(
    ("action", "code", "native"),
    [
        (Click(P), "pyautogui.click(x=0.25, y=0.5)", None),
        (Click(), "pyautogui.click()", None),
        (Click(P, count=3), "computer.tripleClick(x=0.25, y=0.5)", "pyautogui.tripleClick(x=0.25, y=0.5)"),
        (Click(P, "right", 2), "pyautogui.click(x=0.25, y=0.5, clicks=2, button='right')", None),
        (
            Drag((P,), Q),
            "pyautogui.moveTo(x=0.75, y=0.125)\npyautogui.dragTo(x=0.25, y=0.5, button='left')",
            None,
        ),
        (
            Drag((P, Q), Q, modifiers=("alt",)),
            "pyautogui.keyDown('alt')\npyautogui.mouseDown(x=0.75, y=0.125, button='left')\n"
            "pyautogui.moveTo(x=0.25, y=0.5)\npyautogui.moveTo(x=0.75, y=0.125)\n"
            "pyautogui.mouseUp(button='left')\npyautogui.keyUp('alt')",
            None,
        ),
        (Scroll(dy=3, at=P), "pyautogui.moveTo(x=0.25, y=0.5)\npyautogui.scroll(-3)", None),
        (Scroll(dx=-2), "pyautogui.hscroll(-2)", None),
        (Write('it\'s "so"\\'), "pyautogui.write(message='it\\'s \"so\"\\\\')", None),
        (Press(("enter",)), "pyautogui.press(keys=['enter'])", "pyautogui.press(['enter'])"),
        (Hotkey(("ctrl", "c")), "pyautogui.hotkey(keys=['ctrl', 'c'])", "pyautogui.hotkey('ctrl', 'c')"),
        (Wait(2.0), "computer.wait(duration=2)", "time.sleep(2)"),
        (Wait(), "computer.wait()", None),
        (Terminate("failure", "no"), "computer.terminate(status='failure', answer='no')", None),
        (MouseDown(P, "middle"), "pyautogui.mouseDown(x=0.25, y=0.5, button='middle')", None),
    ],
)
def test_writes(action: Action, code: str, native: str | None) -> None:
    assert pyautogui.format([action]) == code
    assert pyautogui.format([action], native=True) == (native or code)


def test_pixels_are_whole() -> None:
    code = pyautogui.format([Click(Point(0.5, 0.33333))], Size(1920, 1080), pyautogui.PIXELS)
    assert code == "pyautogui.click(x=960, y=360)"


@pytest.mark.parametrize(
    "action",
    [
        Visit("https://a.test"),
        Opaque("?"),
        Scroll(dy=300, unit="pixels"),
        Press(("Enter",)),
        KeyDown("no key"),
        Click(P, modifiers=("a",)),
        Wait(-1),
        Wait(float("nan")),
        Scroll(dy=float("inf")),
        Click(Point(1e300, 0.5)),
    ],
)
def test_what_it_cannot_say(action: Action) -> None:
    with pytest.raises(Inexpressible):
        pyautogui.format([action])
    with pytest.raises(Inexpressible):
        pyautogui.format([action], space=pyautogui.PIXELS)


@settings(max_examples=100)
@given(st.data(), some.screens, st.sampled_from(SPACES), st.booleans())
def test_every_space_and_spelling_comes_back(data: st.DataObject, screen: Size, space: Space, native: bool) -> None:
    action = data.draw(PYAUTOGUI.expressible(some.grid(space, screen), screen))
    assert pyautogui.parse(pyautogui.format([action], screen, space, native), screen, space) == (action,)
