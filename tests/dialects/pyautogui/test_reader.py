"""What the whitelist reads, and how it refuses the rest."""

from __future__ import annotations

import warnings

import pytest

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
    Terminate,
    Wait,
    Write,
)
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import ResizedPixels
from workalike.dialects import pyautogui

P = Point(0.25, 0.5)
Q = Point(0.75, 0.125)
SCREEN = Size(1000, 800)


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("pyautogui.click(0.25, 0.5)", [Click(P)]),
        ("pyautogui.click((0.25, 0.5))", [Click(P)]),
        ("pyautogui.click()", [Click()]),
        ("pyautogui.click(0.25, 0.5, 2)", [Click(P, count=2)]),
        ("pyautogui.click(x=0.25, y=0.5, clicks=2, button='right')", [Click(P, "right", 2)]),
        ("pyautogui.click(0.25, 0.5, 3, 0.1, 'MIDDLE')", [Click(P, "middle", 3)]),
        ("pyautogui.click(button=pyautogui.RIGHT, x=.25, y=.5)", [Click(P, "right")]),
        ("pyautogui.click(0.25, 0.5, button=3)", [Click(P, "right")]),
        ("pyautogui.leftClick(0.25, 0.5)", [Click(P)]),
        ("pyautogui.doubleClick(0.25, 0.5, button='middle')", [Click(P, "middle", 2)]),
        ("pyautogui.tripleClick(0.25, 0.5)", [Click(P, count=3)]),
        ("computer.tripleClick(x=0.25, y=0.5)", [Click(P, count=3)]),
        ("computer.triple_click(x=0.25, y=0.5)", [Click(P, count=3)]),
        ("pyautogui.moveTo(0.25, 0.5, duration=1, tween=pyautogui.easeInQuad)", [Move(P)]),
        ("pyautogui.dragTo(0.25, 0.5, 0.5)", [Drag((P,))]),
        ("pyautogui.moveTo(0.75, 0.125)\npyautogui.dragTo(0.25, 0.5, button='right')", [Drag((P,), Q, "right")]),
        ("pyautogui.moveTo(0.25, 0.5); pyautogui.dragRel(0.5, -0.375)", [Drag((Q,), P)]),
        ("pyautogui.click(0.25, 0.5)\npyautogui.move(0.5, -0.375)", [Click(P), Move(Q)]),
        ("pyautogui.mouseDown(0.25, 0.5)\npyautogui.moveTo(0.75, 0.125)\npyautogui.mouseUp()", [Drag((Q,), P)]),
        ("pyautogui.mouseDown(button='right')", [MouseDown(button="right")]),
        ("pyautogui.mouseUp(0.25, 0.5)", [MouseUp(P)]),
        ("pyautogui.scroll(-3)", [Scroll(dy=3)]),
        ("pyautogui.scroll(0)", [Scroll()]),
        ("pyautogui.scroll(clicks=+5, x=0.25, y=0.5)", [Scroll(dy=-5, at=P)]),
        ("pyautogui.vscroll(2.5)", [Scroll(dy=-2.5)]),
        ("pyautogui.moveTo(0.25, 0.5)\npyautogui.scroll(-3)", [Scroll(dy=3, at=P)]),
        ("pyautogui.moveTo(0.25, 0.5)\npyautogui.hscroll(3)", [Scroll(dx=3, at=P)]),
        ("pyautogui.scroll(-3)\npyautogui.hscroll(2)", [Scroll(dx=2, dy=3)]),
        ("pyautogui.write('it\\'s', interval=0.05)", [Write("it's")]),
        ('pyautogui.typewrite("it\'s \\"so\\"\\n")', [Write('it\'s "so"\n')]),
        ("pyautogui.write(message='''a\nb''')", [Write("a\nb")]),
        ("pyautogui.write('Zürich ' 'π \\u00e9 \\N{BULLET}')", [Write("Zürich π é •")]),
        ("pyautogui.write(['a', 'Return'])", [Press(("a", "enter"))]),
        ("pyautogui.press('Enter')", [Press(("enter",))]),
        ("pyautogui.press('a', presses=3)", [Press(("a", "a", "a"))]),
        ("pyautogui.press(['left', 'right'], 2)", [Press(("left", "right", "left", "right"))]),
        ("pyautogui.hotkey('ctrl', 'c')", [Hotkey(("ctrl", "c"))]),
        ("pyautogui.hotkey(['ctrl', 'c'])", [Hotkey(("ctrl", "c"))]),
        ("pyautogui.hotkey(keys=['command', 'shift', '4'], interval=0.1)", [Hotkey(("command", "shift", "4"))]),
        ("pyautogui.hotkey('f5')", [Hotkey(("f5",))]),
        ("pyautogui.keyDown('shift')\npyautogui.keyUp(key='shift')", [KeyDown("shift"), KeyUp("shift")]),
        (
            "pyautogui.keyDown('ctrl')\npyautogui.click(0.25, 0.5)\npyautogui.keyUp('ctrl')",
            [Click(P, modifiers=("ctrl",))],
        ),
        ("with pyautogui.hold('shift'):\n    pyautogui.click(0.25, 0.5)", [Click(P, modifiers=("shift",))]),
        (
            "with pyautogui.hold(['ctrl', 'alt']):\n  pyautogui.press('a')",
            [KeyDown("ctrl"), KeyDown("alt"), Press(("a",)), KeyUp("alt"), KeyUp("ctrl")],
        ),
        ("import time\ntime.sleep(1.5)", [Wait(1.5)]),
        ("from time import sleep as rest\nrest(2)", [Wait(2)]),
        ("from pyautogui import press, sleep\npress('a')\nsleep(1)", [Press(("a",)), Wait(1)]),
        ("pyautogui.sleep(1)", [Wait(1)]),
        ("computer.wait()", [Wait()]),
        ("computer.wait(duration=3)", [Wait(3)]),
        ("computer.wait(3)", [Wait(3)]),
        ("computer.terminate(status='failure')", [Terminate("failure")]),
        ("computer.terminate('success', answer='42 €')", [Terminate("success", "42 €")]),
        ("import pyautogui as pg\npg.PAUSE = 0.5\npg.click(0.25, 0.5)  # the button\n", [Click(P)]),
        ("# first\n\npyautogui.click(\n    x=0.25,  # left\n    y=0.5,\n)\n", [Click(P)]),
        ("    pyautogui.click(0.25, 0.5)\n    pyautogui.click()", [Click(P), Click()]),
        ("pyautogui.click(0.25, 0.5)\r\npyautogui.press('a')\r\n", [Click(P), Press(("a",))]),
        ("```python\npyautogui.click(0.25, 0.5)\n```", [Click(P)]),
        ("I click it.\n```\npyautogui.click(0.25, 0.5)\n```\nDone.", [Click(P)]),
        ("```python\npyautogui.click(0.25, 0.5)", [Click(P)]),
        ("pyautogui.click(x=-0.25, y=1.5)", [Click(Point(-0.25, 1.5))]),
    ],
)
def test_reads(code: str, actions: list[Action]) -> None:
    assert pyautogui.parse(code) == tuple(actions)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("", "no action"),
        ("# nothing", "no action"),
        ("import os", "'os'"),
        ("from pyautogui import *", "imported by name"),
        ("__import__('os').system('true')", "named functions"),
        ("os.system('true')", "'os.system'"),
        ("pyautogui.click(0.1, 0.2)\npyautogui.alert('hi')", "'pyautogui.alert' is not a call that is read in line 2"),
        ("for i in range(3):\n    pyautogui.press('tab')", "not a loop in line 1"),
        ("x = 5", "not an assignment"),
        ("pyautogui.PAUSE = input()", "not a call"),
        ("pyautogui.click(x=0.5)", "y must be a number"),
        ("pyautogui.click('button.png')", "x must be a number"),
        ("pyautogui.click(x=1/2, y=0.5)", "not a calculation"),
        ("pyautogui.click(w / 2, 3)", "not a calculation"),
        ("pyautogui.click(x, y)", "not a variable"),
        ("pyautogui.click(*where)", "plain values"),
        ("pyautogui.click(**where)", "**"),
        ("pyautogui.click(x=True, y=0.5)", "x must be a number, not True"),
        ("pyautogui.click(x=1e999, y=0.5)", "too large"),
        ("pyautogui.click(0.1, 0.2, colour='red')", "'colour'"),
        ("pyautogui.click(0.1, 0.2, x=0.3)", "'x'"),
        ("pyautogui.click(0.1, 0.2, clicks=4)", "clicks must be a whole number from 1 to 3, not 4"),
        ("pyautogui.click(0.1, 0.2, button='side')", "no mouse button 'side'"),
        ("pyautogui.click(0.1, 0.2, button=True)", "no mouse button True"),
        ("pyautogui.click(pyautogui.X, 0.2)", "'pyautogui.X'"),
        ("pyautogui.moveTo()", "needs x and y"),
        ("pyautogui.moveRel(3, 4)", "does not say where"),
        ("pyautogui.scroll()", "clicks must be a number"),
        ("pyautogui.scroll('down')", "clicks must be a number"),
        ("pyautogui.write(message=3)", "message must be a text"),
        ("pyautogui.write(f'{x}')", "f-string"),
        ("pyautogui.write('abc", "unterminated"),
        ("pyautogui.press(keys=[])", "at least one key"),
        ("pyautogui.press(keys=['cmd+c'])", "no key 'cmd+c'"),
        ("pyautogui.press('a', presses=10**9)", "not a calculation"),
        ("pyautogui.press('a', presses=1000000000)", "presses must be"),
        ("pyautogui.hotkey()", "at least one key"),
        ("pyautogui.hotkey(['a', ['b']])", "lists within lists"),
        ("time.sleep(-1)", "negative"),
        ("computer.wait(1, 2)", "at most a duration"),
        ("computer.terminate()", "status must be"),
        ("computer.terminate(status='done')", "not 'done'"),
        ("with open('x') as f:\n    pass", "not such a with"),
        ("with open('x'):\n    pass", "'open'"),
        ("```python\npyautogui.click()\n```\nor\n```python\npyautogui.press('a')\n```", "2 blocks"),
        ("I would click the button.", "not Python code"),
        ("a\0b", "not Python code"),
        ("'\ud800'", "half a character"),
        ("pyautogui.write('\\ud800')", "half a character"),
    ],
)
def test_refuses_and_says_why(code: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        pyautogui.parse(code)
    assert says in str(caught.value)


def test_errors_count_lines_before_the_fence() -> None:
    with pytest.raises(Unreadable) as caught:
        pyautogui.parse("Here goes:\n\n```python\npyautogui.click()\nopen('x')\n```")
    assert caught.value.line == 5
    assert caught.value.text == "open('x')"


@pytest.mark.parametrize(
    "code",
    [
        "(" * 10_000,
        "-" * 100_000 + "1",
        "a" + ".a" * 90_000,
        "a" + "+a" * 90_000,
        "a" + "()" * 90_000,
        "not " * 40_000 + "1",
        "lambda:" * 20_000 + "1",
        "pyautogui.scroll(" + "9" * 5_000 + ")",
        "pyautogui.click()\n" * 9_000,
        "x" * 1_000_000,
        "\n".join(" " * depth + "with pyautogui.hold('a'):" for depth in range(300)),
    ],
)
def test_monstrous_input_is_refused(code: str) -> None:
    with pytest.raises(Unreadable):
        pyautogui.parse(code)


def test_pixels_and_resized_pixels() -> None:
    assert pyautogui.parse("pyautogui.click(250, 400)", SCREEN, pyautogui.PIXELS) == (Click(P),)
    resized = ResizedPixels()
    assert pyautogui.parse("pyautogui.click(x=714, y=448)", Size(1440, 900), resized) == (Click(Point(0.5, 0.5)),)


def test_a_screen_too_narrow_for_the_space_is_named() -> None:
    with pytest.raises(Unreadable, match="too narrow"):
        pyautogui.parse("pyautogui.click(x=714, y=448)", Size(4000, 10), ResizedPixels())


def test_odd_escapes_warn_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pyautogui.parse(r"pyautogui.write('a\d')") == (Write("a\\d"),)
