"""What the published rules see in a reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.bench.steps.claims import Claim, claims


@pytest.mark.parametrize(
    ("reply", "seen"),
    [
        ("pyautogui.click(x=0.1, y=0.25)", [("click", (0.1, 0.25))]),
        ("pyautogui.doubleClick(x=0.1,y=0.2)", [("doubleClick", (0.1, 0.2))]),
        ("pyautogui.moveTo(x=0, y=1)", [("moveTo", (0.0, 1.0))]),
        ("pyautogui.dragTo(x=.5, y=.5, button='left')", [("dragTo", (0.5, 0.5))]),
        ("pyautogui.middleClick(x=0.1, y=0.2)", []),
        ("pyautogui.click(x=-0.1, y=0.2)", []),
        ("pyautogui.click(0.1, 0.2)", []),
        ("pyautogui.write(message=\"it's\")", [("write", "it")]),
        ("pyautogui.write(message='')", []),
        ("pyautogui.hotkey(keys=['cmd', 'C'])", [("hotkey", ["ctrl", "C"])]),
        ("pyautogui.press(keys=[enter])", [("press", ["enter"])]),
        ("pyautogui.hotkey(['ctrl', 'c'])", [("hotkey", ["ctrl", "c"])]),
        ("pyautogui.hotkey('Command', ' v ')", [("hotkey", ["ctrl", "v"])]),
        ("pyautogui.hotkey(ctrl, c)", []),
        ("pyautogui.press('enter')", [("press", ["enter"])]),
        ("pyautogui.press('a', 'b')", [("press", ["a"])]),
        ("pyautogui.press(['ctrl', 'c'])", [("hotkey", ["ctrl", "c"])]),
        ("pyautogui.press(['tab'], presses=2)", [("press", ["tab"])]),
        ("pyautogui.write('abc')", [("write", "abc")]),
        ("pyautogui.write('')", [("write", "")]),
        ('pyautogui.write("it\'s")', [("write", "it's")]),
        ("pyautogui.write('abc', interval=0.1)", []),
        ("pyautogui.scroll(-3)", [("scroll", -3)]),
        ("pyautogui.hscroll(3)", []),
        ("computer.wait()", []),
        ("computer.terminate(status='success')", [("terminate", "success")]),
        ("computer.triple_click(x=0.1, y=0.2)", [("triple_click", (0.1, 0.2))]),
        ("computer.tripleClick(x=0.1, y=0.2)", []),
        ("## Code:\n```python\n  pyautogui.scroll(2)\n```", [("scroll", 2)]),
        ("so: pyautogui.click(x=0.1, y=0.2) and pyautogui.scroll(1)", [("click", (0.1, 0.2))]),
        ("pyautogui.scroll(2)\npyautogui.click(x=0.1.2, y=0.2)", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_is_seen(reply: str, seen: list[Claim]) -> None:
    assert list(claims(reply)) == seen


pieces = st.sampled_from(
    ["pyautogui.", "computer.", "click(", "x=", "0.1", ",", "y=", ")", "keys=[", "]", "message=", "'", "\n", "-"]
)


@given(st.text(max_size=60) | st.lists(pieces).map("".join))
def test_nothing_breaks_it(reply: str) -> None:
    assert isinstance(claims(reply), tuple)
