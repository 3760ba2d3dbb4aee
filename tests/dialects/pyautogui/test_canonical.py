"""The fast path answers what the reader of syntax trees would have answered, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialects import strategies as some
from workalike.core.actions import Click, Write
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Fractions
from workalike.dialects import pyautogui
from workalike.dialects.pyautogui import canonical, reader

SCREEN = Size(1920, 1080)
SPACE = Fractions()
LINES = (
    "pyautogui.click(x=0.9722, y=0.9701)",
    "pyautogui.rightClick(x=0.5, y=1.0)",
    "pyautogui.moveTo(x=0.4546, y=0.2682)",
    "pyautogui.dragTo(x=0.4107, y=0.2773, button='left')",
    "pyautogui.scroll(-3)",
    "pyautogui.hscroll(2)",
    "pyautogui.write(message='george')",
    'pyautogui.write(message="it\'s")',
    "pyautogui.press(keys=['enter'])",
    "pyautogui.hotkey(keys=['ctrl', 'c'])",
    "computer.tripleClick(x=0.1, y=0.2)",
    "computer.wait()",
    "computer.terminate(status='success')",
)


@pytest.mark.parametrize("line", LINES)
def test_knows_the_canonical_form_at_sight(line: str) -> None:
    actions = canonical.read(line, SCREEN, SPACE)
    assert actions is not None
    assert actions == reader.read(line, SCREEN, SPACE)
    assert pyautogui.format(actions) == line


@pytest.mark.parametrize(
    "line",
    [
        "pyautogui.click(x=0.1, y=0.2) ",
        "pyautogui.click(x=00.1, y=0.2)",
        "pyautogui.click(x=٣, y=0.2)",
        "pyautogui.click(x=0.1, y=9999999999)",
        "pyautogui.write(message='a\\n')",
        "pyautogui.write(message='a\r')",
        "pyautogui.write(message='\ud800')",
        "pyautogui.press(keys=['no such key'])",
        "pyautogui.press(keys=[''])",
        "pyautogui.scroll(-03)",
        "pyautogui.scroll(3)\n",
    ],
)
def test_leaves_the_rest_to_the_other_reader(line: str) -> None:
    assert canonical.read(line, SCREEN, SPACE) is None


def test_quotes_stay_where_they_are() -> None:
    assert pyautogui.parse("pyautogui.write(message='say \"hi\"')") == (Write('say "hi"'),)
    assert pyautogui.parse("pyautogui.click(x=1, y=0)") == (Click(Point(1.0, 0.0)),)


@settings(max_examples=300)
@given(st.data())
def test_agrees_with_the_other_reader_on_mutated_lines(data: st.DataObject) -> None:
    code = "\n".join(data.draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=3)))
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(code)))
        cut = data.draw(st.integers(0, 3))
        code = (
            code[:at]
            + data.draw(st.sampled_from(["", "'", '"', "\\", "0", ".", ",", " ", "\n", "[", "x"]))
            + code[at + cut :]
        )
    fast = canonical.read(code, SCREEN, SPACE)
    try:
        slow = reader.read(code, SCREEN, SPACE)
    except Unreadable:
        assert fast is None
    else:
        assert fast in (None, slow)


@given(some.texts)
def test_agrees_with_the_other_reader_on_texts(text: str) -> None:
    for code in (f"pyautogui.write(message={text!r})", f"pyautogui.write(message='{text}')"):
        fast = canonical.read(code, SCREEN, SPACE)
        assert fast is None or fast == reader.read(code, SCREEN, SPACE)
